import { Refusal, tooFrequent } from '../../../protocol/envelope.ts';

/** Counts the requests of each client in a minute, in the memory of this node. */
export type MinuteLimit = {
  /** Counts one request. Throws HTTP 429 with code 41 (C-01) when the client has used up its minute. */
  take(client: string): void;
  /** Returns the seconds until a refused client may ask again, 0 for every other client. Counts nothing. */
  findWaitSeconds(client: string): number;
};

const NO_LIMIT: MinuteLimit = { take: () => {}, findWaitSeconds: () => 0 };

const MINUTE_MS = 60_000;

/** `count` includes refused requests; `endsAt` is in milliseconds of performance.now(), which no correction of the clock changes. */
type Minute = { count: number; endsAt: number };

/** Allows at most `perMinute` requests of one client; any number where rate limits are switched off. */
export function createMinuteLimit(perMinute: number, isLimited: boolean): MinuteLimit {
  if (!isLimited) return NO_LIMIT;
  /** In the order in which they end, because all are equally long. */
  const minutes = new Map<string, Minute>();

  function removeEnded(now: number): void {
    for (const [client, { endsAt }] of minutes) {
      if (endsAt > now) return;
      minutes.delete(client);
    }
  }

  return {
    take(client) {
      const now = performance.now();
      removeEnded(now);
      const minute = minutes.get(client) ?? { count: 0, endsAt: now + MINUTE_MS };
      minutes.set(client, minute);
      if (++minute.count <= perMinute) return;
      const { code, message, data } = tooFrequent(wholeSeconds(minute.endsAt - now));
      throw new Refusal(code, message, data, 429);
    },
    findWaitSeconds(client) {
      const minute = minutes.get(client);
      const waitMs = minute && minute.count > perMinute ? minute.endsAt - performance.now() : 0;
      return waitMs > 0 ? wholeSeconds(waitMs) : 0;
    },
  };
}

const wholeSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1_000));
