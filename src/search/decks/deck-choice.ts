import { closenessTo, MODELS } from './deck-closeness.ts';
import { isOtherIndustry, type ScoredDeck, type Subject } from './deck-subject.ts';

/** Decks that are related to the query as likely as this are listed; in logarithms of odds (deck-closeness.ts), 34 in a hundred. */
const MIN_CLOSENESS = Math.log(0.34 / 0.66);
/** They must also reach this share of the best score: what says a common word in passing is related only by its industry. */
const MIN_SHARE = 0.02;
/** Decks on whose pages alone some words stand must hold this share of the query, and reach this share of the best score. */
const MIN_EVIDENCE_ON_PAGES = 0.4;
const MIN_SHARE_ON_PAGES = 0.2;
/** How much the closeness of a listed deck counts beside its score in their order, both in logarithms. */
const ORDER_BY_CLOSENESS = 0.3;
/** What holds all that the library knows of a query is at least as close: 元宇宙发布会 lists the 发布会 of any trade, as 发布会 does. */
const ALL_KNOWN = 3;
/** What names a word and comes as near as this to the best score is related as likely as not, whatever its industry. */
const NEAR_BEST = 0.85;
/** The logarithm of even odds. */
const EVEN = 0;
/** Four pages of results. A large library has hundreds of decks of an industry that say one word of a query. */
const MAX_PARTIAL = 60;

/**
 * Without a deck that holds all words the best must reach this score, or the library has nothing about the query (餐饮量子纠缠火箭 is not about 餐饮). Counted in words that one
 * deck alone names in full; what stands on the pages alone must be more, for a short query: 停车场 and 管理 on a page of a flower festival.
 */
const MIN_SCORE = 0.38;
const MIN_SCORE_ON_PAGES = 0.7;
/** A deck must also hold this share of a short query; more where the query names a subject that no deck knows, and no name holds one that is known: 宝宝百日宴 is not about 亲子. */
const MIN_EVIDENCE = 0.3;
const MIN_EVIDENCE_UNKNOWN = 0.5;
/** That share is not asked for where the best reaches this score, in units as MIN_SCORE: 补习班暑假前想多收点学生 is about 教育培训 and 暑期. */
const MIN_SCORE_UNKNOWN = 1.6;
/** Least `evidence` of a deck whose name or labels hold a subject as typed; MIN_SCORE is then not asked for. */
const MIN_EVIDENCE_NAMED = 0.2;
/** Of more words some are said by the way. */
const SHORT = 4;

/**
 * What a query asks for. `isUnknown`: it names a subject, a word that most plans do not hold, that is unknown to all decks; `hasSubject`: it names one that not any trade may
 * have; `words`: their number; `unit`: the score of a word that one deck alone holds.
 */
type Subjects = { isUnknown: boolean; hasSubject: boolean; words: number; unit: number };

/**
 * Chooses the decks to list among those with all words and those with some, each best first. What the best decks are about decides: a
 * deck of another subject that holds a word or two in passing is left out, one of the same industry stays further down the list.
 */
export function chooseDecks<Deck extends Subject>(
  full: ScoredDeck<Deck>[],
  partial: ScoredDeck<Deck>[],
  subjects: Subjects,
): { full: ScoredDeck<Deck>[]; mentions: ScoredDeck<Deck>[]; partial: ScoredDeck<Deck>[] } {
  const named = full.filter(({ isNamed }) => isNamed).slice(0, MODELS);
  const isAside = (each: ScoredDeck<Deck>) =>
    named.length > 0 &&
    !each.isNamed &&
    !each.isMentioned &&
    named.every((model) => isOtherIndustry(model.deck, each.deck));
  const closenessOf = closenessTo(full.length > 0 ? full : partial, subjects.unit);
  const bestScore = Math.max(0, ...[...full, ...partial].map(({ score }) => score));
  const isClose = ({ deck, closeness }: WithCloseness<Deck>) =>
    deck.score >= bestScore * (deck.isNamed ? MIN_SHARE : MIN_SHARE_ON_PAGES) &&
    (deck.isNamed || deck.evidence >= MIN_EVIDENCE_ON_PAGES) &&
    closeness >= MIN_CLOSENESS;
  const close = partial
    .map((deck, rank) => ({
      deck,
      closeness: Math.max(
        closenessOf(deck, rank),
        deck.holdsAllKnown && deck.isNamed ? ALL_KNOWN : -Infinity,
        deck.isNamed && deck.score >= NEAR_BEST * bestScore ? EVEN : -Infinity,
        // Below plans of the event, plans of the trade are listed: 珠宝 of 珠宝快闪店.
        deck.isOfTrade && full.length === 0 ? MIN_CLOSENESS : -Infinity,
      ),
    }))
    .filter(isClose)
    .slice(0, MAX_PARTIAL)
    .sort((a, b) => standingOf(b) - standingOf(a))
    .map(({ deck }) => deck);
  return {
    full: full.filter((each) => !isAside(each)),
    mentions: full.filter(isAside),
    partial: full.length > 0 || isAbout(close, subjects) ? close : [],
  };
}

type WithCloseness<Deck> = { deck: ScoredDeck<Deck>; closeness: number };
const standingOf = <Deck>({ deck, closeness }: WithCloseness<Deck>) =>
  Math.log(deck.score) + ORDER_BY_CLOSENESS * closeness;

/** Tells whether the best of the decks with some of the words is about the query at all. */
function isAbout<Deck>(close: ScoredDeck<Deck>[], { isUnknown, hasSubject, words, unit }: Subjects): boolean {
  // A deck that holds a rare word on a page may come before those that are named for the subject: 开业没人来怎么办.
  const best = close.find((deck) => deck.namesSubject && deck.holdsSubject) ?? close[0];
  if (!best) return false;
  // In a small library, or beside a word that a large one does not know, the name of a common subject is worth little.
  const namesIt = best.namesSubject && best.holdsSubject && best.evidence >= MIN_EVIDENCE_NAMED;
  if (!namesIt && best.score < MIN_SCORE * unit) return false;
  if (words > SHORT) return true;
  // 剧本杀门店 is not about 门店, nor 消防知识竞赛 about 知识, whatever else most trades have.
  if (hasSubject && !best.holdsSubject) return false;
  if (!best.isNamed && best.score < MIN_SCORE_ON_PAGES * unit) return false;
  const isStranger = isUnknown && !close.some(({ namesSubject }) => namesSubject);
  const minEvidence = isStranger && best.score < MIN_SCORE_UNKNOWN * unit ? MIN_EVIDENCE_UNKNOWN : MIN_EVIDENCE;
  return close.some(({ evidence }) => evidence >= minEvidence);
}
