import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Ctx } from '../src/context.ts';
import { listReadyMadeFiles } from '../src/ingest/server/steps/ready-made.ts';
import { rowsOf } from '../src/platform/db/client.ts';
import { defineJob } from '../src/platform/jobs/jobs.ts';
import { PACK } from './load-pack.ts';

/** Prepares the files of the pack by ingest, with one child at a time, while no other file waits. */
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

/** Builds the index of search_entries that a large `ceku demo --documents` dropped and did not live to build again. */
export const indexFillJob = defineJob({
  name: 'demo-index',
  payload: z.object({}),
  maxAttempts: 5,
  load: async () => {
    const { buildIndex } = await import('./fill.ts');
    return (ctx: Ctx) => buildIndex(ctx);
  },
});

/**
 * Called at the start of a process that runs jobs, on any node: queues the jobs for what an earlier process has left.
 * Hardly any cost when nothing is.
 */
export async function resumeDemo(ctx: Ctx): Promise<void> {
  const [index] = await rowsOf<{ is_there: boolean }>(
    ctx.db,
    sql`select to_regclass('search_entries_tokens') is not null as is_there`,
  );
  if (!index?.is_there) await ctx.jobs.add(indexFillJob, {}, { key: indexFillJob.name, isKept: true });
  if ((await filesLeft(ctx, PACK)).length === 0) return;
  await ctx.jobs.add(completeDemoJob, {}, { key: completeDemoJob.name, isKept: true, priority: 20 });
}

/**
 * Returns the files of the pack whose steps have not all run, in the order of the manifest; without LibreOffice only
 * PDFs.
 */
export async function filesLeft(ctx: Ctx, folder: string): Promise<number[]> {
  // The name of each folder is the beginning of the SHA-256 of its file.
  const prefixes = await readdir(join(folder, 'previews')).catch(() => []);
  const known = prefixes.filter((prefix) => /^[0-9a-f]{16}$/.test(prefix));
  return known.length === 0 ? [] : listReadyMadeFiles(ctx, known);
}
