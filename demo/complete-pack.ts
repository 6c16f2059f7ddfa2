import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../src/context.ts';
import { completeFile } from '../src/ingest/server/steps/complete-file.ts';
import { createIngestPool } from '../src/ingest/server/convert/converter-pool.ts';
import { prepareFileJob } from '../src/ingest/server/steps/jobs.ts';
import { isDatabaseAway } from '../src/platform/db/client.ts';
import { filesLeft } from './jobs.ts';
import { PACK } from './load-pack.ts';

/** How long to wait after the start, so that the first visitors get the whole machine. */
const AFTER_UPTIME_SECONDS = 60;
const LOOK_MS = 2_000;
/** Decks prepared at once; LibreOffice converts as many in one batch. */
const AT_ONCE = 6;

/**
 * Prepares the files of the demo library by ingest, which adds what the pack leaves out: sharp pages, thumbnails,
 * selectable words, charts with pictures. Files that an operator ingests have priority. Without LibreOffice only PDFs
 * are prepared. Decks whose fonts this machine lacks keep the images of the pack. Returns the number of files. May be
 * interrupted and started again.
 */
export async function completeDemo(
  ctx: Ctx,
  options: { signal?: AbortSignal | undefined; folder?: string; afterUptimeSeconds?: number } = {},
): Promise<number> {
  const { signal, folder = PACK, afterUptimeSeconds = AFTER_UPTIME_SECONDS } = options;
  const pool = createIngestPool(1);
  const startedAt = Date.now();
  const left = await filesLeft(ctx, folder);
  let done = 0;
  for (let at = 0; at < left.length; at += AT_ONCE) {
    await untilCalm(ctx, afterUptimeSeconds, signal);
    const some = left.slice(at, at + AT_ONCE);
    const ends = await Promise.allSettled(some.map((fileId) => completeFile(ctx, fileId, { pool, signal })));
    signal?.throwIfAborted();
    for (const [index, end] of ends.entries()) {
      if (end.status === 'fulfilled') done++;
      else if (isDatabaseAway(end.reason)) throw end.reason;
      // The reason is recorded with the file; the others continue.
      else ctx.log.warn({ fileId: some[index], error: end.reason }, 'a demo file was not completed');
    }
  }
  ctx.log.info({ files: done, seconds: Math.round((Date.now() - startedAt) / 1_000) }, 'demo library completed');
  return done;
}

async function untilCalm(ctx: Ctx, afterUptimeSeconds: number, signal: AbortSignal | undefined): Promise<void> {
  for (;;) {
    signal?.throwIfAborted();
    const isEarly = process.uptime() < afterUptimeSeconds;
    if (!isEarly && (await ctx.jobs.countOpen([prepareFileJob.name])) === 0) return;
    await sleep(LOOK_MS, undefined, signal && { signal });
  }
}
