import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { urlOf, type Db } from '../../platform/db/client.ts';
import type { CountedWord } from './count-words.ts';
import type { WordsOrder, WordsReply } from './words-thread.ts';

/** As countedWords, by a thread of its own that ends with it. Throws what the thread failed with. */
export async function* countWordsInThread(db: Db): AsyncGenerator<CountedWord> {
  const order: WordsOrder = { url: urlOf(db) };
  const worker = new Worker(new URL('./words-thread.ts', import.meta.url), { workerData: order, execArgv: [] });
  // A process that has nothing else to do need not wait for it.
  worker.unref();
  try {
    for (;;) {
      worker.postMessage('next');
      const reply = await nextReply(worker);
      if (reply.words.length === 0) return;
      yield* reply.words;
      await setImmediate();
    }
  } finally {
    await worker.terminate();
  }
}

async function nextReply(worker: Worker): Promise<WordsReply> {
  const ended = new AbortController();
  try {
    const exit = once(worker, 'exit', { signal: ended.signal }).then(([code]) => {
      throw new Error(`the words thread ended with ${code}`);
    });
    exit.catch(() => undefined);
    for (;;) {
      // Rejects with what the thread failed with.
      const [message]: Partial<WordsReply>[] = await Promise.race([
        once(worker, 'message', { signal: ended.signal }),
        exit,
      ]);
      // Under `node --watch` a thread also reports what it loads, on the same channel.
      if (message?.words) return { words: message.words };
    }
  } finally {
    ended.abort();
  }
}
