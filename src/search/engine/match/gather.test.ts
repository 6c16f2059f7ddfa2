import { expect, it } from 'vitest';
import { sourceDocument } from '../../../../tests/source-document.ts';
import { relatedOf, TYPED, typedOf } from '../../decks/deck-levels.ts';
import { queryWords } from '../../words.ts';
import { cutWords } from '../../server/words/cut-words.ts';
import { createSegmentBuilder } from '../build/build-segment.ts';
import { toIndexed } from '../build/index-document.ts';
import { mergeSegments } from '../build/merge-segments.ts';
import type { MainSegment } from '../format/page-store.ts';
import { openIndex, type Index } from '../open-index.ts';
import { packDecks, unpackDecks } from './packed-decks.ts';

const DECKS = 700;
/** Every deck says 流程 on a page, every third 灯组, and every hundredth is named 灯会. */
const source = (id: number) =>
  sourceDocument({
    id,
    name: id % 100 === 0 ? `灯会${id}` : `方案${id}`,
    texts: ['流程', id % 3 === 0 ? '灯组' : '', id % 9 === 0 ? '灯组与流程' : ''],
    themes: id % 200 === 0 ? ['国潮文化'] : [],
  });
const changes = (ids: number[]) => ids.map((id) => ({ id, document: toIndexed(source(id)) }));

function build(count: number): MainSegment {
  const builder = createSegmentBuilder();
  for (let id = 1; id <= count; id++) builder.add(toIndexed(source(id)));
  return builder.finish();
}

const gather = (index: Index, query: string, limit = 1_000) =>
  index
    .prepareDecks({ words: queryWords(query, cutWords).map((word) => ({ word, related: [], weight: 1 })), limit })
    .run();
const idsOf = (index: Index, query: string) =>
  gather(index, query)
    .decks.map(({ id }) => id)
    .sort((a, b) => a - b);
const multiples = (of: number) => Array.from({ length: Math.floor(DECKS / of) }, (_, at) => (at + 1) * of);

it.each([
  ['built at once', () => openIndex(build(DECKS))],
  [
    'with changes beside it',
    () => {
      const index = openIndex(build(500));
      index.apply(changes(Array.from({ length: 200 }, (_, at) => 501 + at)));
      return index;
    },
  ],
  ['merged', () => openIndex(mergeSegments(build(500), changes(Array.from({ length: 200 }, (_, at) => 501 + at))))],
])('finds what names and pages hold, %s', (_name, open) => {
  const index = open();
  expect(idsOf(index, '灯组')).toEqual(multiples(3));
  expect(idsOf(index, '国潮')).toEqual(multiples(200));
  const both = gather(index, '灯会 灯组');
  expect(both.frequencies).toEqual([7, 233]);
  // Decks with both words come first.
  expect(both.decks.slice(0, 2).map(({ id }) => id)).toEqual([600, 300]);
  expect(both.decks[0]?.levels.map(typedOf)).toEqual([TYPED.inName, TYPED.onPages]);
  expect(both.decks[0]?.levels.map(relatedOf)).toEqual([0, 0]);
  index.apply([{ id: 600, document: null }]);
  expect(gather(index, '灯会 灯组').decks[0]?.id).toBe(300);
});

it('knows the words of a deck that is found by a rare one, without reading the common list', () => {
  const index = openIndex(build(DECKS));
  const { decks } = gather(index, '灯会 流程', 3);
  expect(decks.map(({ levels }) => levels.map((level) => typedOf(level) > 0))).toEqual(
    Array.from({ length: 3 }, () => [true, true]),
  );
});

it('counts a word on several pages for more', () => {
  const index = openIndex(build(DECKS));
  expect(gather(index, '灯组', 1).decks[0]?.levels.map(typedOf)).toEqual([TYPED.onPages + 1]);
});

it('tells the facts of each deck, also after a message from a thread', () => {
  const builder = createSegmentBuilder();
  const facts = { fileId: 7, industryId: 3, themeIds: [2, 5], fileType: 'pdf', isFree: false } as const;
  const more = { pageCount: 12, budgetYuan: 50_000, people: 300, days: 3, popularity: 9, createdAt: 86_400_000 };
  builder.add(
    toIndexed(sourceDocument({ id: 1, name: '灯会', ...facts, themeIds: [2, 5], ...more, recommendScore: 4 })),
  );
  const index = openIndex(builder.finish());
  index.apply([{ id: 2, document: toIndexed(sourceDocument({ id: 2, name: '灯会', fileType: 'ppt' })) }]);
  const found = gather(index, '灯会');
  expect(found.decks.find(({ id }) => id === 1)).toMatchObject({ ...facts, ...more, recommendScore: 4 });
  expect(found.decks.find(({ id }) => id === 2)).toMatchObject({
    fileId: 2,
    fileType: 'ppt',
    isFree: true,
    themeIds: [],
  });
  expect(unpackDecks(structuredClone(packDecks(found)))).toEqual(found);
});
