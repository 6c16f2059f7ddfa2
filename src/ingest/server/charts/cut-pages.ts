import { appendFileSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import type { PDFiumDocument } from '@hyzyla/pdfium';
import { DISPLAY_PIXELS } from '../../../charts/rules.ts';
import { ingestLimits as limits } from '../../rules.ts';
import { closePage, drawPixels, isSanePage, openPdf, pageSize } from '../render/pdf-pages.ts';
import { cutOf } from './cut-frame.ts';
import type { CutJob, CutLine, ReportProgress } from '../render/child-jobs.ts';

const QUALITY = 84;
// WebP effort: the next step costs twice the time for five per cent of the size.
const EFFORT = 2;
/** The larger picture is asked for less often: a fifth more bytes for two thirds of the time. */
const ORIGINAL_EFFORT = 0;
/** Width of the drawn page, at which the words of a chart on half a page are legible. */
const PAGE_WIDTH = 1_920;

/**
 * Draws pages of an untrusted deck and cuts its charts out, in the render child. Results are written line by line, so
 * that a hang loses only the pages that follow. `reportProgress` tells the parent which page begins.
 */
export async function cutPages(job: CutJob, reportProgress: ReportProgress): Promise<void> {
  await reportProgress(0, 0);
  const document = await openPdf(readFileSync(job.pdf));
  const pageCount = document.getPageCount();
  if (pageCount !== job.pages) return;
  for (const number of new Set(job.frames.map(({ page }) => page))) {
    await reportProgress(number, pageCount);
    await cutPage(job, document, number);
  }
}

async function cutPage(job: CutJob, document: PDFiumDocument, number: number): Promise<void> {
  const page = document.getPage(number - 1);
  const size = pageSize(page);
  if (size === null) return;
  if (!isSanePage(size)) return closePage(page);
  const scale = Math.min(PAGE_WIDTH / size.width, Math.sqrt(limits.pagePixels / (size.width * size.height)));
  const pixels = { width: Math.round(size.width * scale), height: Math.round(size.height * scale) };
  const { data, width, height } = drawPixels(page, pixels);
  for (const { page: at, frame, index } of job.frames) {
    const cut = at === number ? cutOf(frame, { width, height }) : null;
    if (!cut) continue;
    const whole = () => sharp(data, { raw: { width, height, channels: 3 } }).extract(cut);
    const original = `${job.outDir}/chart-${index}-original.webp`;
    const large = await whole().webp({ quality: QUALITY, effort: ORIGINAL_EFFORT }).toFile(original);
    const isSmall = Math.max(large.width, large.height) <= DISPLAY_PIXELS;
    const display = isSmall ? original : `${job.outDir}/chart-${index}.webp`;
    const made = isSmall
      ? large
      : await whole()
          .resize({ width: DISPLAY_PIXELS, height: DISPLAY_PIXELS, fit: 'inside' })
          .webp({ quality: QUALITY, effort: EFFORT })
          .toFile(display);
    const line: CutLine = { index, display, original, width: made.width, height: made.height };
    appendFileSync(job.results, `${JSON.stringify(line)}\n`);
  }
}
