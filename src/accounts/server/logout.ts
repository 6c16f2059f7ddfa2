import type { Ctx } from '../../context.ts';
import { clearSessionCookies } from './session-cookies.ts';
import { revokeSession } from './store.ts';

/**
 * Ends the session of this token and no other; nothing to end is fine too (C-72). Cookies are cleared only for a
 * proven session: a form on another site can post here, and must not log anybody out.
 */
export async function logout(ctx: Ctx): Promise<Record<string, never>> {
  if (!ctx.session) return {};
  await revokeSession(ctx.db, ctx.session.id, 'logout', new Date(ctx.clock.now()));
  clearSessionCookies(ctx);
  return {};
}
