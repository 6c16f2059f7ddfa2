// Constants that scripts of pages import: contract.ts would bring zod with it.

export const THEME_PAGE_SIZE = 16;
/** The recommended ranking lists no more documents (C-80). */
export const RANKING_CAP = 750;
/** The sorts of a list of documents. `relevance` without a keyword sorts by recommend score. */
export const SORTS = ['relevance', 'newest', 'hottest', 'pages'] as const;
export type Sort = (typeof SORTS)[number];
