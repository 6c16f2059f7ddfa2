import { DAY_SECONDS } from '../../../protocol/durations.ts';
import { cleanQuery } from '../../clean-query.ts';

/** The query of /chart. 0, "" and false mean no filter. */
export type ChartQuery = {
  keyword: string;
  typeId: number;
  industryId: number;
  /** 1, 2, 3: the last 3, 7, 30 days. */
  dateRange: 0 | 1 | 2 | 3;
  /** First and last day of a range of its own, YYYY-MM-DD in Beijing; both or none. */
  start: string;
  end: string;
  /** Search for exactly the typed words. */
  isExact: boolean;
  page: number;
};

/** The names of all parameters that /chart reads: those of the API, with days in place of its seconds. */
export const CHART_PARAMETERS = [
  'keyword',
  'typeId',
  'industryId',
  'dateRange',
  'start',
  'end',
  'exact',
  'page',
] as const;

export const CHART_START: ChartQuery = {
  keyword: '',
  typeId: 0,
  industryId: 0,
  dateRange: 0,
  start: '',
  end: '',
  isExact: false,
  page: 1,
};

/** The values after 清除筛选: all filters are cleared, the keyword stays (C-111). */
export const NO_CHART_FILTERS = { typeId: 0, industryId: 0, dateRange: 0, start: '', end: '' } as const;

export function readChartQuery(params: URLSearchParams): ChartQuery {
  const number = (name: string, start: number) => {
    const value = Number(params.get(name));
    return Number.isSafeInteger(value) && value > 0 ? value : start;
  };
  const [start, end] = [params.get('start') ?? '', params.get('end') ?? ''];
  const isRange = isDay(start) && isDay(end);
  const dateRange = ([1, 2, 3] as const).find((each) => each === number('dateRange', 0)) ?? 0;
  return {
    keyword: cleanQuery(params.get('keyword') ?? ''),
    typeId: number('typeId', 0),
    industryId: number('industryId', 0),
    dateRange: isRange ? 0 : dateRange,
    start: isRange ? start : '',
    end: isRange ? end : '',
    isExact: params.get('exact') === '1',
    page: number('page', 1),
  };
}

/** A day of the calendar as a date field writes it. */
function isDay(text: string): boolean {
  if (!/^(?:19[7-9]\d|20\d{2})-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/** Returns the shortest address of a view. Any change but one of the page returns to page 1. */
export function chartHref(query: ChartQuery, change: Partial<ChartQuery> = {}): string {
  const params = new URLSearchParams(chartParams(query, change));
  return params.size > 0 ? `/chart?${params.toString()}` : '/chart';
}

/** Returns the query as parameters of the address, and as hidden fields of a form. */
export function chartParams(query: ChartQuery, change: Partial<ChartQuery>): [string, string][] {
  const next = { ...query, page: CHART_START.page, ...change };
  const { isExact, ...texts } = next;
  // An exact search is for this keyword only.
  const exact = isExact && next.keyword !== '' && (change.isExact ?? change.keyword === undefined) ? '1' : '';
  const all: Record<string, string | number> = { ...texts, exact };
  return CHART_PARAMETERS.filter((name) => all[name] && !(name === 'page' && next.page === 1)).map((name) => [
    name,
    String(all[name]),
  ]);
}

/** Returns the query as the input of the search. The last day of a range is included to its last second. */
export function chartInput(query: ChartQuery) {
  const { keyword, typeId, industryId, dateRange, start, end, isExact, page } = query;
  const beginOf = (day: string) => Date.parse(`${day}T00:00:00+08:00`) / 1_000;
  const range = start && end ? { startTime: beginOf(start), endTime: beginOf(end) + DAY_SECONDS - 1 } : {};
  return { keyword, typeId, industryId, dateRange, ...range, exact: isExact ? 1 : 0, page };
}
