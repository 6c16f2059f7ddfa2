import { transact, type Ctx } from '../../../context.ts';
import { isDatabaseAway } from '../../../platform/db/client.ts';
import { selectFile } from '../store/files.ts';
import { describeFile, saveDescription, isRecountDue } from './describe-file.ts';
import { DESCRIPTION_VERSION } from './is-description-missing.ts';
import { updateWordCounts, selectUndescribed, selectWordCounting } from './store.ts';

const STEP = 50;
/** Number of files over which words are counted; more would hardly change the logarithms. */
const COUNTED_FILES = 20_000;

/**
 * Describes the prepared files that have no description, or one of an older version; with `isAll` every file, with the
 * present word counts. Published documents keep their names and labels. Returns the number of files. May be interrupted
 * and started again.
 */
export async function describeMissing(
  ctx: Ctx,
  options: { isAll?: boolean; signal?: AbortSignal | undefined; onProgress?: (done: number) => void } = {},
): Promise<number> {
  const version = options.isAll ? DESCRIPTION_VERSION + 1 : DESCRIPTION_VERSION;
  if (options.isAll) await countLibraryWords(ctx);
  let done = 0;
  for (let afterId = 0; ;) {
    const ids = await selectUndescribed(ctx.db, afterId, version, STEP);
    for (const id of ids) {
      options.signal?.throwIfAborted();
      const file = await selectFile(ctx.db, id);
      if (!file) continue;
      try {
        const description = await describeFile(ctx, file);
        await transact(ctx, (tx) => saveDescription(tx, description));
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        // A file that fails must not stop the others; it is tried again the next time.
        ctx.log.warn({ fileId: id, error }, 'a file could not be described');
        continue;
      }
      done++;
      options.onProgress?.(done);
    }
    const last = ids.at(-1);
    if (last === undefined) break;
    afterId = last;
  }
  if (done > 0) await countLibraryWords(ctx);
  return done;
}

/** Counts in how many files each word occurs. */
export function countLibraryWords(ctx: Ctx): Promise<void> {
  return transact(ctx, (tx) => updateWordCounts(tx.db, COUNTED_FILES));
}

/** Counts the words when the library has grown enough since the last count. */
export async function recountLibraryWords(ctx: Ctx): Promise<void> {
  if (isRecountDue(await selectWordCounting(ctx.db))) await countLibraryWords(ctx);
}
