/** Numbers pages need too: apart from the contract, so that its schemas stay out of their scripts. */
export const THEME_PAGE_SIZE = 16;
/** C-80: the recommended ranking goes no deeper. */
export const RANKING_CAP = 750;
