import { isSameIndustry, isUnclassified, sharesTheme, type ScoredDeck, type Subject } from './deck-subject.ts';

/** What a query is about is told by this number of the best decks. */
export const MODELS = 3;

/**
 * How much each fact counts: a logistic regression over the decks with some of the words of 450 queries, for which judges had named every deck that they would open
 * (docs/decisions/028-whole-decks.md).
 */
const WEIGHTS = {
  prominence: 1.1,
  evidence: 2.5,
  sameIndustry: 3.4,
  sharedThemes: 1.7,
  isNamed: 0.8,
  rank: -0.85,
  start: -1.3,
} as const;

/**
 * Returns how close decks are to the best: the logarithm of the odds that somebody who asks finds the deck related. It counts how prominently a deck holds its words beside the best,
 * which share of the query it holds, whether it is of the industry of the best, with how many of the models it shares a theme, whether its name says a word, and how many
 * decks stand before it. `best`: those that tell what the query is about, best first; `rank`: 0 for the first deck with some of the words.
 */
export function closenessTo<Deck extends Subject>(
  best: readonly ScoredDeck<Deck>[],
): (each: ScoredDeck<Deck>, rank: number) => number {
  const [top] = best;
  if (!top) return () => -Infinity;
  return (each, rank) => {
    // No deck is left out for its subject when that is not known.
    const isOpen = isUnclassified(top.deck) || isUnclassified(each.deck);
    const others = best.slice(0, MODELS).filter((model) => model !== each);
    const sharing = others.filter((model) => sharesTheme(model.deck, each.deck)).length;
    return (
      WEIGHTS.start +
      WEIGHTS.prominence * Math.log(each.prominence / top.prominence) +
      WEIGHTS.evidence * each.evidence +
      WEIGHTS.sameIndustry * Number(isOpen || isSameIndustry(top.deck, each.deck)) +
      WEIGHTS.sharedThemes * (isOpen ? 1 : sharing / Math.max(others.length, 1)) +
      WEIGHTS.isNamed * Number(each.isNamed) +
      WEIGHTS.rank * Math.log(1 + rank)
    );
  };
}
