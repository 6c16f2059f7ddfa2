import { type Ctx, transact, type TransactionCtx } from '../../../context.ts';
import { CODE } from '../../../protocol/codes.ts';
import type { Parsed } from '../../../protocol/endpoint.ts';
import { CodedAnswer, conflict, sessionInvalid } from '../../../protocol/envelope.ts';
import type * as contract from '../../contract.ts';
import { COOLING_OFF_DAYS } from '../../contract.ts';
import { wrongCode, wrongPassword } from '../../rules.ts';
import { refuseSharedAccount } from '../demo-accounts.ts';
import { eraseLeftoversJob, removeFilesJob } from '../job-notices.ts';
import { unlockPassword } from '../passwords.ts';
import { findObstacle, type PersonalData } from '../personal-data.ts';
import { NO_PHONE } from '../phones/phones.ts';
import { proveOwner } from '../prove-owner.ts';
import { clearSessionCookies } from '../session-cookies.ts';
import { holdsProof, requireSession } from '../sessions.ts';
import { selectExportFiles } from './store-exports.ts';
import { updateSessionsRevoked } from '../store-sessions.ts';
import { lockUser, selectUser, updateUser } from '../store.ts';

/**
 * Requests the deletion of the caller's account (C-74): all sessions end, and a login within seven days takes the
 * request back. The owner proves themselves by a code to the phone; without a phone by the password; without either by
 * a recent login or scan. Throws conflict (60) while something stands against the deletion, wrongCode (42),
 * wrongPassword (1), scanNeeded (43).
 */
export async function cancelAccount(
  ctx: Ctx,
  parts: PersonalData[],
  input: Parsed<typeof contract.cancelAccount>,
): Promise<CodedAnswer<{ erase_at: number }>> {
  const { userId } = requireSession(ctx);
  const user = await selectUser(ctx.db, { id: userId });
  if (!user) throw sessionInvalid();
  refuseSharedAccount(ctx, user);
  const obstacle = await findObstacle(ctx, parts, userId);
  if (obstacle !== null) throw conflict(obstacle);
  const proof = await proveOwner(ctx, user, { ...input, purpose: 'cancel' });
  const now = ctx.clock.now();
  const eraseAt = new Date(now + COOLING_OFF_DAYS * 86_400_000);
  await transact(ctx, async (tx) => {
    const locked = await lockUser(tx.db, userId);
    if (!locked) throw sessionInvalid();
    // The phone or the password was replaced in between.
    if (!holdsProof(proof, locked)) throw proof.phoneIndex ? wrongCode() : wrongPassword();
    await updateUser(tx.db, userId, { eraseAt });
    await updateSessionsRevoked(tx.db, userId, 'account-cancelled', new Date(now));
  });
  clearSessionCookies(ctx);
  ctx.log.info({ userId }, 'the user requested the deletion of the account');
  return new CodedAnswer(CODE.ok, '注销申请已提交', { erase_at: Math.floor(eraseAt.getTime() / 1000) });
}

const ERASED_USER = {
  username: null,
  passwordHash: null,
  nickname: '已注销用户',
  avatar: '',
  state: 'erased',
  eraseAt: null,
} as const;

/**
 * How long after an erasure the leftovers are removed: by then every request that passed the session check before the
 * erasure has ended, because the server gives a request one minute.
 */
const LEFTOVERS_SECONDS = 120;

/**
 * Erases everything personal about a user for good. The user id stays, because the coin ledger refers to it. With
 * `dueAt` the user is erased only when the cooling-off is over by then: an earlier login took the deletion back, and a
 * login at the same moment waits for the lock and finds no account. Returns false when nothing was erased: also while
 * something stands against the deletion, which may have arisen after the request and must be settled first.
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
    if ((await findObstacle(tx, parts, userId)) !== null) return false;
    await eraseParts(tx, parts, userId);
    await tx.jobs.add(eraseLeftoversJob, { userId }, { afterSeconds: LEFTOVERS_SECONDS });
    await updateUser(tx.db, userId, { ...ERASED_USER, ...NO_PHONE });
    tx.log.info({ userId }, 'account erased');
    return true;
  });
}

/**
 * Erases an erased user's data again, a while after the erasure: requests that were under way may have written rows.
 * Does nothing for an account that is not erased.
 */
export function eraseLeftovers(ctx: Ctx, parts: PersonalData[], userId: number): Promise<void> {
  return transact(ctx, async (tx) => {
    const user = await lockUser(tx.db, userId);
    if (user?.state === 'erased') await eraseParts(tx, parts, userId);
  });
}

async function eraseParts(tx: TransactionCtx, parts: PersonalData[], userId: number): Promise<void> {
  const files = await selectExportFiles(tx.db, userId);
  if (files.length > 0) await tx.jobs.add(removeFilesJob, { keys: files });
  for (const part of parts) await part.erase(tx, userId);
  await unlockPassword(tx, userId);
}
