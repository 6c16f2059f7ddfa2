import type pg from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { tooFrequent } from '../../protocol/envelope.ts';

/** Counts of the last minute, shared by all nodes. Throws `tooFrequent` (code 41 with retry_after). */
export type Limiter = {
  take(name: string, who: string, perMinute: number): Promise<void>;
};

/** A limiter that never refuses: load tests and benchmarks. */
export const unlimited: Limiter = { take: () => Promise.resolve() };

export function createLimiter(pool: pg.Pool): Limiter {
  const limiters = new Map<string, RateLimiterPostgres>();
  const limiterOf = (name: string, points: number) => {
    const key = `${name}/${points}`;
    const known = limiters.get(key);
    if (known) return known;
    const limiter = new RateLimiterPostgres({
      storeClient: pool,
      tableName: 'rate_limits',
      tableCreated: true,
      keyPrefix: name,
      points,
      duration: 60,
      // Once over the limit, the refusals of this node cost no database round trip until the minute ends.
      inMemoryBlockOnConsumed: points + 1,
    });
    limiters.set(key, limiter);
    return limiter;
  };
  return {
    async take(name, who, perMinute) {
      try {
        await limiterOf(name, perMinute).consume(who);
      } catch (refused) {
        if (refused instanceof RateLimiterRes) throw tooFrequent(Math.ceil(refused.msBeforeNext / 1000));
        throw refused;
      }
    },
  };
}
