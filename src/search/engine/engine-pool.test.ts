import { afterAll, expect, it } from 'vitest';
import { cutWords } from '../server/cut-words.ts';
import { queryWords } from '../words.ts';
import { createSegmentBuilder } from './build-segment.ts';
import { toIndexed, type IndexedDocument } from './document.ts';
import { EngineBusy, openEnginePool } from './engine-pool.ts';
import type { Query } from './query.ts';

const lost: string[] = [];
const pool = openEnginePool({ threads: 2, onLost: (reason) => lost.push(reason) });
afterAll(() => pool.close());

const document = (id: number, name: string): IndexedDocument =>
  toIndexed({
    id,
    name,
    keyword: '',
    organization: '',
    industry: '',
    industryId: 0,
    themeIds: [1],
    fileType: 'pptx',
    pageCount: 1,
    priceCoins: 0,
    downloads: 0,
    createdAt: 0,
    recommendScore: id,
  });

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

it('follows what it is told, in every thread', async () => {
  expect(await everywhere('中秋')).toEqual([[], []]);
  const builder = createSegmentBuilder();
  builder.add(document(1, '中秋方案'));
  builder.add(document(2, '国庆方案'));
  pool.apply([{ id: 1, document: null }]);
  const known = new Map(pool.changes());
  pool.apply([{ id: 3, document: document(3, '中秋晚会') }]);
  // What was changed after `known` was taken is not in the new main segment, and stays.
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

it('outlives a query that fails and a thread that dies', async () => {
  // Nothing the site makes: as if a bug had got into a query.
  const broken = JSON.parse('{"words":[{"forms":null}],"filter":{},"sort":"relevance","limit":1,"offset":0}');
  await expect(pool.search(broken)).rejects.toThrow('not iterable');
  expect(lost).toEqual([]);
  const before = await everywhere('中秋');
  // A change it cannot read ends the thread, and its replacement is told the same: it goes on once that is taken back.
  pool.apply([{ id: 9, document: JSON.parse('{"id":9,"themeIds":[],"name":7}') }]);
  const lateAnswers = Promise.allSettled([idsOf('中秋'), idsOf('中秋')]);
  await expect.poll(() => lost.length).toBeGreaterThan(0);
  pool.apply([{ id: 9, document: null }]);
  await lateAnswers;
  await expect.poll(() => everywhere('中秋').catch(() => null), { timeout: 5_000 }).toEqual(before);
});

it('refuses more than it can hold', async () => {
  const closing = openEnginePool({ threads: 1, onLost: () => undefined });
  const answers = Array.from({ length: 1_200 }, () => closing.search(ask('中秋')));
  const settled = await Promise.allSettled(answers);
  const refused = settled.filter((each) => each.status === 'rejected' && each.reason instanceof EngineBusy);
  expect(refused.length).toBe(200);
  await closing.close();
  await expect(closing.search(ask('中秋'))).rejects.toThrow(EngineBusy);
});
