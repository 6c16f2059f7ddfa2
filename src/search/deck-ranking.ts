import { RELATED, rarityOf, relatedOf, TYPED, typedOf, worthOf } from './deck-levels.ts';
import { MIN_SHARE } from './engine/match/gather-segment.ts';

/** A deck with what it holds of each word of a query (deck-levels.ts). `standing`: the recommended score, which decides between equals. */
export type LevelledDeck = { id: number; levels: readonly number[]; standing: number };

/** The words of a query: in how many of `documents` each stands, and the share of its rarity that counts. */
export type QueryFacts = { documents: number; frequencies: readonly number[]; weights: readonly number[] };

/** Decks with all words and decks with some, each best first. */
export type RankedDecks<Deck> = { full: Deck[]; partial: Deck[] };

/** A list that stands on page text alone must hold this share of the query, or it is about something else. */
const MIN_COVERED_ON_PAGES = 0.5;
/** When no deck holds this share of the query, the library has nothing about it (餐饮量子纠缠火箭 is not about 餐饮). */
const MIN_COVERED = 0.15;

/**
 * Ranks decks by the worth of their words (rarity times the place where they stand) times the share of the query that they cover. Decks
 * with all words come first (C-117); decks below MIN_SHARE of the best score are left out.
 */
export function rankDecks<Deck extends LevelledDeck>(decks: readonly Deck[], facts: QueryFacts): RankedDecks<Deck> {
  const gains = facts.weights.map((weight, word) => weight * rarityOf(facts.frequencies[word] ?? 0, facts.documents));
  const all = gains.reduce((sum, gain) => sum + gain, 0);
  const scored = decks.map((deck) => {
    let worth = 0;
    let covered = 0;
    deck.levels.forEach((level, word) => {
      worth += worthOf(level) * (gains[word] ?? 0);
      if (level > 0) covered += gains[word] ?? 0;
    });
    return { deck, score: (worth * covered) / all, covered: covered / all };
  });
  const best = scored.reduce((most, { score }) => Math.max(most, score), 0);
  const ordered = scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.deck.standing - a.deck.standing || b.deck.id - a.deck.id);
  const full = ordered.filter(({ deck }) => missingOf(deck).length === 0);
  const near = ordered.filter(({ deck, score }) => score >= best * MIN_SHARE && missingOf(deck).length > 0);
  const standsOnPages = full.length === 0 && !near.some(({ deck }) => deck.levels.some(isInNames));
  const isAboutIt = near.some(({ covered }) => covered >= MIN_COVERED);
  const partial = near.filter(({ covered }) => isAboutIt && (!standsOnPages || covered >= MIN_COVERED_ON_PAGES));
  return { full: full.map(({ deck }) => deck), partial: partial.map(({ deck }) => deck) };
}

const isInNames = (level: number) => typedOf(level) >= TYPED.inLabels || relatedOf(level) !== RELATED.nowhere;

/** Returns the positions of the words that a deck does not hold. A related word does not stand for the typed one. */
export const missingOf = ({ levels }: Pick<LevelledDeck, 'levels'>): number[] =>
  levels.flatMap((level, word) => (typedOf(level) === TYPED.nowhere ? [word] : []));

/** Tells whether name and labels of a deck hold all words. */
export const isNamedFully = ({ levels }: Pick<LevelledDeck, 'levels'>): boolean =>
  levels.every((level) => typedOf(level) >= TYPED.inLabels);

/** Tells whether a deck holds the words on its pages alone. */
export const isOnlyOnPages = ({ levels }: Pick<LevelledDeck, 'levels'>): boolean =>
  levels.every((level) => typedOf(level) < TYPED.inLabels);
