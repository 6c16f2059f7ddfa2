import { transact, type Ctx } from '../../context.ts';
import { hashPassword, unlockPassword } from './passwords.ts';
import { updateSessionsRevoked } from './store-sessions.ts';
import { updateUser } from './store.ts';

/** Bans a user: every session answers 2 from now on, and no new session opens. Returns how many sessions ended. */
export function banUser(ctx: Ctx, userId: number): Promise<number> {
  return transact(ctx, async (tx) => {
    await updateUser(tx.db, userId, { state: 'banned' });
    return updateSessionsRevoked(tx.db, userId, 'banned', new Date(tx.clock.now()));
  });
}

/** Lets a banned user log in again. Sessions that the ban ended stay ended. */
export async function unbanUser(ctx: Ctx, userId: number): Promise<void> {
  await updateUser(ctx.db, userId, { state: 'active' });
}

/**
 * Sets a password that an operator chose and ends every session of the user (INV-40). A demo account becomes an
 * ordinary one: its password is a secret again. Returns how many sessions ended.
 */
export async function setPassword(ctx: Ctx, userId: number, password: string): Promise<number> {
  // Hash before the transaction: hashing queues for a slot, and a transaction must not wait.
  const passwordHash = await hashPassword(password);
  return transact(ctx, async (tx) => {
    await updateUser(tx.db, userId, { passwordHash, isDemo: false });
    await unlockPassword(tx, userId);
    return updateSessionsRevoked(tx.db, userId, 'password-set', new Date(tx.clock.now()));
  });
}
