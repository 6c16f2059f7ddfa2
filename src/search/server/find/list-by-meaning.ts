import { TYPED, typedOf } from '../../decks/deck-levels.ts';
import { type Topic, topicsOf } from '../../everyday-topics.ts';
import { foldedText } from '../../fold.ts';
import { phrasesIn, saysWord } from '../../phrases.ts';
import { isSynonymForm, nearForms } from '../../synonyms.ts';
import { type QueryWord, sentenceWord, wholeWord } from '../../words.ts';
import { cutWords } from '../words/cut-words.ts';
import { isOfAnyTrade, isOtherDocument, isSentence, weightOf } from '../words/word-weights.ts';
import { emptyList, holdsAny, isHeld, isNamedLevel, listWords, type MatchedList, type Question } from './list-words.ts';
import type { DeckCtx } from './match-decks.ts';
import { firstText, wordsOfQuery } from './words-of-query.ts';

/** A query as close as this to a topic is surely about it. */
const MIN_SURE_CLOSENESS = 0.1;
/** A sentence that comes as close as this to those about nothing in a library of plans finds nothing: 租房子押金不给退 is not about 房地产. */
const MIN_OFF_TOPIC_CLOSENESS = 0.1;
/** More words are a sentence. */
const MAX_SPACED_WORDS = 4;
const HAN = /\p{Script=Han}/u;
const MIN_SUBJECTS = 2;
const MIN_RELATED_SUBJECTS = 3;

/**
 * Lists again with the phrases of the query, then with the topic of the whole sentence; returns the first list that holds a deck. A query that is no sentence is
 * answered by its words alone if its phrases find nothing.
 */
export async function relistByMeaning(ctx: DeckCtx, question: Question, listed: MatchedList): Promise<MatchedList> {
  const isInSentence = listed.matched.full.length === 0 && isSentence(question.key);
  const topics = isInSentence && !listed.words.some(isOtherDocument) ? await topicsOf(question.key) : [];
  const [first, second] = topics;
  const isOffTopic = first?.words.length === 0 && first.closeness >= MIN_OFF_TOPIC_CLOSENESS;
  if (isOffTopic && !namesSubjects(listed, (second?.words.length ?? 0) > 0)) return emptyList(listed.words);
  const relisted = await withTopics(ctx, question, await withPhrases(ctx, question, listed), topics);
  if (holdsAny(relisted)) return relisted;
  if (isInSentence) return listByTopic(ctx, question, relisted);
  if (holdsAny(listed)) return listed;
  const listedByOneWord = await listByOneSpacedWord(ctx, question, listed);
  return holdsAny(listedByOneWord) ? listedByOneWord : listByTopic(ctx, question, listedByOneWord);
}

/** Answers what no deck holds by what it is about as a whole, where the thesaurus says so of one of its words as well: 晚上大家一起跑步 by 夜跑. */
async function listByTopic(ctx: DeckCtx, question: Question, nothingFound: MatchedList): Promise<MatchedList> {
  if (nothingFound.words.some(isOtherDocument)) return nothingFound;
  const [first] = await topicsOf(question.key);
  const near = nothingFound.words.flatMap(({ forms }) => forms.flatMap(({ text }) => nearForms(text)));
  if (!first?.words.some((word) => near.includes(word)) || first.closeness < MIN_SURE_CLOSENESS) return nothingFound;
  const found = await listWords(ctx, question, [sentenceWord(foldedText(question.key), first.words, cutWords)]);
  return holdsAny(found) ? found : nothingFound;
}

/**
 * Answers words that were typed apart, and that no list is about together, by one of them that names answer alone: 早鸟票 of 早鸟票 票档.
 */
async function listByOneSpacedWord(ctx: DeckCtx, question: Question, nothingFound: MatchedList): Promise<MatchedList> {
  const spacedWords = question.key.split(' ').filter(Boolean);
  if (spacedWords.length < 2 || spacedWords.length > MAX_SPACED_WORDS) return nothingFound;
  const asked = await Promise.all(spacedWords.map((spacedWord) => wordsOfQuery(ctx, spacedWord)));
  for (const [at, words] of asked.entries()) {
    if (!HAN.test(spacedWords[at] ?? '') && !isSynonymForm(foldedText(spacedWords[at] ?? ''))) continue;
    const others = asked.filter((_, other) => other !== at).flat();
    const found = await listWords(ctx, question, words, others);
    if (found.matched.partial.some(({ levels }) => levels.slice(0, words.length).some(isNamedLevel))) return found;
  }
  return nothingFound;
}

/**
 * Lists again with what a sentence of daily words is about (everyday-topics.ts), where no deck holds all words: beside the words that some hold, or where the list is empty
 * beside the subjects that names hold (商场 of 商场里太冷清，想让人多待一会儿).
 */
async function withTopics(ctx: DeckCtx, question: Question, listed: MatchedList, known: Topic[]): Promise<MatchedList> {
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
  const areAllWordsHeld = words.every((_, at) => isHeld(matched.partial, at));
  if (areAllWordsHeld && (known[0]?.closeness ?? 0) < MIN_SURE_CLOSENESS) return listed;
  const isTrade = (word: QueryWord) =>
    isSynonymForm(firstText(word)) && (matched.isNamed[words.indexOf(word)] ?? false);
  const [first] = topics;
  // 在街上让人尝一口新饮料 names its trade itself.
  const industryWords =
    first && first.closeness >= MIN_SURE_CLOSENESS && !kept.some(isTrade) ? first.industryWords : [];
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

/**
 * Tells whether name or labels of the best deck hold several words that name something: 展台, 玩家 and ChinaJoy. Related words count as well where there are three (sampling, 派样 and 试饮), or
 * where the sentence is about a known topic nearly as much (狗狗 and 猫咪 for 宠物).
 */
function namesSubjects({ words, matched: { partial } }: MatchedList, isOfTopic: boolean): boolean {
  const [best] = partial;
  const subjects = words.flatMap((word, at) => {
    const level = best?.levels[at] ?? 0;
    return isNamedLevel(level) && weightOf(word).held === 1 && !isOfAnyTrade(word) ? [level] : [];
  });
  const typed = subjects.filter((level) => typedOf(level) >= TYPED.inLabels);
  return typed.length >= MIN_SUBJECTS || subjects.length >= (isOfTopic ? MIN_SUBJECTS : MIN_RELATED_SUBJECTS);
}

/**
 * Lists again with the phrases of the query (phrases.txt), where no deck holds all words. A phrase takes the place of its words that no deck knows:
 * 没人要的猫狗 is about 领养, and not about 猫狗 as well.
 */
async function withPhrases(ctx: DeckCtx, question: Question, listed: MatchedList): Promise<MatchedList> {
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
