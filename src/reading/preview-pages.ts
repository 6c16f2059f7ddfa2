/** Maximum number of pages that are shown before a download (§9). */
export const PREVIEW_PAGES = 10;

/** Returns what a login unlocks: 登录后可预览全部 8 页, or for longer decks 登录后可预览前 10 页. */
export function previewPromise(pageCount: number): string {
  if (pageCount <= 0) return '登录后可预览';
  return pageCount <= PREVIEW_PAGES ? `登录后可预览全部 ${pageCount} 页` : `登录后可预览前 ${PREVIEW_PAGES} 页`;
}
