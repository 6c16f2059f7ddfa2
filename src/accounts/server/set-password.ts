import { transact, type Ctx } from '../../context.ts';
import { unlockPassword } from './check-password.ts';
import { hashPassword } from './passwords.ts';
import { revokeSessionsOf, setUser } from './store.ts';

/**
 * Sets the password that an operator chose and ends every session of the user (INV-40). A demo login is none any more:
 * its password is a secret again. Returns how many sessions ended.
 */
export async function setPassword(ctx: Ctx, userId: number, password: string): Promise<number> {
  // Before the transaction: hashing waits for its turn, and a transaction must not.
  const passwordHash = await hashPassword(password);
  return transact(ctx, async (tx) => {
    await setUser(tx.db, userId, { passwordHash, isDemo: false });
    await unlockPassword(tx, userId);
    return revokeSessionsOf(tx.db, userId, 'password-set', new Date(tx.clock.now()));
  });
}
