/** Returns why a deck is listed with colons behind the kinds of its labels, 标签 once for several: 行业：餐饮、标签：苏州、扬州. */
export const withColons = (reason: string): string =>
  reason.replace(/(^|、)(行业|机构|标签) /g, '$1$2：').replace(/(?<=标签：[^：、]*)、标签：/g, '、');

/** Returns a line of a page without the spaces that a break of lines has left behind opening quotation marks and brackets. */
export const withoutLooseQuotes = (snippet: string): string => snippet.replace(/([“‘「『《（])\s+/g, '$1');
