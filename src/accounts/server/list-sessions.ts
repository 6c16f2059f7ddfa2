import type { Ctx } from '../../context.ts';
import type { Output } from '../../protocol/endpoint.ts';
import type { listSessions as contract } from '../contract.ts';
import { browserName, placeOf } from '../rules.ts';
import { requireSession } from './require-session.ts';
import { listOpenSessions } from './store.ts';

/** Nobody may have more open (session_limit). */
const MOST = 100;

/** Where one's account is logged in, newest first. */
export async function listSessions(ctx: Ctx): Promise<Output<typeof contract>> {
  const me = requireSession(ctx);
  const rows = await listOpenSessions(ctx.db, me.userId, new Date(ctx.clock.now()), MOST);
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
