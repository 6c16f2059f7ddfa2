import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { defineJob } from '../../platform/jobs/jobs.ts';

/** What one night reads. A library of 200 GB is thus looked through in three weeks. */
const MAX_BYTES_A_NIGHT = 10 * 1024 ** 3;

/** Each night: originals are compared with what was taken in, so that a failing disk is noticed before a customer is. */
export const verifyOriginalsJob = defineJob({
  name: 'verify-originals',
  payload: z.unknown(),
  maxAttempts: 3,
  isLong: true,
  load: async () => {
    const { verifyOriginals } = await import('./originals.ts');
    return async (ctx: Ctx, _payload, { signal }) => {
      const { checked, bytes, lost } = await verifyOriginals(ctx, {
        maxBytes: MAX_BYTES_A_NIGHT,
        isGentle: true,
        signal,
      });
      ctx.log.info({ checked, bytes, lost: lost.length }, 'originals verified');
    };
  },
});

export const libraryJobs = [verifyOriginalsJob];
/** 03:20 in Shanghai; the clock of jobs is UTC. */
export const LIBRARY_CRON = `20 19 * * * ${verifyOriginalsJob.name}`;
