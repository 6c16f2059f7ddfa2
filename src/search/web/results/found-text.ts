/** Returns why a deck is listed with colons behind the kinds of its labels, each kind once: 行业：餐饮、标签：苏州、扬州. */
export function withColons(reason: string): string {
  let kindBefore = '';
  const parts = reason.split('、').map((part) => {
    const [, kind = '', label = ''] = /^(行业|机构|标签) (.*)/.exec(part) ?? [];
    const isRepeated = kind === kindBefore;
    kindBefore = kind;
    if (!kind) return part;
    return isRepeated ? label : `${kind}：${label}`;
  });
  return parts.join('、');
}

/** Returns a line of a page without the spaces that a break of lines has left behind opening quotation marks and brackets. */
export const withoutLooseQuotes = (snippet: string): string => snippet.replace(/([“‘「『《（])\s+/g, '$1');
