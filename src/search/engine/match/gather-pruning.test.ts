import { expect, it } from 'vitest';
import { createRandom, type Random } from '../../../../demo/random.ts';
import { sourceDocument } from '../../../../tests/source-document.ts';
import { levelOf, rarityOf, TYPED, worthOf } from '../../deck-levels.ts';
import { createSegmentBuilder } from '../build/build-segment.ts';
import { toIndexed } from '../build/index-document.ts';
import type { SourceDocument } from '../format/document.ts';
import { spreadOfPages } from '../format/inside.ts';
import { openIndex, type Index } from '../open-index.ts';
import { prepareDecks } from './gather.ts';
import { MIN_SHARE } from './gather-segment.ts';
import { openSegment } from './segment.ts';

const DECKS = 1_500;
const CHANGED = 300;
/** Words of two characters, each a lexeme by itself. Those with a high number are rare. */
const WORDS = [
  ...'天地玄黄宇宙洪荒日月盈辰宿列张寒来暑往秋收冬藏成岁律吕调阳云腾致雨露结为霜金生丽水玉出剑号巨珠称夜光果珍李菜重海河',
].map((char) => `${char}节`);
/** Words that stand in no name: they are counted in another way. */
const PAGE_WORDS = [...'甲乙丙丁戊己庚辛'].map((char) => `${char}项`);
const draw = (random: Random) => WORDS[Math.floor(WORDS.length * random.next() ** 2.5)] ?? '';
const some = (random: Random, most: number) =>
  Array.from({ length: random.int(most + 1) }, () => draw(random)).join(' ');

function makeDecks(random: Random): SourceDocument[] {
  return Array.from({ length: DECKS }, (_, at) =>
    sourceDocument({
      id: at + 1,
      name: some(random, 2),
      keyword: some(random, 1),
      texts: Array.from({ length: random.int(12) }, () =>
        random.int(3) === 0 ? `${some(random, 3)} ${random.pick(PAGE_WORDS)}` : some(random, 4),
      ),
    }),
  );
}

function open(decks: SourceDocument[]): Index {
  const builder = createSegmentBuilder();
  for (const deck of decks.slice(0, DECKS - CHANGED)) builder.add(toIndexed(deck));
  const index = openIndex(builder.finish());
  index.apply(decks.slice(DECKS - CHANGED).map((deck) => ({ id: deck.id, document: toIndexed(deck) })));
  return index;
}

const holds = (text: string, word: string) => text.split(' ').includes(word);

/** Computed from the texts, word by word. */
function levelsOf(deck: SourceDocument, words: string[]): number[] {
  return words.map((word) => {
    if (holds(deck.name, word)) return levelOf(TYPED.inName, 0);
    if (holds(deck.keyword, word)) return levelOf(TYPED.inLabels, 0);
    const pages = deck.texts.filter((text) => holds(text, word)).length;
    return pages > 0 ? levelOf(TYPED.onPages + spreadOfPages(pages), 0) : 0;
  });
}

function keyOf(levels: number[], gains: number[]): { score: number; isFull: boolean } {
  const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0);
  const worth = sumOf(levels.map((level, word) => worthOf(level) * (gains[word] ?? 0)));
  const held = sumOf(levels.map((level, word) => (level > 0 ? (gains[word] ?? 0) : 0)));
  return { score: (worth * held) / sumOf(gains), isFull: levels.every((level) => level > 0) };
}

it.each([3, 20, 300])('gathers the best %i decks as if it read every posting', (limit) => {
  const random = createRandom(limit);
  const decks = makeDecks(random);
  const index = open(decks);
  const removed = new Set(Array.from({ length: 100 }, () => 1 + random.int(DECKS)));
  index.apply(Array.from(removed, (id) => ({ id, document: null })));
  const byId = new Map(decks.filter(({ id }) => !removed.has(id)).map((deck) => [deck.id, deck]));
  for (let turn = 0; turn < 60; turn++) {
    const words = [
      ...new Set([
        ...Array.from({ length: 1 + random.int(9) }, () => draw(random)),
        ...Array.from({ length: random.int(4) }, () => random.pick(PAGE_WORDS)),
      ]),
    ];
    const {
      decks: gathered,
      documents,
      frequencies,
      full,
    } = index
      .prepareDecks({
        words: words.map((text) => ({
          word: { forms: [{ text, lexemes: [{ text, isPrefix: false }] }] },
          related: [],
          weight: 1,
        })),
        limit,
      })
      .run();
    const gains = frequencies.map((frequency) => rarityOf(frequency, documents));
    const ordered = [...byId.values()]
      .map((deck) => ({ id: deck.id, levels: levelsOf(deck, words) }))
      .map((deck) => ({ ...deck, ...keyOf(deck.levels, gains) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => Number(b.isFull) - Number(a.isFull) || b.score - a.score);
    expect(full).toBe(ordered.filter(({ isFull }) => isFull).length);
    const floor = Math.max(0, ...ordered.map(({ score }) => score)) * MIN_SHARE;
    const isListed = ({ score, isFull }: { score: number; isFull: boolean }) => isFull || score > floor * (1 + 1e-9);
    const wanted = ordered.slice(0, limit).filter(isListed);
    const found = gathered.map(({ id, levels }) => ({ id, levels, ...keyOf(levels, gains) })).filter(isListed);
    // Decks with equal scores may be listed in either order.
    const scores = (list: typeof found) => list.map(({ score, isFull }) => [isFull, Number(score.toFixed(9))]);
    expect(scores(found)).toEqual(scores(wanted));
    for (const { id, levels } of found) {
      const deck = byId.get(id);
      expect(deck && levelsOf(deck, words)).toEqual(levels);
    }
  }
});

it('reads no more postings than it may, however many common words are asked for', () => {
  const decks = makeDecks(createRandom(8));
  const builder = createSegmentBuilder();
  for (const deck of decks) builder.add(toIndexed(deck));
  const segments = [openSegment(builder.finish())];
  const ask = (words: string[], maxSteps?: number) =>
    prepareDecks(
      segments,
      {
        words: words.map((text) => ({
          word: { forms: [{ text, lexemes: [{ text, isPrefix: false }] }] },
          related: [],
          weight: 1,
        })),
        limit: 20,
      },
      maxSteps,
    ).run();
  const whole = ask(WORDS);
  const maxSteps = Math.floor(whole.steps / 3);
  const bounded = ask(WORDS, maxSteps);
  expect(whole.steps).toBeGreaterThan(DECKS);
  expect(bounded.steps).toBeLessThanOrEqual(maxSteps);
  expect(bounded.steps).toBeGreaterThan(maxSteps / 2);
  expect([whole.full, bounded.full]).toEqual([0, null]);
  // Levels are those of all words, read or not.
  for (const { id, levels } of bounded.decks)
    expect(decks[id - 1] && levelsOf(decks[id - 1] ?? fail(), WORDS)).toEqual(levels);
  // One word is read whatever it costs.
  expect(ask(WORDS.slice(0, 1), 1).decks).toEqual(ask(WORDS.slice(0, 1)).decks);
});

function fail(): never {
  throw new Error('no deck');
}
