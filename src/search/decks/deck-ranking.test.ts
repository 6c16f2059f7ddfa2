import { describe, expect, it } from 'vitest';
import { levelOf, RELATED, TYPED } from './deck-levels.ts';
import { isNamedFully, isOnlyOnPages, missingOf, rankDecks } from './deck-ranking.ts';

const NAME = levelOf(TYPED.inName, 0);
const LABEL = levelOf(TYPED.inLabels, 0);
const PAGE = levelOf(TYPED.onPages, 0);
const NEAR = levelOf(0, RELATED.inName);
const NONE = 0;

const deck = (id: number, ...levels: number[]) => ({ id, levels, recommendScore: 0, industryId: 1, themeIds: [] });
/** Ranks decks for words of these frequencies in a library of 100. */
const ranked = (frequencies: number[], ...decks: ReturnType<typeof deck>[]) => {
  const { full, partial } = rankDecks(decks, { documents: 100, frequencies, weights: frequencies.map(() => 1) });
  return { full: full.map(({ id }) => id), partial: partial.map(({ id }) => id) };
};

describe('the order of decks (C-117)', () => {
  it('puts decks with all words first, names before labels before pages', () => {
    const decks = [deck(1, PAGE, PAGE), deck(2, LABEL, PAGE), deck(3, NAME, NAME), deck(4, NAME, NONE)];
    expect(ranked([5, 5], ...decks)).toEqual({ full: [3, 2, 1], partial: [4] });
  });

  it('puts the rare word before the common one', () => {
    expect(ranked([40, 2], deck(1, NAME, NONE), deck(2, NONE, NAME)).partial[0]).toBe(2);
  });

  it('puts a kind of event before a rarer trade, and lists the trade below where no deck has both', () => {
    const facts = { documents: 100, frequencies: [5, 4], weights: [1, 1] };
    const decks = [deck(1, NONE, LABEL), deck(2, LABEL, NONE)];
    const first = (query: typeof facts & { areEvents?: boolean[]; areTrades?: boolean[] }) =>
      rankDecks(decks, query).partial.map(({ id }) => id);
    expect(first(facts)).toEqual([1, 2]);
    expect(first({ ...facts, areEvents: [true, false], areTrades: [false, true] })).toEqual([2, 1]);
  });

  it('leaves out what falls far below the best', () => {
    expect(ranked([90, 1], deck(1, NAME, NAME), deck(2, PAGE, NONE))).toEqual({ full: [1], partial: [] });
  });

  it('shows pages alone only when they hold half of the query', () => {
    expect(ranked([5, 5, 5], deck(1, PAGE, NONE, NONE)).partial).toEqual([]);
    expect(ranked([5, 5, 5], deck(1, PAGE, PAGE, NONE)).partial).toEqual([1]);
    expect(ranked([5, 5, 5], deck(1, NAME, NONE, NONE)).partial).toEqual([1]);
  });

  it('shows nothing when the library knows hardly anything of the query', () => {
    expect(ranked([60, 0, 0, 0], deck(1, NAME, NONE, NONE, NONE)).partial).toEqual([]);
  });

  it('counts a related word, but not as the word itself', () => {
    expect(ranked([0], deck(1, NEAR))).toEqual({ full: [], partial: [1] });
    expect(missingOf(deck(1, NEAR, PAGE))).toEqual([0]);
  });

  it('does not take a word that related ones stand for as rarer than a typed word in few decks', () => {
    const related = [2, 3, 4, 5, 6, 7, 8, 9, 10].map((id) => deck(id, NEAR, NONE));
    expect(ranked([0, 3], deck(1, NONE, LABEL), ...related).partial[0]).toBe(1);
  });

  it('finds the subject beside a rarer word that any trade may have: 年会 节目', () => {
    const onTwoPages = levelOf(TYPED.onPages + 1, 0);
    const { partial } = rankDecks([deck(1, NONE, onTwoPages), deck(2, LABEL, NONE), deck(3, LABEL, NONE)], {
      documents: 125,
      frequencies: [8, 2],
      weights: [1, 1],
      areOfAnyTrade: [false, true],
    });
    expect(partial.map(({ id }) => id)).toEqual([3, 2, 1]);
  });

  it('takes unknown characters for the subject where all other words stand in most plans', () => {
    const about = (unknown: number) =>
      rankDecks([deck(1, NAME, NONE)], {
        documents: 100,
        frequencies: [9, 0],
        weights: [0.7, 1],
        unknownWeights: [0.7, unknown],
      }).partial.length;
    expect([about(0.5), about(0.05)]).toEqual([0, 1]);
  });

  it('shows nothing beside an unknown subject where all else fits any trade: 剧本杀门店', () => {
    const about = (...areOfAnyTrade: boolean[]) =>
      rankDecks([deck(1, NONE, NAME, NAME)], {
        documents: 100,
        frequencies: [0, 5, 5],
        weights: [1, 1, 1],
        areOfAnyTrade,
      }).partial.length;
    expect([about(false, true, true), about(false, true, false)]).toEqual([0, 1]);
  });

  it('lists no plan for another kind of document, unless it holds all the rest', () => {
    const listed = (...decks: ReturnType<typeof deck>[]) =>
      rankDecks(decks, {
        documents: 100,
        frequencies: [5, 5, 0],
        weights: [1, 1, 1],
        areOtherDocuments: [false, false, true],
      }).partial.map(({ id }) => id);
    expect(listed(deck(1, NAME, NONE, NONE), deck(2, NAME, PAGE, NONE), deck(3, NAME, NEAR, NONE))).toEqual([2]);
    // Where a name holds the word, it is a subject like any other.
    expect(listed(deck(1, NAME, NONE, NONE), deck(4, NONE, NAME, NAME))).toContain(1);
  });

  it('takes a deck that lacks what is said by the way for one with all words, behind those that say it', () => {
    const { full } = rankDecks([deck(1, NAME, NONE), deck(2, PAGE, PAGE), deck(3, NONE, PAGE)], {
      documents: 100,
      frequencies: [5, 5],
      weights: [1, 0.3],
      areAsides: [false, true],
    });
    expect(full.map(({ id }) => id)).toEqual([2, 1]);
  });

  it('puts a deck of a related subject that says the word before one that does not', () => {
    const saying = levelOf(TYPED.onPages, RELATED.inLabels);
    expect(ranked([3], deck(1, levelOf(0, RELATED.inLabels)), deck(2, saying))).toEqual({ full: [2], partial: [1] });
  });
});

it('knows where a deck holds a query', () => {
  expect([isNamedFully(deck(1, NAME, LABEL)), isNamedFully(deck(1, NAME, PAGE))]).toEqual([true, false]);
  expect([isOnlyOnPages(deck(1, PAGE, PAGE)), isOnlyOnPages(deck(1, PAGE, LABEL))]).toEqual([true, false]);
});
