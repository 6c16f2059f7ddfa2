import { createReadStream } from 'node:fs';

/** LibreOffice writes short uncompressed objects. The longest is the page tree, with ten bytes a page. */
const OBJECT_BYTES = 16 * 1024;
const MAX_FONTS = 200;

/**
 * Returns the number of pages of a PDF that LibreOffice has just written; null when it cannot be found. LibreOffice
 * writes the page tree uncompressed, so the PDF is searched, not parsed. Never use it for an uploaded PDF.
 */
export async function countOwnPdfPages(path: string): Promise<number | null> {
  let pages: number | null = null;
  for await (const object of objectsWith(path, '/Pages')) {
    if (!/\/Type\s?\/Pages\b/.test(object)) continue;
    const count = Number(/\/Count\s{0,8}(\d{1,5})\b/.exec(object)?.[1] ?? Number.NaN);
    if (count >= 0) pages = Math.max(pages ?? 0, count);
  }
  return pages;
}

/** Returns the PostScript names of the fonts in a PDF that LibreOffice wrote: `NotoSansCJKsc-Regular`. */
export async function fontsOfOwnPdf(path: string): Promise<string[]> {
  const names = new Set<string>();
  for await (const object of objectsWith(path, '/FontName')) {
    const name = /\/FontName\s?\/(?:[A-Z]{6}\+)?([\w#.,-]{1,80})/.exec(object)?.[1];
    if (name) names.add(name);
    if (names.size >= MAX_FONTS) break;
  }
  return [...names].sort();
}

/**
 * Yields the text around each mark, from the nearest ` obj` before it to the nearest `endobj` after it. Reads the file
 * in pieces and each byte a bounded number of times: a hostile deck may make LibreOffice write half a gigabyte of
 * marks.
 */
async function* objectsWith(path: string, mark: string): AsyncGenerator<string> {
  let text = '';
  let from = 0;
  for await (const chunk of createReadStream(path, { encoding: 'latin1', highWaterMark: 1024 * 1024 })) {
    text += String(chunk);
    // A mark near the end waits until the rest of its object has been read.
    const ready = text.length - OBJECT_BYTES;
    for (let at = text.indexOf(mark, from); at >= 0 && at < ready; at = text.indexOf(mark, from)) {
      const object = objectAround(text, at);
      yield object.text;
      from = object.end;
    }
    const kept = Math.max(0, ready - OBJECT_BYTES);
    text = text.slice(kept);
    from = Math.max(0, from - kept, ready - kept);
  }
  for (let at = text.indexOf(mark, from); at >= 0; at = text.indexOf(mark, from)) {
    const object = objectAround(text, at);
    yield object.text;
    from = object.end;
  }
}

function objectAround(text: string, at: number): { text: string; end: number } {
  const before = text.slice(Math.max(0, at - OBJECT_BYTES), at);
  const after = text.slice(at, at + OBJECT_BYTES);
  const end = after.indexOf('endobj');
  const length = end < 0 ? after.length : end;
  return { text: before.slice(before.lastIndexOf(' obj') + 1) + after.slice(0, length), end: at + Math.max(1, length) };
}
