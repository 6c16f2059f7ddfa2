import type { Ctx } from '../../context.ts';
import type { Session } from '../../platform/http/request-context.ts';
import type { SessionLookup } from '../../platform/http/api.ts';
import { findSessionRow, isEndedToken } from './store.ts';
import { hashToken } from './tokens.ts';

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
  const row = hash && (await findSessionRow(ctx.db, which, hash));
  if (hash && !row && which === 'token') {
    return (await isEndedToken(ctx.db, hash, new Date(ctx.clock.now()))) ? 'revoked' : 'none';
  }
  if (!row || row.expiresAt.getTime() <= ctx.clock.now()) return 'none';
  if (row.revokedAt !== null || row.userState !== 'active') return 'revoked';
  if (row.isDemoUser && ctx.config.demoLogins === 'refused') return 'revoked';
  const session = { id: row.id, userId: row.userId, sid: row.sid, tokenHash: row.tokenHash };
  return which === 'token' ? { ...session, token: secret } : session;
}
