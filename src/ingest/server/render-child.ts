/**
 * The program that reads and draws strangers' pages. It runs alone in a process that may hang or die at any page: what it has
 * found is on disk line by line, and its parent (`render-pages.ts`) counts the seconds.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import type { PDFiumDocument } from '@hyzyla/pdfium';
import { cleanText } from '../page-text.ts';
import { RefusedError } from '../refusals.ts';
import { ingestLimits as limits } from '../rules.ts';
import { pageImageSize, writeCover, writePageImage } from './page-image.ts';
import { bookmarksOf, closePage, isSanePage, openPdf, pageSize } from './pdf-pages.ts';
import type { RenderBeat, RenderJob, RenderLine } from './render-job.ts';

sharp.concurrency(1);
sharp.cache(false);

// Written by our parent a moment ago.
const job = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as RenderJob;
let needCover = job.needCover;

function tell(line: RenderLine): void {
  appendFileSync(job.results, `${JSON.stringify(line)}\n`);
}

/** Resolves when the parent has it: once drawing starts, nothing is sent any more. */
function beat(page: number, pageCount: number): Promise<void> {
  return new Promise((resolve) => {
    if (!process.send) return resolve();
    process.send({ page, pageCount } satisfies RenderBeat, () => resolve());
  });
}

async function cover(image: Sharp): Promise<void> {
  const made = await writeCover(image, join(job.outDir, 'cover.webp'), job.effort);
  needCover = false;
  tell({ kind: 'cover', ...made });
}

async function drawPage(document: PDFiumDocument, number: number): Promise<void> {
  const page = document.getPage(number - 1);
  const size = pageSize(page);
  if (size === null) return tell({ kind: 'failed', page: number, reason: 'unreadable' });
  // Text first: drawing closes the page.
  let text = '';
  try {
    text = cleanText(page.getText());
  } catch {
    // A page without a text layer is a page all the same.
  }
  tell({ kind: 'text', page: number, text, widthPt: size.width, heightPt: size.height });
  if (number > job.previewPages) return closePage(page);
  if (!isSanePage(size)) {
    closePage(page);
    return tell({ kind: 'failed', page: number, reason: 'page-size' });
  }
  const drawn = job.drawn[String(number)];
  let image: Sharp;
  if (drawn) {
    closePage(page);
    image = sharp(drawn, { limitInputPixels: limits.pagePixels * 2 }).removeAlpha();
  } else {
    const { data, width, height } = await page.render({ ...pageImageSize(size), render: 'bitmap' });
    image = sharp(data, { raw: { width, height, channels: 4 } }).removeAlpha();
  }
  const file = join(job.outDir, `page-${number}.webp`);
  const made = await writePageImage(image, file, job.effort);
  tell({ kind: 'image', page: number, image: file, ...made });
  if (needCover) await cover(image);
}

async function drawDocument(path: string): Promise<void> {
  await beat(0, 0);
  const document = await openPdf(readFileSync(path));
  const pageCount = document.getPageCount();
  tell({ kind: 'document', pageCount });
  for (let number = job.firstPage; number <= pageCount; number++) {
    await beat(number, pageCount);
    try {
      await drawPage(document, number);
    } catch (error) {
      tell({ kind: 'failed', page: number, reason: 'unreadable' });
      // A trap leaves the renderer's memory in pieces: our parent starts afresh at the next page.
      if (error instanceof WebAssembly.RuntimeError) process.exit(1);
    }
  }
  if (!job.needBookmarks) return;
  try {
    tell({ kind: 'bookmarks', items: bookmarksOf(document) });
  } catch {
    // Last, and of no account: a broken outline must not cost the pages.
  }
}

try {
  if (job.pdf !== null) await drawDocument(job.pdf);
  else if (job.picture !== null)
    await cover(sharp(job.picture, { limitInputPixels: 40_000_000 }).flatten({ background: '#ffffff' }));
  tell({ kind: 'done' });
} catch (error) {
  const refusal =
    error instanceof RefusedError ? error : new RefusedError('render-failed', String(error).slice(0, 160));
  tell({ kind: 'refused', code: refusal.code, detail: refusal.detail });
}
process.exit(0);
