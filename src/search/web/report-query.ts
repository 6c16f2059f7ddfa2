import { MAX_QUERY_CHARACTERS } from '../limits.ts';

/** What the address of /report says. `filetype`: 0 all, 1 PPT, 2 PDF (C-09 c); `themeId` 0: all. `isExact`: to the letter, nothing forgiven. */
export type ReportQuery = { searchKey: string; themeId: number; filetype: 0 | 1 | 2; page: number; isExact: boolean };

export function readReportQuery(params: URLSearchParams): ReportQuery {
  const filetype = params.get('filetype');
  return {
    searchKey: [...(params.get('search_key') ?? '').trim()].slice(0, MAX_QUERY_CHARACTERS).join(''),
    // The body's own spelling is understood here too (C-14).
    themeId: positive(params.get('theme_id') ?? params.get('themeid'), 0),
    filetype: filetype === '1' ? 1 : filetype === '2' ? 2 : 0,
    page: positive(params.get('page'), 1),
    isExact: params.get('exact') === '1',
  };
}

/** The shortest address of that view. A change of anything but the page starts at page 1: say so in `change`. */
export function reportHref(query: ReportQuery, change: Partial<ReportQuery> = {}): string {
  // To the letter is meant of these very letters.
  const isExact = query.isExact && change.searchKey === undefined;
  const next = { ...query, page: 1, isExact, ...change };
  const params = new URLSearchParams();
  if (next.searchKey) params.set('search_key', next.searchKey);
  if (next.themeId > 0) params.set('theme_id', String(next.themeId));
  if (next.filetype > 0) params.set('filetype', String(next.filetype));
  if (next.isExact && next.searchKey) params.set('exact', '1');
  if (next.page > 1) params.set('page', String(next.page));
  const text = params.toString();
  return text ? `/report?${text}` : '/report';
}

function positive(value: string | null, fallback: number): number {
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : fallback;
}
