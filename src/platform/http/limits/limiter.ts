import type pg from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { tooFrequent } from '../../../protocol/envelope.ts';
import { createMemoryCounts } from './memory-counts.ts';

/** Rate limiter whose counts are shared by all nodes. Throws `tooFrequent` (code 41 with retry_after). */
export type Limiter = {
  /**
   * Allows at most `points` in `seconds` (default: a minute). `isInMemory`: counted in memory and sent to the other
   * nodes a little later (memory-counts.ts), for cheap and frequent requests; with n nodes up to (n − 1)/6 of the limit
   * more may pass in a minute. Otherwise the limit is exact.
   */
  take(name: string, who: string, points: number, options?: { seconds?: number; isInMemory?: boolean }): Promise<void>;
};

const MINUTE = 60;

/** A limiter that never refuses, for load tests and benchmarks. */
export const unlimited: Limiter = { take: () => Promise.resolve() };

export function createLimiter(pool: pg.Pool): Limiter {
  const limiters = new Map<string, RateLimiterPostgres>();
  const limiterOf = (name: string, points: number, seconds: number) => {
    const key = `${name}/${points}/${seconds}`;
    const known = limiters.get(key);
    if (known) return known;
    const limiter = new RateLimiterPostgres({
      storeClient: pool,
      tableName: 'rate_limits',
      tableCreated: true,
      // Two windows of one name are counted separately.
      keyPrefix: seconds === MINUTE ? name : `${name}/${seconds}`,
      points,
      duration: seconds,
      // Once a client is over the limit, refusals of this node cost no database round trip until the window ends.
      inMemoryBlockOnConsumed: points + 1,
    });
    limiters.set(key, limiter);
    return limiter;
  };
  const memoryCounts = createMemoryCounts(pool);
  return {
    async take(name, who, points, { seconds = MINUTE, isInMemory = false } = {}) {
      if (isInMemory) {
        const waitMs = await memoryCounts.take(`${name}:${who}`, points);
        if (waitMs > 0) throw tooFrequent(Math.ceil(waitMs / 1000));
        return;
      }
      try {
        await limiterOf(name, points, seconds).consume(who);
      } catch (refused) {
        if (refused instanceof RateLimiterRes) throw tooFrequent(Math.ceil(refused.msBeforeNext / 1000));
        throw refused;
      }
    },
  };
}
