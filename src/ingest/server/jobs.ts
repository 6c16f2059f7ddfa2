import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { defineJob } from '../../platform/jobs/jobs.ts';
import { countWordsJob, describeMissingJob } from './about/jobs.ts';

/** Makes previews, text and cover of one stored file, then publishes the documents that wait for it. */
export const prepareFileJob = defineJob({
  name: 'ingest-prepare-file',
  payload: z.object({ fileId: z.number().int().positive() }),
  maxAttempts: 3,
  // Most of its time it waits for its turn in the pool; the more wait there, the fuller LibreOffice's batches.
  inHand: 8,
  load: async () => {
    const { prepareStoredFile } = await import('./prepare-stored-file.ts');
    return (ctx: Ctx, payload: { fileId: number }, attempt) => prepareStoredFile(ctx, payload.fileId, attempt);
  },
});

export const ingestJobs = [prepareFileJob, describeMissingJob, countWordsJob];
