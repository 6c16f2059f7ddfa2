import { LRUCache } from 'lru-cache';

/**
 * The result of making an answer. `kept`: cached for everybody. `shared`: for everybody who waits for it now (an
 * error). `own`: only for the caller (a refusal of this visitor).
 */
export type MadeOf<A, Own> =
  | { scope: 'kept' | 'shared'; answer: A }
  | ([Own] extends [never] ? never : { scope: 'own'; response: Own });

/** Maximum age of an answer: texts such as "3 分钟前" and counts of searches may be this old. */
const FRESH_MS = 30_000;
/** Maximum age of an answer while the database is away: five minutes. */
const STALE_MS = 300_000;
/**
 * After a change, the search index of the node takes up to a second to follow. Until then an answer is kept for
 * UNSETTLED_MS only, because it may have been made from the former index.
 */
const SETTLING_MS = 2_000;
const UNSETTLED_MS = 200;

type Entry<A> = { answer: A; madeAt: number; freshUntil: number };

/**
 * Keeps answers of the type `A` in memory; the least recently used are dropped first. `isWatched` returns whether
 * changes are being received; while they are not, no answer counts as fresh. `sizeOf` returns the bytes that an answer
 * takes.
 */
export function createFreshCache<A extends object, Own>(options: {
  now?: () => number;
  isWatched: () => boolean;
  maxBytes: number;
  sizeOf: (answer: A, key: string) => number;
}) {
  // A clock that is set back must not keep answers for longer.
  const { now = () => performance.now(), isWatched, maxBytes, sizeOf } = options;
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
     * Makes an answer, once for all concurrent callers of `key`. An answer of the scope `own` goes to the caller whose
     * `make` ran; the other callers make their own, one after the other.
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
        // After a change the group is replaced: an answer that was begun before is not kept.
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

    /**
     * Called when something that public answers show has changed: drops all answers; answers that are being made are
     * not kept.
     */
    clear(): void {
      entries.clear();
      pending = new Map();
      changedAt = now();
    },

    /** Returns the bytes that are held. */
    size: () => entries.calculatedSize,
  };
}
