import { setImmediate } from 'node:timers/promises';
import type { Db } from '../../../platform/db/client.ts';
import { fold } from '../../fold.ts';
import { MAX_WORD, type Word } from '../../spelling/vocabulary.ts';
import { joinSingles } from '../../single-characters.ts';
import { cutWords, soundsOf } from './cut-words.ts';
import { textsOfChart } from '../../../charts/chart-data.ts';
import {
  type DocumentTexts,
  selectChartTexts,
  selectNextDocumentTexts,
  selectPageTexts,
  selectRecommended,
} from './store-words.ts';

/** Where a counted word stands: in names and labels, on pages and in no name or label, or in charts (then also in names or on pages). */
type Place = 'names' | 'pages' | 'charts';
/** A counted word, not yet part of a vocabulary. */
export type CountedWord = Omit<Word, 'sound'> & { place: Place };

const BATCH = 1_000;
/** Documents or words per turn of the event loop: some milliseconds. */
const PER_TURN = 100;
/** The rarest words of a very large library are names that occur once. */
const MAX_WORDS = 60_000;
/** Documents whose pages are read, the best recommended: page text is a hundred times as long as names. */
const MAX_READ_DOCUMENTS = 3_000;
const READ_BATCH = 20;
const MAX_PAGE_WORDS = 20_000;
const MAX_CHART_WORDS = 20_000;

type Counts = Map<string, Pick<Word, 'shown' | 'count'>>;

/**
 * Yields the words of names and labels of the published documents, then those of their pages, then those of their charts, each the most frequent first. Reads all
 * documents: some seconds for 100,000.
 */
export async function* countedWords(db: Db): AsyncGenerator<CountedWord> {
  const named = await countWords(db);
  yield* inOrder(named, MAX_WORDS, 'names');
  const read = await countPageWords(db);
  for (const text of read.keys()) if (named.has(text)) read.delete(text);
  yield* inOrder(read, MAX_PAGE_WORDS, 'pages');
  yield* inOrder(await countChartWords(db), MAX_CHART_WORDS, 'charts');
}

async function* inOrder(counts: Counts, limit: number, place: Place): AsyncGenerator<CountedWord> {
  const counted = [...counts].sort((a, b) => b[1].count - a[1].count || a[0].length - b[0].length).slice(0, limit);
  for (const [index, [text, { shown, count }]] of counted.entries()) {
    if (index % PER_TURN === 0) await setImmediate();
    yield { text, shown, count, sounds: soundsOfWord(text), place };
  }
}

/** Counts the documents that hold each word on their pages. */
async function countPageWords(db: Db): Promise<Counts> {
  const counts: Counts = new Map();
  const folded = new Map<string, string>();
  const ids = await selectRecommended(db, MAX_READ_DOCUMENTS);
  for (let at = 0; at < ids.length; at += READ_BATCH) {
    for (const text of await selectPageTexts(db, ids.slice(at, at + READ_BATCH))) {
      await setImmediate();
      const words = new Map<string, string>();
      putWords(text.normalize('NFKC'), words, folded);
      for (const [word, shown] of words) addCount(counts, word, shown);
    }
  }
  return counts;
}

/** Counts the charts that hold each word in their name, series or categories. */
async function countChartWords(db: Db): Promise<Counts> {
  const counts: Counts = new Map();
  const folded = new Map<string, string>();
  const ids = await selectRecommended(db, MAX_READ_DOCUMENTS);
  for (let at = 0; at < ids.length; at += READ_BATCH) {
    for (const { name, data } of await selectChartTexts(db, ids.slice(at, at + READ_BATCH))) {
      await setImmediate();
      const words = new Map<string, string>();
      const texts = [name, ...textsOfChart(data)];
      for (const text of texts) putWord(text, words, folded);
      putWords(texts.join('\n').normalize('NFKC'), words, folded);
      for (const [word, shown] of words) addCount(counts, word, shown);
    }
  }
  return counts;
}

function addCount(counts: Counts, text: string, shown: string): void {
  const known = counts.get(text);
  if (known) known.count++;
  else counts.set(text, { shown, count: 1 });
}

async function countWords(db: Db): Promise<Counts> {
  const counts: Counts = new Map();
  const folded = new Map<string, string>();
  for (let afterId = 0; ;) {
    const documents = await selectNextDocumentTexts(db, afterId, BATCH);
    const last = documents.at(-1);
    if (!last) return counts;
    for (const [index, document] of documents.entries()) {
      if (index % PER_TURN === 0) await setImmediate();
      for (const [text, shown] of wordsOf(document, folded)) addCount(counts, text, shown);
    }
    afterId = last.id;
  }
}

/** Returns the words of a document, folded form → written form: words of name and keywords, and each keyword and label as a whole. */
function wordsOf(document: DocumentTexts, known: Map<string, string>): Map<string, string> {
  const words = new Map<string, string>();
  const put = (shown: string) => putWord(shown, words, known);
  put(document.organization ?? '');
  put(document.industry ?? '');
  for (const text of [...document.keyword.split(/[,，;；、\s]+/), ...document.themes]) put(text);
  const plain = `${document.name}\n${document.keyword}`.normalize('NFKC');
  putWords(plain, words, known);
  for (const number of plain.match(NUMBER) ?? []) words.set(number, number);
  return words;
}

/** Numbers that people search for: 618, 520, and years. A year is cut off what it is glued to, as in the index. */
const NUMBER = /(?:19|20)\d{2}(?=\d{3}(?!\d))|(?<=(?<!\d)(?:19|20)\d{2})\d{3}(?!\d)|(?<!\d)\d{3,4}(?!\d)/gu;

/** Adds the words of a normalized text that a dictionary or a space separates. Two single characters side by side are a word that the dictionary lacks: 夜跑. */
function putWords(plain: string, words: Map<string, string>, known: Map<string, string>): void {
  for (const run of plain.match(/\p{Script=Han}{2,}/gu) ?? [])
    for (const word of joinSingles(cutWords(run))) putWord(word, words, known);
  for (const word of plain.match(/\p{Script=Latin}[\p{Script=Latin}\p{Nd}]+/gu) ?? []) putWord(word, words, known);
}

/** Adds a word by its folded form. Texts share most of their words, so folded forms are cached in `known`. */
function putWord(shown: string, words: Map<string, string>, known: Map<string, string>): void {
  const text = known.get(shown) ?? asWord(shown);
  known.set(shown, text);
  if (text && !words.has(text)) words.set(text, shown.trim());
}

/** Returns the folded form of a word of at least two characters without spaces that is not a number; "" for other texts. */
function asWord(shown: string): string {
  const text = folded(shown.trim());
  const length = [...text].length;
  const isWord = /^[\p{Script=Han}\p{Script=Latin}\p{Nd}]+$/u.test(text) && /[^\p{Nd}]/u.test(text);
  return isWord && length >= 2 && length <= MAX_WORD ? text : '';
}

const folded = (text: string) =>
  fold(text)
    .map(({ char }) => char)
    .join('');

function soundsOfWord(text: string): string[] {
  const chars = [...text];
  const han = chars.filter((char) => /\p{Script=Han}/u.test(char));
  const sounds = han.length > 0 ? soundsOf(han.join('')) : [];
  let next = 0;
  return chars.map((char) => (/\p{Script=Han}/u.test(char) ? (sounds[next++] ?? char) : char));
}
