import { PREVIEW_PAGES } from '../library/limits.ts';

/** Returns what a login unlocks: 登录后可预览全部 8 页, or from the tenth page on 登录后可预览前10页 (C-21). */
export function previewPromise(pageCount: number): string {
  if (pageCount <= 0) return '登录后可预览';
  return pageCount < PREVIEW_PAGES ? `登录后可预览全部 ${pageCount} 页` : `登录后可预览前${PREVIEW_PAGES}页`;
}

/** Returns 第 7 页：项目预算, with the title if the outline has one for the page. */
export function pageName(number: number, title: string): string {
  return title === '' ? `第 ${number} 页` : `第 ${number} 页：${title}`;
}

/** Returns the title of each page that has one in the outline; the first of several on one page. */
export function titlesByPage(outline: readonly { page: number; title: string }[]): ReadonlyMap<number, string> {
  const titles = new Map<number, string>();
  for (const { page, title } of outline) if (!titles.has(page)) titles.set(page, title);
  return titles;
}
