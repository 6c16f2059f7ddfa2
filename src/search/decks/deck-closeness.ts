import { isSameIndustry, isUnclassified, sharesTheme, type ScoredDeck, type Subject } from './deck-subject.ts';
import { similaritiesTo } from './deck-similarity.ts';

/** What a query is about is told by this number of the best decks. */
export const MODELS = 3;

/**
 * How much each fact counts: a logistic regression over the decks with some of the words of 1,350 queries, for which judges had named every deck that they would open
 * (docs/decisions/028-whole-decks.md).
 */
const WEIGHTS = {
  score: 0.32,
  prominence: 1.1,
  evidence: 1.0,
  industryOfTop: 1.25,
  industryOfModels: 1.5,
  sharedThemes: 0.65,
  similarToTop: 7.7,
  similarToModels: 2.4,
  rank: -0.7,
  start: -0.7,
} as const;

/** How similar a deck is to another by chance, for decks of which no significant terms are known. */
const BY_CHANCE = 0.06;
/** How similar the best deck is to others that are related to it. */
const OF_THE_BEST = 0.3;

/**
 * Returns a function that tells how close a deck is to the best decks: the logarithm of the odds that a person who asks the query finds the
 * deck related. WEIGHTS names the facts that count. `best`: the decks that tell what the query is about, best first. `unit`: the score of a
 * word that only one deck holds. `rank`: the deck's place among the decks with some of the words, from 0.
 */
export function closenessTo<Deck extends Subject>(
  best: readonly ScoredDeck<Deck>[],
  unit: number,
): (each: ScoredDeck<Deck>, rank: number) => number {
  const [top] = best;
  if (!top) return () => -Infinity;
  const models = best.slice(0, MODELS);
  const similaritiesOf = similaritiesTo(models.map(({ significant }) => significant));
  return (each, rank) => {
    // No deck is left out for its subject when that is not known.
    const isOpen = isUnclassified(top.deck) || isUnclassified(each.deck);
    const others = models.filter((model) => model !== each);
    const known = similaritiesOf(each.significant);
    const similarities = models.flatMap((model, at) => (model === each ? [] : [known[at] ?? BY_CHANCE]));
    const toTop = each === top ? OF_THE_BEST : (similarities[0] ?? BY_CHANCE);
    const toModels = similarities.length > 0 ? meanOf(similarities) : toTop;
    return (
      WEIGHTS.start +
      WEIGHTS.score * Math.log(each.score / unit) +
      WEIGHTS.prominence * Math.log(each.prominence / top.prominence) +
      WEIGHTS.evidence * each.evidence +
      WEIGHTS.industryOfTop * Number(isOpen || isSameIndustry(top.deck, each.deck)) +
      WEIGHTS.industryOfModels * (isOpen ? 1 : shareOf(others, (model) => isSameIndustry(model.deck, each.deck))) +
      WEIGHTS.sharedThemes * (isOpen ? 1 : shareOf(others, (model) => sharesTheme(model.deck, each.deck))) +
      WEIGHTS.similarToTop * toTop +
      WEIGHTS.similarToModels * toModels +
      WEIGHTS.rank * Math.log(1 + rank)
    );
  };
}

/** Returns the share of the values for which something holds; 1 where there are none. */
const shareOf = <T>(values: readonly T[], holds: (value: T) => boolean) =>
  values.length > 0 ? values.filter(holds).length / values.length : 1;
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
