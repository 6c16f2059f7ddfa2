/** The text of a document: its name, the titles of its pages, and the text of each page. */
export type DocumentText = { name: string; headings: readonly string[]; pages: readonly string[] };

/** A line on more than this share of the pages is a running header or footer. */
const RUNNING_SHARE = 0.5;
const RUNNING_PAGES = 4;

/** Returns the pages without running headers and footers, which would count once for every page. */
export function withoutRunningLines(pages: readonly string[]): string[] {
  if (pages.length < RUNNING_PAGES) return [...pages];
  const seen = new Map<string, number>();
  for (const page of pages) for (const line of new Set(page.split('\n'))) seen.set(line, (seen.get(line) ?? 0) + 1);
  const most = pages.length * RUNNING_SHARE;
  return pages.map((page) =>
    page
      .split('\n')
      .filter((line) => (seen.get(line) ?? 0) <= most)
      .join('\n'),
  );
}
