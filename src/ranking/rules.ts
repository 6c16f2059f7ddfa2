import { DAY_MS } from '../protocol/durations.ts';

/** How far back a signal counts. */
export const WINDOW_DAYS = 30;

/**
 * What a person can do with a document, and what it is worth. A download costs a coupon or coins, so it says most; a
 * favourite is a wish, a look at the pages may be a mistake.
 */
export const WEIGHTS = { read: 1, favourite: 3, download: 5 } as const;
export type SignalKind = keyof typeof WEIGHTS;

export type Signal = { userId: number; kind: SignalKind; at: Date };

/** A score moves by so much before it is written: 0.02 of 60 days is a little more than a day of freshness. */
export const MIN_MOVE = 0.02;

export const windowStart = (now: number) => new Date(now - WINDOW_DAYS * DAY_MS);

/**
 * The heat of one document: for each person the strongest signal of the last 30 days, added up. So nobody counts twice,
 * however often they come back, and a download is not a read and a download. `now` in epoch ms.
 */
export function heatOf(signals: Signal[], now: number): number {
  const strongest = new Map<number, number>();
  for (const { userId, kind, at } of signals) {
    if (at < windowStart(now)) continue;
    strongest.set(userId, Math.max(strongest.get(userId) ?? 0, WEIGHTS[kind]));
  }
  return [...strongest.values()].reduce((sum, weight) => sum + weight, 0);
}

/**
 * Whether a new heat is worth writing. Compared with what was written last, so that small moves add up to one that is;
 * the last signal that grows old always is.
 */
export function isMove(written: number, heat: number): boolean {
  if (written === heat) return false;
  return heat === 0 || Math.abs(Math.log1p(heat) - Math.log1p(written)) >= MIN_MOVE;
}
