import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../../../platform/db/client.ts';
import { createLog } from '../../../platform/log.ts';
import { type CountedWord, countedWords } from './count-words.ts';

/** A thread that counts the words of all documents. It sends one batch of words per `next` message; an empty batch is the last. */
export type WordsOrder = { url: string };
export type WordsReply = { words: CountedWord[] };

/** The receiver adds a batch in less than a millisecond. */
const BATCH = 50;

// Safe: only vocabulary.ts starts this thread, with a WordsOrder.
const { url } = workerData as WordsOrder;
const database = openDatabase(url, { max: 1, log: createLog('silent'), applicationName: 'ceku-words' });
try {
  let words: CountedWord[] = [];
  const send = async (): Promise<void> => {
    if (parentPort) await once(parentPort, 'message');
    parentPort?.postMessage({ words } satisfies WordsReply);
    words = [];
  };
  for await (const word of countedWords(database.db)) {
    words.push(word);
    if (words.length === BATCH) await send();
  }
  if (words.length > 0) await send();
  await send();
} finally {
  await database.close();
}
