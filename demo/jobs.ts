import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Ctx } from '../src/context.ts';
import { findConverter } from '../src/ingest/server/convert/soffice.ts';
import { selectReadyMade } from '../src/ingest/server/store/steps.ts';
import { defineJob } from '../src/platform/jobs/jobs.ts';
import { PACK } from './load-pack.ts';

/** Leads the files of the pack through ingest, one child at a time, while nothing else is to be prepared. */
export const completeDemoJob = defineJob({
  name: 'demo-complete',
  payload: z.object({}),
  maxAttempts: 20,
  isLong: true,
  load: async () => {
    const { completeDemo } = await import('./complete-pack.ts');
    return async (ctx: Ctx, _payload: object, attempt) => void (await completeDemo(ctx, { signal: attempt.signal }));
  },
});

/** At the start of a process that runs jobs: sets out what is left to do, on whichever node. Nearly free when nothing is. */
export async function resumeDemo(ctx: Ctx): Promise<void> {
  if ((await filesLeft(ctx, PACK)).length === 0) return;
  await ctx.jobs.add(completeDemoJob, {}, { key: completeDemoJob.name, isKept: true, priority: 20 });
}

/** Files of the pack that have not gone the way of ingest, in the order of the manifest; without LibreOffice only PDFs. */
export async function filesLeft(ctx: Ctx, folder: string): Promise<number[]> {
  // Each folder is named by the beginning of its file's SHA-256.
  const prefixes = await readdir(join(folder, 'previews')).catch(() => []);
  const known = prefixes.filter((prefix) => /^[0-9a-f]{16}$/.test(prefix));
  return known.length === 0 ? [] : selectReadyMade(ctx.db, known, findConverter() === null);
}
