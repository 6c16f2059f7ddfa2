import type { Ctx } from '../../../context.ts';
import { prepareStoredFile, type PrepareOptions } from './prepare-stored-file.ts';
import { upsertStepEnded, selectSteps } from '../store/steps.ts';

/**
 * Runs the steps of a ready-made file (one whose previews came with it), so that its documents have everything that
 * other documents have. The documents stay published, with names and labels, and each step replaces what it improves.
 * Continues where it was cut off. A failure is recorded with the file; unexpected errors and the reason of the signal
 * are thrown.
 */
export async function completeFile(
  ctx: Ctx,
  fileId: number,
  options: Required<Pick<PrepareOptions, 'pool'>> & { signal: AbortSignal | undefined },
): Promise<void> {
  const { signal, ...rest } = options;
  const steps = await selectSteps(ctx.db, fileId);
  if (steps.length === 0)
    await upsertStepEnded(ctx.db, fileId, 'store', { state: 'done', detail: { readyMade: true } });
  await prepareStoredFile(ctx, fileId, { number: 1, isLast: true, signal }, rest);
}
