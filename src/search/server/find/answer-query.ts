import type { Sort } from '../../../library/limits.ts';
import type { Ctx } from '../../../context.ts';
import { addToFacetCounts, copyOfCounts, failedFilterBits, noCounts } from '../../../library/document-filter.ts';
import { MODELS } from '../../decks/deck-closeness.ts';
import { isNamedFully, isOnlyOnPages, missingOf } from '../../decks/deck-ranking.ts';
import { relatedOf, TYPED, typedOf } from '../../decks/deck-levels.ts';
import type { Subject } from '../../decks/deck-subject.ts';
import { cleanQuery } from '../../clean-query.ts';
import { fold, foldedText } from '../../fold.ts';
import { endsGenerically, refusedTexts, requiredWords } from '../../generic-words.ts';
import { placesOf } from '../../highlight.ts';
import { SEARCH_PAGE_SIZE } from '../../limits.ts';
import { isNarrowed } from '../../rules.ts';
import {
  altersWords,
  crossesWords,
  isOneCharacterOff,
  isOneCharacterShort,
  isSafeCorrection,
  onlyReplacesLeftovers,
  onlySpellsLetters,
} from '../../spelling/corrections.ts';
import { isSynonymForm, nearForms } from '../../synonyms.ts';
import { type Topic, topicsOf } from '../../everyday-topics.ts';
import { phrasesIn, saysWord } from '../../phrases.ts';
import { isPhraseOrSentence, type QueryWord, queryWords, relatedWords, sentenceWord, wholeWord } from '../../words.ts';
import type { Found } from '../indexing/store-entries.ts';
import { cutWords, soundsOf, tonesOf } from '../words/cut-words.ts';
import { isAside, isOfAnyTrade, isOtherDocument, isSentence, weightOf } from '../words/word-weights.ts';
import { countNamed, findNamed, type NamedWanted } from './find-named.ts';
import { levelsByDeck, matchDecks, type MatchedDeck, type MatchedDecks, NO_DECKS } from './match-decks.ts';
import { countFull, isHeldWhole, dropsLastCharacter, spellingOf } from './query-spelling.ts';
import { asTyped, splitLongWords } from './split-words.ts';
import { firstText, textOf, wordsOfQuery, wordsToTheLetter } from './words-of-query.ts';

export type Question = NamedWanted & {
  key: string;
  /** True allows another spelling, and decks with some of the words. */
  isForgiving?: boolean;
};

export type Answered = Found & {
  /** The words that were searched for in the end, to be marked in results. */
  words: QueryWord[];
  /** Number of decks among `total` that contain the words only on their pages. */
  onlyInPages: number;
  /** Number of further decks that hold all words on pages, in passing, and are not listed. */
  mentions: number;
  /** The query whose exact search lists the mentions as well; "" when there are none or no such query. */
  exactKey: string;
  /** How many of `total` contain every word of the query (C-117); they come first. */
  fullCount: number;
  /** True when more decks contain every word than are listed. */
  isCapped: boolean;
  /** About how many these are, whatever the filter; 0 when all are listed, or that is not known. */
  about: number;
  /** What the best decks of the whole list are about, at most three; [] where names alone answer. */
  models: Subject[];
  /** What the query does not want (不要餐饮): names and labels of the listed decks do not hold it. */
  refused: string[];
  /** The listed decks that were matched with names and pages together: what they hold. */
  decks: ReadonlyMap<number, MatchedDeck>;
  /** How many decks the list would hold without the filter; Infinity where names alone fill a page, and are not counted further. */
  unfilteredTotal: number;
  forgiven: Forgiven;
};

type List = Omit<Answered, 'forgiven' | 'refused' | 'exactKey'>;
/** `matched`: all decks that hold a word, whatever the filter. */
type Listed = List & { matched: MatchedDecks };

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
export async function answerQuery(ctx: Ctx, asked: Question): Promise<Answered> {
  const answer = await answerUnrefused(ctx, asked);
  return { ...answer, exactKey: await exactKeyOf(ctx, asked, answer) };
}

/**
 * Returns the query whose exact search lists the mentions of an answer as well: the query as it was typed or corrected, else its words alone (重阳 of
 * 重阳活动方案). "" where nothing is mentioned, or neither search finds that many.
 */
async function exactKeyOf(ctx: Ctx, asked: Question, answer: Answered): Promise<string> {
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

async function answerUnrefused(ctx: Ctx, asked: Question): Promise<Answered> {
  const refused = asked.isForgiving ? await refusedBy(ctx, refusedTexts(asked.key)) : [];
  if (refused.length === 0) return answerWanted(ctx, asked);
  const answer = await answerWanted(ctx, { ...asked, without: idsOf(refused) });
  // Where nothing else is left, what is refused is better than nothing.
  return answer.unfilteredTotal > 0
    ? { ...answer, refused: refused.map(({ text }) => text) }
    : answerWanted(ctx, asked);
}

/** More decks than this are not left out of a list. */
const MAX_REFUSED = 5_000;

type Refused = { text: string; ids: number[] };

/** Returns the decks whose names and labels hold what a query does not want, without texts that none holds (太贵的). */
async function refusedBy(ctx: Ctx, texts: readonly string[]): Promise<Refused[]> {
  const wanted = { filter: {}, sort: 'relevance' as const, limit: MAX_REFUSED, offset: 0, isCounted: false };
  const refused = await Promise.all(
    texts.map(async (text) => ({ text, ids: (await findNamed(ctx, queryWords(text, cutWords), wanted)).ids })),
  );
  return refused.filter(({ ids }) => ids.length > 0);
}

const idsOf = (refused: Refused[]) => [...new Set(refused.flatMap(({ ids }) => ids))];

/** Returns the ids of the decks that an answer leaves out for its `refused` texts. */
export const refusedIds = async (ctx: Ctx, refused: readonly string[]): Promise<number[]> =>
  idsOf(await refusedBy(ctx, refused));

async function answerWanted(ctx: Ctx, question: Question): Promise<Answered> {
  const { key } = question;
  if (!question.isForgiving) {
    const exact = await listWords(ctx, question, wordsToTheLetter(key));
    return answered(exact, { searchedFor: key });
  }
  const literal = await listWords(ctx, question, await wordsOfQuery(ctx, key));
  // A narrow filter is no spelling error: then the words are counted without it.
  const fullTotal = literal.fullCount >= MIN_RESULTS ? literal.fullCount : await countFull(ctx, literal.words);
  const isPassedOver = dropsLastCharacter(key, literal.words);
  if ((fullTotal >= MIN_RESULTS && !isPassedOver) || literal.words.length === 0)
    return describe(ctx, question, literal);

  const { spelling, mended, total: mendedTotal } = await spellingOf(ctx, key);
  const isFarMore = mendedTotal > 0 && mendedTotal >= fullTotal * FAR_MORE;
  const isSlip = isFarMore && (fullTotal === 0 || (await isOnlyPart(ctx, key, spelling, literal.words)));
  const by = { cut: cutWords, soundsOf };
  const changesMeaning = crossesWords(key, spelling, cutWords) || altersWords(key, spelling, by);
  const isSafe = isSafeCorrection(key, spelling, soundsOf) && !changesMeaning;
  // 马拉送 is 马拉松, whatever holds 马拉.
  const isEndSlip = isPassedOver && mendedTotal > 0 && isSafeCorrection(key, spelling, soundsOf);
  if ((isSlip && isSafe) || isEndSlip) {
    return answered(await listWords(ctx, question, mended), { searchedFor: spelling, correctedFrom: key });
  }
  const didYouMean = isFarMore ? spelling : '';
  if (fullTotal >= MIN_RESULTS) return describe(ctx, question, literal);
  if (fullTotal > 0) return describe(ctx, question, literal, didYouMean);
  const isOneOff = isOneCharacterOff(key, spelling, cutWords) || isOneCharacterShort(key, spelling, cutWords);
  if (isFarMore && isOneOff) {
    return answered(await listWords(ctx, question, mended), { searchedFor: spelling, correctedFrom: key });
  }
  const isSpelling = onlySpellsLetters(key, spelling);
  // Only words without meaning were corrected: 方案 of 中秋快闪店布展方安. All others stand in the typed text.
  const keepsTypedWords = (isSafe || isOneOff) && mended.every((word) => foldedText(key).includes(firstText(word)));
  if (mended.length > 0 && (isSafe || isSpelling || keepsTypedWords)) {
    const spelled = await listWords(ctx, question, mended);
    const isMeantSo =
      isSpelling ||
      keepsTypedWords ||
      isMeant(spelled, key, spelling) ||
      (!holdsAny(literal) && isOneOff && namesNewWords(spelled, key));
    if (holdsAny(spelled) && isBetter(spelled, literal) && isMeantSo) {
      const said = await describe(ctx, { ...question, key: spelling }, spelled);
      return { ...said, forgiven: { ...said.forgiven, correctedFrom: key } };
    }
  }

  // A word that related words of the thesaurus stand for is not split: 情人节 is 七夕, and not 情人.
  const isAnswered = literal.words.map(
    (word, at) => isHeld(literal.matched.partial, at) && word.forms.some(({ text }) => nearForms(text).length > 0),
  );
  const isHeldText = (text: string) => isHeldWhole(ctx, queryWords(text, cutWords));
  const looser = await splitLongWords(key, literal.words, isAnswered, isHeldText, isAside);
  const loosened = looser ? requiredWords(looser, cutWords) : [];
  if (loosened.length === 0) return describe(ctx, question, await asSaid(ctx, question, literal), didYouMean);
  const split = await listWords(ctx, question, loosened);
  if ((await countFull(ctx, loosened)) === 0) {
    const better = isBetter(split, literal) ? split : literal;
    return describe(ctx, question, await asSaid(ctx, question, better), didYouMean);
  }
  return answered(split, { searchedFor: looser, correctedFrom: key });
}

/**
 * Lists again what the query says in other words than those of the trade: with its phrases, then with what it is about as a whole. A row of words, which is no
 * sentence, is answered by the words alone where its phrases find nothing.
 */
async function asSaid(ctx: Ctx, question: Question, listed: Listed): Promise<Listed> {
  const isInSentence = listed.matched.full.length === 0 && isSentence(question.key);
  const topics = isInSentence && !listed.words.some(isOtherDocument) ? await topicsOf(question.key) : [];
  const [first, second] = topics;
  const isForeign = first?.words.length === 0 && first.closeness >= FOREIGN;
  if (isForeign && !namesSubjects(listed, (second?.words.length ?? 0) > 0)) return nothing(listed.words);
  const said = await withTopics(ctx, question, await withPhrases(ctx, question, listed), topics);
  if (holdsAny(said)) return said;
  if (isInSentence) return byTopic(ctx, question, said);
  if (holdsAny(listed)) return listed;
  const inPieces = await withoutPieces(ctx, question, listed);
  return holdsAny(inPieces) ? inPieces : byTopic(ctx, question, inPieces);
}

/** A query as close as this to a topic is surely about it. */
const SURE = 0.1;

/** Answers what no deck holds by what it is about as a whole, where the thesaurus says so of one of its words as well: 晚上大家一起跑步 by 夜跑. */
async function byTopic(ctx: Ctx, question: Question, nothingFound: Listed): Promise<Listed> {
  if (nothingFound.words.some(isOtherDocument)) return nothingFound;
  const [first] = await topicsOf(question.key);
  const near = nothingFound.words.flatMap(({ forms }) => forms.flatMap(({ text }) => nearForms(text)));
  if (!first?.words.some((word) => near.includes(word)) || first.closeness < SURE) return nothingFound;
  const found = await listWords(ctx, question, [sentenceWord(foldedText(question.key), first.words, cutWords)]);
  return holdsAny(found) ? found : nothingFound;
}

/**
 * Answers words that were typed apart, and that no list is about together, by one of them that names answer alone: 早鸟票 of 早鸟票 票档.
 */
async function withoutPieces(ctx: Ctx, question: Question, nothingFound: Listed): Promise<Listed> {
  const pieces = question.key.split(' ').filter(Boolean);
  if (pieces.length < 2 || pieces.length > MAX_PIECES) return nothingFound;
  const asked = await Promise.all(pieces.map((piece) => wordsOfQuery(ctx, piece)));
  for (const [at, words] of asked.entries()) {
    if (!HAN.test(pieces[at] ?? '') && !isSynonymForm(foldedText(pieces[at] ?? ''))) continue;
    const others = asked.filter((_, other) => other !== at).flat();
    const found = await listWords(ctx, question, words, others);
    if (found.matched.partial.some(({ levels }) => levels.slice(0, words.length).some(isNamedLevel))) return found;
  }
  return nothingFound;
}

/** Tells whether name or labels hold a word or a related one. */
const isNamedLevel = (level: number): boolean => typedOf(level) >= TYPED.inLabels || relatedOf(level) > 0;

/** More words are a sentence. */
const MAX_PIECES = 4;
const HAN = /\p{Script=Han}/u;

/**
 * Lists again with what a sentence of daily words is about (everyday-topics.ts), where no deck holds all words: beside the words that some hold, or where the list is empty
 * beside the subjects that names hold (商场 of 商场里太冷清，想让人多待一会儿).
 */
async function withTopics(ctx: Ctx, question: Question, listed: Listed, known: Topic[]): Promise<Listed> {
  const { words, matched } = listed;
  // What names a subject or two of the query answers it better than what a sentence like it is about: 给高净值客户办珠宝晚宴 is about 珠宝, and not about 大平层.
  if (matched.full.length > 0 || namesSubjects(listed, false)) return listed;
  const isKnown = (at: number) => (matched.isKnown[at] ?? false) || isHeld(matched.partial, at);
  const kept = words.filter((_, at) => (matched.partial.length > 0 ? isKnown(at) : (matched.isNamed[at] ?? false)));
  const asked = new Set(kept.flatMap(({ forms }) => forms.flatMap(({ text }) => [text, ...nearForms(text)])));
  const sentence = foldedText(question.key);
  const topics = known.filter((topic) => !topic.words.every((word) => asked.has(word)));
  if (topics.length === 0) return listed;
  // Where decks hold every word, as of 秋天的活动, a topic has to be sure to add to them.
  const isAnswered = words.every((_, at) => isHeld(matched.partial, at));
  if (isAnswered && (known[0]?.closeness ?? 0) < SURE) return listed;
  const isTrade = (word: QueryWord) =>
    isSynonymForm(firstText(word)) && (matched.isNamed[words.indexOf(word)] ?? false);
  const [first] = topics;
  // 在街上让人尝一口新饮料 names its trade itself.
  const industryWords = first && first.closeness >= SURE && !kept.some(isTrade) ? first.industryWords : [];
  const found = await listWords(ctx, question, [
    ...kept,
    sentenceWord(
      sentence,
      topics.flatMap((topic) => topic.words),
      cutWords,
    ),
    // A text of its own: the same words would be one.
    ...(industryWords.length > 0 ? [sentenceWord(`${sentence} `, industryWords, cutWords)] : []),
  ]);
  return holdsAny(found) ? found : listed;
}

/** Tells whether a list holds any deck, whatever the filter. */
const holdsAny = ({ unfilteredTotal }: Listed) => unfilteredTotal > 0;

/**
 * Tells whether name or labels of the best deck hold several words that name something: 展台, 玩家 and ChinaJoy. Related words count as well where there are three (sampling, 派样 and 试饮), or
 * where the sentence is about a known topic nearly as much (狗狗 and 猫咪 for 宠物).
 */
function namesSubjects({ words, matched: { partial } }: Listed, isOfTopic: boolean): boolean {
  const [best] = partial;
  const subjects = words.flatMap((word, at) => {
    const level = best?.levels[at] ?? 0;
    return isNamedLevel(level) && weightOf(word).held === 1 && !isOfAnyTrade(word) ? [level] : [];
  });
  const typed = subjects.filter((level) => typedOf(level) >= TYPED.inLabels);
  return typed.length >= MIN_SUBJECTS || subjects.length >= (isOfTopic ? MIN_SUBJECTS : MIN_RELATED_SUBJECTS);
}

const MIN_SUBJECTS = 2;
const MIN_RELATED_SUBJECTS = 3;

/** A sentence that comes as close as this to those about nothing in a library of plans finds nothing: 租房子押金不给退 is not about 房地产. */
const FOREIGN = 0.1;

/**
 * Lists again with the phrases of the query (phrases.txt), where no deck holds all words. A phrase takes the place of its words that no deck knows:
 * 没人要的猫狗 is about 领养, and not about 猫狗 as well.
 */
async function withPhrases(ctx: Ctx, question: Question, listed: Listed): Promise<Listed> {
  const phrases = phrasesIn(question.key, cutWords);
  if (phrases.length === 0) return listed;
  const { words, matched } = listed;
  const isOfPhrase = (word: QueryWord) => phrases.some((phrase) => saysWord(phrase, firstText(word)));
  const kept = words.filter(
    (word, at) => !isOfPhrase(word) || (matched.isKnown[at] ?? false) || isHeld(matched.partial, at),
  );
  // 店刚开 asks for nothing that 刚开 does not ask for.
  const isAsked = (phrase: string) => {
    const near = nearForms(phrase);
    return kept
      .map(firstText)
      .some(
        (text) => text === phrase || (saysWord(phrase, text) && near.every((form) => nearForms(text).includes(form))),
      );
  };
  const added = phrases.filter((phrase) => !isAsked(phrase));
  if (added.length === 0) return listed;
  return listWords(ctx, question, [...kept, ...added.map((phrase) => wholeWord(phrase, cutWords))]);
}

/** Tells whether a list leaves fewer words without any deck than another, or as many and holds more decks, whatever the filter. */
function isBetter(one: Listed, other: Listed): boolean {
  const isFound = ({ isKnown, partial }: MatchedDecks, word: number) =>
    (isKnown[word] ?? false) || isHeld(partial, word);
  const lackedBy = ({ words, matched }: Listed) => words.filter((_, at) => !isFound(matched, at)).length;
  const more = lackedBy(one) - lackedBy(other);
  return more < 0 || (more === 0 && one.unfilteredTotal > other.unfilteredTotal);
}

/**
 * Tells whether another spelling, which no deck holds whole, may answer a query: only characters that the dictionary left over are replaced by others
 * of the same sound, and the best deck names all that has a meaning of its own, or, where the tones are the same as well, the words that were not typed. 搬家 is no 半价, and 党日 no 单日.
 */
function isMeant(listed: Listed, key: string, spelling: string): boolean {
  const isHeardAs = (heard: typeof soundsOf) =>
    onlyReplacesLeftovers(key, spelling, { cut: cutWords, soundsOf: heard });
  return (namesAll(listed) && isHeardAs(soundsOf)) || (namesNewWords(listed, key) && isHeardAs(tonesOf));
}

/** Tells whether name or labels of the best deck hold the words that were not typed: 直播间 of 直拨间. */
function namesNewWords({ words, matched }: Listed, key: string): boolean {
  const [best] = [...matched.full, ...matched.partial];
  const typed = foldedText(key);
  return words.every((word, at) => typed.includes(firstText(word)) || isNamedLevel(best?.levels[at] ?? 0));
}

/** Tells whether name or labels of the best deck hold all words with a meaning of their own, or related ones. */
function namesAll({ words, matched }: Listed): boolean {
  const [best] = [...matched.full, ...matched.partial];
  return words.every((word, at) => weightOf(word).held < 1 || isNamedLevel(best?.levels[at] ?? 0));
}

/** Tells whether one of the decks holds a word, or one that is related to it. */
const isHeld = (decks: MatchedDeck[], word: number) => decks.some(({ levels }) => (levels[word] ?? 0) > 0);

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
async function describe(ctx: Ctx, question: Question, listed: Listed, didYouMean = ''): Promise<Answered> {
  const { words, matched } = listed;
  const { full, partial } = matched;
  if (partial.length === 0) return answered(listed, { searchedFor: question.key, didYouMean });
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
  return answered(listed, { searchedFor, didYouMean, near: withinPhrases(near), dropped });
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
async function heldForms(ctx: Ctx, word: QueryWord, decks: MatchedDeck[]): Promise<string[]> {
  const ids = new Set(decks.map(({ id }) => id));
  const forms = relatedWords(word, cutWords);
  const found = await Promise.all(forms.map((form) => matchDecks(ctx, [{ forms: [form] }])));
  const isHeldBy = ({ full }: MatchedDecks) => full.some((deck) => ids.has(deck.id) && !isOnlyOnPages(deck));
  return forms.flatMap(({ text }, at) => (isHeldBy(found[at] ?? NO_DECKS) ? [text] : []));
}

/** Returns a word as it was typed in the query `key`: 4S店 for 4s店. */
export function wordAsTyped(word: QueryWord, key: string): string {
  const all = fold(key);
  const piece = asTyped(word, foldedText(key));
  const at = placesOf(piece, all)[0];
  if (at === undefined) return piece;
  return key.slice(all[at]?.start, all[at + [...piece].length - 1]?.end);
}

const nothing = (words: QueryWord[]): Listed => ({
  ids: [],
  total: 0,
  counts: noCounts(),
  words,
  onlyInPages: 0,
  mentions: 0,
  fullCount: 0,
  isCapped: false,
  about: 0,
  models: [],
  decks: new Map(),
  unfilteredTotal: 0,
  matched: NO_DECKS,
});

function answered(listed: Listed, forgiven: Partial<Forgiven>): Answered {
  // An answer is cached, so it leaves the hundreds of matched decks behind.
  const { matched: _, ...list } = listed;
  return {
    ...list,
    refused: [],
    exactKey: '',
    forgiven: { correctedFrom: '', searchedFor: '', didYouMean: '', dropped: [], near: [], ...forgiven },
  };
}

/**
 * Lists decks that contain the words in names and labels, and when these are few, decks that contain all or some of them anywhere. `lacked`: words
 * of the query that no deck is looked for by, so that none is listed as a full match.
 */
async function listWords(ctx: Ctx, question: Question, asked: QueryWord[], lacked: QueryWord[] = []): Promise<Listed> {
  if (asked.length === 0) return nothing(asked);
  const { filter, sort, limit, offset } = question;
  const isAll = lacked.length === 0;
  const named = isAll ? await findNamed(ctx, asked, question) : { ids: [], total: 0, counts: noCounts() };
  // Deciding by filtered results would make the counts of choices wrong.
  const namedCount = isAll ? await countUnfiltered(ctx, question, asked, named) : 0;
  if (namedCount >= SEARCH_PAGE_SIZE) {
    const matched = { ...NO_DECKS, isKnown: asked.map(() => true), isNamed: asked.map(() => false) };
    return { ...nothing(asked), ...named, fullCount: named.total, unfilteredTotal: Infinity, matched };
  }
  const words = [...asked, ...lacked];
  const found = withoutDecks(await matchDecks(ctx, asked), question.without ?? []);
  const matched = isAll ? found : withWords(found, words, await levelsByDeck(ctx, words));
  const all = question.isForgiving ? matched.full : [...matched.full, ...matched.mentions];
  const more = all.filter((deck) => !isNamedFully(deck));
  const partial = question.isForgiving ? matched.partial : [];
  const fits = (decks: MatchedDeck[]) =>
    sorted(
      decks.filter((deck) => failedFilterBits(filter, deck) === 0),
      sort,
    );
  const full = fits(more);
  const others = [...full, ...fits(partial)];
  // The counts may be cached for other requests, so they are copied before they change.
  const counts = copyOfCounts(named.counts);
  addToFacetCounts(counts, filter, [...more, ...partial], ctx.clock.now());
  const first = Math.max(0, offset - named.total);
  const shown = others.slice(first, first + Math.max(0, limit - named.ids.length));
  return {
    ids: [...named.ids, ...shown.map(({ id }) => id)],
    total: named.total + others.length,
    counts,
    words,
    onlyInPages: full.filter(isOnlyOnPages).length,
    mentions: question.isForgiving ? fits(matched.mentions).length : 0,
    fullCount: named.total + full.length,
    isCapped: matched.isCapped,
    about: isNarrowed(filter) ? 0 : matched.about,
    models: (matched.full.length > 0 ? matched.full : partial).slice(0, MODELS),
    decks: new Map(shown.map((deck) => [deck.id, deck])),
    unfilteredTotal: namedCount + more.length + partial.length,
    matched: { ...matched, partial },
  };
}

function withoutDecks(found: MatchedDecks, without: readonly number[]): MatchedDecks {
  if (without.length === 0) return found;
  const ids = new Set(without);
  const kept = (decks: MatchedDeck[]) => decks.filter(({ id }) => !ids.has(id));
  return { ...found, full: kept(found.full), mentions: kept(found.mentions), partial: kept(found.partial) };
}

/** Returns decks that were found by the first words of a query with what they hold of all `words`. No deck holds all of them. */
function withWords(
  { full, partial, isKnown, isNamed }: MatchedDecks,
  words: QueryWord[],
  levelsOf: ReadonlyMap<number, number[]>,
): MatchedDecks {
  const others = words.slice(isKnown.length).map(() => false);
  const decks = [...full, ...partial].map((deck) => {
    const levels = levelsOf.get(deck.id) ?? [...deck.levels, ...others.map(() => 0)];
    return { ...deck, levels, missing: missingOf({ levels }, words.map(isAside)) };
  });
  return { ...NO_DECKS, partial: decks, isKnown: [...isKnown, ...others], isNamed: [...isNamed, ...others] };
}

const sorted = (decks: MatchedDeck[], sort: Sort): MatchedDeck[] =>
  sort === 'relevance' ? decks : decks.toSorted((a, b) => KEY[sort](b) - KEY[sort](a) || b.id - a.id);

const KEY = {
  newest: ({ createdAt }: MatchedDeck) => Math.floor(createdAt.getTime() / 1_000),
  hottest: ({ popularity }: MatchedDeck) => popularity,
  pages: ({ pageCount }: MatchedDeck) => pageCount,
  budget: ({ budgetYuan }: MatchedDeck) => budgetYuan,
  people: ({ people }: MatchedDeck) => people,
  days: ({ days }: MatchedDeck) => days,
};

/** Counts the decks that hold the words in names and labels, whatever the filter. `named`: those under the filter; a page of them is enough to know. */
async function countUnfiltered(ctx: Ctx, question: Question, words: QueryWord[], named: Found): Promise<number> {
  const { filter, without } = question;
  if (named.total >= SEARCH_PAGE_SIZE || !isNarrowed(filter)) return named.total;
  return countNamed(ctx, words, without);
}
