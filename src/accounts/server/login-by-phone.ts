import type { Ctx } from '../../context.ts';
import type { Parsed } from '../../protocol/endpoint.ts';
import { invalid } from '../../protocol/envelope.ts';
import type { phoneLogin } from '../contract.ts';
import { isLoginPassword, isSmsCode, wrongPhoneOrPassword } from '../rules.ts';
import { checkPassword } from './check-password.ts';
import { loginByPhoneCode } from './login-by-phone-code.ts';
import { openSession, type Login } from './open-session.ts';
import { phoneIndex } from './phones.ts';

/**
 * C-65. Throws `failed` with one text for a wrong password, an unknown phone, an account without a password and a banned
 * one, after the same work; tooFrequent while the account is locked. A `code` instead of the password logs in by it.
 */
export async function loginByPhone(ctx: Ctx, input: Parsed<typeof phoneLogin>): Promise<Login> {
  const { phone, pwd, code } = input;
  if (pwd === '' && code !== '') {
    if (!isSmsCode(code)) throw invalid('请输入6位验证码', 'code');
    return loginByPhoneCode(ctx, { phone, code });
  }
  const index = phoneIndex(ctx, phone);
  const password = isLoginPassword(pwd) ? pwd : null;
  const proven = await checkPassword(ctx, { phoneIndex: index }, `phone:${index.toString('hex')}`, password);
  const login = proven && (await openSession(ctx, proven.userId, proven));
  if (!login) throw wrongPhoneOrPassword();
  return login;
}
