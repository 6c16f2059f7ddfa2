import { expect, it } from 'vitest';
import { chooseDecks, type ScoredDeck } from './deck-choice.ts';

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
  covered: 1,
  evidence: facts.covered ?? 1,
  isNamed: true,
  saysSubject: true,
  namesSubject: facts.isNamed ?? true,
  holdsSubject: true,
  isMentioned: true,
  ...facts,
});
const KNOWN = { isAny: true, isUnknown: false, words: 2 };
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

it('lists decks with some words that share industry or theme with those that hold all', () => {
  const best = scored(1, {}, { themeIds: [OPENINGS] });
  const some = { score: 0.35, covered: 0.6 };
  const partial = [
    scored(2, some),
    scored(3, some, { industryId: MEDICINE, themeIds: [OPENINGS] }),
    scored(4, some, { industryId: MEDICINE }),
  ];
  expect(chosen([best], partial).partial).toEqual([2, 3]);
  expect(chosen([], partial).partial).toEqual([2, 3, 4]);
});

it('keeps decks of the same industry far below the best, and others only near it', () => {
  const low = { score: 0.1, covered: 0.3 };
  const partial = [
    scored(2, low),
    scored(3, { ...low, isNamed: false }),
    scored(4, { score: 0.25, covered: 0.5 }, { industryId: MEDICINE, themeIds: [OPENINGS] }),
    scored(5, { score: 0.15, covered: 0.5 }, { industryId: MEDICINE, themeIds: [OPENINGS] }),
  ];
  expect(chosen([scored(1, {}, { themeIds: [OPENINGS] })], partial).partial).toEqual([2, 4]);
});

it('leaves no deck out for its subject when that is not known', () => {
  const unknown = { industryId: 0, themeIds: [] };
  const inPassing = scored(2, { score: 0.3, isNamed: false, isMentioned: false }, unknown);
  expect(chosen([scored(1, {}), inPassing], [])).toMatchObject({ full: [1, 2], mentions: [] });
  expect(
    chosen([scored(1, {}, unknown), { ...inPassing, deck: { ...inPassing.deck, industryId: 3 } }], []),
  ).toMatchObject({ full: [1, 2], mentions: [] });
});

it('lists nothing on related words alone where the query names a subject that no deck holds', () => {
  const related = scored(1, { covered: 0.5, evidence: 0.3, namesSubject: false });
  const unknown = { ...KNOWN, isUnknown: true };
  expect(chosen([], [related]).partial).toEqual([1]);
  expect(chosen([], [related], unknown).partial).toEqual([]);
  expect(chosen([], [{ ...related, namesSubject: true }], unknown).partial).toEqual([1]);
  // Of a long sentence some words are said by the way.
  expect(chosen([], [related], { ...unknown, words: 8 }).partial).toEqual([1]);
});

it('lists no deck that holds only words which most plans hold, unless the query has no others', () => {
  const light = scored(1, { covered: 0.6, holdsSubject: false, namesSubject: false });
  expect(chosen([], [light]).partial).toEqual([]);
  expect(chosen([], [light], { ...KNOWN, isAny: false }).partial).toEqual([1]);
});

it('keeps decks of the same theme that name a subject beside a sentence, not beside two words', () => {
  const models = [scored(1, {}, { themeIds: [OPENINGS] })];
  const others = [scored(2, { score: 0.1 }, { industryId: MEDICINE, themeIds: [OPENINGS] })];
  expect(chooseDecks(models, others, KNOWN).partial).toEqual([]);
  expect(chooseDecks(models, others, { ...KNOWN, words: 4 }).partial).toHaveLength(1);
});

it('leaves out, beside decks that name a subject of several words, a deck of another industry for which related words alone speak', () => {
  const related = { score: 0.5, saysSubject: false, namesSubject: false };
  const partial = [scored(1, {}), scored(2, related), scored(3, related, { industryId: MEDICINE })];
  expect(chosen([], partial).partial).toEqual([1, 2]);
  expect(chosen([], partial, { ...KNOWN, words: 1 }).partial).toEqual([1, 2, 3]);
  expect(chosen([], partial.slice(1)).partial).toEqual([2, 3]);
});

it('lists nothing where a short query is about a subject that no deck holds', () => {
  const foreign = { ...KNOWN, isUnknown: true, isForeign: true };
  expect(chosen([], [scored(1, {})], foreign).partial).toEqual([]);
  expect(chosen([], [scored(1, {})], { ...foreign, words: 5 }).partial).toEqual([1]);
});
