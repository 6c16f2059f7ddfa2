import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { defineJob } from '../../../platform/jobs/jobs.ts';
import { PREPARE_FILE_JOB } from '../store/prepare-job.ts';
import { countWordsJob, describeMissingJob } from '../about/jobs.ts';

/** Prepares previews, text and cover of a stored file, then publishes the documents that wait for the file. */
export const prepareFileJob = defineJob({
  name: PREPARE_FILE_JOB,
  payload: z.object({ fileId: z.number().int().positive() }),
  maxAttempts: 3,
  // A job mostly waits for the pool; with more waiting jobs LibreOffice converts larger batches.
  concurrencyPerWorker: 12,
  load: async () => {
    const { prepareStoredFile } = await import('./prepare-stored-file.ts');
    return (ctx: Ctx, payload: { fileId: number }, attempt) => prepareStoredFile(ctx, payload.fileId, attempt);
  },
});

/** Removes files that broken runs left in the file store and in the temporary folder. */
const sweepOrphansJob = defineJob({
  name: 'ingest-sweep-orphans',
  payload: z.object({}),
  maxAttempts: 2,
  load: async () => {
    const { sweepOrphans } = await import('./sweep-orphans.ts');
    return async (ctx: Ctx) => {
      const sweep = await sweepOrphans(ctx);
      if (sweep.removed + sweep.workFolders > 0) ctx.log.info(sweep, 'orphans of ingest removed');
    };
  },
});

/** Queues files that lost their job or waited for LibreOffice. */
export const resumeFilesJob = defineJob({
  name: 'ingest-resume-files',
  payload: z.object({}),
  maxAttempts: 3,
  load: async () => {
    const { resumeFiles } = await import('./retry-files.ts');
    return async (ctx: Ctx, _payload: object, attempt) => {
      const files = await resumeFiles(ctx, { signal: attempt.signal });
      if (files.length > 0) ctx.log.info({ files: files.length }, 'unfinished files queued again');
    };
  },
});

/** Tries a file again that ran out of time, alone on a quiet machine. */
const retryTimedOutJob = defineJob({
  name: 'ingest-retry-timed-out',
  payload: z.object({}),
  maxAttempts: 3,
  load: async () => {
    const { retryTimedOut } = await import('./retry-timed-out.ts');
    return async (ctx: Ctx) => {
      const fileId = await retryTimedOut(ctx);
      if (fileId !== null) ctx.log.info({ fileId }, 'a file that ran out of time is tried again alone');
    };
  },
});

/** Keeps the pages that were drawn for readers within PAGE_CACHE_MB. */
const evictPagesJob = defineJob({
  name: 'ingest-evict-pages',
  payload: z.object({}),
  maxAttempts: 2,
  load: async () => {
    const { evictDrawnPages } = await import('../pages/drawn-pages.ts');
    return async (ctx: Ctx) => {
      const evicted = await evictDrawnPages(ctx, ctx.config.pageCacheBytes);
      if (evicted.pages > 0) ctx.log.info(evicted, 'pages of readers evicted');
    };
  },
});

export const ingestJobs = [
  prepareFileJob,
  sweepOrphansJob,
  resumeFilesJob,
  evictPagesJob,
  retryTimedOutJob,
  describeMissingJob,
  countWordsJob,
];

/**
 * Times are UTC: the sweep runs at 05:23 in Shanghai; undescribed and unfinished files are looked up every ten minutes, and so is
 * the space that pages of readers take. Files that ran out of time are looked up every two minutes.
 */
export const INGEST_CRON = [
  `23 21 * * * ${sweepOrphansJob.name}`,
  `*/10 * * * * ${describeMissingJob.name}`,
  `*/10 * * * * ${resumeFilesJob.name}`,
  `*/10 * * * * ${evictPagesJob.name}`,
  `*/2 * * * * ${retryTimedOutJob.name}`,
].join('\n');
