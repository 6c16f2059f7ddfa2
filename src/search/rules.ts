import { FREE_RESULTS, MAX_QUERY_CHARACTERS } from './contract.ts';
import { CODE } from '../protocol/codes.ts';
import { startOfYear } from '../library/rules.ts';

const DAY_MS = 86_400_000;
const RECENT_DAYS = new Map([
  [1, 3],
  [2, 7],
  [3, 30],
]);

/** What was typed, without the space around it and cut to 50 characters (C-78); "" means "no keyword". */
export function cleanQuery(typed: string): string {
  // Enough for 50 characters of any kind; keeps a query of a megabyte from being walked.
  const line = typed
    .slice(0, 1_000)
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return [...line].slice(0, MAX_QUERY_CHARACTERS).join('').trim();
}

/** When a document must have been created: after a moment, or in a Shanghai calendar year (C-25). Null: any time. */
export type CreatedWithin = { since: Date } | { year: number } | null;

export function createdWithin(pubdate: number, now: number): CreatedWithin {
  const days = RECENT_DAYS.get(pubdate);
  if (days) return { since: new Date(now - days * DAY_MS) };
  const isYear = pubdate >= 1990 && pubdate <= 2100 && startOfYear(pubdate).getTime() <= now;
  return isYear ? { year: pubdate } : null;
}

/** How many of `total` hits a caller may see: ten in all below membership, whatever the page size (C-37). */
export function visibleCount(total: number, isUnlimited: boolean): number {
  return isUnlimited ? total : Math.min(total, FREE_RESULTS);
}

export const SEARCH_LIMIT = {
  code: CODE.searchLimit,
  message: '普通用户仅可查看前10条搜索结果，开通VIP解锁无限方案搜索',
} as const;
