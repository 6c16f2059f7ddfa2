import { LRUCache } from 'lru-cache';

/**
 * What making an answer came to. `kept`: for everybody, and for those who come later. `shared`: for everybody who
 * waits for it now (an error). `own`: for the one who asked (a refusal of this visitor).
 */
export type MadeOf<A, Own> =
  | { scope: 'kept' | 'shared'; answer: A }
  | ([Own] extends [never] ? never : { scope: 'own'; response: Own });

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

type Entry<A> = { answer: A; madeAt: number; freshUntil: number };

/**
 * Keeps answers of the type `A` in memory, the least recently used go first. `isWatched`: whether changes are being heard
 * of; while they are not, nothing counts as fresh. `sizeOf`: bytes that an answer takes.
 */
export function createFreshCache<A extends object, Own>(options: {
  now?: () => number;
  isWatched: () => boolean;
  maxBytes: number;
  sizeOf: (answer: A, key: string) => number;
}) {
  const { now = Date.now, isWatched, maxBytes, sizeOf } = options;
  const entries = new LRUCache<string, Entry<A>>({
    maxSize: maxBytes,
    sizeCalculation: ({ answer }, key) => sizeOf(answer, key),
  });
  let pending = new Map<string, Promise<MadeOf<A, Own>>>();
  let changedAt = -Infinity;

  function keep(key: string, answer: A): void {
    const madeAt = now();
    const keptMs = madeAt - changedAt < SETTLING_MS ? UNSETTLED_MS : FRESH_MS;
    entries.set(key, { answer, madeAt, freshUntil: madeAt + keptMs });
  }

  return {
    /** Returns the answer kept under `key` while it is fresh, else null. */
    find(key: string): A | null {
      const entry = entries.get(key);
      return entry && isWatched() && entry.freshUntil > now() ? entry.answer : null;
    },

    /** Returns the answer kept under `key` for use while the database is away: no older than five minutes, else null. */
    findStale(key: string): A | null {
      const entry = entries.peek(key);
      return entry && entry.madeAt + STALE_MS > now() ? entry.answer : null;
    },

    /**
     * Makes an answer, once for all who ask for `key` meanwhile. An answer of the scope `own` goes to the caller whose
     * `make` it was; the others make their own, one after the other.
     */
    async share(key: string, make: () => Promise<MadeOf<A, Own>>): Promise<MadeOf<A, Own>> {
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
