/**
 * The program that reads and draws strangers' pages, one document after the other. It runs alone in a process that may hang or
 * die at any page: what it has found is on disk line by line, and its parent (`run-render-child.ts`) counts the seconds.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { PDFiumDocument } from '@hyzyla/pdfium';
import { headOf } from '../page-head.ts';
import { cleanPage, PROSE_CHARS, type HeadLine } from '../page-text.ts';
import { hasSpreadLatin } from '../spread-letters.ts';
import { RefusedError } from '../refusals.ts';
import { ingestLimits as limits } from '../rules.ts';
import type { CutJob } from './deck-charts/cut-charts.ts';
import { cutPages } from './deck-charts/cut-pages.ts';
import type { FigureJob } from './deck-charts/extract-pdf-charts.ts';
import { findFigures } from './deck-charts/pdf-figures.ts';
import {
  largePageSize,
  pageImageSize,
  pictureOf,
  scalePicture,
  writeCover,
  writeLargePageImage,
  writePageImage,
  writeThumbnail,
  type Picture,
} from './page-image.ts';
import { bookmarksOf, closePage, drawPixels, isSanePage, openPdf, pageSize, wordsOf } from './pdf-pages.ts';
import { sourceWidthOf } from './pdf-source-width.ts';
import { readDeckApart, type ReadJob } from './read-apart.ts';
import type { RenderBeat, RenderJob, RenderLine, RenderRest } from './render-job.ts';

sharp.concurrency(1);
sharp.cache(false);

type Work = { job: RenderJob; needCover: boolean };

function tell({ job }: Work, line: RenderLine): void {
  appendFileSync(job.results, `${JSON.stringify(line)}\n`);
}

/** Resolves when the parent has it: once drawing starts, nothing is sent any more. */
function beat(page: number, pageCount: number): Promise<void> {
  return new Promise((resolve) => {
    if (!process.send) return resolve();
    process.send({ page, pageCount } satisfies RenderBeat, () => resolve());
  });
}

async function cover(work: Work, picture: Picture, sourceWidth = Infinity): Promise<void> {
  const made = await writeCover(picture, work.job.outDir, work.job.effort, sourceWidth);
  work.needCover = false;
  tell(work, { kind: 'cover', ...made });
}

async function drawPage(work: Work, document: PDFiumDocument, number: number): Promise<void> {
  const { job } = work;
  const page = document.getPage(number - 1);
  const size = pageSize(page);
  if (size === null) return tell(work, { kind: 'failed', page: number, reason: 'unreadable' });
  // Text first: drawing closes the page.
  let clean = cleanPage('');
  let head: HeadLine[] = [];
  try {
    const raw = page.getText();
    const words = hasSpreadLatin(raw) || raw.length <= PROSE_CHARS ? wordsOf(page) : [];
    clean = cleanPage(raw, hasSpreadLatin(raw) ? words.map(([word]) => word) : []);
    head = headOf(words);
  } catch {
    // A page without a text layer is a page all the same.
  }
  tell(work, { kind: 'text', page: number, ...clean, head, widthPt: size.width, heightPt: size.height });
  if (number > job.previewPages) return closePage(page);
  try {
    tell(work, { kind: 'words', page: number, words: wordsOf(page) });
  } catch {
    // Nor does one need to be selectable to be seen.
  }
  if (!isSanePage(size)) {
    closePage(page);
    return tell(work, { kind: 'failed', page: number, reason: 'page-size' });
  }
  const drawn = job.drawn[String(number)];
  const normalSize = pageImageSize(size);
  const sourceWidth = drawn ? Infinity : sourceWidthOf(page, size);
  const largeSize = job.isLarge ? largePageSize(size, sourceWidth) : null;
  let full: Picture;
  if (drawn) {
    closePage(page);
    full = pictureOf(await scalePicture(readDrawn(drawn), largeSize ?? normalSize));
  } else full = pictureOf(drawPixels(page, largeSize ?? normalSize));
  // Drawn once and scaled down: drawing is dearer than scaling.
  const picture = largeSize ? pictureOf(await scalePicture(full, normalSize)) : full;
  const thumbnail = join(job.outDir, `thumbnail-${number}.rgb`);
  await writeThumbnail(picture, thumbnail);
  const made = await writePageImage(picture, join(job.outDir, `page-${number}.webp`), job.effort, job.mark);
  const large = largeSize && {
    scale: largeSize.width / normalSize.width,
    file: join(job.outDir, `page-${number}-2x.webp`),
  };
  tell(work, {
    kind: 'image',
    page: number,
    thumbnail,
    ...made,
    large: large && (await writeLargePageImage(full, large.file, large.scale, job.mark)),
  });
  if (work.needCover) await cover(work, full, sourceWidth);
}

/** A page that poppler has drawn. Its width was asked for, its height is the page's own. */
function readDrawn(file: string): Picture {
  return () =>
    sharp(file, { limitInputPixels: limits.pagePixels * 8 })
      .toColourspace('srgb')
      .removeAlpha();
}

async function drawDocument(work: Work, path: string): Promise<void> {
  const { job } = work;
  await beat(0, 0);
  const document = await openPdf(readFileSync(path));
  const pageCount = document.getPageCount();
  tell(work, { kind: 'document', pageCount });
  for (let number = job.firstPage; number <= pageCount; number++) {
    await beat(number, pageCount);
    try {
      await drawPage(work, document, number);
    } catch (error) {
      tell(work, { kind: 'failed', page: number, reason: 'unreadable' });
      // A trap leaves the renderer's memory in pieces: our parent starts afresh at the next page.
      if (error instanceof WebAssembly.RuntimeError) process.exit(1);
    }
  }
  if (!job.needBookmarks) return;
  try {
    tell(work, { kind: 'bookmarks', items: bookmarksOf(document) });
  } catch {
    // Last, and of no account: a broken outline must not cost the pages.
  }
}

async function doJob(job: RenderJob): Promise<void> {
  const work: Work = { job, needCover: job.needCover };
  const { picture } = job;
  try {
    if (job.pdf !== null) await drawDocument(work, job.pdf);
    else if (picture !== null)
      await cover(work, () => sharp(picture, { limitInputPixels: 40_000_000 }).flatten({ background: '#ffffff' }));
    tell(work, { kind: 'done' });
  } catch (error) {
    const refusal =
      error instanceof RefusedError ? error : new RefusedError('render-failed', String(error).slice(0, 160));
    tell(work, { kind: 'refused', code: refusal.code, detail: refusal.detail });
  }
}

function doAny(job: RenderJob | CutJob | FigureJob | ReadJob): Promise<void> {
  if ('read' in job) return readDeckApart(job, beat);
  if ('frames' in job) return cutPages(job, beat);
  return 'figures' in job ? findFigures(job, beat) : doJob(job);
}

process.on('disconnect', () => process.exit(0));
process.on('message', (message) => {
  // Only our parent has the other end of the channel.
  const { jobFile } = message as { jobFile: string };
  const job = JSON.parse(readFileSync(jobFile, 'utf8')) as RenderJob | CutJob | FigureJob | ReadJob;
  void doAny(job).then(
    () => process.send?.({ restingBytes: process.memoryUsage.rss() } satisfies RenderRest),
    // The renderer's memory may be in pieces, or the disk full: the parent sees a child that died and starts another.
    () => process.exit(1),
  );
});
