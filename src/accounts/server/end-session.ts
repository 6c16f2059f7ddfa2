import type { Ctx } from '../../context.ts';
import type { Parsed } from '../../protocol/endpoint.ts';
import { notFound } from '../../protocol/envelope.ts';
import type { revokeSession as contract } from '../contract.ts';
import { requireSession } from './require-session.ts';
import { clearSessionCookies } from './session-cookies.ts';
import { revokeOtherSessions, revokeSessionOf } from './store.ts';

/** Ends one of one's own sessions, or all others. Throws notFound for one that is over or somebody else's. */
export async function endSession(ctx: Ctx, input: Parsed<typeof contract>): Promise<{ revoked: number }> {
  const me = requireSession(ctx);
  const now = new Date(ctx.clock.now());
  if (input.others) return { revoked: await revokeOtherSessions(ctx.db, me.userId, me.id, 'user', now) };
  const revoked = await revokeSessionOf(ctx.db, me.userId, input.id, now);
  if (revoked === 0) throw notFound();
  if (input.id === me.id) clearSessionCookies(ctx);
  return { revoked };
}
