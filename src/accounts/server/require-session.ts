import type { Ctx } from '../../context.ts';
import type { Session } from '../../platform/http/request-context.ts';
import { notLoggedIn } from '../../protocol/envelope.ts';

/** Who is asking. Throws notLoggedIn for a visitor; behind `auth: 'session'` there is always somebody. */
export function requireSession(ctx: Ctx): Session {
  if (!ctx.session) throw notLoggedIn();
  return ctx.session;
}
