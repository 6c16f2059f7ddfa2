import { setImmediate } from 'node:timers/promises';
import type { Db } from '../../../platform/db/client.ts';
import { fold } from '../../fold.ts';
import { MAX_WORD, type Word } from '../../vocabulary.ts';
import { cutWords, soundsOf } from './cut-words.ts';
import { type DocumentTexts, selectNextDocumentTexts } from './store-words.ts';

/** A word before it is put among the others. */
export type CountedWord = Omit<Word, 'sound'>;

const BATCH = 1_000;
/** Documents or words between two turns for others: some milliseconds. */
const TURN = 100;
/** The rarest of a very large library are names that nobody else mentions. */
const MAX_WORDS = 60_000;

/** The words the published documents say, the most frequent first. Reads all of them: some seconds for 100,000. */
export async function* countedWords(db: Db): AsyncGenerator<CountedWord> {
  const counted = [...(await countWords(db))]
    .sort((a, b) => b[1].count - a[1].count || a[0].length - b[0].length)
    .slice(0, MAX_WORDS);
  for (const [index, [text, { shown, count }]] of counted.entries()) {
    if (index % TURN === 0) await setImmediate();
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
      if (index % TURN === 0) await setImmediate();
      for (const [text, shown] of wordsOf(document, folded)) {
        const known = counts.get(text);
        if (known) known.count++;
        else counts.set(text, { shown, count: 1 });
      }
    }
    afterId = last.id;
  }
}

/** Words of name and keywords; keywords, organization, industry and themes also as they stand. Folded → as written. */
function wordsOf(document: DocumentTexts, known: Map<string, string>): Map<string, string> {
  const words = new Map<string, string>();
  const put = (shown: string) => {
    // Few words make up many names: each is folded once.
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

/** Folded, when it can be typed in one go and says something: two characters at least, no spaces, not a number; or "". */
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
