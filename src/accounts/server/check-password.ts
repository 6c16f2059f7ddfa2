import type { Ctx } from '../../context.ts';
import { tooFrequent } from '../../protocol/envelope.ts';
import { LOCK_SECONDS, MAX_LOGIN_FAILURES } from '../rules.ts';
import { inHashingPlace, isPassword } from './passwords.ts';
import { findCredentials, findLock, forgetFailures, takeTry, type Who } from './store.ts';

/** Whose password it was, and which: a login holds only while that is still the account's password. */
export type Proven = { userId: number; passwordHash: string };

/**
 * Whose account this is, when the password is right and it may be used; null otherwise, after the same work whether or
 * not there is such an account. Throws tooFrequent while it is locked after five wrong passwords in a row, which names
 * that belong to nobody are as well. `name` tells nobody's names apart.
 */
export const checkPassword = (ctx: Ctx, who: Who, name: string, password: string | null): Promise<Proven | null> =>
  inHashingPlace(() => check(ctx, who, name, password));

async function check(ctx: Ctx, who: Who, name: string, password: string | null): Promise<Proven | null> {
  const user = await findCredentials(ctx.db, who);
  const accountKey = lockKey(ctx, user ? String(user.id) : name);
  await takeTryOr41(ctx, accountKey);
  const isRight = await isPassword(user?.passwordHash ?? null, password);
  if (!isRight || user?.state !== 'active' || user.passwordHash === null) return null;
  await forgetFailures(ctx.db, accountKey);
  return { userId: user.id, passwordHash: user.passwordHash };
}

/** Takes the lock off an account whose owner has proven themselves another way. */
export const unlockPassword = (ctx: Ctx, userId: number) => forgetFailures(ctx.db, lockKey(ctx, String(userId)));

/** Keyed, so that the table never tells which names people try (some type a password there). */
const lockKey = (ctx: Ctx, key: string) => ctx.signer.sign('login-failures', key);

async function takeTryOr41(ctx: Ctx, accountKey: string): Promise<void> {
  const now = ctx.clock.now();
  const isTaken = await takeTry(ctx.db, {
    accountKey,
    now: new Date(now),
    max: MAX_LOGIN_FAILURES,
    lockedUntil: new Date(now + LOCK_SECONDS * 1000),
    forgetBefore: new Date(now - LOCK_SECONDS * 1000),
  });
  if (isTaken) return;
  const lockedUntil = await findLock(ctx.db, accountKey, new Date(now));
  // Null: the lock was taken off in this very moment.
  throw tooFrequent(lockedUntil ? Math.ceil((lockedUntil.getTime() - now) / 1000) : 1);
}
