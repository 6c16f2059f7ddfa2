import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { defineJob } from '../../platform/jobs/jobs.ts';

/** Every night: what nobody can log in with any more goes. */
export const sweepSessionsJob = defineJob({
  name: 'accounts-sweep-sessions',
  payload: z.unknown(),
  maxAttempts: 3,
  load: async () => {
    const { sweepSessions } = await import('./sweep-sessions.ts');
    return async (ctx: Ctx) => {
      const removed = await sweepSessions(ctx);
      ctx.log.info({ removed }, 'old sessions removed');
    };
  },
});

export const accountsJobs = [sweepSessionsJob];
/** 04:17 Shanghai time, in the UTC of the queue. */
export const ACCOUNTS_CRON = `17 20 * * * ${sweepSessionsJob.name}`;
