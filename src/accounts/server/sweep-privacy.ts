import type { Ctx } from '../../context.ts';
import { eraseUser, findObstacle } from './delete-account.ts';
import type { PersonalData } from './personal-data.ts';
import { deleteOldCodes } from './store-codes.ts';
import { deleteOldExports, selectKnownExports } from './store-exports.ts';
import { deleteOldScenes } from './store-scenes.ts';
import { selectUsersToErase } from './store.ts';

/** More than ever wait in an hour; the rest goes in the next. */
const BATCH = 1_000;
/** The longest window the limits count. */
const CODES_KEPT_MS = 25 * 3_600_000;
const SCENES_KEPT_MS = 3_600_000;
/** A younger file may be of an export that is just being made. */
const EXPORT_MADE_MS = 3_600_000;
const FILES_AT_ONCE = 500;

/** Every hour: accounts whose cooling-off is over, exports, codes and scenes nobody can use. Returns how many accounts. */
export async function sweepPrivacy(ctx: Ctx, parts: PersonalData[]): Promise<number> {
  const now = ctx.clock.now();
  let erased = 0;
  for (const userId of await selectUsersToErase(ctx.db, new Date(now), BATCH)) {
    // What stands against it now came after the request, and is settled first.
    if ((await findObstacle(ctx, parts, userId)) !== null) continue;
    if (await eraseUser(ctx, parts, userId, { dueAt: new Date(now) })) erased += 1;
  }
  for (const key of await deleteOldExports(ctx.db, new Date(now))) await ctx.files.remove(key);
  await removeLostExports(ctx, now);
  await deleteOldCodes(ctx.db, new Date(now - CODES_KEPT_MS));
  await deleteOldScenes(ctx.db, new Date(now - SCENES_KEPT_MS));
  return erased;
}

/** Files no row names: a process that was killed between a file and its row left somebody's whole data there. */
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
