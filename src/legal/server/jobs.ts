import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { defineJob } from '../../platform/jobs/jobs.ts';

const sweepLegalJob = defineJob({
  name: 'legal-sweep',
  payload: z.object({}),
  maxAttempts: 3,
  load: async () => {
    const { sweepLegal } = await import('./sweep.ts');
    return async (ctx: Ctx) => {
      const swept = await sweepLegal(ctx);
      if (swept.reports + swept.requests > 0) ctx.log.info(swept, 'reports and requests removed after their term');
    };
  },
});

const logWaitingJob = defineJob({
  name: 'legal-waiting',
  payload: z.object({}),
  maxAttempts: 3,
  load: async () => (await import('./waiting.ts')).logWaiting,
});

export const legalJobs = [sweepLegalJob, logWaitingJob];

/** In UTC, as the queue reads it: 04:47 and 09:00 Shanghai time. */
export const LEGAL_CRON = `47 20 * * * ${sweepLegalJob.name}
0 1 * * * ${logWaitingJob.name}`;
