/** 第 7 页：项目预算, by the outline where it knows the page. */
export function pageName(number: number, title: string): string {
  return title === '' ? `第 ${number} 页` : `第 ${number} 页：${title}`;
}

/** The title of each page that has one in the outline. Of several on one page the first counts. */
export function titlesByPage(outline: readonly { page: number; title: string }[]): ReadonlyMap<number, string> {
  const titles = new Map<number, string>();
  for (const { page, title } of outline) if (!titles.has(page)) titles.set(page, title);
  return titles;
}
