import { SORTS, type Sort } from '../../library/limits.ts';
import { MAX_QUERY_CHARACTERS } from '../limits.ts';

/** The query of /report. 0 or false means no filter. */
export type ReportQuery = {
  searchKey: string;
  themeId: number;
  industryId: number;
  /** 1 PPT, 2 PDF (C-09 c). */
  filetype: 0 | 1 | 2;
  /** 1, 2, 3: last 3, 7, 30 days; or a year (C-25). */
  pubdate: number;
  /** Page band, 1 to 4. */
  pages: number;
  isFree: boolean;
  sort: Sort;
  page: number;
  /** Search for exactly the typed words. */
  isExact: boolean;
};

export type Filters = Pick<ReportQuery, 'themeId' | 'industryId' | 'filetype' | 'pubdate' | 'pages' | 'isFree'>;

export const NO_FILTERS: Filters = { themeId: 0, industryId: 0, filetype: 0, pubdate: 0, pages: 0, isFree: false };

/** /report itself. */
export const START: ReportQuery = { searchKey: '', ...NO_FILTERS, sort: 'relevance', page: 1, isExact: false };

export function readReportQuery(params: URLSearchParams): ReportQuery {
  const filetype = params.get('filetype');
  const pages = positive(params.get('pages'), 0);
  return {
    searchKey: [...(params.get('search_key') ?? '').trim()].slice(0, MAX_QUERY_CHARACTERS).join(''),
    // The parameter names of the API are accepted too (C-14).
    themeId: positive(params.get('theme_id') ?? params.get('themeid'), 0),
    industryId: positive(params.get('industry_id') ?? params.get('industryid'), 0),
    filetype: filetype === '1' ? 1 : filetype === '2' ? 2 : 0,
    pubdate: readPubdate(positive(params.get('pubdate'), 0)),
    pages: pages <= 4 ? pages : 0,
    isFree: params.get('free') === '1',
    sort: SORTS.find((sort) => sort === params.get('sort')) ?? 'relevance',
    page: positive(params.get('page'), 1),
    isExact: params.get('exact') === '1',
  };
}

/** Returns the shortest address of a view. Any change but one of the page returns to page 1. */
export function reportHref(query: ReportQuery, change: Partial<ReportQuery> = {}): string {
  const text = new URLSearchParams(reportParams(query, change)).toString();
  return text ? `/report?${text}` : '/report';
}

/** Returns the query as hidden fields of a form. */
export function reportParams(query: ReportQuery, change: Partial<ReportQuery> = {}): [string, string][] {
  // An exact search is for this keyword only.
  const isExact = query.isExact && change.searchKey === undefined;
  const next = { ...query, page: 1, isExact, ...change };
  const params: [string, string | number | false][] = [
    ['search_key', next.searchKey],
    ['theme_id', next.themeId],
    ['industry_id', next.industryId],
    ['filetype', next.filetype],
    ['pubdate', next.pubdate],
    ['pages', next.pages],
    ['free', next.isFree && 1],
    ['sort', next.sort !== 'relevance' && next.sort],
    ['exact', next.isExact && next.searchKey !== '' && 1],
    ['page', next.page > 1 && next.page],
  ];
  return params.flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
}

function readPubdate(value: number): number {
  return value <= 3 || (value >= 1990 && value <= 2100) ? value : 0;
}

function positive(value: string | null, fallback: number): number {
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : fallback;
}
