import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { tooFrequent } from '../../../protocol/envelope.ts';
import { addCounts, createMemoryCounts, deleteEndedCounts } from './memory-counts.ts';

/** Rate limiter whose counts are shared by all nodes. Throws `tooFrequent` (code 41 with retry_after). */
export type Limiter = {
  /**
   * Allows at most `points` in `seconds` (default: a minute). `isInMemory`: counted in memory and sent to the other
   * nodes a little later (memory-counts.ts), for cheap and frequent requests; with n nodes up to (n − 1)/6 of the limit
   * more may pass in a minute. Otherwise the limit is exact, by the clock of the database.
   */
  take(name: string, who: string, points: number, options?: { seconds?: number; isInMemory?: boolean }): Promise<void>;
};

const MINUTE = 60;

/** A limiter that never refuses, for load tests and benchmarks. */
export const unlimited: Limiter = { take: () => Promise.resolve() };

/** Maximum number of clients that are remembered as refused; one that drops out is counted in the database again. */
const MAX_REFUSED = 50_000;
const SWEEP_MS = 5 * 60_000;

export function createLimiter(pool: pg.Pool): Limiter {
  const memoryCounts = createMemoryCounts(pool);
  /** When the windows of refused clients end (performance.now()): until then a refusal costs no round trip. */
  const refusedUntil = new LRUCache<string, number>({ max: MAX_REFUSED });
  let sweptAt = -Infinity;

  async function takeExactly(key: string, points: number, seconds: number): Promise<number> {
    const refusedKey = `${points} ${key}`;
    const waitMs = (refusedUntil.get(refusedKey) ?? 0) - performance.now();
    if (waitMs > 0) return waitMs;
    if (performance.now() - sweptAt > SWEEP_MS) {
      sweptAt = performance.now();
      void deleteEndedCounts(pool).catch(() => undefined);
    }
    const [count] = await addCounts(pool, [{ key, points: 1, leftMs: seconds * 1000 }]);
    if (!count || count.points <= points) return 0;
    const leftMs = Math.max(1, count.left_ms);
    refusedUntil.set(refusedKey, performance.now() + leftMs);
    return leftMs;
  }

  return {
    async take(name, who, points, { seconds = MINUTE, isInMemory = false } = {}) {
      // Two windows of one name are counted separately.
      const key = `${seconds === MINUTE ? name : `${name}/${seconds}`}:${who}`;
      const waitMs = isInMemory
        ? await memoryCounts.take(`${name}:${who}`, points)
        : await takeExactly(key, points, seconds);
      if (waitMs > 0) throw tooFrequent(Math.ceil(waitMs / 1000));
    },
  };
}
