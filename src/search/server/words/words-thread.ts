import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../../../platform/db/client.ts';
import { createLog } from '../../../platform/log.ts';
import { type CountedWord, countedWords } from './count-words.ts';

/** A thread that reads the words of all documents and hands them over in handfuls, one for each `next`; an empty one is the last. */
export type WordsOrder = { url: string };
export type WordsReply = { words: CountedWord[] };

/** Less than a millisecond for whoever takes them in. */
const HANDFUL = 50;

// Safe: only count-words-in-thread.ts starts this thread, with exactly this.
const { url } = workerData as WordsOrder;
const database = openDatabase(url, { max: 1, log: createLog('silent'), applicationName: 'ceku-words' });
try {
  let words: CountedWord[] = [];
  const hand = async (): Promise<void> => {
    if (parentPort) await once(parentPort, 'message');
    parentPort?.postMessage({ words } satisfies WordsReply);
    words = [];
  };
  for await (const word of countedWords(database.db)) {
    words.push(word);
    if (words.length === HANDFUL) await hand();
  }
  if (words.length > 0) await hand();
  await hand();
} finally {
  await database.close();
}
