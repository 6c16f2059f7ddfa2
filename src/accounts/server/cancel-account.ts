import { transact, type Ctx } from '../../context.ts';
import { CODE } from '../../protocol/codes.ts';
import type { Parsed } from '../../protocol/endpoint.ts';
import { CodedAnswer, conflict, sessionInvalid } from '../../protocol/envelope.ts';
import { COOLING_OFF_DAYS, type cancelAccount as contract } from '../contract.ts';
import { refuseSharedAccount } from './demo-accounts.ts';
import type { PersonalData } from './personal-data.ts';
import { proveOwner } from './prove-owner.ts';
import { requireSession } from './require-session.ts';
import { clearSessionCookies } from './session-cookies.ts';
import { findUser, revokeSessionsOf, setUser } from './store.ts';

/**
 * Asks for the deletion of one's account (C-74): all sessions end, and the next login within seven days takes it back.
 * Proven by a code to the phone; without a phone by the password; without either by a recent login or scan. Throws
 * conflict (60) while something stands against it, wrongCode (42), wrongPassword (1), scanNeeded (43).
 */
export async function cancelAccount(
  ctx: Ctx,
  parts: PersonalData[],
  input: Parsed<typeof contract>,
): Promise<CodedAnswer<{ erase_at: number }>> {
  const { userId } = requireSession(ctx);
  const user = await findUser(ctx.db, { id: userId });
  if (!user) throw sessionInvalid();
  refuseSharedAccount(ctx, user);
  const obstacle = await findObstacle(ctx, parts, userId);
  if (obstacle !== null) throw conflict(obstacle);
  await proveOwner(ctx, user, { ...input, purpose: 'cancel' });
  const now = ctx.clock.now();
  const eraseAt = new Date(now + COOLING_OFF_DAYS * 86_400_000);
  await transact(ctx, async (tx) => {
    await setUser(tx.db, userId, { eraseAt });
    await revokeSessionsOf(tx.db, userId, 'account-cancelled', new Date(now));
  });
  clearSessionCookies(ctx);
  ctx.log.info({ userId }, 'deletion of the account asked for');
  return new CodedAnswer(CODE.ok, '注销申请已提交', { erase_at: Math.floor(eraseAt.getTime() / 1000) });
}

/** Why the account may not go now; null when it may. */
export async function findObstacle(ctx: Ctx, parts: PersonalData[], userId: number): Promise<string | null> {
  for (const part of parts) {
    const obstacle = (await part.obstacle?.(ctx, userId)) ?? null;
    if (obstacle !== null) return obstacle;
  }
  return null;
}
