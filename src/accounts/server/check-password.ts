import type { Ctx } from '../../context.ts';
import { tooFrequent } from '../../protocol/envelope.ts';
import { LOCK_SECONDS, MAX_LOGIN_FAILURES } from '../rules.ts';
import { inHashingPlace, isPassword } from './passwords.ts';
import { countFailure, findCredentials, findLock, forgetFailures, type Who } from './store.ts';

/**
 * Whose account this is, when the password is right and it may be used; null otherwise, after the same work whether or
 * not there is such an account. Throws tooFrequent while it is locked after five wrong passwords in a row, which names
 * that belong to nobody are as well. `name` tells nobody's names apart. The lock is read inside the hashing place:
 * parallel guesses get at most one try more than the rule allows.
 */
export const checkPassword = (ctx: Ctx, who: Who, name: string, password: string | null): Promise<number | null> =>
  inHashingPlace(() => check(ctx, who, name, password));

async function check(ctx: Ctx, who: Who, name: string, password: string | null): Promise<number | null> {
  const now = ctx.clock.now();
  const user = await findCredentials(ctx.db, who);
  const accountKey = lockKey(ctx, user ? String(user.id) : name);
  const lockedUntil = await findLock(ctx.db, accountKey, new Date(now));
  if (lockedUntil) throw tooFrequent(Math.ceil((lockedUntil.getTime() - now) / 1000));
  const isRight = await isPassword(user?.passwordHash ?? null, password);
  if (!isRight || user?.state !== 'active') {
    await countWrong(ctx, accountKey, now);
    return null;
  }
  await forgetFailures(ctx.db, accountKey);
  return user.id;
}

/** Takes the lock off an account whose owner has proven themselves another way. */
export const unlockPassword = (ctx: Ctx, userId: number) => forgetFailures(ctx.db, lockKey(ctx, String(userId)));

/** Keyed, so that the table never tells which names people try (some type a password there). */
const lockKey = (ctx: Ctx, key: string) => ctx.signer.sign('login-failures', key);

async function countWrong(ctx: Ctx, accountKey: string, now: number): Promise<void> {
  await countFailure(ctx.db, {
    accountKey,
    now: new Date(now),
    max: MAX_LOGIN_FAILURES,
    lockedUntil: new Date(now + LOCK_SECONDS * 1000),
    forgetBefore: new Date(now - LOCK_SECONDS * 1000),
  });
}
