import { type Ctx, transact, type TransactionCtx } from '../../context.ts';
import type { Session } from '../../platform/http/api/request-context.ts';
import type { SessionLookup } from '../../platform/http/api/api.ts';
import { tokenOf } from '../../platform/http/client-address.ts';
import { readCookie } from '../../platform/http/cookies.ts';
import { DAY_MS } from '../../protocol/durations.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { notFound, notLoggedIn } from '../../protocol/envelope.ts';
import type * as contract from '../contract.ts';
import { SESSION_SECONDS } from '../contract.ts';
import { browserName, placeOf } from '../rules.ts';
import { isSharedAccount, mayUseDemoAccount, refuseSharedAccount } from './demo-accounts.ts';
import { findObstacle, type PersonalData } from './personal-data.ts';
import { forgetSession, rememberSession } from './recent-sessions.ts';
import {
  clearSessionCookies,
  hashToken,
  newSid,
  newToken,
  setSessionCookies,
  setWithdrawnCookie,
} from './session-cookies.ts';
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
import {
  lockUser,
  selectLifetimeSessions,
  selectOpenid,
  selectUser,
  updateLifetimeSessions,
  updateUser,
} from './store.ts';
import { deleteOldLoginFailures, deleteOldVendorCalls } from './store-limits.ts';

/**
 * Returns the caller's session. Throws notLoggedIn for a visitor; endpoints with `auth: 'session'` are never called by
 * one.
 */
export function requireSession(ctx: Ctx): Session {
  if (!ctx.session) throw notLoggedIn();
  return ctx.session;
}

/**
 * Looks a session up by its token: `none` when the token is unknown or past its 30 days (answered 10000), `revoked`
 * when the session was ended earlier, or its user is banned, erased, or a demo account that this site refuses (answered
 * 2). One indexed query without a cache, so that a logout holds at once on every node (INV-40).
 */
export const findSession = (ctx: Ctx, token: string): Promise<SessionLookup> => find(ctx, 'token', token);

/**
 * Looks a session up by the HttpOnly `sess` cookie, for requests that a browser makes by itself: images and files
 * (C-02).
 */
export const findBrowserSession = (ctx: Ctx, sess: string): Promise<SessionLookup> => find(ctx, 'browser', sess);

/**
 * Looks up the session of a request for a file or a stream, which browsers send with the `sess` cookie and programs with the
 * token of their calls (C-02). The token counts where a request has both.
 */
export function findCallerSession(ctx: Ctx, { headers }: Request): Promise<SessionLookup> {
  const token = tokenOf((name) => headers.get(name));
  return token ? findSession(ctx, token) : findBrowserSession(ctx, readCookie(headers.get('cookie'), 'sess'));
}

/** Returns the session that findCallerSession finds; null for a visitor, and for a session that was ended. */
export async function findCaller(ctx: Ctx, request: Request): Promise<Session | null> {
  const lookup = await findCallerSession(ctx, request);
  return typeof lookup === 'string' ? null : lookup;
}

/**
 * Looks up the session that a page is rendered for. A page counts as logged in only when the browser sends both cookies
 * of one login: `token`, which scripts can read and delete, and the HttpOnly `sess`. With one of them alone the page is
 * a visitor's.
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
  const found = await lookUp(ctx, which, secret, hash);
  if (hash && typeof found === 'string') forgetSession(ctx.caches, hash);
  if (hash && typeof found !== 'string') rememberSession(ctx.caches, hash, found.userId);
  return found;
}

async function lookUp(
  ctx: Ctx,
  which: 'token' | 'browser',
  secret: string,
  hash: Buffer | null,
): Promise<(Session & { tokenHash: Buffer }) | 'none' | 'revoked'> {
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

/** What proved an account's owner, as the account had it when it was compared: the hash of the password, or the index of the phone. */
export type Proof = { passwordHash?: string; phoneIndex?: Buffer };

/** Whether what proved the owner is still the account's; the caller has locked the account. */
export const holdsProof = (proof: Proof, user: { passwordHash: string | null; phoneIndex: Buffer | null }): boolean =>
  (proof.passwordHash === undefined || proof.passwordHash === user.passwordHash) &&
  (proof.phoneIndex === undefined || (user.phoneIndex?.equals(proof.phoneIndex) ?? false));

export type Login = { authToken: string; openid: string; sid: string };

/**
 * Opens a session of 30 days for a user who has proven who they are, and sets its cookies on the answer. Ends the
 * oldest sessions beyond the user's limit (C-43) and takes back a requested deletion (C-74): while there is time, and
 * afterwards as long as one of `parts` has something against the erasure. Returns null when the user is gone, banned, due
 * for erasure, or a demo account that this site refuses. With `proof` the session opens only while that is
 * still the account's password or phone: a reset or a new phone may have come in between.
 */
export async function openSession(
  ctx: TransactionCtx,
  parts: readonly PersonalData[],
  userId: number,
  proof: Proof = {},
): Promise<Login | null> {
  const secrets = { token: newToken(), browser: newToken(), sid: newSid() };
  const kept = await transact(ctx, (tx) => keepSession(tx, parts, userId, secrets, proof));
  if (!kept) return null;
  if (kept.isDeletionWithdrawn) setWithdrawnCookie(ctx);
  const openid = (await selectOpenid(ctx.db, userId)) ?? '';
  setSessionCookies(ctx, { token: secrets.token, sid: secrets.sid, openid, sess: secrets.browser });
  return { authToken: secrets.token, openid, sid: secrets.sid };
}

/** Returns null for a user who may not log in. */
async function keepSession(
  ctx: TransactionCtx,
  parts: readonly PersonalData[],
  userId: number,
  secrets: { token: string; browser: string; sid: string },
  proof: Proof,
): Promise<{ isDeletionWithdrawn: boolean } | null> {
  const user = await lockUser(ctx.db, userId);
  const tokenHash = hashToken(secrets.token);
  const browserHash = hashToken(secrets.browser);
  if (user?.state !== 'active' || !tokenHash || !browserHash) return null;
  if (!holdsProof(proof, user)) return null;
  if (user.isDemo && !mayUseDemoAccount(ctx)) return null;
  const now = ctx.clock.now();
  if (user.eraseAt !== null) {
    if (user.eraseAt.getTime() <= now && (await findObstacle(ctx, parts, userId)) === null) return null;
    await updateUser(ctx.db, userId, { eraseAt: null });
    ctx.log.info({ userId }, 'a login cancelled the requested deletion of the account');
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
  const limit = sessionLimitOf(ctx, user.hasLifetimeSessions);
  const dropped = await updateOldestSessionsRevoked(ctx.db, userId, limit, new Date(now));
  if (dropped > 0) ctx.log.info({ userId, dropped, limit }, 'oldest sessions ended by a new login');
  return { isDeletionWithdrawn: user.eraseAt !== null };
}

/**
 * Returns whether an account that openSession refused is being erased, or was erased in the meantime: its owner, who has
 * proven who they are, is told so. A banned account is not: its owner is told of the ban.
 */
export async function isBeingErased(ctx: Ctx, userId: number): Promise<boolean> {
  const user = await selectUser(ctx.db, { id: userId });
  if (!user || user.state === 'banned') return false;
  return user.state === 'erased' || (user.eraseAt !== null && user.eraseAt.getTime() <= ctx.clock.now());
}

/** Returns how many sessions a user may keep open at once (C-43): the site's limit, or the higher one of a member for life. */
const sessionLimitOf = ({ config }: TransactionCtx, isForLife: boolean): number =>
  isForLife ? config.sessionLimits.lifetime : config.sessionLimits.standard;

/** A limit that no account reaches. */
const MAX_SESSIONS = 200;

/** Returns the caller's open sessions, newest first, and how many may be open at once. Of a shared account only the current one. */
export async function listSessions(ctx: Ctx): Promise<Output<typeof contract.listSessions>> {
  const me = requireSession(ctx);
  const [rows, isForLife, user] = await Promise.all([
    selectOpenSessions(ctx.db, me.userId, new Date(ctx.clock.now()), MAX_SESSIONS),
    selectLifetimeSessions(ctx.db, me.userId),
    selectUser(ctx.db, { id: me.userId }),
  ]);
  const shown = isSharedAccount(ctx, user) ? rows.filter(({ id }) => id === me.id) : rows;
  const sessions = shown.map((row) => ({
    id: row.id,
    browser: browserName(row.userAgent),
    place: placeOf(row.ip),
    login_time: seconds(row.createdAt),
    expire_time: seconds(row.expiresAt),
    is_current: row.id === me.id ? (1 as const) : (0 as const),
  }));
  return { sessions, count: sessions.length, limit: sessionLimitOf(ctx, isForLife ?? false) };
}

const seconds = (at: Date) => Math.floor(at.getTime() / 1000);

/**
 * Ends one of the caller's sessions, or with `others` all but the current one. Throws notFound for a session that is
 * over or belongs to another user, and `failed` for the sessions of others in a shared account.
 */
export async function endSession(ctx: Ctx, input: Parsed<typeof contract.revokeSession>): Promise<{ revoked: number }> {
  const me = requireSession(ctx);
  const now = new Date(ctx.clock.now());
  if (input.others || input.id !== me.id) refuseSharedAccount(ctx, await selectUser(ctx.db, { id: me.userId }));
  if (input.others) return { revoked: await updateOtherSessionsRevoked(ctx.db, me.userId, me.id, 'user', now) };
  const revoked = await updateOpenSessionRevoked(ctx.db, me.userId, input.id, now);
  if (revoked === 0) throw notFound();
  if (input.id === me.id) clearSessionCookies(ctx);
  return { revoked };
}

/**
 * Ends the caller's session and no other; without a session nothing happens (C-72). Clears the cookies only for a
 * proven session: a form on another site can post here and must not log anybody out.
 */
export async function logout(ctx: Ctx): Promise<Record<string, never>> {
  if (!ctx.session) return {};
  await updateSessionRevoked(ctx.db, ctx.session.id, 'logout', new Date(ctx.clock.now()));
  clearSessionCookies(ctx);
  return {};
}

/**
 * Sets whether a user may keep as many sessions open at once as a member for life (C-43). Sessions beyond a lower limit
 * end with the next login.
 */
export async function setLifetimeSessions(ctx: TransactionCtx, userId: number, isForLife: boolean): Promise<void> {
  await updateLifetimeSessions(ctx.db, userId, isForLife);
}

/** How long ended sessions are kept, for complaints about a login. */
const KEPT_DAYS = 30;

/**
 * Deletes sessions that ended over 30 days ago, expired locks, and old counts of vendor calls. Returns how many
 * sessions were deleted.
 */
export async function sweepSessions(ctx: Ctx): Promise<number> {
  const now = ctx.clock.now();
  const before = new Date(now - KEPT_DAYS * DAY_MS);
  const deleted = await deleteOldSessions(ctx.db, before);
  await deleteOldLoginFailures(ctx.db, new Date(now - DAY_MS));
  await deleteExpiredTokens(ctx.db, new Date(now));
  await deleteOldVendorCalls(ctx.db, before);
  return deleted;
}
