import type { Ctx, Session } from '../../context.ts';
import { notLoggedIn } from '../../protocol/envelope.ts';

/** Who is asking. Throws notLoggedIn for a visitor; behind `auth: 'session'` there is always somebody. */
export function requireSession(ctx: Ctx): Session {
  if (!ctx.session) throw notLoggedIn();
  return ctx.session;
}
