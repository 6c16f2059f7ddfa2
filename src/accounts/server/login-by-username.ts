import type { Ctx } from '../../context.ts';
import { failed } from '../../protocol/envelope.ts';
import { decodePassword, isUsername, normalizeUsername } from '../rules.ts';
import { checkPassword } from './check-password.ts';
import { openSession, type Login } from './open-session.ts';
import { inHashingPlace, isPassword } from './passwords.ts';

const wrongCredentials = () => failed('账号或密码错误');

/**
 * C-65. `password` is base64 of UTF-8. Throws `failed` with one text for a wrong password, an unknown or banned user,
 * and bad base64, after the same work; tooFrequent while the account is locked, which unknown names are as well.
 */
export async function loginByUsername(ctx: Ctx, input: { username: string; password: string }): Promise<Login> {
  const username = normalizeUsername(input.username);
  const password = decodePassword(input.password);
  if (!isUsername(username)) {
    // Nobody can be called that: nothing to look up or to lock, but the work is done all the same.
    await inHashingPlace(() => isPassword(null, password));
    throw wrongCredentials();
  }
  const proven = await checkPassword(ctx, { username }, `name:${username}`, password);
  const login = proven && (await openSession(ctx, proven.userId, proven));
  if (!login) throw wrongCredentials();
  return login;
}
