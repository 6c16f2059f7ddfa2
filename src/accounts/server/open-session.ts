import { transact, type Ctx } from '../../context.ts';
import { SESSION_SECONDS } from '../contract.ts';
import { mayUseDemoAccount } from './demo-accounts.ts';
import { setSessionCookies } from './session-cookies.ts';
import { findOpenid } from './store-identities.ts';
import { insertSession, lockUser, revokeOldest, setUser } from './store.ts';
import { hashToken, newSid, newToken } from './tokens.ts';

export type Login = { authToken: string; openid: string; sid: string };

/**
 * Logs a user in, however they proved who they are: a session of 30 days, its cookies on the answer. The oldest
 * sessions beyond the user's limit end (C-43); a deletion asked for is taken back while there is time (C-74). Null when
 * the user is gone, banned, about to be erased, or a demo login where those are refused. `proof`: the password it was proven by, which a reset that came in
 * between has ended.
 */
export async function openSession(
  ctx: Ctx,
  userId: number,
  proof: { passwordHash?: string } = {},
): Promise<Login | null> {
  const secrets = { token: newToken(), browser: newToken(), sid: newSid() };
  const isOpen = await transact(ctx, (tx) => keepSession(tx, userId, secrets, proof));
  if (!isOpen) return null;
  const openid = (await findOpenid(ctx.db, userId)) ?? '';
  setSessionCookies(ctx, { token: secrets.token, sid: secrets.sid, openid, sess: secrets.browser });
  return { authToken: secrets.token, openid, sid: secrets.sid };
}

async function keepSession(
  ctx: Ctx,
  userId: number,
  secrets: { token: string; browser: string; sid: string },
  proof: { passwordHash?: string },
): Promise<boolean> {
  const user = await lockUser(ctx.db, userId);
  const tokenHash = hashToken(secrets.token);
  const browserHash = hashToken(secrets.browser);
  if (user?.state !== 'active' || !tokenHash || !browserHash) return false;
  if (proof.passwordHash !== undefined && proof.passwordHash !== user.passwordHash) return false;
  if (user.isDemo && !mayUseDemoAccount(ctx)) return false;
  const now = ctx.clock.now();
  if (user.eraseAt !== null) {
    if (user.eraseAt.getTime() <= now) return false;
    await setUser(ctx.db, userId, { eraseAt: null });
    ctx.log.info({ userId }, 'a login took the deletion of the account back');
  }
  await insertSession(ctx.db, {
    userId,
    tokenHash,
    browserHash,
    sid: secrets.sid,
    ip: ctx.request.ip,
    userAgent: ctx.request.userAgent,
    createdAt: new Date(now),
    expiresAt: new Date(now + SESSION_SECONDS * 1000),
  });
  const dropped = await revokeOldest(ctx.db, userId, user.sessionLimit, new Date(now));
  if (dropped > 0) ctx.log.info({ userId, dropped, limit: user.sessionLimit }, 'oldest sessions ended by a new login');
  return true;
}
