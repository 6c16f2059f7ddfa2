import type { Ctx } from '../../context.ts';
import type { SessionLookup } from '../../platform/http/api.ts';
import { findSessionRow } from './store.ts';
import { hashToken } from './tokens.ts';

/**
 * Whose token this is: `none` when unknown or past its 30 days (answered 10000), `revoked` when it was ended before
 * that, or its user is banned or a demo login of a public site (answered 2). One indexed query, so that a logout holds at once on every node (INV-40).
 */
export const findSession = (ctx: Ctx, token: string): Promise<SessionLookup> => find(ctx, 'token', token);

/** The same by the HttpOnly `sess` cookie, for what a browser fetches by itself: pages and images (C-02). */
export const findBrowserSession = (ctx: Ctx, sess: string): Promise<SessionLookup> => find(ctx, 'browser', sess);

async function find(ctx: Ctx, which: 'token' | 'browser', secret: string): Promise<SessionLookup> {
  const hash = hashToken(secret);
  const row = hash && (await findSessionRow(ctx.db, which, hash));
  if (!row || row.expiresAt.getTime() <= ctx.clock.now()) return 'none';
  if (row.revokedAt !== null || row.userState !== 'active') return 'revoked';
  if (row.isDemoUser && ctx.config.demoLogins === 'refused') return 'revoked';
  return { id: row.id, userId: row.userId, sid: row.sid };
}
