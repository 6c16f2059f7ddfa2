import { SORTS, type Sort } from '../library/limits.ts';
import { FREE_RESULTS, isFilterYear } from './limits.ts';
import { CODE } from '../protocol/codes.ts';
import {
  bandOf,
  BUDGET_BANDS,
  DAYS_BANDS,
  PAGE_BANDS,
  PEOPLE_BANDS,
  RECENT_PERIODS,
  daysBefore,
  type DocumentFilter,
} from '../library/document-filter.ts';
import { fileKindOfFilter } from '../library/file-types.ts';

/** After a moment, or in a Shanghai calendar year (C-25). Null for any time. */
type CreatedWithin = { since: Date } | { year: number } | null;

/** Returns the condition on the creation time that the filter 上传时间 stands for (C-25). */
export function createdWithin(pubdate: number, now: number): CreatedWithin {
  const days = RECENT_PERIODS.find(({ id }) => id === pubdate)?.days;
  if (days) return { since: daysBefore(days, now) };
  return isFilterYear(pubdate) ? { year: pubdate } : null;
}

/** Converts the filters of a request. Unknown values do not narrow (C-25). `now` in epoch ms. */
export function documentFilterOf(
  input: Record<
    'filetype' | 'themeid' | 'industryid' | 'pubdate' | 'pages' | 'free' | 'budget' | 'people' | 'days',
    number
  >,
  now: number,
): DocumentFilter {
  return {
    fileKind: fileKindOfFilter(input.filetype)?.id ?? 0,
    themeId: input.themeid,
    industryId: input.industryid,
    created: createdWithin(input.pubdate, now),
    pageBand: bandOf(PAGE_BANDS, input.pages)?.id ?? 0,
    isFree: input.free === 1,
    budgetBand: bandOf(BUDGET_BANDS, input.budget)?.id ?? 0,
    peopleBand: bandOf(PEOPLE_BANDS, input.people)?.id ?? 0,
    daysBand: bandOf(DAYS_BANDS, input.days)?.id ?? 0,
  };
}

export const isNarrowed = (filter: DocumentFilter): boolean => Object.values(filter).some(Boolean);

/** Returns the sort; `relevance` for unknown values. */
export const sortOf = (sort: unknown): Sort => SORTS.find((known) => known === sort) ?? 'relevance';

/** Returns how many of `total` hits a caller may see: ten without membership, for any page size (C-37). */
export function visibleCount(total: number, isUnlimited: boolean): number {
  return isUnlimited ? total : Math.min(total, FREE_RESULTS);
}

export const SEARCH_LIMIT = {
  code: CODE.searchLimit,
  message: '普通用户仅可查看前10条搜索结果，开通VIP解锁无限方案搜索',
} as const;
