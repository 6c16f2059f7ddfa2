import type { SignificantTerms } from './deck-similarity.ts';

/** What a deck is about. 0 and [] say nothing. */
export type Subject = { industryId: number; themeIds: readonly number[] };

/**
 * A deck with its score for a query (deck-ranking.ts). `prominence`: the mean worth of the places where it holds words of the query; `evidence`:
 * the share of the query that it holds, 0 to 1, a related word counted by its weight; `isNamed`: its name or labels hold a word or a related one;
 * `namesSubject`: they hold a word as typed that most plans do not hold; `holdsSubject`: the deck holds, anywhere, such a word or a related one
 * that not any trade may have; `isMentioned`: its pages hold the words more than in passing; `holdsAllKnown`: it holds all words that any deck holds, where there are others.
 */
export type ScoredDeck<Deck> = {
  deck: Deck;
  score: number;
  prominence: number;
  evidence: number;
  isNamed: boolean;
  namesSubject: boolean;
  holdsSubject: boolean;
  isMentioned: boolean;
  holdsAllKnown: boolean;
  significant: SignificantTerms;
};

/** Tells whether nothing is known about what a deck is about. */
export const isUnclassified = ({ industryId, themeIds }: Subject) => industryId === 0 && themeIds.length === 0;

export const isSameIndustry = (one: Subject, other: Subject) =>
  one.industryId > 0 && one.industryId === other.industryId;

export const sharesTheme = (one: Subject, other: Subject) =>
  one.themeIds.some((theme) => other.themeIds.includes(theme));

/** Tells whether two decks have different industries; false when the industry of one is not known. */
export const isOtherIndustry = (one: Subject, other: Subject) =>
  one.industryId > 0 && other.industryId > 0 && one.industryId !== other.industryId;
