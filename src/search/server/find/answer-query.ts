import type { Ctx } from '../../../context.ts';
import { isOnlyOnPages } from '../../decks/deck-ranking.ts';
import { relatedOf } from '../../decks/deck-levels.ts';
import { cleanQuery } from '../../clean-query.ts';
import { foldedText } from '../../fold.ts';
import { endsGenerically, refusedTexts, requiredWords } from '../../generic-words.ts';
import { wordAsTyped } from '../../typed-words.ts';
import {
  altersWords,
  crossesWords,
  isOneCharacterOff,
  isOneCharacterShort,
  isSafeCorrection,
  onlyReplacesLeftovers,
  onlySpellsLetters,
} from '../../spelling/corrections.ts';
import { nearForms } from '../../synonyms.ts';
import { isPhraseOrSentence, type QueryWord, queryWords, relatedWords } from '../../words.ts';
import { cutWords, soundsOf, tonesOf } from '../words/cut-words.ts';
import { isAside, weightOf } from '../words/word-weights.ts';
import { countNamed } from './find-named.ts';
import { relistByMeaning } from './list-by-meaning.ts';
import {
  type DeckList,
  holdsAny,
  isHeld,
  isNamedLevel,
  listWords,
  type MatchedList,
  type Question,
} from './list-words.ts';
import {
  type DeckCtx,
  matchDecks,
  type MatchedDeck,
  type MatchedDecks,
  NO_DECKS,
  withDeckReads,
} from './match-decks.ts';
import { countFull, isHeldWhole, dropsLastCharacter, spellingOf } from './query-spelling.ts';
import { findRefused, idsOf } from './refused.ts';
import { splitLongWords } from './split-words.ts';
import { firstText, textOf, wordsOfQuery, wordsToTheLetter } from './words-of-query.ts';

export type SearchAnswer = DeckList & {
  /** The query whose exact search lists the mentions as well; "" when there are none or no such query. */
  exactKey: string;
  /** What the query does not want (不要餐饮): names and labels of the listed decks do not hold it. */
  refused: string[];
  forgiven: Forgiven;
  /** True when whole decks could not be read just now: the answer is kept for nobody, and says nothing of the library. */
  isIncomplete: boolean;
};

/** Changes that search made to a query or suggests; the page shows them all. */
export type Forgiven = {
  /** The typed query, when the answer is that of another spelling; "" otherwise. */
  correctedFrom: string;
  /** The query that was answered. */
  searchedFor: string;
  /** A spelling that would find far more; "" when there is none. */
  didYouMean: string;
  /** Words that none of the decks with some of the words contains, as typed. */
  dropped: string[];
  /** Words that no listed deck contains, and the related words that it contains instead. */
  near: { word: string; by: string[] }[];
};

/** With fewer results another spelling is tried; it is offered when it finds at least FAR_MORE times as many. */
const MIN_RESULTS = 5;
const FAR_MORE = 5;

/**
 * Returns one page of the results (C-117): decks that contain all words in name, keyword, organization and industry; when these are few, decks
 * that contain them anywhere, then decks that contain some. A query that no deck contains whole is tried in another spelling, and
 * with its long words split into their parts.
 */
export async function answerQuery(ctx: Ctx, asked: Question): Promise<SearchAnswer> {
  const reading = withDeckReads(ctx);
  const answer = await answerUnrefused(reading, asked);
  const exactKey = await exactKeyOf(reading, asked, answer);
  return { ...answer, exactKey, isIncomplete: reading.deckReads.haveFailed };
}

/**
 * Returns the query whose exact search lists the mentions of an answer as well: the query as it was typed or corrected, else its words alone (重阳 of
 * 重阳活动方案). "" where nothing is mentioned, or neither search finds that many.
 */
async function exactKeyOf(ctx: DeckCtx, asked: Question, answer: SearchAnswer): Promise<string> {
  const { words, mentions, fullCount, forgiven } = answer;
  if (mentions === 0) return '';
  const spelled = forgiven.correctedFrom ? forgiven.searchedFor : asked.key;
  const wordsAlone = cleanQuery(words.map((word) => wordAsTyped(word, spelled)).join(' '));
  const exactly = { ...asked, isForgiving: false, isCounted: false, limit: 0 };
  for (const key of new Set([spelled, wordsAlone])) {
    const { total } = await listWords(ctx, exactly, wordsToTheLetter(key));
    if (total >= fullCount + mentions) return key;
  }
  return '';
}

async function answerUnrefused(ctx: DeckCtx, asked: Question): Promise<SearchAnswer> {
  const refused = asked.isForgiving ? await findRefused(ctx, refusedTexts(asked.key)) : [];
  if (refused.length === 0) return answerWanted(ctx, asked);
  const answer = await answerWanted(ctx, { ...asked, without: idsOf(refused) });
  // Where nothing else is left, what is refused is better than nothing.
  return answer.unfilteredTotal > 0
    ? { ...answer, refused: refused.map(({ text }) => text) }
    : answerWanted(ctx, asked);
}

/**
 * Answers a query whose refused decks are known (`question.without`): as typed where that finds enough, else in another spelling that is surely or
 * plausibly meant, else with its long words split. Where none of these is better, the list of the typed words, with the spelling as a suggestion.
 */
async function answerWanted(ctx: DeckCtx, question: Question): Promise<SearchAnswer> {
  const { key } = question;
  if (!question.isForgiving) {
    const exact = await listWords(ctx, question, wordsToTheLetter(key));
    return toAnswered(exact, { searchedFor: key });
  }
  const asTypedList = await listWords(ctx, question, await wordsOfQuery(ctx, key));
  // Where few decks are left under the filter, the words are counted without the filter: a narrow filter is no spelling error.
  const fullTotal =
    asTypedList.fullCount >= MIN_RESULTS ? asTypedList.fullCount : await countFull(ctx, asTypedList.words);
  const isPassedOver = dropsLastCharacter(key, asTypedList.words);
  if ((fullTotal >= MIN_RESULTS && !isPassedOver) || asTypedList.words.length === 0)
    return withForgiven(ctx, question, asTypedList);

  const { spelling, correctedWords, total: correctedTotal } = await spellingOf(ctx, key);
  const isFarMore = correctedTotal > 0 && correctedTotal >= fullTotal * FAR_MORE;
  const isSlip = isFarMore && (fullTotal === 0 || (await isOnlyPart(ctx, key, spelling, asTypedList.words)));
  const dictionary = { cut: cutWords, soundsOf };
  const changesMeaning = crossesWords(key, spelling, cutWords) || altersWords(key, spelling, dictionary);
  const isSafe = isSafeCorrection(key, spelling, soundsOf) && !changesMeaning;
  // 马拉送 is 马拉松, whatever holds 马拉.
  const isEndSlip = isPassedOver && correctedTotal > 0 && isSafeCorrection(key, spelling, soundsOf);
  if ((isSlip && isSafe) || isEndSlip) {
    return toAnswered(await listWords(ctx, question, correctedWords), { searchedFor: spelling, correctedFrom: key });
  }
  const didYouMean = isFarMore ? spelling : '';
  if (fullTotal >= MIN_RESULTS) return withForgiven(ctx, question, asTypedList);
  if (fullTotal > 0) return withForgiven(ctx, question, asTypedList, didYouMean);
  const isOneOff = isOneCharacterOff(key, spelling, cutWords) || isOneCharacterShort(key, spelling, cutWords);
  if (isFarMore && isOneOff) {
    return toAnswered(await listWords(ctx, question, correctedWords), { searchedFor: spelling, correctedFrom: key });
  }
  const isSpelling = onlySpellsLetters(key, spelling);
  // Only words without meaning were corrected: 方案 of 中秋快闪店布展方安. All others stand in the typed text.
  const keepsTypedWords =
    (isSafe || isOneOff) && correctedWords.every((word) => foldedText(key).includes(firstText(word)));
  if (correctedWords.length > 0 && (isSafe || isSpelling || keepsTypedWords)) {
    const spelled = await listWords(ctx, question, correctedWords);
    const isPlausible =
      isSpelling ||
      keepsTypedWords ||
      isPlausibleSpelling(spelled, key, spelling) ||
      (!holdsAny(asTypedList) && isOneOff && namesNewWords(spelled, key));
    if (holdsAny(spelled) && isBetter(spelled, asTypedList) && isPlausible) {
      const said = await withForgiven(ctx, { ...question, key: spelling }, spelled);
      return { ...said, forgiven: { ...said.forgiven, correctedFrom: key } };
    }
  }

  return answerBySplitting(ctx, question, asTypedList, didYouMean);
}

/** Answers with the long words of a query split into their parts where decks hold these; else with the typed words, relisted by meaning. */
async function answerBySplitting(
  ctx: DeckCtx,
  question: Question,
  asTypedList: MatchedList,
  didYouMean: string,
): Promise<SearchAnswer> {
  const { key } = question;
  // A word that related words of the thesaurus stand for is not split: 情人节 is 七夕, and not 情人.
  const areCoveredByRelated = asTypedList.words.map(
    (word, at) => isHeld(asTypedList.matched.partial, at) && word.forms.some(({ text }) => nearForms(text).length > 0),
  );
  const isHeldText = (text: string) => isHeldWhole(ctx, queryWords(text, cutWords));
  const splitQuery = await splitLongWords(key, asTypedList.words, areCoveredByRelated, isHeldText, isAside);
  const splitWords = splitQuery ? requiredWords(splitQuery, cutWords) : [];
  if (splitWords.length === 0)
    return withForgiven(ctx, question, await relistByMeaning(ctx, question, asTypedList), didYouMean);
  const listedBySplit = await listWords(ctx, question, splitWords);
  if ((await countFull(ctx, splitWords)) === 0) {
    const better = isBetter(listedBySplit, asTypedList) ? listedBySplit : asTypedList;
    return withForgiven(ctx, question, await relistByMeaning(ctx, question, better), didYouMean);
  }
  return toAnswered(listedBySplit, { searchedFor: splitQuery, correctedFrom: key });
}

/** Tells whether a list leaves fewer words without any deck than another, or as many and holds more decks, whatever the filter. */
function isBetter(one: MatchedList, other: MatchedList): boolean {
  const isFound = ({ isKnown, partial }: MatchedDecks, word: number) =>
    (isKnown[word] ?? false) || isHeld(partial, word);
  const lackedCount = ({ words, matched }: MatchedList) => words.filter((_, at) => !isFound(matched, at)).length;
  const more = lackedCount(one) - lackedCount(other);
  return more < 0 || (more === 0 && one.unfilteredTotal > other.unfilteredTotal);
}

/**
 * Tells whether another spelling, which no deck holds whole, may answer a query: only characters that the dictionary left over are replaced by others
 * of the same sound, and the best deck names all that has a meaning of its own, or, where the tones are the same as well, the words that were not typed. 搬家 is no 半价, and 党日 no 单日.
 */
function isPlausibleSpelling(listed: MatchedList, key: string, spelling: string): boolean {
  const isHeardAs = (heard: typeof soundsOf) =>
    onlyReplacesLeftovers(key, spelling, { cut: cutWords, soundsOf: heard });
  return (namesAll(listed) && isHeardAs(soundsOf)) || (namesNewWords(listed, key) && isHeardAs(tonesOf));
}

/** Tells whether name or labels of the best deck hold the words that were not typed: 直播间 of 直拨间. */
function namesNewWords({ words, matched }: MatchedList, key: string): boolean {
  const [best] = [...matched.full, ...matched.partial];
  const typed = foldedText(key);
  return words.every((word, at) => typed.includes(firstText(word)) || isNamedLevel(best?.levels[at] ?? 0));
}

/** Tells whether name or labels of the best deck hold all words with a meaning of their own, or related ones. */
function namesAll({ words, matched }: MatchedList): boolean {
  const [best] = [...matched.full, ...matched.partial];
  return words.every((word, at) => weightOf(word).held < 1 || isNamedLevel(best?.levels[at] ?? 0));
}

/**
 * Tells whether no name contains the query, and its other spelling is a word that ends with a generic one: then the meaningful part alone may be
 * a misspelling (亲自活动 for 亲子活动). A word that was typed apart from the generic ones and stands in decks is meant (策划方案 藏书).
 */
async function isOnlyPart(ctx: Ctx, key: string, spelling: string, words: QueryWord[]): Promise<boolean> {
  const all = queryWords(key, cutWords);
  if (!spelling.split(' ').some((word) => endsGenerically(word) && !key.includes(word))) return false;
  return textOf(all) !== textOf(words) && (await countNamed(ctx, words)) === 0 && (await countNamed(ctx, all)) === 0;
}

/** Adds what the page says about words that decks lack. */
async function withForgiven(
  ctx: DeckCtx,
  question: Question,
  listed: MatchedList,
  didYouMean = '',
): Promise<SearchAnswer> {
  const { words, matched } = listed;
  const { full, partial } = matched;
  if (partial.length === 0) return toAnswered(listed, { searchedFor: question.key, didYouMean });
  const typed = foldedText(question.key);
  const near: Forgiven['near'] = [];
  const dropped: string[] = [];
  const kept: string[] = [];
  for (const [at, word] of words.entries()) {
    // What is said by the way is named only where it is missed (match-decks.ts): 大同, which a name holds.
    if (isAside(word) && partial.every(({ missing }) => !missing.includes(at))) continue;
    const shown = wordAsTyped(word, question.key);
    if (partial.some(({ missing }) => !missing.includes(at))) kept.push(shown);
    else if (full.length === 0 && partial.some(({ levels }) => relatedOf(levels[at] ?? 0) > 0)) {
      // 火锅, which the query says itself in 火锅店, is no other word.
      const by = (await heldForms(ctx, word, partial)).filter((form) => !typed.includes(form));
      if (by.length > 0) near.push({ word: shown.trim(), by });
    } else if (full.length === 0 && !isPhraseOrSentence(word)) dropped.push(shown);
  }
  const searchedFor = full.length === 0 && dropped.length > 0 && kept.length > 0 ? kept.join(' ') : question.key;
  return toAnswered(listed, { searchedFor, didYouMean, near: withinPhrases(near), dropped });
}

/** Returns near words with those inside a longer one said of it: the industry of a whole sentence, 奶茶店 of 奶茶店开业. */
function withinPhrases(near: Forgiven['near']): Forgiven['near'] {
  const byPhrase = new Map<string, Set<string>>();
  for (const { word, by } of near) {
    const phrases = near.map((each) => each.word).filter((other) => other.includes(word));
    const phrase = phrases.reduce((long, other) => (other.length > long.length ? other : long), word);
    byPhrase.set(phrase, new Set([...(byPhrase.get(phrase) ?? []), ...by]));
  }
  return [...byPhrase].map(([word, by]) => ({ word, by: [...by] }));
}

/** Returns the related words of a word that names and labels of the decks hold. */
async function heldForms(ctx: DeckCtx, word: QueryWord, decks: MatchedDeck[]): Promise<string[]> {
  const ids = new Set(decks.map(({ id }) => id));
  const forms = relatedWords(word, cutWords);
  const found = await Promise.all(forms.map((form) => matchDecks(ctx, [{ forms: [form] }])));
  const isHeldBy = ({ full }: MatchedDecks) => full.some((deck) => ids.has(deck.id) && !isOnlyOnPages(deck));
  return forms.flatMap(({ text }, at) => (isHeldBy(found[at] ?? NO_DECKS) ? [text] : []));
}

function toAnswered(listed: MatchedList, forgiven: Partial<Forgiven>): SearchAnswer {
  // An answer is cached, so it leaves the hundreds of matched decks behind.
  const { matched: _, ...list } = listed;
  return {
    ...list,
    refused: [],
    exactKey: '',
    isIncomplete: false,
    forgiven: { correctedFrom: '', searchedFor: '', didYouMean: '', dropped: [], near: [], ...forgiven },
  };
}
