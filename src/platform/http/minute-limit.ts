import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Refusal, tooFrequent } from '../../protocol/envelope.ts';

/** Counts the requests of a minute, in the memory of this node. Throws HTTP 429 with code 41 (C-01). */
export type MinuteLimit = (client: string) => Promise<void>;

const NO_LIMIT: MinuteLimit = () => Promise.resolve();

/** At most `perMinute` requests of one client; as many as come where rate limits are switched off. */
export function createMinuteLimit(perMinute: number, isLimited: boolean): MinuteLimit {
  if (!isLimited) return NO_LIMIT;
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return async (client) => {
    try {
      await limiter.consume(client);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const { code, message, data } = tooFrequent(Math.max(1, Math.ceil(refused.msBeforeNext / 1_000)));
      throw new Refusal(code, message, data, 429);
    }
  };
}
