import type { Ctx } from '../../context.ts';
import { failed, tooFrequent } from '../../protocol/envelope.ts';
import { decodePassword, isUsername, LOCK_SECONDS, MAX_LOGIN_FAILURES, normalizeUsername } from '../rules.ts';
import { openSession, type Login } from './open-session.ts';
import { inHashingPlace, isPassword } from './passwords.ts';
import { countFailure, findCredentials, findLock, forgetFailures } from './store.ts';

const wrongCredentials = () => failed('账号或密码错误');

/**
 * C-65. `password` is base64 of UTF-8. Throws `failed` with one text for a wrong password, an unknown or banned user,
 * and bad base64, after the same work; tooFrequent while the account is locked, which unknown names are as well.
 */
export async function loginByUsername(ctx: Ctx, input: { username: string; password: string }): Promise<Login> {
  const username = normalizeUsername(input.username);
  const userId = await inHashingPlace(() => checkPassword(ctx, username, decodePassword(input.password)));
  const login = userId === null ? null : await openSession(ctx, userId);
  if (!login) throw wrongCredentials();
  return login;
}

/** The lock is read inside the hashing place: parallel guesses get at most one try more than the rule allows. */
async function checkPassword(ctx: Ctx, username: string, password: string | null): Promise<number | null> {
  if (!isUsername(username)) {
    // Nobody can be called that: nothing to look up or to lock, but the work is done all the same.
    await isPassword(null, password);
    return null;
  }
  // Keyed, so that the table never tells which names people try (some type a password there).
  const accountKey = ctx.signer.sign('login-failures', username);
  const now = ctx.clock.now();
  const lockedUntil = await findLock(ctx.db, accountKey, new Date(now));
  if (lockedUntil) throw tooFrequent(Math.ceil((lockedUntil.getTime() - now) / 1000));
  const user = await findCredentials(ctx.db, username);
  const isRight = await isPassword(user?.passwordHash ?? null, password);
  if (!isRight || user?.state !== 'active') {
    await countWrong(ctx, accountKey, now);
    return null;
  }
  await forgetFailures(ctx.db, accountKey);
  return user.id;
}

async function countWrong(ctx: Ctx, accountKey: string, now: number): Promise<void> {
  await countFailure(ctx.db, {
    accountKey,
    now: new Date(now),
    max: MAX_LOGIN_FAILURES,
    lockedUntil: new Date(now + LOCK_SECONDS * 1000),
    forgetBefore: new Date(now - LOCK_SECONDS * 1000),
  });
}
