import { createFreshCache, type MadeOf } from './fresh-cache.ts';
import type { PublicAnswer } from './public-answer.ts';
import { createSharedAnswers } from './shared-answers.ts';

/** Results of making a page or another public answer. */
export type Made = MadeOf<PublicAnswer, Response>;

export type AnswerCache = ReturnType<typeof createAnswerCache>;

const MAX_BYTES = 64 * 1024 * 1024;
/** Estimated bytes of the headers of both forms and of the entry itself. */
const ENTRY_BYTES = 2_000;

/**
 * Keeps whole public answers (pages, texts), and as `calls` the answers of the API that pages are made from. Both are
 * dropped by one `clear`.
 */
export function createAnswerCache(options: { now?: () => number; isWatched: () => boolean; maxBytes?: number }) {
  const answers = createFreshCache<PublicAnswer, Response>({
    maxBytes: MAX_BYTES,
    ...options,
    sizeOf: ({ plain, gzip }, key) => plain.body.length + (gzip?.body.length ?? 0) + key.length * 2 + ENTRY_BYTES,
  });
  const { maxBytes: _ofPages, ...watched } = options;
  const calls = createSharedAnswers(watched);
  return {
    ...answers,
    calls,
    /**
     * Called when something that public answers show has changed: drops all answers; answers that are being made are
     * not kept.
     */
    clear(): void {
      answers.clear();
      calls.clear();
    },
  };
}
