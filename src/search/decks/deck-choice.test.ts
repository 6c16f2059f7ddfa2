import { expect, it } from 'vitest';
import { chooseDecks } from './deck-choice.ts';
import type { ScoredDeck } from './deck-subject.ts';

type Deck = { id: number; industryId: number; themeIds: number[] };
const CATERING = 1;
const MEDICINE = 2;
const OPENINGS = 7;

const scored = (
  id: number,
  facts: Partial<Omit<ScoredDeck<Deck>, 'deck'>>,
  { industryId = CATERING, themeIds = [] as number[] } = {},
): ScoredDeck<Deck> => ({
  deck: { id, industryId, themeIds },
  score: 1,
  prominence: 1,
  evidence: 1,
  isNamed: true,
  namesSubject: facts.isNamed ?? true,
  holdsSubject: true,
  isMentioned: true,
  holdsAllKnown: false,
  significant: [],
  ...facts,
});
const KNOWN = { isUnknown: false, hasSubject: true, words: 2, unit: 1 };
const chosen = (full: ScoredDeck<Deck>[], partial: ScoredDeck<Deck>[], subjects = KNOWN) => {
  const { full: listed, mentions, partial: rest } = chooseDecks(full, partial, subjects);
  const idsOf = (list: ScoredDeck<Deck>[]) => list.map(({ deck }) => deck.id);
  return { full: idsOf(listed), mentions: idsOf(mentions), partial: idsOf(rest) };
};

it('keeps a passing mention on a page only in decks of the industry that the query is about', () => {
  const inPassing = { score: 0.3, isNamed: false, isMentioned: false };
  const decks = [scored(1, {}), scored(2, inPassing), scored(3, inPassing, { industryId: MEDICINE })];
  expect(chosen(decks, [])).toEqual({ full: [1, 2], mentions: [3], partial: [] });
  expect(chosen(decks.slice(1), []).full).toEqual([2, 3]);
});

it('keeps words on several pages whatever the deck is about', () => {
  const often = scored(2, { score: 0.4, isNamed: false }, { industryId: MEDICINE });
  expect(chosen([scored(1, {}), often], [])).toMatchObject({ full: [1, 2], mentions: [] });
});

/** Some of the words, in a deck of another industry. */
const elsewhere = (id: number, facts: Partial<Omit<ScoredDeck<Deck>, 'deck'>>, themeIds: number[] = []) =>
  scored(id, { score: 0.3, evidence: 0.4, ...facts }, { industryId: MEDICINE, themeIds });

it('lists decks with some words when they share the industry of the best, or its themes', () => {
  const best = scored(1, {}, { themeIds: [OPENINGS] });
  const weak = { evidence: 0.3, prominence: 0.6 };
  const partial = [scored(2, { score: 0.3, ...weak }), elsewhere(3, weak, [OPENINGS]), elsewhere(4, weak)];
  expect(chosen([best], partial).partial).toEqual([2, 3]);
});

it('lists decks of another subject when they hold much of the query, or hold it prominently', () => {
  const pair = (more: Partial<ScoredDeck<Deck>>, less: Partial<ScoredDeck<Deck>>) => [
    chosen([scored(1, {})], [elsewhere(2, more)]).partial.length,
    chosen([scored(1, {})], [elsewhere(2, less)]).partial.length,
  ];
  expect(pair({ evidence: 0.6, prominence: 0.5 }, { evidence: 0.2, prominence: 0.5 })).toEqual([1, 0]);
  expect(pair({ evidence: 0.2 }, { evidence: 0.2, prominence: 0.5 })).toEqual([1, 0]);
  expect(pair({ evidence: 0.3 }, { evidence: 0.3, isNamed: false })).toEqual([1, 0]);
});

it('lists fewer decks of another subject the more decks stand before them', () => {
  const many = Array.from({ length: 20 }, (_, at) => elsewhere(at + 2, { evidence: 0.5 }));
  const listed = chosen([scored(1, {})], many).partial;
  expect(listed.length).toBeGreaterThan(1);
  expect(listed).toEqual(many.slice(0, listed.length).map(({ deck }) => deck.id));
  expect(listed.length).toBeLessThan(10);
  const alike = many.map(({ deck, ...facts }) => ({ ...facts, deck: { ...deck, industryId: CATERING } }));
  expect(chosen([scored(1, {})], alike).partial).toHaveLength(20);
  const crowd = Array.from({ length: 100 }, (_, at) => scored(at + 2, { score: 0.3 }, { themeIds: [OPENINGS] }));
  expect(chosen([scored(1, {}, { themeIds: [OPENINGS] })], crowd).partial).toHaveLength(60);
});

it('lists decks that say words on pages alone only when they hold two fifths of the query, and a fifth of the best score', () => {
  const onPages = { score: 0.5, isNamed: false };
  const partial = [scored(2, { ...onPages, evidence: 0.5 }), scored(3, { ...onPages, evidence: 0.3 })];
  expect(chosen([scored(1, {})], partial).partial).toEqual([2]);
  expect(chosen([scored(1, {})], [scored(2, { ...onPages, score: 0.15 })]).partial).toEqual([]);
});

it('leaves out what falls far below the best, though it is of its industry', () => {
  const far = [scored(2, { score: 0.03 }), scored(3, { score: 0.01 })];
  expect(chosen([scored(1, {})], far).partial).toEqual([2]);
});

it('puts a closer deck before one whose score is a little higher', () => {
  const other = scored(2, { score: 0.4, evidence: 0.6 }, { industryId: MEDICINE });
  const alike = scored(3, { score: 0.3, evidence: 0.6 });
  expect(chosen([scored(1, {})], [other, alike]).partial).toEqual([3, 2]);
  expect(chosen([scored(1, {})], [{ ...other, score: 0.9 }, alike]).partial).toEqual([2, 3]);
});

it('lists a deck of another subject whose score is nearly the best', () => {
  const weak = { evidence: 0.3, prominence: 0.6 };
  expect(chosen([], [scored(1, {}), elsewhere(2, { ...weak, score: 0.9 })]).partial).toEqual([1, 2]);
  expect(chosen([], [scored(1, {}), elsewhere(2, { ...weak, score: 0.5 })]).partial).toEqual([1]);
});

it('lists a deck of another subject whose texts are like those of the best', () => {
  const terms = (from: number) => Array.from({ length: 48 }, (_, at) => from + at);
  const weak = { evidence: 0.2, prominence: 0.5 };
  const best = scored(1, { significant: terms(1) });
  const partial = [
    elsewhere(2, { ...weak, significant: terms(1_000) }),
    elsewhere(3, { ...weak, significant: [...terms(1).slice(0, 30), ...terms(2_000).slice(0, 18)] }),
  ];
  expect(chosen([best], partial).partial).toEqual([3]);
});

it('leaves no deck out for its subject when that is not known', () => {
  const unknown = { industryId: 0, themeIds: [] };
  const inPassing = scored(2, { score: 0.3, isNamed: false, isMentioned: false }, unknown);
  expect(chosen([scored(1, {}), inPassing], [])).toMatchObject({ full: [1, 2], mentions: [] });
  expect(
    chosen([scored(1, {}, unknown), { ...inPassing, deck: { ...inPassing.deck, industryId: 3 } }], []),
  ).toMatchObject({ full: [1, 2], mentions: [] });
  expect(chosen([scored(1, {})], [scored(2, { score: 0.3 }, unknown)]).partial).toEqual([2]);
});

it('lists nothing on related words alone where the query names a subject that no deck holds', () => {
  const related = scored(1, { evidence: 0.3, namesSubject: false });
  const unknown = { ...KNOWN, isUnknown: true };
  expect(chosen([], [related]).partial).toEqual([1]);
  expect(chosen([], [related], unknown).partial).toEqual([]);
  expect(chosen([], [{ ...related, namesSubject: true }], unknown).partial).toEqual([1]);
  // A deck worth more than a word and a half is about the rest: 补习班暑假前想多收点学生.
  expect(chosen([], [{ ...related, score: 1.7 }], unknown).partial).toEqual([1]);
  expect(chosen([], [{ ...related, score: 1.5 }], unknown).partial).toEqual([]);
  // Of a long sentence some words are said by the way.
  expect(chosen([], [related], { ...unknown, words: 8 }).partial).toEqual([1]);
});

it('lists nothing where the best holds only words that any trade may have, unless the query has no others or is long', () => {
  const light = scored(1, { holdsSubject: false, namesSubject: false });
  expect(chosen([], [light]).partial).toEqual([]);
  expect(chosen([], [light], { ...KNOWN, hasSubject: false }).partial).toEqual([1]);
  expect(chosen([], [light], { ...KNOWN, words: 5 }).partial).toEqual([1]);
});

it('lists nothing when the best is worth little, more so when it stands on pages alone', () => {
  const about = (score: number, facts: Partial<ScoredDeck<Deck>> = {}, subjects = KNOWN) =>
    chosen([], [scored(1, { score, namesSubject: false, ...facts })], subjects).partial.length;
  expect([about(0.3), about(0.4)]).toEqual([0, 1]);
  const onPages = { isNamed: false };
  expect([about(0.6, onPages), about(0.8, onPages), about(0.6, onPages, { ...KNOWN, words: 5 })]).toEqual([0, 1, 1]);
  // What names a subject of the query is about it, however common that is.
  expect(about(0.1, { namesSubject: true })).toBe(1);
});

it('lists decks that are named for the subject though the page of another holds a rare word beside it', () => {
  const inPassing = scored(1, { score: 0.5, evidence: 0.6, isNamed: false, namesSubject: false });
  const named = scored(2, { score: 0.4, evidence: 0.5 });
  expect(chosen([], [inPassing, named], { ...KNOWN, words: 3 }).partial).toContain(2);
  expect(chosen([], [inPassing], { ...KNOWN, words: 3 }).partial).toEqual([]);
});
