import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { defineJob } from '../../platform/jobs/jobs.ts';

/** Recomputes the ranking every hour. */
const updateRankingJob = defineJob({
  name: 'ranking-update',
  payload: z.unknown(),
  maxAttempts: 3,
  load: async () => {
    const { updateRanking } = await import('./ranking.ts');
    return async (ctx: Ctx, _payload, { signal }) => {
      const { moved } = await updateRanking(ctx, signal);
      ctx.log.info({ moved }, 'ranking updated');
    };
  },
});

export const rankingJobs = [updateRankingJob];
export const RANKING_CRON = `7 * * * * ${updateRankingJob.name}`;
