import { transact, type Ctx } from '../../context.ts';
import type { FileState } from '../../library/server/tables.ts';
import { refusalReasons } from '../refusals.ts';
import { isDescriptionMissing } from './about/is-description-missing.ts';
import { describeMissingJob } from './about/jobs.ts';
import { findConverter } from './soffice.ts';
import { prepareFileJob } from './jobs.ts';
import { updateFile, type FileRow } from './store.ts';
import { selectRetriable } from './store-problems.ts';
import { forgetSteps } from './store-steps.ts';
import { sweepWorkFolders } from './work-folders.ts';

const AT_ONCE = 10_000;

/** Queues again what may come out better now; returns the ids of these files. */
export async function retryFiles(ctx: Ctx, states: FileState[]): Promise<number[]> {
  const files = (await selectRetriable(ctx.db, states, AT_ONCE)).filter(mayImprove);
  for (const file of files) await retryFile(ctx, file);
  return files.map(({ id }) => id);
}

export function retryFile(ctx: Ctx, file: FileRow): Promise<void> {
  return transact(ctx, async (tx) => {
    await forgetFailure(tx, file);
    await tx.jobs.add(prepareFileJob, { fileId: file.id }, { key: `prepare-file:${file.id}`, isKept: true });
  });
}

/** Prepares a file again from its original, whatever was made before; a document on the shelf stays there meanwhile. */
export function prepareAgain(ctx: Ctx, file: FileRow): Promise<void> {
  return transact(ctx, async (tx) => {
    await forgetFailure(tx, file);
    await forgetSteps(tx.db, file.id);
    await tx.jobs.add(prepareFileJob, { fileId: file.id }, { key: `prepare-file:${file.id}` });
  });
}

/** What is on the shelf stays there as it is until the better one is made. */
function forgetFailure(tx: Ctx, file: FileRow): Promise<void> {
  const state = file.state === 'failed' ? 'waiting' : file.state;
  return updateFile(tx.db, file.id, { state, failureCode: null, failureDetail: null });
}

/** A refusal is the file's own fault and will be again. */
function mayImprove(file: FileRow): boolean {
  const reason = Object.entries(refusalReasons).find(([code]) => code === file.failureCode)?.[1];
  return reason?.kind !== 'refused';
}

/**
 * At the start of a process that runs jobs: removes work folders of processes that are gone, and, now that LibreOffice
 * is here, finishes what waited for it.
 */
export async function resumeIngest(ctx: Ctx): Promise<void> {
  await sweepWorkFolders();
  if (await isDescriptionMissing(ctx)) {
    await ctx.jobs.add(describeMissingJob, {}, { key: describeMissingJob.name, priority: 10 });
  }
  if (findConverter()) await retryFiles(ctx, ['waiting', 'pending-preview']);
}
