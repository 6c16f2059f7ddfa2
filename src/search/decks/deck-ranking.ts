import { RELATED, RELATED_SHARE, rarityOf, relatedOf, TYPED, typedOf, worthOf } from './deck-levels.ts';
import { chooseDecks } from './deck-choice.ts';
import type { SignificantTerms } from './deck-similarity.ts';
import type { ScoredDeck, Subject } from './deck-subject.ts';

/**
 * A deck with what it holds of each word of a query (deck-levels.ts) and what it is about. `recommendScore` decides between
 * equals.
 */
type LevelledDeck = Subject & { id: number; levels: readonly number[]; recommendScore: number };

/** Facts about the words of a query; each array has one value per word. */
export type QueryFacts = {
  /** Number of searchable documents. */
  documents: number;
  /** Number of documents that hold the word. */
  frequencies: readonly number[];
  /** Share of the word's rarity that counts, 0 to 1. */
  weights: readonly number[];
  /** The same for a word that no deck holds; `weights` when left out. */
  unknownWeights?: readonly number[];
  /** The same for a word that stands on pages alone; `weights` when left out. */
  pageWeights?: readonly number[];
  /** Whether the word names a kind of gathering, place or measure that any trade may have. */
  areOfAnyTrade?: readonly boolean[];
  /** Whether the related words are translations, which name the thing as well as the word does. */
  areForeign?: readonly boolean[];
  /** Whether the word names a kind of document that is not a plan. */
  areOtherDocuments?: readonly boolean[];
  /** Whether the word is optional: a deck without it still counts as a full match. */
  areAsides?: readonly boolean[];
  /** Whether the word names a kind of event. */
  areEvents?: readonly boolean[];
  /** Whether the word, as typed, names a trade. */
  areTrades?: readonly boolean[];
  /** Returns what tells most of what a deck is about; nothing is known of it otherwise. */
  significantOf?: (id: number) => SignificantTerms;
};

/**
 * Decks with all words, decks that hold all words on pages only and are about something else (`mentions`), and decks with some of the words;
 * each best first.
 */
export type RankedDecks<Deck> = { full: Deck[]; mentions: Deck[]; partial: Deck[] };

/**
 * Ranks decks by the worth of their words (rarity times the place where they stand) times the share of the query that they cover. Decks
 * with all words come first (C-117). Which of the others are listed is decided by deck-choice.ts.
 */
export function rankDecks<Deck extends LevelledDeck>(decks: readonly Deck[], facts: QueryFacts): RankedDecks<Deck> {
  const isUnknown = facts.weights.map((_, word) => decks.every(({ levels }) => (levels[word] ?? 0) === 0));
  const isNamed = facts.weights.map((_, word) => decks.some(({ levels }) => isInNames(levels[word] ?? 0)));
  const hasNamedSubject = facts.weights.some(
    (weight, word) => weight >= MIN_SUBJECT && !isUnknown[word] && isNamed[word] && !facts.areOfAnyTrade?.[word],
  );
  const weights = facts.weights.map((weight, word) => {
    if (isUnknown[word]) return facts.unknownWeights?.[word] ?? weight;
    const share = hasNamedSubject && facts.areOfAnyTrade?.[word] ? BESIDE_SUBJECT : 1;
    return share * (isNamed[word] ? weight : (facts.pageWeights?.[word] ?? weight));
  });
  // A word that hardly any deck holds, and that related ones stand for, is less rare than one that nobody knows, and rarer than what stands for it: their
  // mean, so that a related word in a dozen decks does not outweigh a typed one in five.
  const frequencyOf = (word: number) => {
    const held = decks.map(({ levels }) => levels[word] ?? 0).filter((level) => level > 0);
    return Math.max(facts.frequencies[word] ?? 0, Math.sqrt(held.length));
  };
  const gains = weights.map((weight, word) => weight * rarityOf(frequencyOf(word), facts.documents));
  const events = weights.flatMap((_, word) => (facts.areEvents?.[word] && isNamed[word] ? [word] : []));
  const allWeight = weights.reduce((sum, weight) => sum + weight, 0);
  // Where all other words stand in most plans or fit any trade, unknown characters are what the query is about: 主题党日 is not about 主题, 拔河比赛
  // not about 比赛.
  const isAnySubject = weights.some((weight, word) => weight >= MIN_SUBJECT && !facts.areOfAnyTrade?.[word]);
  const minSubject = isAnySubject ? MIN_SUBJECT : MIN_UNKNOWN_SUBJECT;
  const isSubject = (word: number) => (weights[word] ?? 0) >= (isUnknown[word] ? minSubject : MIN_SUBJECT);
  const isOfFewTrades = (word: number) => isSubject(word) && !facts.areOfAnyTrade?.[word];
  const scored = decks.map((deck): ScoredDeck<Deck> => {
    let worth = 0;
    let covered = 0;
    let evidence = 0;
    let spread = 0;
    const holdsEvent = events.some((word) => isInNames(deck.levels[word] ?? 0));
    let all = 0;
    deck.levels.forEach((level, word) => {
      const isLess = events.length > 0 && facts.areTrades?.[word] === true && !(holdsEvent && level > 0);
      const gain = (gains[word] ?? 0) * (isLess ? BESIDE_EVENT : 1);
      all += gain;
      worth += worthOf(level) * gain;
      spread += typedOf(level) * gain;
      if (level > 0) covered += gain;
      if (level > 0)
        evidence += typedOf(level) > TYPED.nowhere || facts.areForeign?.[word] ? gain : gain * RELATED_SHARE;
    });
    const namesSubject = deck.levels.some((level, word) => isSubject(word) && typedOf(level) >= TYPED.inLabels);
    const typedWeight = weights.reduce(
      (sum, weight, word) => sum + (typedOf(deck.levels[word] ?? 0) > 0 ? weight : 0),
      0,
    );
    return {
      deck,
      score: (worth * covered) / all,
      prominence: worth / covered,
      evidence: namesSubject ? Math.max(evidence / all, PLAIN_SHARE * (typedWeight / allWeight)) : evidence / all,
      namesSubject,
      holdsSubject: deck.levels.some((level, word) => isOfFewTrades(word) && level > 0),
      isNamed: deck.levels.some(isInNames),
      isOfTrade:
        events.length > 0 &&
        deck.levels.some((level, word) => facts.areTrades?.[word] === true && typedOf(level) >= TYPED.inLabels),
      isMentioned: spread / all > MENTIONED,
      holdsAllKnown:
        isUnknown.includes(true) &&
        deck.levels.every((level, word) => isUnknown[word] || typedOf(level) > TYPED.nowhere),
      significant: facts.significantOf?.(deck.id) ?? [],
    };
  });
  const ordered = scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.deck.recommendScore - a.deck.recommendScore || b.deck.id - a.deck.id);
  const isFull = ({ deck }: ScoredDeck<Deck>) => missingOf(deck, facts.areAsides).length === 0;
  const holdsAll = ({ deck }: ScoredDeck<Deck>) => missingOf(deck).length === 0;
  // A plan takes the place of another kind of document only where it is about all the rest: 劳动合同范本 is not about 劳动.
  const areOthers = weights.map((_, word) => (facts.areOtherDocuments?.[word] ?? false) && !isNamed[word]);
  const chosen = chooseDecks(
    // What is said by the way still comes first where it stands.
    ordered.filter(isFull).sort((a, b) => Number(holdsAll(b)) - Number(holdsAll(a))),
    ordered.filter((each) => !isFull(each) && holdsAllBut(each.deck, areOthers, facts.areAsides)),
    {
      isUnknown: isUnknown.some((is, word) => is && isSubject(word)),
      words: weights.length,
      unit: Math.min(rarityOf(1, facts.documents), MAX_UNIT),
      hasSubject: weights.some((_, word) => isOfFewTrades(word)),
    },
  );
  const decksOf = (list: ScoredDeck<Deck>[]) => list.map(({ deck }) => deck);
  return { full: decksOf(chosen.full), mentions: decksOf(chosen.mentions), partial: decksOf(chosen.partial) };
}

/** In a small library rarity says little of a word, so that the share of the words counts as well, for decks with a subject of the query in name or labels. */
const PLAIN_SHARE = 0.75;
/** Beyond a hundred and fifty decks a rare word of a larger library counts no more. */
const MAX_UNIT = 5;
/** Words of a smaller weight stand in most plans, and name no subject. */
const MIN_SUBJECT = 0.75;
/** Unknown words of a smaller weight say nothing, whatever stands beside them. */
const MIN_UNKNOWN_SUBJECT = 0.5;

/** What any trade may have counts this share where names hold a word of few trades: 年会 节目 is about 年会. Still enough to be a subject. */
const BESIDE_SUBJECT = 0.75;

/** Factor of a trade word for decks that are not about both trade and event: 茶饮市集 lists 市集 of other trades before 茶饮 without 市集. */
const BESIDE_EVENT = 0.6;

/** Words that stand on one page each are hardly mentioned; on two pages or more their mean level is above this. */
const MENTIONED = 1.5;

const isInNames = (level: number) => typedOf(level) >= TYPED.inLabels || relatedOf(level) !== RELATED.nowhere;

/** Tells whether a deck holds the words of a query but for kinds of documents and what is said by the way; any deck does where the query names no such kind. */
function holdsAllBut(
  { levels }: LevelledDeck,
  areOthers: readonly boolean[],
  areAsides: readonly boolean[] = [],
): boolean {
  return (
    !areOthers.includes(true) ||
    levels.every((level, word) => typedOf(level) > TYPED.nowhere || areOthers[word] || areAsides[word])
  );
}

/** Returns the positions of the words that a deck does not hold, but for those said by the way. A related word does not stand for the typed one. */
export const missingOf = ({ levels }: Pick<LevelledDeck, 'levels'>, areAsides: readonly boolean[] = []): number[] =>
  levels.flatMap((level, word) => (typedOf(level) === TYPED.nowhere && !areAsides[word] ? [word] : []));

/** Tells whether name and labels of a deck hold all words. */
export const isNamedFully = ({ levels }: Pick<LevelledDeck, 'levels'>): boolean =>
  levels.every((level) => typedOf(level) >= TYPED.inLabels);

/** Tells whether a deck holds the words on its pages alone. */
export const isOnlyOnPages = ({ levels }: Pick<LevelledDeck, 'levels'>): boolean =>
  levels.every((level) => typedOf(level) < TYPED.inLabels);
