import { expect, it } from 'vitest';
import { createRandom, type Random } from '../../../../demo/random.ts';
import { sourceDocument } from '../../../../tests/source-document.ts';
import { levelOf, RELATED, rarityOf, TYPED, worthOf } from '../../decks/deck-levels.ts';
import { createSegmentBuilder } from '../build/build-segment.ts';
import { toIndexed } from '../build/index-document.ts';
import type { SourceDocument } from '../format/document.ts';
import { spreadOfPages } from '../format/inside.ts';
import { openIndex, type Index } from '../open-index.ts';
import type { DeckWord } from './deck-words.ts';
import { mergeParts, prepareDecks } from './gather.ts';
import { MIN_SHARE } from './gather-segment.ts';
import { createDelta } from '../delta.ts';
import { openSegment, type Segment } from './segment.ts';

/** More than a window holds (deck-window.ts). */
const DECKS = 5_000;
const CHANGED = 300;
/** Words of two characters, each a lexeme by itself. Those with a high number are rare. */
const WORDS = [
  ...'天地玄黄宇宙洪荒日月盈辰宿列张寒来暑往秋收冬藏成岁律吕调阳云腾致雨露结为霜金生丽水玉出剑号巨珠称夜光果珍李菜重海河',
].map((char) => `${char}节`);
/** Words that stand in no name: they are counted in another way. */
const PAGE_WORDS = [...'甲乙丙丁戊己庚辛'].map((char) => `${char}项`);
const draw = (random: Random) => WORDS[Math.floor(WORDS.length * random.next() ** 2.5)] ?? '';
const some = (random: Random, maxWords: number) =>
  Array.from({ length: random.int(maxWords + 1) }, () => draw(random)).join(' ');

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

/** The words of each text that was asked for. */
const wordsOf = new Map<string, ReadonlySet<string>>();

function holds(text: string, word: string): boolean {
  const words = wordsOf.get(text) ?? new Set(text.split(' '));
  wordsOf.set(text, words);
  return words.has(word);
}

/** A word of a query: all of its lexemes must be held. `related` stands for it in names and labels. */
type Word = { lexemes: string[]; related: string | null; weight: number };

const formOf = (lexemes: string[]) => ({
  text: lexemes.join(''),
  lexemes: lexemes.map((text) => ({ text, isPrefix: false })),
});
const askedOf = ({ lexemes, related, weight }: Word): DeckWord => ({
  word: { forms: [formOf(lexemes)] },
  related: related ? [formOf([related])] : [],
  weight,
});
const plainWord = (text: string): Word => ({ lexemes: [text], related: null, weight: 1 });

/** Computed from the texts, word by word. */
function levelsOf(deck: SourceDocument, words: Word[]): number[] {
  const isIn = (text: string) => (lexeme: string) => holds(text, lexeme);
  return words.map(({ lexemes, related }) => {
    const spreads = lexemes.map((lexeme) => deck.texts.filter((text) => holds(text, lexeme)).length);
    const onPages = spreads.every((pages) => pages > 0)
      ? TYPED.onPages + Math.min(...spreads.map(spreadOfPages))
      : TYPED.nowhere;
    const isNamed = lexemes.every(isIn(`${deck.name} ${deck.keyword}`));
    const typed = lexemes.every(isIn(deck.name)) ? TYPED.inName : isNamed ? TYPED.inLabels : onPages;
    if (!related) return levelOf(typed, RELATED.nowhere);
    const inLabels = holds(deck.keyword, related) ? RELATED.inLabels : RELATED.nowhere;
    return levelOf(typed, holds(deck.name, related) ? RELATED.inName : inLabels);
  });
}

function keyOf(levels: number[], gains: number[]): { score: number; isFull: boolean } {
  const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0);
  const worth = sumOf(levels.map((level, word) => worthOf(level) * (gains[word] ?? 0)));
  const held = sumOf(levels.map((level, word) => (level > 0 ? (gains[word] ?? 0) : 0)));
  return { score: (worth * held) / sumOf(gains), isFull: levels.every((level) => level > 0) };
}

function drawWords(random: Random): Word[] {
  const texts = new Set([
    ...Array.from({ length: 1 + random.int(9) }, () => draw(random)),
    ...Array.from({ length: random.int(4) }, () => random.pick(PAGE_WORDS)),
  ]);
  return Array.from(texts, (text) => ({
    lexemes: random.int(6) === 0 ? [text, draw(random)] : [text],
    related: random.int(5) === 0 ? draw(random) : null,
    weight: random.int(5) === 0 ? 0.3 : 1,
  }));
}

it.each([3, 20, 300])('gathers the best %i decks as if it read every posting', (limit) => {
  const random = createRandom(limit);
  const decks = makeDecks(random);
  const index = open(decks);
  const removed = new Set(Array.from({ length: 100 }, () => 1 + random.int(DECKS)));
  index.apply(Array.from(removed, (id) => ({ id, document: null })));
  const changed = makeDecks(random).filter(() => random.int(20) === 0);
  index.apply(changed.map((deck) => ({ id: deck.id, document: toIndexed(deck) })));
  const live = decks.filter(({ id }) => !removed.has(id));
  const byId = new Map([...live, ...changed].map((deck) => [deck.id, deck]));
  for (let turn = 0; turn < 25; turn++) {
    const words = drawWords(random);
    const {
      decks: gathered,
      documents,
      frequencies,
      full,
    } = index.prepareDecks({ words: words.map(askedOf), limit }).run();
    const gains = frequencies.map((frequency, at) => (words[at]?.weight ?? 0) * rarityOf(frequency, documents));
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

it.each([1, 20, 300, 1_000])('finds the same best %i decks in parts as in the whole', (limit) => {
  const random = createRandom(100 + limit);
  const decks = makeDecks(random);
  const index = open(decks);
  index.apply(Array.from({ length: 60 }, () => ({ id: 1 + random.int(DECKS), document: null })));
  for (let turn = 0; turn < 25; turn++) {
    const query = { words: drawWords(random).map(askedOf), limit };
    const { documents, frequencies, decks: found, full } = index.prepareDecks(query).run();
    for (const of of [1, 2, 3, 7]) {
      const parts = Array.from({ length: of }, (_, at) =>
        index.prepareDecks({ ...query, part: { index: at, of } }).run(),
      );
      expect(mergeParts(parts, query)).toMatchObject({ documents, frequencies, decks: found, full });
    }
  }
});

it('keeps a deck whose name holds a related word and whose pages hold the word, when the list is full before it', () => {
  const [rare, common, near] = ['天节', '地节', '玄节'] as const;
  const builder = createSegmentBuilder();
  for (let id = 1; id <= 6_000; id++) {
    const isRare = id % 20 < 3;
    const texts = [...(isRare ? [rare] : []), ...(!isRare && id % 3 === 0 ? [common] : [])];
    const deck = id === 3_005 ? { id, name: near, texts: Array.from({ length: 8 }, () => common) } : { id, texts };
    builder.add(toIndexed(sourceDocument(deck)));
  }
  const words = [plainWord(rare), { ...plainWord(common), related: near }].map(askedOf);
  const { decks } = openIndex(builder.finish()).prepareDecks({ words, limit: 60 }).run();
  expect(decks[0]?.id).toBe(3_005);
});

it('reads no more postings than it may, however many common words are asked for', () => {
  const decks = makeDecks(createRandom(8));
  const builder = createSegmentBuilder();
  for (const deck of decks) builder.add(toIndexed(deck));
  const segments = [openSegment(builder.finish())];
  const ask = (words: string[], maxSteps?: number) =>
    prepareDecks(segments, { words: words.map((text) => askedOf(plainWord(text))), limit: 20 }, maxSteps).run();
  const whole = ask(WORDS);
  const maxSteps = Math.floor(whole.steps / 3);
  const bounded = ask(WORDS, maxSteps);
  expect(whole.steps).toBeGreaterThan(DECKS);
  expect(bounded.steps).toBeLessThanOrEqual(maxSteps);
  expect(bounded.steps).toBeGreaterThan(maxSteps / 2);
  expect([whole.full, bounded.full]).toEqual([0, null]);
  // Levels are those of all words, read or not.
  for (const { id, levels } of bounded.decks)
    expect(levelsOf(decks[id - 1] ?? fail(), WORDS.map(plainWord))).toEqual(levels);
  // One word is read whatever it costs.
  expect(ask(WORDS.slice(0, 1), 1).decks).toEqual(ask(WORDS.slice(0, 1)).decks);
});

function fail(): never {
  throw new Error('no deck');
}

it('ranks changed decks by the same scale as the others, also where the commonest words find no decks', () => {
  const words = WORDS.slice(0, 12);
  const decks = Array.from({ length: 2_000 }, (_, at) =>
    sourceDocument({ id: at + 1, texts: [(at < 900 ? words.slice(0, 2) : words.slice(2)).join(' ')] }),
  );
  const changed = sourceDocument({ id: 3_000, texts: [words.slice(2).join(' ')] });
  const [main, whole] = [createSegmentBuilder(), createSegmentBuilder()];
  for (const deck of decks) for (const builder of [main, whole]) builder.add(toIndexed(deck));
  whole.add(toIndexed(changed));
  const delta = createDelta();
  delta.add(toIndexed(changed));
  const asked = { words: words.map((text) => askedOf(plainWord(text))), limit: 1_000 };
  const ranked = (segments: Segment[]) =>
    prepareDecks(segments, asked, 1_900)
      .run()
      .decks.map(({ id }) => id);
  expect(ranked([openSegment(main.finish()), delta])).toEqual(ranked([openSegment(whole.finish())]));
});
