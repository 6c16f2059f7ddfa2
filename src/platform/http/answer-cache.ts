import { LRUCache } from 'lru-cache';
import type { PublicAnswer } from './public-answer.ts';

/**
 * What making an answer came to. `kept`: for every visitor, and for those who come later. `shared`: for every visitor who
 * waits for it now (an error). `own`: for the one who asked (a refusal of this visitor).
 */
export type Made = { scope: 'kept' | 'shared'; answer: PublicAnswer } | { scope: 'own'; response: Response };

export type AnswerCache = ReturnType<typeof createAnswerCache>;

/** Texts such as "3 分钟前" and counts of searches may be this old. */
const FRESH_MS = 30_000;
/** While the database is away an answer may be this old (reliability: reads may be stale for five minutes). */
const STALE_MS = 300_000;
/**
 * After a change, the search index of the node takes up to a second to follow. Until then an answer is kept for
 * UNSETTLED_MS only, because it may have been made from the former index.
 */
const SETTLING_MS = 2_000;
const UNSETTLED_MS = 200;
const MAX_BYTES = 64 * 1024 * 1024;

type Entry = { answer: PublicAnswer; madeAt: number; freshUntil: number };

/**
 * Keeps public answers in memory, the least recently used ones go first. `isWatched`: whether changes are being heard
 * of; while they are not, nothing counts as fresh.
 */
export function createAnswerCache(options: { now?: () => number; isWatched: () => boolean; maxBytes?: number }) {
  const { now = Date.now, isWatched, maxBytes = MAX_BYTES } = options;
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    // The last number stands for the headers and the entry itself.
    sizeCalculation: ({ answer }, key) =>
      answer.plain.body.length + (answer.gzip?.body.length ?? 0) + key.length * 2 + 2_000,
  });
  let pending = new Map<string, Promise<Made>>();
  let changedAt = -Infinity;

  function keep(key: string, answer: PublicAnswer): void {
    const madeAt = now();
    const keptMs = madeAt - changedAt < SETTLING_MS ? UNSETTLED_MS : FRESH_MS;
    entries.set(key, { answer, madeAt, freshUntil: madeAt + keptMs });
  }

  return {
    /** Returns the answer kept under `key` while it is fresh, else null. */
    find(key: string): PublicAnswer | null {
      const entry = entries.get(key);
      return entry && isWatched() && entry.freshUntil > now() ? entry.answer : null;
    },

    /** Returns the answer kept under `key` for use while the database is away: no older than five minutes, else null. */
    findStale(key: string): PublicAnswer | null {
      const entry = entries.peek(key);
      return entry && entry.madeAt + STALE_MS > now() ? entry.answer : null;
    },

    /**
     * Makes an answer, once for all who ask for `key` meanwhile. An answer of the scope `own` goes to the caller whose
     * `make` it was; the others make their own, one after the other.
     */
    async share(key: string, make: () => Promise<Made>): Promise<Made> {
      for (;;) {
        const underWay = pending.get(key);
        if (!underWay) break;
        const made = await underWay;
        if (made.scope !== 'own') return made;
      }
      const group = pending;
      const making = make().then((made) => {
        // After a change the group is another one: this answer was begun before it and is not kept.
        if (made.scope === 'kept' && group === pending) keep(key, made.answer);
        return made;
      });
      group.set(key, making);
      try {
        return await making;
      } finally {
        if (group.get(key) === making) group.delete(key);
      }
    },

    /** Something that public answers show has changed: drops them all, and what is being made is not kept. */
    clear(): void {
      entries.clear();
      pending = new Map();
      changedAt = now();
    },

    /** Bytes held. */
    size: () => entries.calculatedSize,
  };
}
