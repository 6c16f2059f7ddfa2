import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../../../context.ts';
import { createProgress } from '../../../platform/progress.ts';
import { retryWhileDatabaseAway } from '../../../platform/db/retry-database.ts';
import { findDiskShortage, DiskFullError, NO_DISK_SPACE } from '../source/disk-space.ts';
import {
  updateBatchFinished,
  countItems,
  updateItemsFailed,
  hasOpenItemForOtherReason,
  selectItemsWithoutJob,
} from '../store/items.ts';
import { countOpenItemsOfBatch } from '../store/batches.ts';
import { watchIngest } from './watch-ingest.ts';

const MANY = 5_000;
/** How many rounds pass between searches for abandoned jobs, which are slow for 100,000 files. */
const roundsBetweenSearches = (total: number) => (total > MANY ? 30 : 5);
const MIN_WAIT_MS = 100;
/** Largest share of the time spent on counting, which takes longer for large batches. */
const COUNTING_SHARE = 0.05;
const maxWaitMs = (total: number) => (total > MANY ? 5_000 : 500);

/**
 * Waits until every file of the batch has a result, or until the signal. Files may be prepared by any process. A file
 * without a job and without a result is marked as failed. Returns the reason when waiting is useless: a disk is full.
 */
export async function waitForBatch(
  ctx: Ctx,
  batchId: number,
  signal: AbortSignal,
  isWatched: boolean,
): Promise<DiskFullError | null> {
  const over = new AbortController();
  const watching = isWatched
    ? retryWhileDatabaseAway(() => watchIngest(ctx, batchId, AbortSignal.any([signal, over.signal])))
    : null;
  // The promise is awaited at the end: a rejection before that must not end the process.
  watching?.catch(() => {});
  const progress = isWatched ? null : createProgress('preparing');
  let pause: DiskFullError | null = null;
  let suspected = new Set<number>();
  const counts = await retryWhileDatabaseAway(() => countItems(ctx.db, batchId));
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  try {
    for (let look = 1; !signal.aborted && !pause; look++) {
      const begunAt = performance.now();
      const open = await retryWhileDatabaseAway(() => countOpenItemsOfBatch(ctx.db, batchId));
      progress?.update(total - open, total);
      if (open === 0) break;
      if (look % roundsBetweenSearches(total) === 0)
        suspected = await retryWhileDatabaseAway(() => failAbandoned(ctx, batchId, suspected));
      pause = await retryWhileDatabaseAway(() => findDiskFull(ctx, batchId));
      const taken = performance.now() - begunAt;
      const wait = Math.min(maxWaitMs(total), Math.max(MIN_WAIT_MS, taken / COUNTING_SHARE));
      await sleep(wait, undefined, { signal }).catch(() => {});
    }
  } finally {
    over.abort();
  }
  await watching;
  progress?.end();
  if (!signal.aborted && !pause) await retryWhileDatabaseAway(() => updateBatchFinished(ctx.db, batchId));
  return pause;
}

/**
 * Marks items without a job as failed when two searches have found them: a job that is rescheduled is out of the queue
 * for a moment.
 */
async function failAbandoned(ctx: Ctx, batchId: number, suspected: Set<number>): Promise<Set<number>> {
  const abandoned = await selectItemsWithoutJob(ctx.db, batchId);
  await updateItemsFailed(
    ctx.db,
    abandoned.filter((id) => suspected.has(id)),
    {
      reasonCode: 'unexpected',
      message: 'preparation ended without a result; try again with ceku convert --retry-failed',
    },
  );
  return new Set(abandoned);
}

async function findDiskFull(ctx: Ctx, batchId: number): Promise<DiskFullError | null> {
  const shortage = await findDiskShortage(ctx);
  if (shortage !== null) return new DiskFullError(shortage);
  if (await hasOpenItemForOtherReason(ctx.db, batchId, NO_DISK_SPACE)) return null;
  // Every file left needs more disk space than there is. Checks again, because the last file may have ended a moment
  // ago.
  const { queued } = await countItems(ctx.db, batchId);
  return queued > 0 ? new DiskFullError('the remaining files are too large for it') : null;
}
