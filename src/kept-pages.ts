import type { HasPage } from './render.ts';
import { CHART_PARAMETERS } from './search/web/charts/chart-query.ts';
import { REPORT_PARAMETERS } from './search/web/filters/report-query.ts';

/** A page whose rendering for visitors depends on `url` alone: it is kept under that address. */
export type KeptPage = { url: URL };

/**
 * The pages that are kept for visitors, and the query parameters that each page's loader reads. A page that is asked for
 * with any other parameter is rendered for that request alone, so that made-up parameters never fill the memory.
 */
const KEPT_PATHS: readonly (readonly [path: RegExp, parameters: ReadonlySet<string>])[] = [
  [/^\/index$/, new Set(['theme_id', 'page'])],
  [/^\/report$/, new Set(REPORT_PARAMETERS)],
  [/^\/chart$/, new Set(CHART_PARAMETERS)],
  [/^\/detail(\/\d{1,15})?$/, new Set(['fid'])],
  [/^\/filetype\/[12]$/, new Set(['page'])],
  [/^\/collection$/, new Set(['page'])],
  [/^\/collection\/detail$/, new Set(['id', 'page'])],
  [/^\/(aboutVip|protocol|privacy|infringement)$/, new Set()],
];

/** Maximum length of a kept address, more than the site itself links to: 40 Chinese characters take 360. */
const MAX_SEARCH_CHARACTERS = 600;

/** A path that no page has. The 404 page shows nothing of the address, so one rendering serves all such paths. */
const NOT_FOUND_PATH = '/not-found';

/** Paths that something else than the pages may answer: calls, images, downloads, health, and files by their ending. */
const OTHER_PATH = /^\/(?:api|media|dl|assets|livez|readyz)(?:\/|$)|\.[^/]*$/;

/** True when nothing but a page can answer the path, so that no other route has to be asked before a page that is kept. */
export function isPagePath(pathname: string): boolean {
  return !OTHER_PATH.test(pathname);
}

/**
 * Returns the address whose rendering answers a visitor who asks for `url`; null when the page is not kept. Requests of
 * React Router's own (`….data`) are never kept: their answers are no pages.
 */
export function keptPageOf(url: URL, hasPage: HasPage): KeptPage | null {
  const { pathname, search } = url;
  const known = KEPT_PATHS.find(([path]) => path.test(pathname));
  if (!known) {
    if (pathname.endsWith('.data') || hasPage(pathname)) return null;
    return { url: new URL(NOT_FOUND_PATH, url) };
  }
  if (search === '') return { url };
  // The page does not depend on who shared the link (C-28): the browser reads `invite` from the address.
  if (url.searchParams.has('invite')) {
    const plain = new URL(url);
    plain.searchParams.delete('invite');
    return keptPageOf(plain, hasPage);
  }
  if (search.length > MAX_SEARCH_CHARACTERS) return null;
  const [, parameters] = known;
  return [...url.searchParams.keys()].every((name) => parameters.has(name)) ? { url } : null;
}
