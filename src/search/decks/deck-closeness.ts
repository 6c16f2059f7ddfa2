import { isSameIndustry, isUnclassified, sharesTheme, type ScoredDeck, type Subject } from './deck-subject.ts';

/** What a query is about is told by this number of the best decks. */
export const MODELS = 3;
/** A deck of the industry of the best, or with a theme of one of the models, is this much closer. */
const OF_INDUSTRY = 1.75;
const OF_THEME = 1.5;
/**
 * Decks that hold the very same words of the query are a crowd: what a dozen have alike, 社区 alone, says little about each. The fourth root of their number,
 * MAX_CROWD at most, divides the closeness of each.
 */
const CROWD_ROOT = 1 / 4;
const MAX_CROWD = 12;
/** Decks below this share of the best score belong to no crowd, and are close to nothing. */
const MIN_SHARE = 0.03;

/**
 * Returns how close decks are to the best: the worth of what they hold beside the worth of what the best holds, whatever share of the query that covers, more in its
 * industry or with one of its themes, less in a crowd. `best`: those that tell what the query is about, best first.
 */
export function closenessTo<Deck extends Subject>(
  best: readonly ScoredDeck<Deck>[],
  all: readonly ScoredDeck<Deck>[],
): (each: ScoredDeck<Deck>) => number {
  const [top] = best;
  if (!top) return () => 0;
  const models = best.slice(0, MODELS);
  const minScore = MIN_SHARE * all.reduce((most, { score }) => Math.max(most, score), 0);
  const crowds = new Map<string, number>();
  for (const { held, score } of all) {
    if (score >= minScore) crowds.set(held, (crowds.get(held) ?? 0) + 1);
  }
  return (each) => {
    if (each.score < minScore) return 0;
    const crowd = Math.min(crowds.get(each.held) ?? 1, MAX_CROWD);
    // No deck is left out for its subject when that is not known.
    const isOpen = isUnclassified(top.deck) || isUnclassified(each.deck);
    const industry = isOpen || isSameIndustry(top.deck, each.deck) ? OF_INDUSTRY : 1;
    const isOfTheme = models.some((model) => model !== each && sharesTheme(model.deck, each.deck));
    const theme = isOpen || isOfTheme ? OF_THEME : 1;
    return ((each.worth / top.worth) * industry * theme) / crowd ** CROWD_ROOT;
  };
}
