import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Refusal, tooFrequent } from '../../../protocol/envelope.ts';

/** Counts the requests of each client in a minute, in the memory of this node. */
export type MinuteLimit = {
  /** Counts one request. Throws HTTP 429 with code 41 (C-01) when the client has used up its minute. */
  take(client: string): Promise<void>;
  /** Returns the seconds until a refused client may ask again, 0 for every other client. Counts nothing. */
  findWaitSeconds(client: string): number;
};

const NO_LIMIT: MinuteLimit = { take: () => Promise.resolve(), findWaitSeconds: () => 0 };

/**
 * Maximum number of clients that are remembered as refused. `take` counts and refuses a client that drops out again.
 */
const MAX_REFUSED = 50_000;

/** Allows at most `perMinute` requests of one client; any number where rate limits are switched off. */
export function createMinuteLimit(perMinute: number, isLimited: boolean): MinuteLimit {
  if (!isLimited) return NO_LIMIT;
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  /** Epoch milliseconds at which the refused client's minute ends. */
  const refusedUntil = new LRUCache<string, number>({ max: MAX_REFUSED });
  return {
    async take(client) {
      try {
        await limiter.consume(client);
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        refusedUntil.set(client, Date.now() + refused.msBeforeNext);
        const { code, message, data } = tooFrequent(wholeSeconds(refused.msBeforeNext));
        throw new Refusal(code, message, data, 429);
      }
    },
    findWaitSeconds(client) {
      const until = refusedUntil.get(client);
      if (until === undefined) return 0;
      const waitMs = until - Date.now();
      if (waitMs > 0) return wholeSeconds(waitMs);
      refusedUntil.delete(client);
      return 0;
    },
  };
}

const wholeSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1_000));
