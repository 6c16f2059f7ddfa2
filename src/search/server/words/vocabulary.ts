import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Ctx } from '../../../context.ts';
import { CHART_TYPES } from '../../../charts/chart-types.ts';
import { addWord, emptyVocabulary, type Vocabulary } from '../../spelling/vocabulary.ts';
import type { VocabularyState } from '../caches.ts';
import { isDatabaseAway } from '../../../platform/db/client.ts';
import { startThread } from '../../../platform/processes.ts';
import { synonymForms } from '../../synonyms.ts';
import { type CountedWord, countedWords } from './count-words.ts';
import { soundsOf } from './cut-words.ts';
import { hasMoreDocuments } from './store-words.ts';
import type { WordsOrder, WordsReply } from './words-thread.ts';

const FRESH_MS = 60_000;
/** Maximum share of time spent on refreshing the vocabulary: with a million documents it is refreshed every few hours. */
const SHARE = 1 / 100;
/** Reading fewer documents takes less time than starting a thread. */
const MIN_FOR_THREAD = 1_000;

/**
 * Returns the current vocabulary without waiting. The first call, and a call that finds the vocabulary expired, refresh it in the
 * background; it is empty until the first refresh is done.
 */
export function vocabularyOf(ctx: Ctx): Vocabulary {
  const known = ctx.caches.search.vocabulary;
  const isOld = ctx.clock.now() - known.madeAt > Math.max(FRESH_MS, known.costMs / SHARE);
  if (isOld)
    refreshVocabulary(ctx).catch((error: unknown) => {
      const facts = isDatabaseAway(error) ? { reason: 'the database is away, or the site stops' } : { error };
      ctx.log.warn(
        facts,
        'the vocabulary of spelling corrections and suggestions was not refreshed; the one in memory stays in use',
      );
    });
  return known.vocabulary;
}

/**
 * Returns the words of pages and synonyms that no name holds, as of the last refresh of the vocabulary. `count` is 0 for a word that no page
 * holds: pinyin may stand for it, and it is never suggested.
 */
export const pageWordsOf = (ctx: Ctx): Vocabulary => ctx.caches.search.vocabulary.pageWords;

/** Returns the words of charts, as of the last refresh of the vocabulary, which the call may start. */
export function chartWordsOf(ctx: Ctx): Vocabulary {
  vocabularyOf(ctx);
  return ctx.caches.search.vocabulary.chartWords;
}

/** Refreshes the vocabulary; joins a refresh that is already running. */
export function refreshVocabulary(ctx: Ctx): Promise<Vocabulary> {
  const state = ctx.caches.search.vocabulary;
  state.making ??= make(ctx, state).finally(() => {
    state.making = null;
  });
  return state.making;
}

/** Rebuilds the vocabulary. A large library is counted in a thread that sends words in small batches, so that the event loop stays free. */
async function make(ctx: Ctx, state: VocabularyState): Promise<Vocabulary> {
  state.madeAt = ctx.clock.now();
  const started = performance.now();
  const vocabulary = emptyVocabulary();
  const pageWords = emptyVocabulary();
  const words = (await hasMoreDocuments(ctx.db, MIN_FOR_THREAD))
    ? countWordsInThread(ctx.databaseUrl)
    : countedWords(ctx.db);
  const chartWords = emptyVocabulary();
  const of = { names: vocabulary, pages: pageWords, charts: chartWords };
  for await (const { place, ...word } of words) addWord(of[place], word);
  // Somebody who types naicha means 奶茶, also where decks say 茶饮 alone.
  for (const text of synonymForms())
    if (isHan(text) && !vocabulary.byText.has(text))
      addWord(pageWords, { text, shown: text, count: 0, sounds: soundsOf(text) });
  // The names of the types are on no chart, and are asked for: leidatu.
  for (const { name: text } of CHART_TYPES)
    if (!chartWords.byText.has(text)) addWord(chartWords, { text, shown: text, count: 0, sounds: soundsOf(text) });
  state.vocabulary = vocabulary;
  state.pageWords = pageWords;
  state.chartWords = chartWords;
  state.costMs = performance.now() - started;
  return vocabulary;
}

const isHan = (text: string) => /^\p{Script=Han}+$/u.test(text);

const WORDS_PROGRAM = new URL('./words-thread.ts', import.meta.url);

/** Runs countedWords in a thread that ends with the generator. Throws the error of the thread. */
async function* countWordsInThread(url: string): AsyncGenerator<CountedWord> {
  const order: WordsOrder = { url };
  let receive: (reply: WordsReply) => void = () => undefined;
  const worker = startThread<WordsReply>(WORDS_PROGRAM, order, (reply) => receive(reply));
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
