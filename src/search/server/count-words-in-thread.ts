import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { urlOf, type Db } from '../../platform/db/client.ts';
import { startThread } from '../../platform/worker-thread.ts';
import type { CountedWord } from './count-words.ts';
import type { WordsOrder, WordsReply } from './words-thread.ts';

const PROGRAM = new URL('./words-thread.ts', import.meta.url);

/** Yields what countedWords yields, counted in a worker thread that ends with the iteration. Throws what the thread failed with. */
export async function* countWordsInThread(db: Db): AsyncGenerator<CountedWord> {
  const order: WordsOrder = { url: urlOf(db) };
  let receive: (reply: WordsReply) => void = () => undefined;
  const worker = startThread<WordsReply>(PROGRAM, order, (reply) => receive(reply));
  const failed = Promise.race([
    once(worker, 'error').then(([error]) => Promise.reject(error)),
    once(worker, 'exit').then(([code]) => Promise.reject(new Error(`the words thread ended with ${code}`))),
  ]);
  failed.catch(() => undefined);
  try {
    for (;;) {
      const reply = new Promise<WordsReply>((resolve) => (receive = resolve));
      worker.postMessage('next');
      const { words } = await Promise.race([reply, failed]);
      if (words.length === 0) return;
      yield* words;
      await setImmediate();
    }
  } finally {
    await worker.terminate();
  }
}
