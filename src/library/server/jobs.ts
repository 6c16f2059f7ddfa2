import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { defineJob } from '../../platform/jobs/jobs.ts';
import { planFactsJobs } from './plan-facts.ts';

/** How much one night reads: a library of 200 GB is verified in three weeks. */
const MAX_BYTES_PER_NIGHT = 10 * 1024 ** 3;

/** Verifies originals each night, so that the operator notices a failing disk before a customer does. */
export const verifyOriginalsJob = defineJob({
  name: 'verify-originals',
  payload: z.unknown(),
  maxAttempts: 3,
  isLong: true,
  load: async () => {
    const { verifyOriginals } = await import('./originals.ts');
    return async (ctx: Ctx, _payload, { signal }) => {
      const { checked, bytes, lost } = await verifyOriginals(ctx, {
        maxBytes: MAX_BYTES_PER_NIGHT,
        isGentle: true,
        signal,
      });
      ctx.log.info({ checked, bytes, lost: lost.length }, 'originals verified');
    };
  },
});

export const libraryJobs = [verifyOriginalsJob, ...planFactsJobs];
/** 03:20 in Shanghai; cron runs in UTC. */
export const LIBRARY_CRON = `20 19 * * * ${verifyOriginalsJob.name}`;
