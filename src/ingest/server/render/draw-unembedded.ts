import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ingestLimits as limits } from '../../rules.ts';
import { findProgram, isEndedFromOutside, runChild, type ChildEnd } from '../sandbox/run-child.ts';
import { copyIn, takeOut } from '../sandbox/box-files.ts';
import { withGbkFonts } from './gbk-fonts.ts';
import { fitPage } from './page-image.ts';
import { openBox, sandboxed, type Box } from '../sandbox/sandbox.ts';
import { ChildLost } from './renderer-slot.ts';

const FONTS_CONF = fileURLToPath(new URL('../../fonts.conf', import.meta.url));

/** `niceness` is as in `runChild`. */
type Input = {
  pdf: string;
  folder: string;
  firstPage: number;
  lastPage: number;
  signal?: AbortSignal;
  niceness?: number;
};

/**
 * Draws with poppler the pages of a PDF whose Chinese, Japanese or Korean fonts are not embedded, whose filled form fields have no
 * appearance, or whose scans are JBIG2: PDFium leaves those blank. Returns PNG paths by page number; none when no page needs it, or poppler is missing or fails.
 * Throws ChildLost. `runProgram` takes the place of poppler in tests.
 */
export async function drawUnembeddedPages(input: Input, runProgram = runInBox): Promise<Record<string, string>> {
  const pdffonts = findProgram('pdffonts');
  const pdfinfo = findProgram('pdfinfo');
  const pdftoppm = findProgram('pdftoppm');
  if (pdffonts === null || pdfinfo === null || pdftoppm === null) return {};
  const box = await openBox();
  try {
    return await drawInBox(input, box, { pdffonts, pdfinfo, pdftoppm }, runProgram);
  } finally {
    await rm(box.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Returns false when no page of a PDF has fonts for drawUnembeddedPages, and true when one has, or when that cannot be found out in the
 * time of a page.
 */
export async function mayHaveUnembedded(input: Pick<Input, 'pdf' | 'niceness'>): Promise<boolean> {
  const pdffonts = findProgram('pdffonts');
  if (pdffonts === null) return true;
  const box = await openBox();
  try {
    const { pdf, needsPoppler } = await copyPdfIn(box, input.pdf);
    if (needsPoppler) return true;
    const { code, output } = await runInBox(input, box, pdffonts, [pdf], limits.renderPageMs);
    // The output keeps only the end of a long table, so its header is missing.
    const isWhole = code === 0 && /^name +type /m.test(output);
    return !isWhole || hasUnembeddedCjk(output);
  } finally {
    await rm(box.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Runs a program of poppler in a box, with the fonts of this project. */
export async function runInBox(
  { signal, niceness }: Pick<Input, 'signal' | 'niceness'>,
  box: Box,
  program: string,
  given: string[],
  wallMs: number,
): Promise<ChildEnd> {
  const [command, ...args] = await sandboxed(box, [program, ...given]);
  return runChild({
    command,
    args,
    cwd: box.folder,
    env: { PATH: '/usr/bin:/bin', HOME: box.out, LANG: 'C.UTF-8', FONTCONFIG_FILE: FONTS_CONF },
    limits: {
      wallMs,
      cpuSeconds: Math.ceil(wallMs / 1000),
      memoryBytes: limits.convertMemoryBytes / 2,
      fileBytes: limits.convertFileBytes,
    },
    signal,
    ...(niceness !== undefined && { niceness }),
  });
}

/** Returns how poppler ended. Throws ChildLost when that was from outside. */
export function unlessLost(end: ChildEnd): ChildEnd {
  if (isEndedFromOutside(end)) throw new ChildLost(`poppler was ended from outside by ${end.signal ?? end.code}`);
  return end;
}

/** Larger files are not searched for what PDFium does not draw; their fonts are looked up all the same. */
const MAX_SEARCHED_BYTES = 32 * 1024 * 1024;

/**
 * Copies a PDF into a box; fonts that are named in raw GBK are declared as what they are. `needsPoppler` says that PDFium leaves more
 * blank than text in fonts that are not embedded.
 */
async function copyPdfIn(box: Box, source: string): Promise<{ pdf: string; needsPoppler: boolean }> {
  const pdf = await copyIn(box, source, 'deck.pdf');
  if ((await stat(pdf)).size > MAX_SEARCHED_BYTES) return { pdf, needsPoppler: false };
  const bytes = await readFile(pdf);
  const declared = withGbkFonts(bytes);
  if (declared) await writeFile(pdf, declared);
  return { pdf, needsPoppler: hasUndrawnParts(bytes) };
}

/**
 * Whether a PDF has form fields without an appearance of their own (ISO 32000-1, 12.7.3.3), or scans in JBIG2, whose MMR coding PDFium
 * draws wrong. Objects in compressed streams are not seen.
 */
export function hasUndrawnParts(pdf: Buffer): boolean {
  if (pdf.includes('/JBIG2Decode')) return true;
  if (!pdf.includes('/AcroForm')) return false;
  const text = pdf.toString('latin1');
  const hasValues = /\/V\s*(?:\((?!\))|<(?!<|>))/.test(text);
  return hasValues && (/\/NeedAppearances\s+true/.test(text) || count(text, /\/Widget\b/g) > count(text, /\/AP\b/g));
}

/** Counts without a list of the matches, of which a hostile PDF may have millions. */
function count(text: string, pattern: RegExp): number {
  let found = 0;
  for (pattern.lastIndex = 0; pattern.test(text);) found++;
  return found;
}

type Programs = { pdffonts: string; pdfinfo: string; pdftoppm: string };

async function drawInBox(
  input: Input,
  box: Box,
  programs: Programs,
  runProgram: typeof runInBox,
): Promise<Record<string, string>> {
  const { pdf, needsPoppler } = await copyPdfIn(box, input.pdf);
  const run = async (program: string, given: string[], wallMs: number) =>
    unlessLost(await runProgram(input, box, program, given, wallMs));
  const range = ['-f', String(input.firstPage), '-l', String(input.lastPage)];
  const fonts = await run(programs.pdffonts, [...range, pdf], limits.renderPageMs);
  if (!needsPoppler && !hasUnembeddedCjk(fonts.output)) return {};
  const boxes = await run(programs.pdfinfo, ['-box', ...range, pdf], limits.renderPageMs);
  const end = Date.now() + limits.renderWallMs / 2;
  for (const { firstPage, lastPage, dpi } of resolutionsOf(boxes.output)) {
    if (Date.now() >= end) break;
    const part = ['-f', String(firstPage), '-l', String(lastPage), '-r', dpi];
    await run(programs.pdftoppm, ['-png', '-cropbox', ...part, pdf, join(box.out, 'poppler')], end - Date.now());
  }
  const drawn: Record<string, string> = {};
  for (const name of await readdir(box.out)) {
    const page = /^poppler-(\d+)\.png$/.exec(name)?.[1];
    const picture = page && (await takeOut(box, name, input.folder));
    if (picture) drawn[String(Number(page))] = picture;
  }
  return drawn;
}

type Run = { firstPage: number; lastPage: number; dpi: string };

/**
 * Returns the resolution at which pages are drawn as large as they are shown at most, for pages in a row that share it, from what
 * `pdfinfo -box` prints. PDFium draws the crop box, which is the media box of a page that names none. Poppler fits the width of a page
 * before it is rotated, so the width cannot be given.
 */
function resolutionsOf(info: string): Run[] {
  const sizes = new Map<number, { width: number; height: number }>();
  for (const [, page, ...sides] of info.matchAll(
    /^Page +(\d+) CropBox: +(-?[\d.]+) +(-?[\d.]+) +(-?[\d.]+) +(-?[\d.]+)$/gm,
  )) {
    const [left = 0, bottom = 0, right = 0, top = 0] = sides.map(Number);
    sizes.set(Number(page), { width: Math.abs(right - left), height: Math.abs(top - bottom) });
  }
  for (const [, page] of info.matchAll(/^Page +(\d+) rot: +(?:90|270)$/gm)) {
    const size = sizes.get(Number(page));
    if (size) sizes.set(Number(page), { width: size.height, height: size.width });
  }
  const runs: Run[] = [];
  for (const [page, size] of sizes) {
    if (size.width === 0 || size.height === 0) continue;
    const { width } = fitPage(size, limits.largePageWidth, limits.largePagePixels);
    const dpi = ((width / size.width) * 72).toFixed(3);
    const last = runs.at(-1);
    if (last?.lastPage === page - 1 && last.dpi === dpi) last.lastPage = page;
    else runs.push({ firstPage: page, lastPage: page, dpi });
  }
  return runs;
}

/** The name, which the file chooses, comes first: the columns are read from the end. The encoding may be empty. */
const UNEMBEDDED_CID =
  /\sCID (?:Type 0C?|TrueType)(?: \(OT\))?\s+(?:\S+\s+)?no\s+(?:yes|no)\s+(?:yes|no)\s+\d+\s+\d+\s*$/;
/** A name has at most 127 bytes (ISO 32000-1, annex C); longer lines are not read. */
const MAX_LINE = 1_000;

/**
 * Whether the table of `pdffonts` (name, type, encoding, emb, sub, uni) has a font that is not embedded and may hold
 * CJK text. Only composite (CID) fonts can.
 */
export function hasUnembeddedCjk(table: string): boolean {
  return table.split('\n').some((line) => line.length <= MAX_LINE && UNEMBEDDED_CID.test(line));
}
