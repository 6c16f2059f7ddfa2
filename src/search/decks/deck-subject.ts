import type { SignificantTerms } from './deck-similarity.ts';

/** What a deck is about. 0 and [] say nothing. */
export type Subject = { industryId: number; themeIds: readonly number[] };

/** A deck with its score for a query (deck-ranking.ts). */
export type ScoredDeck<Deck> = {
  deck: Deck;
  score: number;
  /** Mean worth of the places where the deck holds words of the query. */
  prominence: number;
  /** Share of the query that the deck holds, 0 to 1; a related word counts RELATED_SHARE. */
  evidence: number;
  /** The name or the labels hold a word of the query or a related word. */
  isNamed: boolean;
  /** The name or the labels hold, as typed, a word that most plans do not hold. */
  namesSubject: boolean;
  /** The deck holds, anywhere, a word that not every trade has, or a related word. */
  holdsSubject: boolean;
  /** The pages hold the words more than in passing. */
  isMentioned: boolean;
  /** The deck holds every word that any deck holds; false when decks hold all words of the query. */
  holdsAllKnown: boolean;
  /** The name or the labels hold, as typed, a trade that the query names beside a kind of event. */
  isOfTrade?: boolean;
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
