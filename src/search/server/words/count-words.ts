import { setImmediate } from 'node:timers/promises';
import type { Db } from '../../../platform/db/client.ts';
import { fold } from '../../fold.ts';
import { MAX_WORD, type Word } from '../../vocabulary.ts';
import { cutWords, soundsOf } from './cut-words.ts';
import { type DocumentTexts, selectNextDocumentTexts } from './store-words.ts';

/** A counted word, not yet part of a vocabulary. */
export type CountedWord = Omit<Word, 'sound'>;

const BATCH = 1_000;
/** Documents or words per turn of the event loop: some milliseconds. */
const PER_TURN = 100;
/** The rarest words of a very large library are names that occur once. */
const MAX_WORDS = 60_000;

/** Yields the words of the published documents, the most frequent first. Reads all documents: some seconds for 100,000. */
export async function* countedWords(db: Db): AsyncGenerator<CountedWord> {
  const counted = [...(await countWords(db))]
    .sort((a, b) => b[1].count - a[1].count || a[0].length - b[0].length)
    .slice(0, MAX_WORDS);
  for (const [index, [text, { shown, count }]] of counted.entries()) {
    if (index % PER_TURN === 0) await setImmediate();
    yield { text, shown, count, sounds: soundsOfWord(text) };
  }
}

async function countWords(db: Db): Promise<Map<string, Pick<Word, 'shown' | 'count'>>> {
  const counts = new Map<string, Pick<Word, 'shown' | 'count'>>();
  const folded = new Map<string, string>();
  for (let afterId = 0; ;) {
    const documents = await selectNextDocumentTexts(db, afterId, BATCH);
    const last = documents.at(-1);
    if (!last) return counts;
    for (const [index, document] of documents.entries()) {
      if (index % PER_TURN === 0) await setImmediate();
      for (const [text, shown] of wordsOf(document, folded)) {
        const known = counts.get(text);
        if (known) known.count++;
        else counts.set(text, { shown, count: 1 });
      }
    }
    afterId = last.id;
  }
}

/** Returns the words of a document, folded form → written form: words of name and keywords, and each keyword and label as a whole. */
function wordsOf(document: DocumentTexts, known: Map<string, string>): Map<string, string> {
  const words = new Map<string, string>();
  const put = (shown: string) => {
    // Names share most of their words, so folded forms are cached.
    const text = known.get(shown) ?? asWord(shown);
    known.set(shown, text);
    if (text && !words.has(text)) words.set(text, shown.trim());
  };
  put(document.organization ?? '');
  put(document.industry ?? '');
  for (const text of [...document.keyword.split(/[,，;；、\s]+/), ...document.themes]) put(text);
  const plain = `${document.name}\n${document.keyword}`.normalize('NFKC');
  for (const run of plain.match(/\p{Script=Han}{2,}/gu) ?? []) for (const word of cutWords(run)) put(word);
  for (const word of plain.match(/\p{Script=Latin}[\p{Script=Latin}\p{Nd}]+/gu) ?? []) put(word);
  return words;
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
