import { transact, type Ctx } from '../../context.ts';
import { unlockPassword } from './check-password.ts';
import { eraseLeftoversJob, removeFilesJob } from './job-notices.ts';
import type { PersonalData } from './personal-data.ts';
import { NO_PHONE } from './phones.ts';
import { listExportFiles } from './store-exports.ts';
import { lockUser, setUser } from './store.ts';

const NOBODY = {
  username: null,
  passwordHash: null,
  nickname: '已注销用户',
  avatar: '',
  state: 'erased',
  eraseAt: null,
} as const;

/** By then whatever passed the session's check before the erasure has ended: the server gives a request one minute. */
const LEFTOVERS_SECONDS = 120;

/**
 * Removes everything personal about a user for good; the number stays, which the books of coins go on naming. With
 * `dueAt` only when the cooling-off is over by then: a login that came first took the deletion back, and one that comes
 * at the same moment waits and finds nobody. False when nothing was erased.
 */
export function eraseUser(
  ctx: Ctx,
  parts: PersonalData[],
  userId: number,
  options: { dueAt?: Date } = {},
): Promise<boolean> {
  const { dueAt } = options;
  return transact(ctx, async (tx) => {
    const user = await lockUser(tx.db, userId);
    if (!user || user.state === 'erased') return false;
    if (dueAt && (user.eraseAt === null || user.eraseAt > dueAt)) return false;
    await eraseParts(tx, parts, userId);
    await tx.jobs.add(eraseLeftoversJob, { userId }, { afterSeconds: LEFTOVERS_SECONDS });
    await setUser(tx.db, userId, { ...NOBODY, ...NO_PHONE });
    tx.log.info({ userId }, 'account erased');
    return true;
  });
}

/**
 * Once more, a while after the erasure: a page that was being read or a file that was being downloaded at that moment has
 * left its row. Nothing for an account that is not erased.
 */
export function eraseLeftovers(ctx: Ctx, parts: PersonalData[], userId: number): Promise<void> {
  return transact(ctx, async (tx) => {
    const user = await lockUser(tx.db, userId);
    if (user?.state === 'erased') await eraseParts(tx, parts, userId);
  });
}

async function eraseParts(tx: Ctx, parts: PersonalData[], userId: number): Promise<void> {
  const files = await listExportFiles(tx.db, userId);
  if (files.length > 0) await tx.jobs.add(removeFilesJob, { keys: files });
  for (const part of parts) await part.erase(tx, userId);
  await unlockPassword(tx, userId);
}
