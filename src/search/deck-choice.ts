/** What a deck is about. 0 and [] say nothing. */
export type Subject = { industryId: number; themeIds: readonly number[] };

/**
 * A deck with its score for a query (deck-ranking.ts). `covered`: the share of the query that it holds, 0 to 1; `evidence`: the same, a related
 * word counted by its weight; `isNamed`: its name or labels hold a word or a related one; `namesSubject`: they hold a word as typed that most plans do not
 * hold; `saysSubject`: the deck holds such a word as typed anywhere; `holdsSubject`: it holds one or a related one anywhere; `isMentioned`: its pages hold
 * the words more than in passing.
 */
export type ScoredDeck<Deck> = {
  deck: Deck;
  score: number;
  covered: number;
  evidence: number;
  isNamed: boolean;
  saysSubject: boolean;
  namesSubject: boolean;
  holdsSubject: boolean;
  isMentioned: boolean;
};

/** Decks below this share of the best score are about something else. */
const MIN_SHARE = 0.2;
/**
 * Decks of the same industry as the best with a word in their names or labels need only this share, and so do, beside a sentence, those of the same theme that
 * name a subject of it: they are near even where a common word matches.
 */
const MIN_SHARE_NEAR = 0.05;
/** Decks on whose pages alone some words stand must hold this share of the query. */
const MIN_COVERED_ON_PAGES = 0.4;
/** A list that stands on page text alone must hold this share of the query, or it is about something else. */
const MIN_COVERED_ALONE = 0.5;
/** When no deck holds this share of the query, the library has nothing about it (餐饮量子纠缠火箭 is not about 餐饮). */
const MIN_EVIDENCE = 0.3;
/** The same, where the query names a subject that the library does not know, and no name holds one that it knows: 宝宝百日宴 is not about 亲子. */
const MIN_EVIDENCE_UNKNOWN = 0.5;
/** Of more than SHORT words some are said by the way: then any query needs this share only. */
const MIN_EVIDENCE_LONG = 0.2;
const SHORT = 4;

/**
 * The subjects of a query, words that most plans do not hold: whether there are any, whether one is unknown to all decks, and whether that one is all that
 * the query is about (`isForeign`). `words`: of the query.
 */
export type Subjects = { isAny: boolean; isUnknown: boolean; isForeign?: boolean; words: number };

/** What a query is about is told by this number of the best decks, whose scores reach this share of the best where no deck holds all words. */
const MODELS = 3;
const MODEL_SHARE = 0.8;

/**
 * Chooses the decks to list among those with all words and those with some, each best first. What the best decks are about decides: a
 * deck of another subject that holds a word or two in passing is left out, one of the same industry stays further down the list.
 */
export function chooseDecks<Deck extends Subject>(
  full: ScoredDeck<Deck>[],
  partial: ScoredDeck<Deck>[],
  subjects: Subjects,
): { full: ScoredDeck<Deck>[]; mentions: ScoredDeck<Deck>[]; partial: ScoredDeck<Deck>[] } {
  const best = Math.max(full[0]?.score ?? 0, partial[0]?.score ?? 0);
  const named = full.filter(({ isNamed }) => isNamed).slice(0, MODELS);
  const nearest = partial.filter(({ isNamed, score }) => isNamed && score >= best * MODEL_SHARE).slice(0, MODELS);
  const models = full.length > 0 ? named : nearest;
  const isOfIndustry = ({ deck }: ScoredDeck<Deck>) => models.some((model) => isSameIndustry(model.deck, deck));
  const isNear = ({ deck }: ScoredDeck<Deck>) => models.some((model) => isNearSubject(model.deck, deck));

  const isAside = (each: ScoredDeck<Deck>) =>
    named.length > 0 &&
    !each.isNamed &&
    !each.isMentioned &&
    named.every((model) => isOtherIndustry(model.deck, each.deck));
  const isClose = (each: ScoredDeck<Deck>) =>
    (each.isNamed && isOfIndustry(each)) || (subjects.words >= SHORT && each.namesSubject && isNear(each));
  const shareOf = (each: ScoredDeck<Deck>) => (isClose(each) ? MIN_SHARE_NEAR : MIN_SHARE);
  const isOnSubject = ({ holdsSubject }: ScoredDeck<Deck>) => holdsSubject || !subjects.isAny || subjects.words > SHORT;
  // Beside decks that say a subject of several words, one for which related words alone speak must be of their industry.
  const isSaidByBest =
    subjects.words > 1 &&
    full.length === 0 &&
    partial.some((each) => each.namesSubject && each.score >= best * MODEL_SHARE);
  const isSaid = (each: ScoredDeck<Deck>) => !isSaidByBest || each.saysSubject || isOfIndustry(each);
  const close = partial.filter(
    (each) =>
      isOnSubject(each) && isSaid(each) && (named.length === 0 || isNear(each)) && each.score >= best * shareOf(each),
  );
  const standsOnPages = full.length === 0 && !close.some(({ isNamed }) => isNamed);
  const minCovered = standsOnPages ? MIN_COVERED_ALONE : MIN_COVERED_ON_PAGES;
  const isStranger = subjects.isUnknown && !close.some(({ namesSubject }) => namesSubject);
  const minOfShort = isStranger ? MIN_EVIDENCE_UNKNOWN : MIN_EVIDENCE;
  const minEvidence = subjects.words > SHORT ? MIN_EVIDENCE_LONG : minOfShort;
  const isElsewhere = (subjects.isForeign ?? false) && subjects.words <= SHORT;
  const isAboutIt = full.length > 0 || (!isElsewhere && close.some(({ evidence }) => evidence >= minEvidence));
  return {
    full: full.filter((each) => !isAside(each)),
    mentions: full.filter(isAside),
    partial: isAboutIt ? close.filter(({ isNamed, covered }) => isNamed || covered >= minCovered) : [],
  };
}

/** Tells whether two decks have the same industry. */
const isSameIndustry = (one: Subject, other: Subject) => one.industryId > 0 && one.industryId === other.industryId;

/** Tells whether two decks have different industries; false when the industry of one is not known. */
const isOtherIndustry = (one: Subject, other: Subject) =>
  one.industryId > 0 && other.industryId > 0 && one.industryId !== other.industryId;

/** Tells whether two decks share the industry or a theme, or nothing is known about one of them. */
const isNearSubject = (one: Subject, other: Subject) =>
  isSameIndustry(one, other) ||
  one.themeIds.some((theme) => other.themeIds.includes(theme)) ||
  [one, other].some(({ industryId, themeIds }) => industryId === 0 && themeIds.length === 0);
