import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PDFiumDocument, PDFiumPage } from '@hyzyla/pdfium';
import { RefusedError } from '../../refusals.ts';
import { ingestLimits as limits } from '../../rules.ts';
import type { PagesJob, PagesLine, ReportProgress } from './child-jobs.ts';
import { drawBothSizes, drawForCover } from './draw-document.ts';
import {
  fitPage,
  pictureOf,
  writeLargeCover,
  writeLargePageImage,
  writePageImage,
  type Picture,
} from './page-image.ts';
import { closePage, drawPixels, isSanePage, openPdf, pageSize, wordsOf } from './pdf-pages.ts';

/** Twice the width of a thumbnail in the reader, in pixels. */
const THUMBNAIL_WIDTH = 240;
/** A reader waits for these images; the next effort takes twice the time for a seventh of the bytes. */
const EFFORT = 0;

/** Draws single pages in the render child. Each page is written to the results at once. */
export async function drawPages(job: PagesJob, reportProgress: ReportProgress): Promise<void> {
  const tell = (line: PagesLine) => appendFileSync(job.results, `${JSON.stringify(line)}\n`);
  await reportProgress(0, 0);
  try {
    const document = await openPdf(readFileSync(job.pdf));
    const pageCount = document.getPageCount();
    for (const number of job.pages) {
      await reportProgress(number, pageCount);
      tell(number > pageCount ? { kind: 'failed', page: number } : await drawOne(job, document, number));
    }
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    tell({ kind: 'refused', code: error.code, detail: error.detail });
  }
}

async function drawOne(job: PagesJob, document: PDFiumDocument, number: number): Promise<PagesLine> {
  const page = document.getPage(number - 1);
  const size = pageSize(page);
  if (size === null) return { kind: 'failed', page: number };
  if (!isSanePage(size)) {
    closePage(page);
    return { kind: 'failed', page: number };
  }
  const file = (name: string) => join(job.outDir, `${name}-${number}.webp`);
  if (job.size === 'thumbnail') {
    const small = pictureOf(drawPixels(page, fitPage(size, THUMBNAIL_WIDTH, limits.pagePixels)));
    return { kind: 'thumbnail', page: number, thumbnail: await writePageImage(small, file('thumbnail'), EFFORT) };
  }
  if (job.size === 'cover') {
    const cover = file('cover');
    await writeLargeCover(await drawForCover(page, size, job.drawn[String(number)]), cover);
    return { kind: 'cover', page: number, cover };
  }
  const words = wordsIn(page);
  const { full, picture, normalSize, fullSize, largeSize } = await drawBothSizes(
    page,
    size,
    job.drawn[String(number)],
    {
      maxWidth: job.size === 'large' ? limits.largePageWidth : 0,
    },
  );
  return {
    kind: 'page',
    page: number,
    words,
    thumbnail: await writePageImage(scaledDown(picture), file('thumbnail'), EFFORT),
    normal: await writePageImage(picture, file('page'), EFFORT, job.mark),
    large:
      fullSize === normalSize
        ? null
        : await writeLargePageImage(full, file('large'), fullSize.width / normalSize.width, job.mark),
    largeWidth: largeSize?.width ?? 0,
  };
}

const scaledDown = (picture: Picture) => () => picture().resize({ width: THUMBNAIL_WIDTH, kernel: 'linear' });

/** Returns the words of a page; none when their positions cannot be read. */
function wordsIn(page: PDFiumPage) {
  try {
    return wordsOf(page);
  } catch {
    return [];
  }
}
