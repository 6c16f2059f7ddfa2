// Constants that scripts of pages import: contract.ts would bring zod with it.

export const THEME_PAGE_SIZE = 16;
/** Documents of a page of /filetype (§9). */
export const FILE_TYPE_PAGE_SIZE = 10;
/** Maximum number of pages that are shown before a download (§9). */
export const PREVIEW_PAGES = 10;
/** The recommended ranking lists no more documents (C-80). */
export const RANKING_CAP = 750;
/** The facts of a plan that its pages state (C-118): its whole budget, its number of people and of days. */
export const FACT_KINDS = ['budget', 'people', 'days'] as const;
export type FactKind = (typeof FACT_KINDS)[number];
/** The sorts of a list of documents. `relevance` without a keyword sorts by recommend score; a stated fact has the largest first. */
export const SORTS = ['relevance', 'newest', 'hottest', 'pages', ...FACT_KINDS] as const;
export type Sort = (typeof SORTS)[number];
