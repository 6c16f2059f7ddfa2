import { DAY_MS } from '../protocol/durations.ts';

/** Older signals do not count. */
const WINDOW_DAYS = 30;

/** The weight of each signal. A download costs a coupon or coins, so it weighs most; reading a page may be a mistake. */
export const WEIGHTS = { read: 1, favourite: 3, download: 5 } as const;
export type SignalKind = keyof typeof WEIGHTS;

export type Signal = { userId: number; kind: SignalKind; at: Date };

/** Smaller changes of a score are not written: 0.02 of 60 days is a little more than a day of freshness. */
export const MIN_MOVE = 0.02;

export const windowStart = (now: number) => new Date(now - WINDOW_DAYS * DAY_MS);

/**
 * Returns the heat of one document: the sum, over all people, of each person's strongest signal of the last 30 days. Nobody counts
 * twice, and a download does not count as a read as well. `now` in epoch ms.
 */
export function heatOf(signals: Signal[], now: number): number {
  const strongest = new Map<number, number>();
  for (const { userId, kind, at } of signals) {
    if (at < windowStart(now)) continue;
    strongest.set(userId, Math.max(strongest.get(userId) ?? 0, WEIGHTS[kind]));
  }
  return [...strongest.values()].reduce((sum, weight) => sum + weight, 0);
}
