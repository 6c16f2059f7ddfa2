import { CODE } from '../protocol/codes.ts';
import { DAY_MS } from '../protocol/durations.ts';

/** 0 none, 1 standard, 2 advanced (C-32). */
export type Tier = 0 | 1 | 2;

/** When each tier ends; null: the user never had it. */
export type Clocks = { standardEndAt: Date | null; advancedEndAt: Date | null };

export const NO_MEMBERSHIP: Clocks = { standardEndAt: null, advancedEndAt: null };

/** A longer grant is for life (C-32, C-43). */
export const LIFETIME_DAYS = 36_000;

/** How many downloads coupons pay for: a day, and a month by tier (C-34, C-35). */
export const COUPONS_A_DAY = 20;
export const DOWNLOADS_A_MONTH = { 0: 0, 1: 300, 2: 600 } as const satisfies Record<Tier, number>;

/** How many documents a member may read in full a month (C-40). Ordinary users have no such right. */
export const READS_A_MONTH = { 0: 0, 1: 1_500, 2: 3_000 } as const satisfies Record<Tier, number>;

/**
 * Whether a tier gives the numbers and the original pictures of charts (`unlock_chart`), and all results of a keyword search of charts
 * (C-39).
 */
export const isChartTier = (tier: Tier): boolean => tier === 2;

/** Returns the tier at `now` (epoch milliseconds): a membership that ends at this very moment has ended (C-32). */
export function tierAt(clocks: Clocks, now: number): Tier {
  if (isAfter(clocks.advancedEndAt, now)) return 2;
  return isAfter(clocks.standardEndAt, now) ? 1 : 0;
}

/**
 * Returns the clocks after `days` more of a tier (C-32): `max(now, end) + days`. Advanced days bought while the
 * standard tier runs move the standard end as well, so that nothing paid for is lost.
 */
export function extendClocks(clocks: Clocks, tier: 1 | 2, days: number, now: number): Clocks {
  const standardEndAt = extend(clocks.standardEndAt, days, now);
  if (tier === 1) return { ...clocks, standardEndAt };
  const isStandardRunning = isAfter(clocks.standardEndAt, now);
  return {
    standardEndAt: isStandardRunning ? standardEndAt : clocks.standardEndAt,
    advancedEndAt: extend(clocks.advancedEndAt, days, now),
  };
}

/** Returns the whole days until the last tier ends, rounded up; 0 without one (C-32). */
export function daysLeft(clocks: Clocks, now: number): number {
  const end = Math.max(clocks.standardEndAt?.getTime() ?? 0, clocks.advancedEndAt?.getTime() ?? 0);
  return Math.max(Math.ceil((end - now) / DAY_MS), 0);
}

/**
 * The facts about a user that decide a download. `todayUsed` and `monthUsed` count coupons in the Shanghai day and
 * month (C-05).
 */
export type Standing = { tier: Tier; balance: number; todayUsed: number; monthUsed: number };

/** How much of a quota is used, and how much of it the caller may still use. Both are counts. */
export type Quota = { used: number; left: number };

/**
 * Returns the quotas of a user as the meters show them: coupons of the day, downloads of the month, reads of the month.
 * `left` is what decideDownload and the count of reads go by: the coupons of the day are never more than the month still
 * allows. `used` may exceed the limit: what an ended, higher tier used this month stays counted.
 */
export function quotasOf(standing: Standing & { reads: number }): { today: Quota; month: Quota; reads: Quota } {
  return {
    today: { used: standing.todayUsed, left: couponsLeft(standing) },
    month: { used: standing.monthUsed, left: downloadsLeft(standing) },
    reads: { used: standing.reads, left: readsLeft(standing.tier, standing.reads) },
  };
}

/** Returns the coupons left today: never more than the month still allows. */
export const couponsLeft = (standing: Standing) =>
  standing.tier === 0 ? 0 : Math.min(Math.max(COUPONS_A_DAY - standing.todayUsed, 0), downloadsLeft(standing));

export const downloadsLeft = (standing: Standing) => Math.max(DOWNLOADS_A_MONTH[standing.tier] - standing.monthUsed, 0);

const readsLeft = (tier: Tier, used: number) => Math.max(READS_A_MONTH[tier] - used, 0);

/**
 * `cost` is in coins. `insufficient` names the price that could not be paid, and the code that refuses the download.
 */
export type Decision =
  | { method: 'owned' | 'free' | 'coupon' | 'coin'; cost: number }
  | { method: 'insufficient'; cost: number; code: typeof CODE.insufficient | typeof CODE.downloadLimit };

/** Decides what pays for a download, in the order of C-34. */
export function decideDownload(document: { isOwned: boolean; priceCoins: number }, standing: Standing): Decision {
  if (document.isOwned) return { method: 'owned', cost: 0 };
  if (document.priceCoins === 0) return { method: 'free', cost: 0 };
  if (couponsLeft(standing) > 0) return { method: 'coupon', cost: 0 };
  if (standing.balance >= document.priceCoins) return { method: 'coin', cost: document.priceCoins };
  const isMonthUsedUp = standing.tier > 0 && downloadsLeft(standing) === 0;
  const code = isMonthUsedUp ? CODE.downloadLimit : CODE.insufficient;
  return { method: 'insufficient', cost: document.priceCoins, code };
}

/**
 * How a member may read a whole document: `owned` for ever, `membership` within the reads of the month; not at all over
 * that limit, and not as an ordinary user (C-40, C-41).
 */
export type ReadingRight = 'owned' | 'membership' | 'over-limit' | 'ordinary';

/** The charge that a caller agreed to; null and undefined agree to any charge (C-36). */
export type ExpectedCharge = { method: string; cost: number } | null | undefined;

/**
 * Returns whether the caller agreed to the charge (C-36). Without `expect` every charge is agreed to, and so is an
 * owned document, which the second of two clicks finds.
 */
export const isExpected = (decision: { method: string; cost: number }, expect: ExpectedCharge) =>
  !expect || decision.method === 'owned' || (decision.method === expect.method && decision.cost === expect.cost);

function isAfter(end: Date | null, now: number): end is Date {
  return end !== null && end.getTime() > now;
}

function extend(end: Date | null, days: number, now: number): Date {
  return new Date(Math.max(now, end?.getTime() ?? 0) + days * DAY_MS);
}
