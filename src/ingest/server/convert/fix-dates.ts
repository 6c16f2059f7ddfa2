import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strFromU8, strToU8, unzipSync, zipSync, type Zippable } from 'fflate';

/** The whole deck is in memory while its dates are fixed. */
const MAX_BYTES = 40 * 1024 * 1024;
const MAX_INFLATED_BYTES = 200 * 1024 * 1024;

const SLIDE = /^ppt\/slides\/[^/]+\.xml$/;
const FIELD = /<a:fld\b[^>]*\btype="datetime[^"]*"[^>]*>([\s\S]*?)<\/a:fld>/g;
const PARAGRAPH = /<a:pPr\b[^>]*\/>|<a:pPr\b[\s\S]*?<\/a:pPr>/g;

/** Returns the XML of a slide with its date fields as text: the day on which the author's program has shown them last. */
export const fixDatesOf = (xml: string): string =>
  xml.replace(FIELD, (_field, inner: string) => `<a:r>${inner.replace(PARAGRAPH, '')}</a:r>`);

/**
 * Writes a copy of a PPTX into the work folder, whose date fields are the text that they have in the file, and returns its path.
 * LibreOffice would fill them with the day of the conversion. Returns the path of the PPTX itself when the deck is very large. The deck
 * must have passed `sniffFile`.
 */
export async function withFixedDates(path: string, workDir: string): Promise<string> {
  if ((await stat(path)).size > MAX_BYTES) return path;
  let inflated = 0;
  const entries = unzipSync(await readFile(path), {
    filter: ({ originalSize }) => (inflated += originalSize) >= 0 && inflated <= MAX_INFLATED_BYTES,
  });
  if (inflated > MAX_INFLATED_BYTES) return path;
  const parts: Zippable = {};
  for (const [name, bytes] of Object.entries(entries))
    // Nothing is compressed: LibreOffice reads the copy once.
    parts[name] = [SLIDE.test(name) ? strToU8(fixDatesOf(strFromU8(bytes))) : bytes, { level: 0 }];
  const copy = join(workDir, 'fixed-dates.pptx');
  await writeFile(copy, zipSync(parts));
  return copy;
}
