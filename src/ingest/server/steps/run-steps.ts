import { transact } from '../../../context.ts';
import { isDatabaseAway, isDiskFull, withoutStatement } from '../../../platform/db/client.ts';
import { progressOf, STEPS, type StepDetail, type StepName } from '../../steps.ts';
import { refusalReasons, RefusedError } from '../../refusals.ts';
import { ChildLost } from '../render/renderer-slot.ts';
import { selectFile } from '../store/files.ts';
import { retryOnDeadlock } from '../../../platform/db/retry-database.ts';
import { upsertStepStarted, upsertStepEnded, selectSteps, restoreStep, updateProgress } from '../store/steps.ts';
import type { Step, StepInput } from './step.ts';

/**
 * Called when a step has begun, when its result is made but not recorded, and when it is recorded. Tests cut runs off
 * there.
 */
export type StepHook = (step: StepName, edge: 'begun' | 'made' | 'recorded') => void | Promise<void>;

/**
 * A step that has begun this often without ending probably kills the process; it runs again only on request. The same holds for the
 * preparation of a member's upload.
 */
export const MAX_BROKEN_RUNS = 8;

/**
 * Runs the steps of a file that are not recorded as done, in order. Records and throws the error that ends the run. The
 * failure of an optional step is recorded, and the run continues.
 */
export async function runSteps(
  input: Omit<StepInput, 'detailOf'>,
  steps: readonly Step[],
  onStep: StepHook = () => {},
): Promise<void> {
  const { ctx, file } = input;
  const rows = await selectSteps(ctx.db, file.id);
  const details = new Map<StepName, StepDetail>();
  for (const row of rows) if (row.state === 'done') details.set(row.step, row.detail);
  const passed = new Set(details.keys());
  const detailOf = (step: StepName) => details.get(step) ?? null;
  for (const step of steps) {
    if (passed.has(step.name)) continue;
    input.signal?.throwIfAborted();
    const row = rows.find((each) => each.step === step.name);
    if (row && row.brokenRuns >= MAX_BROKEN_RUNS) {
      const refusal = new RefusedError('broken-off', `the step "${step.name}" was started ${row.brokenRuns} times`);
      // Recorded as ended, so that a request to try again starts counting from zero.
      await upsertStepEnded(ctx.db, file.id, step.name, { state: 'failed', error: String(refusal) });
      throw refusal;
    }
    await upsertStepStarted(ctx.db, file.id, step.name);
    await onStep(step.name, 'begun');
    try {
      // An earlier step may have changed the row.
      const now = (await selectFile(ctx.db, file.id)) ?? file;
      const { detail = {}, save } = await step.run({ ...input, file: now, detailOf });
      await onStep(step.name, 'made');
      passed.add(step.name);
      await retryOnDeadlock(() =>
        transact(ctx, async (tx) => {
          await save?.(tx);
          await upsertStepEnded(tx.db, file.id, step.name, { state: 'done', detail });
          await updateProgress(tx.db, file.id, progressOf(passed));
        }),
      );
      details.set(step.name, detail);
      await onStep(step.name, 'recorded');
    } catch (error) {
      if (input.signal?.aborted) {
        // This process was asked to stop: that is no failure, and the step will run again.
        await restoreStep(ctx.db, file.id, step.name, row).catch(() => {});
        throw error;
      }
      const reason = String(withoutStatement(error));
      await upsertStepEnded(ctx.db, file.id, step.name, { state: stateOf(error), error: reason });
      if (!step.isOptional || isTemporary(error) || (error instanceof ChildLost && !input.isLast)) throw error;
      ctx.log.warn({ fileId: file.id, step: step.name, error }, 'an optional step of ingest failed');
    }
  }
}

/** Errors that are temporary and not caused by the file. */
const isTemporary = (error: unknown) => isDatabaseAway(error) || isDiskFull(error);

function stateOf(error: unknown): 'waiting' | 'failed' {
  return error instanceof RefusedError && refusalReasons[error.code].kind === 'waiting' ? 'waiting' : 'failed';
}

/** Returns the steps in the order of STEPS. */
export function sortSteps(steps: readonly Step[]): Step[] {
  return [...steps].sort((one, other) => STEPS.indexOf(one.name) - STEPS.indexOf(other.name));
}
