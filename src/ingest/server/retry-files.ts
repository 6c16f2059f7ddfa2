import { transact, type Ctx } from '../../context.ts';
import type { FileState } from '../../library/server/tables.ts';
import { refusalReasons } from '../refusals.ts';
import { isDescriptionMissing } from './about/is-description-missing.ts';
import { describeMissingJob } from './about/jobs.ts';
import { findConverter } from './soffice.ts';
import { prepareFileJob, resumeFilesJob } from './jobs.ts';
import { selectRetriable, updateFile, type FileRow, type Retriable } from './store.ts';
import { forgetSteps } from './store-steps.ts';
import { sweepWorkFolders } from './work-folders.ts';

const AT_ONCE = 500;

/** A refusal is the file's own fault and will be again. */
const HOPELESS = Object.entries(refusalReasons).flatMap(([code, { kind }]) => (kind === 'refused' ? [code] : []));

/** Queues again what may come out better now, as an operator asks; returns the files. */
export function retryFiles(ctx: Ctx, states: FileState[]): Promise<number[]> {
  return queueAll(ctx, { states, exceptCodes: HOPELESS });
}

/**
 * Queues what lost its job, and, with LibreOffice, what waited for it; what LibreOffice has failed on meanwhile is left to
 * an operator. Cheap when there is nothing to do. Returns the files.
 */
export async function resumeFiles(
  ctx: Ctx,
  options: { hasConverter?: boolean; signal?: AbortSignal | undefined } = {},
): Promise<number[]> {
  const { hasConverter = findConverter() !== null, signal } = options;
  const which = { exceptCodes: HOPELESS };
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
        // Pending previews stay on the shelf as they are until the better ones are there.
        if (file.state === 'failed') await updateFile(tx.db, file.id, { state: 'waiting' });
        await tx.jobs.add(prepareFileJob, { fileId: file.id }, { key: `prepare-file:${file.id}`, isKept: true });
      }
    });
    queued.push(...files.map((file) => file.id));
    const last = files.at(-1);
    if (!last) return queued;
    afterId = last.id;
  }
}

/** Prepares a file again from its original, whatever was made before; a document on the shelf stays there meanwhile. */
export function prepareAgain(ctx: Ctx, file: FileRow): Promise<void> {
  return transact(ctx, async (tx) => {
    if (file.state === 'failed') await updateFile(tx.db, file.id, { state: 'waiting' });
    await forgetSteps(tx.db, file.id);
    await tx.jobs.add(prepareFileJob, { fileId: file.id }, { key: `prepare-file:${file.id}` });
  });
}

/**
 * At the start of a process that runs jobs: removes work folders of processes that are gone, and has unfinished files
 * looked for, by a job: there may be many.
 */
export async function resumeIngest(ctx: Ctx): Promise<void> {
  await sweepWorkFolders();
  if (await isDescriptionMissing(ctx)) {
    await ctx.jobs.add(describeMissingJob, {}, { key: describeMissingJob.name, priority: 10 });
  }
  await ctx.jobs.add(resumeFilesJob, {}, { key: resumeFilesJob.name });
}
