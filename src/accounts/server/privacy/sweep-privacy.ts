import type { Ctx } from '../../../context.ts';
import { eraseUser, findObstacle } from './delete-account.ts';
import type { PersonalData } from './personal-data.ts';
import { deleteOldCodes } from '../phones/store-codes.ts';
import { deleteOldExports, selectKnownExports } from './store-exports.ts';
import { deleteOldScenes } from '../scans/store-scenes.ts';
import { selectUsersToErase } from '../store.ts';

/** How many accounts are erased in one run; the rest waits for the next hour. */
const BATCH = 1_000;
/** How long codes are kept: a little more than the longest window that the limits count. */
const CODES_KEPT_MS = 25 * 3_600_000;
const SCENES_KEPT_MS = 3_600_000;
/** A younger file may belong to an export that is being made. */
const EXPORT_MADE_MS = 3_600_000;
const FILES_AT_ONCE = 500;

/**
 * Erases accounts whose cooling-off is over, and deletes expired exports, codes and scenes. Runs every hour. Returns
 * how many accounts were erased.
 */
export async function sweepPrivacy(ctx: Ctx, parts: PersonalData[]): Promise<number> {
  const now = ctx.clock.now();
  let erased = 0;
  for (const userId of await selectUsersToErase(ctx.db, new Date(now), BATCH)) {
    // A reason against the deletion arose after the request, and must be settled first.
    if ((await findObstacle(ctx, parts, userId)) !== null) continue;
    if (await eraseUser(ctx, parts, userId, { dueAt: new Date(now) })) erased += 1;
  }
  for (const key of await deleteOldExports(ctx.db, new Date(now))) await ctx.files.remove(key);
  await removeLostExports(ctx, now);
  await deleteOldCodes(ctx.db, new Date(now - CODES_KEPT_MS));
  await deleteOldScenes(ctx.db, new Date(now - SCENES_KEPT_MS));
  return erased;
}

/**
 * Removes export files without a row. A process that is killed between writing the file and its row leaves a user's
 * whole data behind.
 */
async function removeLostExports(ctx: Ctx, now: number): Promise<void> {
  let keys: string[] = [];
  const removeUnknown = async () => {
    const known = await selectKnownExports(ctx.db, keys);
    for (const key of keys) if (!known.has(key)) await ctx.files.remove(key);
    keys = [];
  };
  for await (const file of ctx.files.list('exports')) {
    if (now - file.modifiedAt < EXPORT_MADE_MS) continue;
    keys.push(file.key);
    if (keys.length === FILES_AT_ONCE) await removeUnknown();
  }
  await removeUnknown();
}
