import { readFile } from 'node:fs/promises';

/**
 * The number of pages of a PDF that LibreOffice wrote a moment ago; null when it cannot be told. It writes the page tree
 * in plain, so nothing has to be parsed; never ask this of a stranger's PDF.
 */
export async function countOwnPdfPages(path: string): Promise<number | null> {
  const text = await readFile(path, 'latin1');
  const counts = [...text.matchAll(/\/Type\s*\/Pages\b[^>]*?\/Count\s+(\d{1,5})\b/g)].map((match) => Number(match[1]));
  const trees = [...text.matchAll(/\/Count\s+(\d{1,5})\b[^<>]{0,200}\/Type\s*\/Pages\b/g)].map((match) =>
    Number(match[1]),
  );
  const all = [...counts, ...trees];
  return all.length > 0 ? Math.max(...all) : null;
}

/** Families of the fonts in such a PDF, as their PostScript names: `NotoSansCJKsc-Regular`. */
export async function fontsOfOwnPdf(path: string): Promise<string[]> {
  const text = await readFile(path, 'latin1');
  const names = [...text.matchAll(/\/FontName\s*\/(?:[A-Z]{6}\+)?([\w#.,-]{1,80})/g)].map((match) => match[1] ?? '');
  return [...new Set(names)].sort();
}
