import type { Ctx } from '../../context.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { failed, invalid } from '../../protocol/envelope.ts';
import type * as contract from '../contract.ts';
import {
  bannedUser,
  decodePassword,
  isLoginPassword,
  isSmsCode,
  isUsername,
  normalizeUsername,
  wrongPhoneOrPassword,
} from '../rules.ts';
import { checkPassword, inHashingPlace, isPassword } from './passwords.ts';
import { phoneIndex } from './phones.ts';
import { openSession, type Login } from './sessions.ts';
import { takeCode } from './sms-codes.ts';
import { findUserBy, registerUser } from './users.ts';

/** Which ways in are open besides the user name (C-19). */
export async function listLoginMethods(ctx: Ctx): Promise<Output<typeof contract.loginMethods>> {
  const { miniProgram, officialAccount, sms } = ctx.providers;
  return { mini: miniProgram ? 1 : 0, offiaccount: officialAccount ? 1 : 0, sms: sms ? 1 : 0 };
}

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

/**
 * C-65. Throws `failed` with one text for a wrong password, an unknown phone, an account without a password and a banned
 * one, after the same work; tooFrequent while the account is locked. A `code` instead of the password logs in by it.
 */
export async function loginByPhone(ctx: Ctx, input: Parsed<typeof contract.phoneLogin>): Promise<Login> {
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

/**
 * C-64: logs the owner of a phone in and makes their account when there is none. Throws wrongCode (42), and bannedUser,
 * which only the owner of the phone is ever told.
 */
export async function loginByPhoneCode(ctx: Ctx, input: Parsed<typeof contract.phoneCodeLogin>): Promise<Login> {
  const { phone, code } = input;
  await takeCode(ctx, { phone, code, purpose: 'login' });
  const userId = (await findUserBy(ctx, { phone }))?.id ?? (await registerOwner(ctx, phone));
  const login = await openSession(ctx, userId);
  if (!login) throw bannedUser();
  return login;
}

async function registerOwner(ctx: Ctx, phone: string): Promise<number> {
  const id = await registerUser(ctx, { phone });
  // Null: another request of the same person was quicker.
  const userId = id ?? (await findUserBy(ctx, { phone }))?.id;
  if (userId === undefined) throw new Error('a phone is taken by nobody');
  return userId;
}
