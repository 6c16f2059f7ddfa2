import type { Ctx } from '../../../context.ts';
import { DAY_MS } from '../../../protocol/durations.ts';
import { eraseUser } from './delete-account.ts';
import type { PersonalData } from '../personal-data.ts';
import { deleteOldCodes } from '../phones/store-codes.ts';
import { deleteOldExports, selectKnownExports, updateOldExportsFailed } from './store-exports.ts';
import { deleteOldScenes } from '../scans/store-scenes.ts';
import { selectUsersToErase } from '../store.ts';

/** How many accounts are erased in one run; the rest waits for the next hour. */
const MAX_ERASED_PER_RUN = 1_000;
const ACCOUNTS_AT_ONCE = 500;
/** How long codes are kept: a little more than the longest window that the limits count. */
const CODES_KEPT_MS = 25 * 3_600_000;
const SCENES_KEPT_MS = 3_600_000;
/** A younger file may belong to an export that is being made. */
const EXPORT_MADE_MS = 3_600_000;
/**
 * A job that lost the database or its process on its last try leaves a pending export behind, which keeps its owner from
 * requesting another. No job takes as long as this, even behind many others.
 */
const EXPORT_PENDING_MS = DAY_MS;
/** How long the owner is told that an export failed. */
const FAILED_EXPORT_KEPT_MS = 7 * DAY_MS;
const FILES_AT_ONCE = 500;

/**
 * Erases accounts whose cooling-off is over, ends exports that nobody makes any more, and deletes expired exports, codes and scenes. Runs every hour. Returns
 * how many accounts were erased. What fails keeps nothing else from being done; an AggregateError at the end names the failures.
 */
export async function sweepPrivacy(ctx: Ctx, parts: PersonalData[]): Promise<number> {
  const now = ctx.clock.now();
  const failures: unknown[] = [];
  const attempt = (work: Promise<unknown>) => work.catch((error: unknown) => failures.push(error));
  let erased = 0;
  const eraseOne = async (userId: number) => {
    if (await eraseUser(ctx, parts, userId, { dueAt: new Date(now) })) erased += 1;
  };
  const eraseDue = async () => {
    for await (const userId of listDue(ctx, now)) {
      await eraseOne(userId).catch((error: unknown) => {
        ctx.log.error({ userId, error }, 'an account was not erased');
        failures.push(error);
      });
      if (erased === MAX_ERASED_PER_RUN) return;
    }
  };
  await attempt(eraseDue());
  await attempt(removeOldExports(ctx, now));
  await attempt(removeLostExports(ctx, now));
  await attempt(deleteOldCodes(ctx.db, new Date(now - CODES_KEPT_MS)));
  await attempt(deleteOldScenes(ctx.db, new Date(now - SCENES_KEPT_MS)));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} parts of the hourly erasure failed`);
  return erased;
}

/** Lists the users whose cooling-off is over. Accounts that stay, for an obstacle or a failure, are passed by. */
async function* listDue(ctx: Ctx, now: number): AsyncGenerator<number> {
  let page = await selectUsersToErase(ctx.db, new Date(now), null, ACCOUNTS_AT_ONCE);
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    for (const { id } of page) yield id;
    page = await selectUsersToErase(ctx.db, new Date(now), last, ACCOUNTS_AT_ONCE);
  }
}

async function removeOldExports(ctx: Ctx, now: number): Promise<void> {
  await updateOldExportsFailed(ctx.db, new Date(now - EXPORT_PENDING_MS));
  const keys = await deleteOldExports(ctx.db, new Date(now), new Date(now - FAILED_EXPORT_KEPT_MS));
  for (const key of keys) await ctx.files.remove(key);
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
