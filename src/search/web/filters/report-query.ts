import { SORTS, type Sort } from '../../../library/limits.ts';
import { wholeNumber } from '../../../protocol/whole-number.ts';
import { cleanQuery } from '../../clean-query.ts';
import { isFilterYear } from '../../limits.ts';

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
  /** Bands of the stated budget and numbers of people and days, 1 to 5. */
  budget: number;
  people: number;
  days: number;
  sort: Sort;
  page: number;
  /** Search for exactly the typed words. */
  isExact: boolean;
};

/**
 * A parameter of /report. `names`: in addresses and in the API, the first is written. The address leaves out a parameter that has the
 * value `start`.
 */
type Parameter<Value> = { names: readonly string[]; start: Value; isFilter?: true; read(text: string): Value };

const id = (...names: string[]) => ({
  names,
  start: 0,
  isFilter: true as const,
  read: (text: string) => wholeNumber(text) ?? 0,
});
const flag = (name: string) => ({ names: [name], start: false, read: (text: string) => text === '1' });

/** In the order of the address. The API's names of theme and industry are accepted too (C-14). */
const PARAMETERS: { [Key in keyof ReportQuery]: Parameter<ReportQuery[Key]> } = {
  searchKey: {
    names: ['search_key'],
    start: '',
    read: cleanQuery,
  },
  themeId: id('theme_id', 'themeid'),
  industryId: id('industry_id', 'industryid'),
  filetype: {
    names: ['filetype'],
    start: 0,
    isFilter: true,
    read: (text) => (text === '1' ? 1 : text === '2' ? 2 : 0),
  },
  pubdate: { names: ['pubdate'], start: 0, isFilter: true, read: (text) => readPubdate(wholeNumber(text) ?? 0) },
  pages: { names: ['pages'], start: 0, isFilter: true, read: (text) => readBand(wholeNumber(text) ?? 0, 4) },
  isFree: { ...flag('free'), isFilter: true },
  budget: { names: ['budget'], start: 0, isFilter: true, read: (text) => readBand(wholeNumber(text) ?? 0, 5) },
  people: { names: ['people'], start: 0, isFilter: true, read: (text) => readBand(wholeNumber(text) ?? 0, 5) },
  days: { names: ['days'], start: 0, isFilter: true, read: (text) => readBand(wholeNumber(text) ?? 0, 5) },
  sort: { names: ['sort'], start: 'relevance', read: (text) => SORTS.find((sort) => sort === text) ?? 'relevance' },
  isExact: flag('exact'),
  page: { names: ['page'], start: 1, read: (text) => wholeNumber(text) || 1 },
};

// Safe: the keys of the literal above.
const KEYS = Object.keys(PARAMETERS) as (keyof ReportQuery)[];

/** The names of all parameters that /report reads. */
export const REPORT_PARAMETERS: readonly string[] = KEYS.flatMap((key) => PARAMETERS[key].names);

export type Filters = Pick<
  ReportQuery,
  'themeId' | 'industryId' | 'filetype' | 'pubdate' | 'pages' | 'isFree' | 'budget' | 'people' | 'days'
>;

/** /report itself. */
export const DEFAULT_QUERY = queryOf((key) => PARAMETERS[key].start);

// Safe: exactly the filters are marked in PARAMETERS.
export const NO_FILTERS = Object.fromEntries(
  KEYS.filter((key) => PARAMETERS[key].isFilter).map((key) => [key, DEFAULT_QUERY[key]]),
) as Filters;

export function readReportQuery(params: URLSearchParams): ReportQuery {
  return queryOf((key) => {
    const { names, start, read } = PARAMETERS[key];
    const text = names.map((name) => params.get(name)).find((value) => value !== null);
    return text === undefined || text === null ? start : read(text);
  });
}

/** Returns the shortest address of a view. Any change but one of the page returns to page 1. */
export function reportHref(query: ReportQuery, change: Partial<ReportQuery> = {}): string {
  const params = reportParams(query, change);
  // Only a keyword needs escaping, and a page has more than a hundred of these addresses.
  const texts = params.map((param) =>
    param[0] === 'search_key' ? new URLSearchParams([param]).toString() : `${param[0]}=${param[1]}`,
  );
  return texts.length > 0 ? `/report?${texts.join('&')}` : '/report';
}

/** Returns the query as hidden fields of a form. */
export function reportParams(query: ReportQuery, change: Partial<ReportQuery>): [string, string][] {
  const next = { ...query, page: DEFAULT_QUERY.page, ...change };
  // An exact search is for this keyword only.
  next.isExact = (change.isExact ?? (query.isExact && change.searchKey === undefined)) && next.searchKey !== '';
  return KEYS.filter((key) => next[key] !== DEFAULT_QUERY[key]).map((key) => [nameOf(key), wireValue(next[key])]);
}

/** Returns the query as parameters of the search endpoint. */
export function searchInput(query: ReportQuery): Record<string, string> {
  return Object.fromEntries(KEYS.map((key) => [nameOf(key), wireValue(query[key])]));
}

const nameOf = (key: keyof ReportQuery) => PARAMETERS[key].names[0] ?? key;
const wireValue = (value: ReportQuery[keyof ReportQuery]) => String(typeof value === 'boolean' ? Number(value) : value);

function queryOf(valueOf: (key: keyof ReportQuery) => ReportQuery[keyof ReportQuery]): ReportQuery {
  // Safe: one entry for each key; `start` and `read` of a parameter give values of its own type.
  return Object.fromEntries(KEYS.map((key) => [key, valueOf(key)])) as ReportQuery;
}

const readBand = (value: number, last: number) => (value <= last ? value : 0);

function readPubdate(value: number): number {
  return value <= 3 || isFilterYear(value) ? value : 0;
}
