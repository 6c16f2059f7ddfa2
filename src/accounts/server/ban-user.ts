import { transact, type Ctx } from '../../context.ts';
import { revokeSessionsOf, setUser } from './store.ts';

/** Every session of the user answers 2 from now on, and no new one opens. Returns how many sessions ended. */
export function banUser(ctx: Ctx, userId: number): Promise<number> {
  return transact(ctx, async (tx) => {
    await setUser(tx.db, userId, { state: 'banned' });
    return revokeSessionsOf(tx.db, userId, 'banned', new Date(tx.clock.now()));
  });
}

/** The user may log in again; the sessions that ended stay ended. */
export async function unbanUser(ctx: Ctx, userId: number): Promise<void> {
  await setUser(ctx.db, userId, { state: 'active' });
}
