import { type Ctx, transact, type TransactionCtx } from '../../../context.ts';
import type { FileState } from '../../../library/server/tables.ts';
import { refusalReasons } from '../../refusals.ts';
import { IMAGES_VERSION } from '../../rules.ts';
import { isDescriptionMissing } from '../about/is-description-missing.ts';
import { describeMissingJob } from '../about/jobs.ts';
import { findConverter } from '../convert/soffice.ts';
import { prepareFileJob, resumeFilesJob } from './jobs.ts';
import { prepareFileKey } from '../store/prepare-job.ts';
import { updateFile, type FileRow } from '../store/files.ts';
import {
  countFailed,
  selectOutdated,
  selectRetriable,
  selectRequeuedFiles,
  type Retriable,
} from '../store/problems.ts';
import { deleteSteps, selectSteps } from '../store/steps.ts';
import { sweepWorkFolders } from '../sandbox/work-folders.ts';

const AT_ONCE = 500;

/** Refusal codes of faults that are in the file itself; trying again is useless. */
const FINAL_CODES = Object.entries(refusalReasons).flatMap(([code, { kind }]) => (kind === 'refused' ? [code] : []));

/** Queues files again that may succeed now, on the request of an operator. Returns the ids of the files. */
export function retryFiles(ctx: Ctx, states: FileState[]): Promise<number[]> {
  return queueAll(ctx, { states, exceptCodes: FINAL_CODES });
}

/** Returns the number of failed files that `retryFiles` never queues. */
export const countHopelessFiles = (ctx: Ctx): Promise<number> => countFailed(ctx.db, FINAL_CODES);

/**
 * Queues the files whose images were drawn with an older version. Returns their ids. Published previews stay until they
 * are replaced.
 */
export async function redrawOutdated(ctx: Ctx): Promise<number[]> {
  const queued: number[] = [];
  for (let afterId = 0; ;) {
    const some = await selectOutdated(ctx.db, IMAGES_VERSION, { afterId, limit: AT_ONCE });
    for (const file of some) await prepareAgain(ctx, file);
    queued.push(...some.map((file) => file.id));
    afterId = some.at(-1)?.id ?? afterId;
    if (some.length < AT_ONCE) return queued;
  }
}

/** Returns files that were queued again by a stopped command or by the site, and are not prepared yet. */
export async function listRequeuedFiles(ctx: Ctx): Promise<number[]> {
  const found: number[] = [];
  for (let afterId = 0; ;) {
    const some = await selectRequeuedFiles(ctx.db, { afterId, limit: AT_ONCE });
    found.push(...some);
    afterId = some.at(-1) ?? afterId;
    if (some.length < AT_ONCE) return found;
  }
}

/**
 * Queues files that lost their job and, with LibreOffice, files that waited for it. Files that failed with LibreOffice
 * are left to an operator. Cheap when there is nothing to do. Returns the ids of the files.
 */
export async function resumeFiles(
  ctx: Ctx,
  options: { hasConverter?: boolean; signal?: AbortSignal | undefined } = {},
): Promise<number[]> {
  const { hasConverter = findConverter() !== null, signal } = options;
  const which = { exceptCodes: FINAL_CODES };
  if (!hasConverter) return queueAll(ctx, { ...which, states: ['waiting'], types: ['pdf', 'pptx'] }, signal);
  const waiting = await queueAll(ctx, { ...which, states: ['waiting'] }, signal);
  return [...waiting, ...(await queueAll(ctx, { ...which, states: ['pending-preview'], isUntried: true }, signal))];
}

async function queueAll(ctx: Ctx, which: Retriable, signal?: AbortSignal): Promise<number[]> {
  const queued: number[] = [];
  for (let afterId = 0; ;) {
    signal?.throwIfAborted();
    const files = await selectRetriable(ctx.db, which, { afterId, limit: AT_ONCE });
    await transact(ctx, async (tx) => {
      for (const file of files) {
        await forgetFailure(tx, file);
        await tx.jobs.add(prepareFileJob, { fileId: file.id }, { key: prepareFileKey(file.id), isKept: true });
      }
    });
    queued.push(...files.map((file) => file.id));
    const last = files.at(-1);
    if (!last) return queued;
    afterId = last.id;
  }
}

/**
 * Queues a file to prepare it again from its original. A published document stays published meanwhile. The page images
 * of a ready-made file are drawn again when this machine has its fonts, or with `redraws`.
 */
export function prepareAgain(ctx: TransactionCtx, file: FileRow, redraws = false): Promise<void> {
  return transact(ctx, async (tx) => {
    await forgetFailure(tx, file);
    const steps = await selectSteps(tx.db, file.id);
    // A ready-made file has no steps before completeFile runs for the first time.
    const stored = steps.find(({ step }) => step === 'store');
    const isReadyMade = stored ? stored.detail['readyMade'] === true : file.state === 'ready';
    await deleteSteps(tx.db, file.id, isReadyMade && !redraws);
    await tx.jobs.add(prepareFileJob, { fileId: file.id }, { key: prepareFileKey(file.id) });
  });
}

/** Removes the recorded failure of a file. Published previews stay until better ones are made. */
function forgetFailure(tx: TransactionCtx, file: Pick<FileRow, 'id' | 'state'>): Promise<void> {
  const state = file.state === 'failed' ? 'waiting' : file.state;
  return updateFile(tx.db, file.id, { state, failureCode: null, failureDetail: null });
}

/**
 * Called at the start of a process that runs jobs: removes the work folders of ended processes and queues a job that
 * looks up unfinished files, of which there may be many.
 */
export async function resumeIngest(ctx: Ctx): Promise<void> {
  await sweepWorkFolders();
  if (await isDescriptionMissing(ctx)) {
    await ctx.jobs.add(describeMissingJob, {}, { key: describeMissingJob.name, priority: 10 });
  }
  await ctx.jobs.add(resumeFilesJob, {}, { key: resumeFilesJob.name });
}
