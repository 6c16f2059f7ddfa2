import { accountRegistered, phoneBound } from '../../accounts/server/job-notices.ts';
import type { Ctx } from '../../context.ts';
import { defineJob } from '../../platform/jobs/jobs.ts';

/** Handles the job that accounts enqueue for an account that was created by an invite link. */
const bindInviteJob = defineJob({
  ...accountRegistered,
  load: async () => {
    const { bindInvite } = await import('./invites.ts');
    return (ctx: Ctx, payload) => bindInvite(ctx, payload);
  },
});

/** Handles the job that accounts enqueue when an account has its first phone. */
const rewardInviterJob = defineJob({
  ...phoneBound,
  load: async () => {
    const { rewardInviter } = await import('./invites.ts');
    return (ctx: Ctx, { userId }) => rewardInviter(ctx, userId);
  },
});

export const inviteJobs = [bindInviteJob, rewardInviterJob];
