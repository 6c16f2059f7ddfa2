import { z } from 'zod';
import type { Ctx } from '../../../context.ts';
import { defineJob } from '../../../platform/jobs/jobs.ts';

/** Draws the pages of an uploaded file that has passed the checks. */
export const prepareUploadJob = defineJob({
  name: 'groups-prepare-upload',
  payload: z.object({ uploadId: z.number().int().positive() }),
  maxAttempts: 3,
  // The job mostly waits for the pool of ingest, which limits how many converters run.
  concurrencyPerWorker: 4,
  load: async () => {
    const { prepareUpload } = await import('./prepare-upload.ts');
    return (ctx: Ctx, { uploadId }: { uploadId: number }, attempt) => prepareUpload(ctx, uploadId, attempt);
  },
});

/** Removes the bytes of uploads whose rows were removed in a transaction, where no file may be touched. */
export const removeUploadFilesJob = defineJob({
  name: 'groups-remove-upload-files',
  payload: z.object({ keys: z.array(z.string()) }),
  maxAttempts: 5,
  load: async () => {
    const { removeUploadFiles } = await import('./upload-files.ts');
    return async (ctx: Ctx, { keys }: { keys: string[] }) => {
      for (const key of keys) await removeUploadFiles(ctx, key);
    };
  },
});

/** Removes what was begun and never finished, and bytes that no row needs. */
const sweepUploadsJob = defineJob({
  name: 'groups-sweep-uploads',
  payload: z.object({}),
  maxAttempts: 2,
  load: async () => {
    const { sweepUploads } = await import('./sweep-uploads.ts');
    return async (ctx: Ctx) => {
      const sweep = await sweepUploads(ctx);
      if (sweep.unfinished + sweep.orphans + sweep.checked > 0)
        ctx.log.info(sweep, 'abandoned uploads and files that no upload needs were deleted');
    };
  },
});

export const groupJobs = [prepareUploadJob, removeUploadFilesJob, sweepUploadsJob];

/** Each hour at minute 41. */
export const GROUPS_CRON = `41 * * * * ${sweepUploadsJob.name}`;
