import { transact, type Ctx } from '../../context.ts';
import { hashPassword, unlockPassword } from './passwords.ts';
import { updateSessionsRevoked } from './store-sessions.ts';
import { updateUser } from './store.ts';

/** Every session of the user answers 2 from now on, and no new one opens. Returns how many sessions ended. */
export function banUser(ctx: Ctx, userId: number): Promise<number> {
  return transact(ctx, async (tx) => {
    await updateUser(tx.db, userId, { state: 'banned' });
    return updateSessionsRevoked(tx.db, userId, 'banned', new Date(tx.clock.now()));
  });
}

/** The user may log in again; the sessions that ended stay ended. */
export async function unbanUser(ctx: Ctx, userId: number): Promise<void> {
  await updateUser(ctx.db, userId, { state: 'active' });
}

/**
 * Sets the password that an operator chose and ends every session of the user (INV-40). A demo login is none any more:
 * its password is a secret again. Returns how many sessions ended.
 */
export async function setPassword(ctx: Ctx, userId: number, password: string): Promise<number> {
  // Before the transaction: hashing waits for its turn, and a transaction must not.
  const passwordHash = await hashPassword(password);
  return transact(ctx, async (tx) => {
    await updateUser(tx.db, userId, { passwordHash, isDemo: false });
    await unlockPassword(tx, userId);
    return updateSessionsRevoked(tx.db, userId, 'password-set', new Date(tx.clock.now()));
  });
}
