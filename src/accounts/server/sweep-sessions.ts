import { lt, or } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { endedTokens, loginFailures, sessions, vendorCalls } from './tables.ts';

/** Long enough to look into a complaint about a login. */
const KEPT_DAYS = 30;

/** Removes sessions that ended over 30 days ago and failures whose lock is long over. Returns how many sessions. */
export async function sweepSessions(ctx: Ctx): Promise<number> {
  const before = new Date(ctx.clock.now() - KEPT_DAYS * 86_400_000);
  const gone = await ctx.db
    .delete(sessions)
    .where(or(lt(sessions.expiresAt, before), lt(sessions.revokedAt, before)))
    .returning({ id: sessions.id });
  await ctx.db.delete(loginFailures).where(lt(loginFailures.updatedAt, new Date(ctx.clock.now() - 86_400_000)));
  await ctx.db.delete(endedTokens).where(lt(endedTokens.expiresAt, new Date(ctx.clock.now())));
  await ctx.db.delete(vendorCalls).where(lt(vendorCalls.minute, before));
  return gone.length;
}
