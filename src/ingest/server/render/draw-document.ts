import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { PDFiumDocument, PDFiumPage } from '@hyzyla/pdfium';
import { headOf } from '../../page-head.ts';
import { cleanPage, PROSE_CHARS, type HeadLine } from '../../page-text.ts';
import { hasLetterSpacedLatin } from '../../letter-spacing.ts';
import { RefusedError } from '../../refusals.ts';
import { ingestLimits as limits } from '../../rules.ts';
import type { RenderJob, RenderLine, ReportProgress } from './child-jobs.ts';
import {
  largeCoverSize,
  largePageSize,
  pageImageSize,
  pictureOf,
  scalePicture,
  writeCover,
  writePageImage,
  writeThumbnail,
  type Picture,
} from './page-image.ts';
import type { WordBox } from '../../word-boxes.ts';
import {
  bookmarksOf,
  closePage,
  drawPixels,
  isEncrypted,
  isSanePage,
  openPdf,
  pageSize,
  wordsOf,
} from './pdf-pages.ts';
import { sourceWidthOf } from './pdf-source-width.ts';

type Work = { job: RenderJob; needCover: boolean; reportProgress: ReportProgress };

function tell({ job }: Work, line: RenderLine): void {
  appendFileSync(job.results, `${JSON.stringify(line)}\n`);
}

async function cover(work: Work, picture: Picture, page: Parameters<typeof writeCover>[3]): Promise<void> {
  const made = await writeCover(picture, work.job.outDir, work.job.effort, page);
  work.needCover = false;
  tell(work, { kind: 'cover', ...made });
}

async function drawPage(work: Work, document: PDFiumDocument, number: number): Promise<void> {
  const { job } = work;
  const page = document.getPage(number - 1);
  const size = pageSize(page);
  if (size === null) return tell(work, { kind: 'failed', page: number, reason: 'unreadable' });
  // Text comes first because drawing closes the page.
  let clean = cleanPage('');
  let head: HeadLine[] = [];
  let words: WordBox[] | null = null;
  try {
    const raw = page.getText();
    if (hasLetterSpacedLatin(raw) || raw.length <= PROSE_CHARS) words = wordsOf(page);
    clean = cleanPage(raw, hasLetterSpacedLatin(raw) ? (words ?? []).map(([word]) => word) : []);
    head = headOf(words ?? []);
  } catch {
    // A page may have no text layer.
  }
  tell(work, { kind: 'text', page: number, ...clean, head, widthPt: size.width, heightPt: size.height });
  if (number > job.previewPages) return closePage(page);
  try {
    tell(work, { kind: 'words', page: number, words: words ?? wordsOf(page) });
  } catch {
    // A page whose words have no positions is shown without selectable text.
  }
  if (!isSanePage(size)) {
    closePage(page);
    return tell(work, { kind: 'failed', page: number, reason: 'page-size' });
  }
  const drawn = job.drawn[String(number)];
  const sourceWidth = drawn ? Infinity : sourceWidthOf(page, size);
  const picture = await drawAt(page, drawn, pageImageSize(size));
  const thumbnail = join(job.outDir, `thumbnail-${number}.rgb`);
  await writeThumbnail(picture, thumbnail);
  const made = await writePageImage(picture, join(job.outDir, `page-${number}.webp`), job.effort, job.mark);
  const largeWidth = largePageSize(size, sourceWidth)?.width ?? 0;
  tell(work, { kind: 'image', page: number, thumbnail, ...made, largeWidth });
  if (work.needCover)
    await cover(work, picture, { sourceWidth, hasLargest: largeCoverSize(size, sourceWidth) !== null });
}

/**
 * Draws a page once, as large as it is needed, and scales it down: drawing costs more than scaling. `drawn` is the page as
 * poppler drew it, if it did. `full` is at most `maxWidth` pixels wide, `picture` has the normal size; they are the same when
 * `full` would be hardly larger. `largeSize` is the size of the large image that the page may have. Closes the page.
 */
export async function drawBothSizes(
  page: PDFiumPage,
  size: { width: number; height: number },
  drawn: string | undefined,
  { maxWidth }: { maxWidth: number },
) {
  const normalSize = pageImageSize(size);
  const sourceWidth = drawn ? Infinity : sourceWidthOf(page, size);
  const largeSize = largePageSize(size, sourceWidth);
  const fullSize = largePageSize(size, Math.min(sourceWidth, maxWidth)) ?? normalSize;
  const full = await drawAt(page, drawn, fullSize);
  const picture = fullSize === normalSize ? full : pictureOf(await scalePicture(full, normalSize));
  return { full, picture, fullSize, normalSize, largeSize, sourceWidth };
}

/** Draws a page for its largest cover. Closes the page. `drawn` is as in drawBothSizes. */
export function drawForCover(
  page: PDFiumPage,
  size: { width: number; height: number },
  drawn: string | undefined,
): Promise<Picture> {
  const sourceWidth = drawn ? Infinity : sourceWidthOf(page, size);
  return drawAt(page, drawn, largeCoverSize(size, sourceWidth) ?? pageImageSize(size));
}

/**
 * Draws a page at a size in pixels and closes it. `drawn` is as in drawBothSizes; PDFium draws the page when that picture cannot be read,
 * as one that poppler could not finish in time.
 */
async function drawAt(
  page: PDFiumPage,
  drawn: string | undefined,
  size: { width: number; height: number },
): Promise<Picture> {
  const scaled = drawn ? await scalePicture(readDrawn(drawn), size).catch(() => null) : null;
  if (scaled === null) return pictureOf(drawPixels(page, size));
  closePage(page);
  return pictureOf(scaled);
}

/** Returns the image of a page that poppler has drawn. */
function readDrawn(file: string): Picture {
  return () =>
    sharp(file, { limitInputPixels: limits.pagePixels * 8 })
      .toColourspace('srgb')
      .removeAlpha();
}

async function drawDocument(work: Work, path: string): Promise<void> {
  const { job, reportProgress } = work;
  await reportProgress(0, 0);
  const document = await openPdf(readFileSync(path));
  const pageCount = document.getPageCount();
  tell(work, { kind: 'document', pageCount, isEncrypted: isEncrypted(document) });
  for (let number = job.firstPage; number <= pageCount; number++) {
    await reportProgress(number, pageCount);
    try {
      await drawPage(work, document, number);
    } catch (error) {
      tell(work, { kind: 'failed', page: number, reason: 'unreadable' });
      // After a trap the memory of PDFium is damaged. The parent starts a new child at the next page.
      if (error instanceof WebAssembly.RuntimeError) process.exit(1);
    }
  }
  if (!job.needBookmarks) return;
  try {
    tell(work, { kind: 'bookmarks', items: bookmarksOf(document) });
  } catch {
    // A broken outline must not cost the pages, so the bookmarks are read last.
  }
}

/**
 * Reads and draws a document page by page, in the render child. Each finding is appended to the results file at once, so that a page
 * which kills the child costs that page only.
 */
export async function drawJob(job: RenderJob, reportProgress: ReportProgress): Promise<void> {
  const work: Work = { job, needCover: job.needCover, reportProgress };
  const { picture } = job;
  try {
    if (job.pdf !== null) await drawDocument(work, job.pdf);
    else if (picture !== null)
      await cover(
        work,
        () => sharp(picture, { limitInputPixels: 40_000_000 }).flatten({ background: '#ffffff' }),
        null,
      );
    tell(work, { kind: 'done' });
  } catch (error) {
    const refusal =
      error instanceof RefusedError ? error : new RefusedError('render-failed', String(error).slice(0, 160));
    tell(work, { kind: 'refused', code: refusal.code, detail: refusal.detail });
  }
}
