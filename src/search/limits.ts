/** Values that pages need without the zod schemas of the contract in their scripts. */
export const SEARCH_PAGE_SIZE = 15;
/** Number of results a query shows without membership, over all pages (C-37, INV-36). */
export const FREE_RESULTS = 10;
/** The last page of which a search shows lines without membership: the last of the preview (C-76). */
export const FREE_PAGES = 10;
export const MAX_QUERY_CHARACTERS = 50;
/** Tells whether a value of the filter 上传时间 is a year (C-25). Other years filter nothing. */
export const isFilterYear = (pubdate: number): boolean => pubdate >= 1990 && pubdate <= 2100;
/** Charts on a page of /chart (§9). */
export const CHART_PAGE_SIZE = 20;
