import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { WidePage } from '../../page-text.ts';
import type { PreparedCover, PreparedPage } from '../../prepared-file.ts';
import { RefusedError } from '../../refusals.ts';
import { ingestLimits as limits } from '../../rules.ts';
import { drawPlaceholder } from './title-card.ts';
import { failIfDiskIsFull } from '../source/full-disk.ts';
import { pageImageSize, isPlainThumbnail, writeStrip } from './page-image.ts';
import { drawUnembeddedPages, type runInBox } from './draw-unembedded.ts';
import type { RenderJob, RenderLine } from './child-jobs.ts';
import { isMisread, readWithPoppler } from './poppler-text.ts';
import { ChildLost, failIfLost, readResults, type RendererSlot } from './renderer-slot.ts';
import type { WordBox } from '../../word-boxes.ts';

export type RenderInput = {
  pdf: string;
  workDir: string;
  previewPages: number;
  effort: number;
  /** True when the PDF is the uploaded file. False for a PDF that LibreOffice made: its fonts are embedded. */
  isUploaded: boolean;
  signal?: AbortSignal;
  /**
   * True in the last attempt: a page whose child was ended from outside gets a placeholder, or stays as PDFium draws it. False: ChildLost is
   * thrown, and the job is tried again.
   */
  isLast?: boolean;
  slot: RendererSlot;
  /** Time limit of one page in milliseconds; `ingestLimits.renderPageMs` by default. */
  pageMs?: number;
  /** A transparent PNG burnt into the page images. */
  mark?: string | null;
  /** Takes the place of poppler in tests. */
  runProgram?: typeof runInBox;
};

/**
 * `missing` lists the pages of the preview that have a placeholder; `unread` is the number of pages whose text was not
 * read in time; `bookmarks` is the outline in the PDF.
 */
export type RenderedPages = {
  pageCount: number;
  pages: PreparedPage[];
  cover: PreparedCover;
  bookmarks: { page: number; title: string }[];
  missing: number[];
  unread: number;
  /** Path of the image with the thumbnails of the preview pages, one below the other. */
  strip: string;
  /** The words of each preview page. */
  words: WordBox[][];
  /** No page has text, and each page of the preview has a single colour. */
  isBlank: boolean;
  /** The letter-spaced lines of the pages that have some. */
  wide: WidePage[];
};

type Found = {
  pageCount: number;
  texts: Map<number, Extract<RenderLine, { kind: 'text' }>>;
  images: Map<number, Extract<RenderLine, { kind: 'image' }>>;
  words: Map<number, WordBox[]>;
  failed: Map<number, 'page-size' | 'unreadable' | 'timeout' | 'memory'>;
  cover: PreparedCover | null;
  bookmarks: { page: number; title: string }[];
};

/** Letter-spaced lines kept for a page: titles are among the first lines. */
const MAX_WIDE = 8;
const TOO_MUCH = 'too much memory';

/**
 * Reads the text of every page and draws the first pages and the cover. A page that hangs or cannot be drawn gets a
 * placeholder; when that happens to all pages, the file is refused. Throws RefusedError: encrypted, corrupt, no-pages,
 * too-many-pages, page-size, render-timeout, render-failed; and ChildLost unless `isLast`.
 */
export async function renderPages(input: RenderInput): Promise<RenderedPages> {
  const folder = await mkdtemp(join(input.workDir, 'render-'));
  try {
    const uploaded = { ...input, folder, firstPage: 1, lastPage: input.previewPages };
    const drawn = input.isUploaded
      ? await drawUnembeddedPages(uploaded, input.runProgram).catch(orWithout({}, input))
      : {};
    const found = await renderWithRestarts(input, folder, drawn).catch(async (error: unknown) => {
      await failIfDiskIsFull(folder);
      throw error;
    });
    input.signal?.throwIfAborted();
    // Pages that could not be written because the disk is full must not become placeholders.
    if (found.failed.size > 0 || found.texts.size < found.pageCount || !found.cover) await failIfDiskIsFull(folder);
    if (input.isUploaded) await replaceMisread(found, input);
    return await finish(found, input);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Handles the loss of a child that mends what PDFium makes of some pages: in the last run they stay as PDFium makes them. */
function orWithout<T>(nothing: T, { isLast }: RenderInput): (error: unknown) => T {
  return (error) => {
    if (isLast && error instanceof ChildLost) return nothing;
    throw error;
  };
}

/**
 * Replaces texts that PDFium misread by poppler's. The word boxes hold the same wrong characters and are dropped, so nothing can be selected on
 * these pages.
 */
async function replaceMisread(found: Found, input: RenderInput): Promise<void> {
  const misread = [...found.texts.values()].filter(({ text }) => isMisread(text));
  const read = await readWithPoppler(
    input,
    misread.map(({ page }) => page),
    input.runProgram,
  ).catch(orWithout(new Map<number, string>(), input));
  for (const line of misread) {
    const text = read.get(line.page);
    if (text === undefined) continue;
    found.texts.set(line.page, { ...line, text, wide: [], head: [] });
    found.words.set(line.page, []);
  }
}

async function renderWithRestarts(input: RenderInput, folder: string, drawn: Record<string, string>): Promise<Found> {
  const found: Found = {
    pageCount: 0,
    texts: new Map(),
    images: new Map(),
    words: new Map(),
    failed: new Map(),
    cover: null,
    bookmarks: [],
  };
  const startedAt = Date.now();
  // There may be a thousand pages past the preview, which are only read.
  const until = (pageCount: number) => startedAt + limits.renderWallMs + pageCount * limits.renderWallMsPerPage;
  let firstPage = 1;
  for (let attempt = 0; attempt <= limits.renderRestarts; attempt++) {
    const results = join(folder, `results-${attempt}.jsonl`);
    const job: RenderJob = {
      kind: 'render',
      pdf: input.pdf,
      picture: null,
      outDir: input.workDir,
      results,
      firstPage,
      previewPages: input.previewPages,
      effort: input.effort,
      needCover: found.cover === null,
      needBookmarks: found.bookmarks.length === 0,
      drawn,
      mark: input.mark ?? null,
    };
    const outcome = await input.slot.run({
      job,
      until,
      signal: input.signal,
      pageMs: input.pageMs,
    });
    const { lastPage, timedOut, tookTooMuch } = outcome;
    const done = await collect(results, found);
    if (done || input.signal?.aborted) return found;
    if (!timedOut && !input.isLast) failIfLost(outcome, 'draws the pages');
    // The child hung or died while it opened the file, so there is no page to continue with.
    if (lastPage === 0 && found.images.size > 0) return found;
    if (lastPage === 0 && tookTooMuch) throw new RefusedError('render-failed', TOO_MUCH);
    if (lastPage === 0) throw new RefusedError(timedOut ? 'render-timeout' : 'render-failed', 'while opening the file');
    if (!found.images.has(lastPage) && !found.failed.has(lastPage))
      found.failed.set(lastPage, timedOut ? 'timeout' : tookTooMuch ? 'memory' : 'unreadable');
    firstPage = lastPage + 1;
    if (firstPage > found.pageCount || Date.now() >= until(found.pageCount)) return found;
  }
  return found;
}

/**
 * Adds the results of a child. Returns true when the child finished the document. Throws the refusal that the child
 * wrote.
 */
async function collect(results: string, found: Found): Promise<boolean> {
  let done = false;
  for (const line of await readResults(results)) {
    if (line.kind === 'document') found.pageCount = line.pageCount;
    else if (line.kind === 'text') found.texts.set(line.page, line);
    else if (line.kind === 'words') found.words.set(line.page, line.words);
    else if (line.kind === 'image') found.images.set(line.page, line);
    else if (line.kind === 'failed') found.failed.set(line.page, line.reason);
    else if (line.kind === 'bookmarks') found.bookmarks = line.items;
    else if (line.kind === 'cover') found.cover = coverOfLine(line);
    else if (line.kind === 'refused') throw new RefusedError(line.code, line.detail);
    else done = true;
  }
  return done;
}

/** Returns the cover in a line of results. */
export function coverOfLine({ image, width, height, color, larger }: PreparedCover): PreparedCover {
  return { image, width, height, color, larger: larger ?? [] };
}

async function finish(found: Found, input: RenderInput): Promise<RenderedPages> {
  const { pageCount, cover } = found;
  if (pageCount === 0) throw new RefusedError('render-failed', 'the renderer found no page');
  if (cover === null || found.images.size === 0) throw nothingDrawn(found);
  const pages: PreparedPage[] = [];
  const missing: number[] = [];
  for (let number = 1; number <= pageCount; number++) {
    const text = found.texts.get(number)?.text ?? '';
    const image = found.images.get(number);
    if (image) {
      const { width, height, largeWidth } = image;
      pages.push({ number, width, height, text, image: image.image, largeWidth });
      continue;
    }
    const size = expectedSize(found, number);
    const file = number <= input.previewPages ? join(input.workDir, `page-${number}.webp`) : null;
    if (file !== null) {
      await drawPlaceholder(file, size);
      missing.push(number);
    }
    pages.push({ number, ...size, text, image: file });
  }
  const shown = pages.slice(0, input.previewPages).map((page) => page.number);
  const thumbnails = shown.map((number) => found.images.get(number)?.thumbnail ?? null);
  const strip = join(input.workDir, 'strip.webp');
  await writeStrip(thumbnails, strip);
  const hasText = pages.some(({ text }) => /[\p{L}\p{N}]/u.test(text));
  const arePlain = hasText ? [false] : await Promise.all(thumbnails.map(isPlainThumbnail));
  for (const thumbnail of thumbnails) if (thumbnail) await rm(thumbnail, { force: true });
  return {
    pageCount,
    pages,
    cover,
    strip,
    isBlank: missing.length === 0 && arePlain.every(Boolean),
    words: shown.map((number) => found.words.get(number) ?? []),
    bookmarks: found.bookmarks.filter((item) => item.page <= pageCount),
    wide: [...found.texts.values()]
      .map(({ page, wide, head }) => ({ page, wide: wide.slice(0, MAX_WIDE), head }))
      .filter(({ wide, head }) => wide.length + head.length > 0),
    missing,
    unread: pageCount - found.texts.size,
  };
}

function nothingDrawn(found: Found): RefusedError {
  const reasons = [...found.failed.values()];
  if (reasons.includes('timeout')) return new RefusedError('render-timeout');
  if (reasons.includes('memory')) return new RefusedError('render-failed', TOO_MUCH);
  if (reasons.length > 0 && reasons.every((reason) => reason === 'page-size')) return new RefusedError('page-size');
  return new RefusedError(reasons.includes('unreadable') ? 'corrupt' : 'render-failed', 'no page could be drawn');
}

/** Returns the size that the page image has or would have; 16:9 for a page with an extreme aspect ratio. */
function expectedSize(found: Found, number: number): { width: number; height: number } {
  const text = found.texts.get(number);
  if (!text || found.failed.get(number) === 'page-size' || text.widthPt < 1 || text.heightPt < 1)
    return { width: 1280, height: 720 };
  const { width, height } = pageImageSize({ width: text.widthPt, height: text.heightPt });
  return width / height > limits.pageAspect || height / width > limits.pageAspect
    ? { width: 1280, height: 720 }
    : { width, height };
}
