import { availableParallelism, loadavg } from 'node:os';
import { transact, type Ctx } from '../../../context.ts';
import { hasOpenPreparation, lockQuietTries, selectTimedOut, updateQuietTries } from '../store/problems.ts';
import { selectFile } from '../store/files.ts';
import { prepareAgain } from './retry-files.ts';

/** The machine counts as quiet up to this load average of the last minute per processor. */
const QUIET_LOAD = 0.5;

/** Whether the machine has had little to do in the last minute. */
export const isQuiet = (load = loadavg()[0] ?? 0, processors = availableParallelism()): boolean =>
  load <= processors * QUIET_LOAD;

/**
 * Queues one file whose preparation ran out of time, when nothing else is being prepared and the machine is quiet: a time-out on a busy
 * machine says little about the file. A file gets one such try. Returns the id of the file; null when there is nothing to do.
 */
export async function retryTimedOut(ctx: Ctx, quiet: boolean = isQuiet()): Promise<number | null> {
  if (!quiet) return null;
  return transact(ctx, async (tx) => {
    await lockQuietTries(tx.db);
    if (await hasOpenPreparation(tx.db)) return null;
    const id = await selectTimedOut(tx.db);
    const file = id === null ? null : await selectFile(tx.db, id);
    if (!file) return null;
    await updateQuietTries(tx.db, file.id);
    await prepareAgain(tx, file);
    return file.id;
  });
}
