import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Ctx } from '../../../context.ts';
import { type Db, urlOf } from '../../../platform/db/client.ts';
import { addWord, emptyVocabulary, type Vocabulary } from '../../vocabulary.ts';
import { type CountedWord, countedWords } from './count-words.ts';
import { hasMoreDocuments } from './store-words.ts';
import type { WordsOrder, WordsReply } from './words-thread.ts';

const FRESH_MS = 60_000;
/** Making it may take this share of the time at most: at a million documents it is renewed every few hours. */
const SHARE = 1 / 100;
/** A library of fewer documents is read through sooner than a thread is started. */
const FEW = 1_000;

type Kept = { vocabulary: Vocabulary; madeAt: number; costMs: number; making: Promise<Vocabulary> | null };
// By database, so that two apps in one process (tests) never share one.
const kept = new WeakMap<Db, Kept>();

/**
 * What the library knows now, or knew a minute ago: never waits. The first call, and one that finds it old, has it made
 * anew in the background; until the first is there it is empty, and nothing is proposed.
 */
export function vocabularyOf(ctx: Ctx): Vocabulary {
  const known = kept.get(ctx.db);
  const isOld = !known || ctx.clock.now() - known.madeAt > Math.max(FRESH_MS, known.costMs / SHARE);
  if (isOld) refreshVocabulary(ctx).catch((error: unknown) => ctx.log.warn({ error }, 'vocabulary left as it was'));
  return kept.get(ctx.db)?.vocabulary ?? emptyVocabulary();
}

/** Makes it now; at once with one that is being made. */
export function refreshVocabulary(ctx: Ctx): Promise<Vocabulary> {
  const state = kept.get(ctx.db) ?? { vocabulary: emptyVocabulary(), madeAt: 0, costMs: 0, making: null };
  kept.set(ctx.db, state);
  state.making ??= make(ctx, state).finally(() => {
    state.making = null;
  });
  return state.making;
}

/**
 * The words are read and counted in a thread of their own, and come in handfuls: between two of them everybody else has
 * his turn.
 */
async function make(ctx: Ctx, state: Kept): Promise<Vocabulary> {
  state.madeAt = ctx.clock.now();
  const started = performance.now();
  const vocabulary = emptyVocabulary();
  const words = (await hasMoreDocuments(ctx.db, FEW)) ? countWordsInThread(ctx.db) : countedWords(ctx.db);
  for await (const word of words) addWord(vocabulary, word);
  state.vocabulary = vocabulary;
  state.costMs = performance.now() - started;
  return vocabulary;
}

/** As countedWords, by a thread of its own that ends with it. Throws what the thread failed with. */
async function* countWordsInThread(db: Db): AsyncGenerator<CountedWord> {
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
