/**
 * The program that reads and draws untrusted files in a child process, one job after the other. It may hang or die at any page: results
 * are on disk line by line, and the parent (`render/renderer-slot.ts`) watches the time.
 */
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { cutPages } from './charts/cut-pages.ts';
import { findFigures } from './charts/pdf-figures.ts';
import { readDeck } from './charts/read-deck.ts';
import type { ChildIdle, ChildJob, ChildProgress } from './render/child-jobs.ts';
import { drawJob } from './render/draw-document.ts';
import { fixDates } from './convert/fix-dates.ts';
import { drawPages } from './render/draw-pages.ts';

sharp.concurrency(1);
sharp.cache(false);

function reportProgress(page: number, pageCount: number): Promise<void> {
  return new Promise((resolve) => {
    if (!process.send) return resolve();
    process.send({ page, pageCount } satisfies ChildProgress, () => resolve());
  });
}

function doJob(job: ChildJob): Promise<void> {
  switch (job.kind) {
    case 'render':
      return drawJob(job, reportProgress);
    case 'draw-pages':
      return drawPages(job, reportProgress);
    case 'cut-charts':
      return cutPages(job, reportProgress);
    case 'find-figures':
      return findFigures(job, reportProgress);
    case 'read-deck':
      return readDeck(job, reportProgress);
    case 'fix-dates':
      return fixDates(job, reportProgress);
  }
}

process.on('disconnect', () => process.exit(0));
process.on('message', (message) => {
  // Only the parent has the other end of the channel.
  const { jobFile } = message as { jobFile: string };
  const job = JSON.parse(readFileSync(jobFile, 'utf8')) as ChildJob;
  void doJob(job).then(
    () => process.send?.({ residentBytes: process.memoryUsage.rss() } satisfies ChildIdle),
    // The memory of PDFium may be damaged, or the disk full: the parent sees that the child died and starts another.
    () => process.exit(1),
  );
});
