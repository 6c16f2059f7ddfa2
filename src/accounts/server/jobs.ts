import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { defineJob, type Job } from '../../platform/jobs/jobs.ts';
import { eraseLeftoversJob, exportAccountJob, removeFilesJob } from './job-notices.ts';
import type { PersonalData } from './personal-data.ts';

/** Deletes old sessions every night. */
const sweepSessionsJob = defineJob({
  name: 'accounts-sweep-sessions',
  payload: z.unknown(),
  maxAttempts: 3,
  load: async () => {
    const { sweepSessions } = await import('./sessions.ts');
    return async (ctx: Ctx) => {
      const removed = await sweepSessions(ctx);
      ctx.log.info({ removed }, 'old sessions removed');
    };
  },
});

const sweepPrivacyJob = (parts: PersonalData[]) =>
  defineJob({
    name: 'accounts-sweep-privacy',
    payload: z.unknown(),
    maxAttempts: 3,
    load: async () => {
      const { sweepPrivacy } = await import('./privacy/sweep-privacy.ts');
      return async (ctx: Ctx) => {
        const erased = await sweepPrivacy(ctx, parts);
        if (erased > 0) ctx.log.info({ erased }, 'accounts erased after their cooling-off');
      };
    },
  });

const makeExportJob = (parts: PersonalData[]) =>
  defineJob({
    ...exportAccountJob,
    load: async () => {
      const { makeExport } = await import('./privacy/make-export.ts');
      const { updateExport } = await import('./privacy/store-exports.ts');
      return async (ctx: Ctx, { exportId }, { isLast }) => {
        try {
          await makeExport(ctx, parts, exportId);
        } catch (error) {
          if (isLast) await updateExport(ctx.db, exportId, { state: 'failed' });
          throw error;
        }
      };
    },
  });

const removeFiles = defineJob({
  ...removeFilesJob,
  load:
    async () =>
    async (ctx: Ctx, { keys }) => {
      for (const key of keys) await ctx.files.remove(key);
    },
});

const eraseLeftovers = (parts: PersonalData[]) =>
  defineJob({
    ...eraseLeftoversJob,
    load: async () => {
      const erase = await import('./privacy/delete-account.ts');
      return (ctx: Ctx, { userId }) => erase.eraseLeftovers(ctx, parts, userId);
    },
  });

/** Returns the jobs of this slice. `parts` is what every slice keeps about people. */
export const accountsJobs = (parts: PersonalData[]): Job<Ctx>[] => [
  sweepSessionsJob,
  sweepPrivacyJob(parts),
  makeExportJob(parts),
  eraseLeftovers(parts),
  removeFiles,
];

/** In UTC, as the queue reads it: 04:17 Shanghai time, and every hour. */
export const ACCOUNTS_CRON = ['17 20 * * * accounts-sweep-sessions', '27 * * * * accounts-sweep-privacy'].join('\n');
