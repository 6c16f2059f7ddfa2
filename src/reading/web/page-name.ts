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
