import type { Ctx } from '../../../context.ts';
import { prepareStoredFile, type PrepareOptions } from './prepare-stored-file.ts';
import { endStep, selectSteps } from '../store/steps.ts';

/**
 * Leads a file that came ready-made the way of all others, so that its documents show all that others do. They stay on
 * the shelf as they are until each step has something better, and keep their names and labels. Goes on where it was cut
 * off. A failure is recorded with the file; what nobody foresaw is thrown as well, and the signal's reason.
 */
export async function completeFile(
  ctx: Ctx,
  fileId: number,
  options: Required<Pick<PrepareOptions, 'pool'>> & { signal: AbortSignal | undefined },
): Promise<void> {
  const { signal, ...rest } = options;
  const steps = await selectSteps(ctx.db, fileId);
  if (steps.length === 0) await endStep(ctx.db, fileId, 'store', { state: 'done', detail: { readyMade: true } });
  await prepareStoredFile(ctx, fileId, { number: 1, isLast: true, signal }, rest);
}
