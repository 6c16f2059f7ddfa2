import { afterAll, expect, it } from 'vitest';
import { sourceDocument } from '../../../tests/source-document.ts';
import { cutWords } from '../server/words/cut-words.ts';
import { queryWords } from '../words.ts';
import { createSegmentBuilder } from './build/build-segment.ts';
import type { IndexedDocument } from './format/document.ts';
import { toFacts, toIndexed } from './build/index-document.ts';
import { EngineBusy, openEnginePool } from './engine-pool.ts';
import type { Gathered } from './match/gather.ts';
import type { Query } from './match/query.ts';

const lost: string[] = [];
// No query is cheap enough to run in place: every query goes to a thread.
const pool = openEnginePool({ threads: 2, onLost: (reason) => lost.push(reason), quickEffort: -1 });
const quick = openEnginePool({ threads: 2, onLost: (reason) => lost.push(reason) });
afterAll(() => Promise.all([pool.close(), quick.close()]));

const document = (id: number, name: string): IndexedDocument =>
  toIndexed(sourceDocument({ id, name, themeIds: [1], recommendScore: id }));

const ask = (text: string): Query => ({
  words: queryWords(text, cutWords),
  filter: {},
  sort: 'relevance',
  limit: 15,
  offset: 0,
});
const idsOf = async (text: string) => (await pool.search(ask(text))).ids;
/** Asked of both threads. */
const everywhere = (text: string) => Promise.all([idsOf(text), idsOf(text)]);

/** Readable where it was made; a thread gets a copy without the method. */
class NameOfOneThread {
  split(): string[] {
    return [];
  }
}

it('applies changes in every thread', async () => {
  expect(await everywhere('中秋')).toEqual([[], []]);
  const builder = createSegmentBuilder();
  builder.add(document(1, '中秋方案'));
  builder.add(document(2, '国庆方案'));
  pool.apply([{ id: 1, document: null }]);
  const known = new Map(pool.changes());
  pool.apply([{ id: 3, document: document(3, '中秋晚会') }]);
  // Changes after `known` was taken are not in the new main segment, and are kept.
  pool.adopt(builder.finish(), known);
  expect([...pool.changes().keys()]).toEqual([3]);
  expect(await everywhere('中秋')).toEqual([
    [3, 1],
    [3, 1],
  ]);
  pool.apply([
    { id: 1, document: null },
    { id: 2, document: document(2, '中秋国庆') },
  ]);
  expect(await everywhere('中秋')).toEqual([
    [3, 2],
    [3, 2],
  ]);
});

it('answers further queries after a query failed and a thread ended', async () => {
  // The site makes no such query; it stands for a bug.
  const broken: Query = { ...ask('中秋'), filter: JSON.parse('null') };
  await expect(pool.search(broken)).rejects.toThrow('destructure');
  expect(lost).toEqual([]);
  const before = await everywhere('中秋');
  // An unreadable change ends the thread, and its replacement gets the same change: it works once the change is replaced.
  const odd = document(9, '中秋');
  Object.assign(odd, { name: new NameOfOneThread() });
  pool.apply([{ id: 9, document: odd }]);
  const lateAnswers = Promise.allSettled([idsOf('中秋'), idsOf('中秋')]);
  await expect.poll(() => lost.length).toBeGreaterThan(0);
  pool.apply([{ id: 9, document: null }]);
  await lateAnswers;
  await expect.poll(() => everywhere('中秋').catch(() => null), { timeout: 30_000 }).toEqual(before);
});

it('answers a quick query without a thread, from the same documents', async () => {
  const builder = createSegmentBuilder();
  for (let id = 1; id <= 100; id++) builder.add(document(id, id % 2 === 0 ? '中秋方案' : '国庆方案'));
  const buffer = builder.finish();
  const changes = [
    { id: 2, document: null },
    { id: 101, document: document(101, '中秋晚会') },
  ];
  const answers = await Promise.all(
    [pool, quick].map((each) => {
      each.adopt(buffer, each.changes());
      each.apply(changes);
      return each.search(ask('中秋'));
    }),
  );
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[1]?.total).toBe(50);
  expect(answers[1]?.ids[0]).toBe(101);
});

it('shares a question to whole decks between idle threads, and answers as one thread does', async () => {
  const builder = createSegmentBuilder();
  for (let id = 1; id <= 9_000; id++) {
    const texts = [id % 7 === 0 ? '灯会' : '封面', id % 11 === 0 ? '夜游 灯会' : '', id % 5 === 0 ? '古镇' : ''];
    builder.add(toIndexed(sourceDocument({ id, name: id % 40 === 0 ? '灯会方案' : '方案', texts })));
  }
  const buffer = builder.finish();
  const changes = [
    { id: 77, document: null },
    { id: 9_001, document: toIndexed(sourceDocument({ id: 9_001, name: '灯会夜游', texts: ['古镇 灯会 夜游'] })) },
  ];
  const inOne = openEnginePool({ threads: 1, onLost: (reason) => lost.push(reason), quickEffort: -1 });
  const words = ['灯会', '夜游', '古镇'].flatMap((text) => queryWords(text, cutWords));
  const query = { words: words.map((word) => ({ word, related: [], weight: 1 })), limit: 300 };
  const seen = ({ documents, frequencies, decks, full }: Gathered) => ({ documents, frequencies, decks, full });
  const atOnce = openEnginePool({ threads: 0, onLost: () => undefined });
  const [shared, whole, here] = await Promise.all(
    [pool, inOne, atOnce].map((each) => {
      each.adopt(buffer, each.changes());
      each.apply(changes);
      return each.gather(query).then(seen);
    }),
  );
  expect(here?.decks[0]?.id).toBe(9_001);
  expect(here?.decks).toHaveLength(300);
  expect(here?.decks.some(({ id }) => id === 77)).toBe(false);
  expect(shared).toEqual(here);
  expect(whole).toEqual(here);
  // While the threads are busy, each question has one of them.
  for (const answer of await Promise.all(Array.from({ length: 9 }, () => pool.gather(query))))
    expect(seen(answer)).toEqual(here);
  await Promise.all([inOne.close(), atOnce.close()]);
});

it('keeps its main segment when a new one lacks the themes of later facts', async () => {
  const built = (themeIds: number[]) => {
    const builder = createSegmentBuilder();
    builder.add(toIndexed(sourceDocument({ id: 1, name: '端午方案', themeIds })));
    return builder.finish();
  };
  const idsOfTheme = async (themeId: number) => (await quick.search({ ...ask('端午'), filter: { themeId } })).ids;
  quick.adopt(built([1]), quick.changes());
  const known = new Map(quick.changes());
  quick.apply([{ id: 1, facts: toFacts(sourceDocument({ id: 1, themeIds: [1] })) }]);
  expect(() => quick.adopt(built([2]), known)).toThrow('document 1 has a label or theme set');
  expect(await idsOfTheme(1)).toEqual([1]);
  expect([...quick.changes().keys()]).toEqual([1]);
  quick.adopt(built([2]), quick.changes());
  expect(await idsOfTheme(2)).toEqual([1]);
});

it('refuses queries when too many are waiting', async () => {
  const closing = openEnginePool({ threads: 1, onLost: () => undefined, quickEffort: -1 });
  const answers = Array.from({ length: 1_200 }, () => closing.search(ask('中秋')));
  const settled = await Promise.allSettled(answers);
  const refused = settled.filter((each) => each.status === 'rejected' && each.reason instanceof EngineBusy);
  expect(refused.length).toBe(200);
  await closing.close();
  await expect(closing.search(ask('中秋'))).rejects.toThrow(EngineBusy);
});

it('keeps new facts of a document, whether its text is in the main segment, changed, or gone', async () => {
  const facts = (id: number, recommendScore: number) => ({
    id,
    facts: toFacts(sourceDocument({ id, themeIds: [1], recommendScore })),
  });
  const builder = createSegmentBuilder();
  for (const id of [1, 2]) builder.add(document(id, '重阳方案'));
  const buffer = builder.finish();
  pool.adopt(buffer, pool.changes());
  pool.apply([{ id: 3, document: document(3, '重阳晚会') }]);
  const known = new Map(pool.changes());
  pool.apply([facts(1, 5_000), facts(3, 4_000)]);
  expect(await everywhere('重阳')).toEqual([
    [1, 3, 2],
    [1, 3, 2],
  ]);
  // A segment that was built before the new facts.
  const older = createSegmentBuilder();
  for (const id of [1, 2]) older.add(document(id, '重阳方案'));
  pool.adopt(older.finish(), known);
  expect(await everywhere('重阳')).toEqual([
    [1, 3, 2],
    [1, 3, 2],
  ]);
  expect(pool.changes().get(3)).toMatchObject({ document: { name: '重阳 阳晚 晚会 会', score: 4_000 } });
  pool.apply([{ id: 3, document: null }, facts(3, 9_000)]);
  expect(pool.canTakeFacts(facts(3, 9_000).facts)).toBe(false);
  expect(pool.changes().get(3)).toEqual({ id: 3, document: null });
  expect(await idsOf('重阳')).toEqual([1, 2]);
});
