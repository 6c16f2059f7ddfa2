import { transact, type Ctx, type Session } from '../../context.ts';
import type { SessionLookup } from '../../platform/http/api.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { notFound, notLoggedIn } from '../../protocol/envelope.ts';
import type * as contract from '../contract.ts';
import { SESSION_SECONDS } from '../contract.ts';
import { browserName, placeOf } from '../rules.ts';
import { mayUseDemoAccount } from './demo-accounts.ts';
import { clearSessionCookies, hashToken, newSid, newToken, setSessionCookies } from './session-cookies.ts';
import {
  deleteExpiredTokens,
  deleteOldSessions,
  insertSession,
  selectEndedToken,
  selectOpenSessions,
  selectSession,
  updateOldestSessionsRevoked,
  updateOpenSessionRevoked,
  updateOtherSessionsRevoked,
  updateSessionRevoked,
} from './store-sessions.ts';
import { lockUser, selectOpenid, updateSessionLimit, updateUser } from './store.ts';
import { deleteOldLoginFailures, deleteOldVendorCalls } from './store-limits.ts';

/** Who is asking. Throws notLoggedIn for a visitor; behind `auth: 'session'` there is always somebody. */
export function requireSession(ctx: Ctx): Session {
  if (!ctx.session) throw notLoggedIn();
  return ctx.session;
}

/**
 * Whose token this is: `none` when unknown or past its 30 days (answered 10000), `revoked` when it was ended before
 * that, or its user is banned, erased or a demo login of a public site (answered 2). One indexed query, so that a logout holds at once on
 * every node (INV-40).
 */
export const findSession = (ctx: Ctx, token: string): Promise<SessionLookup> => find(ctx, 'token', token);

/** The same by the HttpOnly `sess` cookie, for what a browser fetches by itself: images and files (C-02). */
export const findBrowserSession = (ctx: Ctx, sess: string): Promise<SessionLookup> => find(ctx, 'browser', sess);

/**
 * Whose page this is. A page counts as logged in only while the browser has both cookies of one login: `token`, which
 * scripts read and a logout in the browser forgets, and the HttpOnly `sess`. One alone is a visitor's page.
 */
export async function findPageSession(ctx: Ctx, cookies: { sess: string; token: string }): Promise<SessionLookup> {
  if (cookies.sess === '' || cookies.token === '') return 'none';
  const lookup = await find(ctx, 'browser', cookies.sess);
  if (typeof lookup === 'string') return lookup;
  const isSameLogin = hashToken(cookies.token)?.equals(lookup.tokenHash) ?? false;
  return isSameLogin ? { id: lookup.id, userId: lookup.userId, sid: lookup.sid } : 'none';
}

async function find(
  ctx: Ctx,
  which: 'token' | 'browser',
  secret: string,
): Promise<(Session & { tokenHash: Buffer }) | 'none' | 'revoked'> {
  const hash = hashToken(secret);
  const row = hash && (await selectSession(ctx.db, which, hash));
  if (hash && !row && which === 'token') {
    return (await selectEndedToken(ctx.db, hash, new Date(ctx.clock.now()))) ? 'revoked' : 'none';
  }
  if (!row || row.expiresAt.getTime() <= ctx.clock.now()) return 'none';
  if (row.revokedAt !== null || row.userState !== 'active') return 'revoked';
  if (row.isDemoUser && ctx.config.demoLogins === 'refused') return 'revoked';
  const session = { id: row.id, userId: row.userId, sid: row.sid, tokenHash: row.tokenHash };
  return which === 'token' ? { ...session, token: secret } : session;
}

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
  const openid = (await selectOpenid(ctx.db, userId)) ?? '';
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
    await updateUser(ctx.db, userId, { eraseAt: null });
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
  const dropped = await updateOldestSessionsRevoked(ctx.db, userId, user.sessionLimit, new Date(now));
  if (dropped > 0) ctx.log.info({ userId, dropped, limit: user.sessionLimit }, 'oldest sessions ended by a new login');
  return true;
}

/** Nobody may have more open (session_limit). */
const MAX_SESSIONS = 100;

/** Where one's account is logged in, newest first. */
export async function listSessions(ctx: Ctx): Promise<Output<typeof contract.listSessions>> {
  const me = requireSession(ctx);
  const rows = await selectOpenSessions(ctx.db, me.userId, new Date(ctx.clock.now()), MAX_SESSIONS);
  const sessions = rows.map((row) => ({
    id: row.id,
    browser: browserName(row.userAgent),
    place: placeOf(row.ip),
    login_time: seconds(row.createdAt),
    expire_time: seconds(row.expiresAt),
    is_current: row.id === me.id ? (1 as const) : (0 as const),
  }));
  return { sessions, count: sessions.length };
}

const seconds = (at: Date) => Math.floor(at.getTime() / 1000);

/** Ends one of one's own sessions, or all others. Throws notFound for one that is over or somebody else's. */
export async function endSession(ctx: Ctx, input: Parsed<typeof contract.revokeSession>): Promise<{ revoked: number }> {
  const me = requireSession(ctx);
  const now = new Date(ctx.clock.now());
  if (input.others) return { revoked: await updateOtherSessionsRevoked(ctx.db, me.userId, me.id, 'user', now) };
  const revoked = await updateOpenSessionRevoked(ctx.db, me.userId, input.id, now);
  if (revoked === 0) throw notFound();
  if (input.id === me.id) clearSessionCookies(ctx);
  return { revoked };
}

/**
 * Ends the session of this token and no other; nothing to end is fine too (C-72). Cookies are cleared only for a
 * proven session: a form on another site can post here, and must not log anybody out.
 */
export async function logout(ctx: Ctx): Promise<Record<string, never>> {
  if (!ctx.session) return {};
  await updateSessionRevoked(ctx.db, ctx.session.id, 'logout', new Date(ctx.clock.now()));
  clearSessionCookies(ctx);
  return {};
}

/** Lets a user keep at least `count` sessions open at once (C-43). Never takes any away. */
export async function raiseSessionLimit(ctx: Ctx, userId: number, count: number): Promise<void> {
  await updateSessionLimit(ctx.db, userId, count);
}

/** Long enough to look into a complaint about a login. */
const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

/** Removes sessions that ended over 30 days ago and failures whose lock is long over. Returns how many sessions. */
export async function sweepSessions(ctx: Ctx): Promise<number> {
  const now = ctx.clock.now();
  const before = new Date(now - KEPT_DAYS * DAY_MS);
  const deleted = await deleteOldSessions(ctx.db, before);
  await deleteOldLoginFailures(ctx.db, new Date(now - DAY_MS));
  await deleteExpiredTokens(ctx.db, new Date(now));
  await deleteOldVendorCalls(ctx.db, before);
  return deleted;
}
