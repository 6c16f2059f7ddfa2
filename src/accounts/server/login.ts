import type { Ctx } from '../../context.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { failed, invalid, type Refusal } from '../../protocol/envelope.ts';
import type * as contract from '../contract.ts';
import {
  bannedUser,
  beingErased,
  decodePassword,
  isLoginPassword,
  isSmsCode,
  isUsername,
  normalizeUsername,
  wrongCode,
  wrongPhoneOrPassword,
} from '../rules.ts';
import { checkPassword, withHashingSlot, isPassword, type VerifiedUser } from './passwords.ts';
import { phoneIndex } from './phones/phones.ts';
import { inviterOf } from './session-cookies.ts';
import type { PersonalData } from './personal-data.ts';
import { isBeingErased, openSession, type Login } from './sessions.ts';
import { verifyCode } from './phones/sms-codes.ts';
import { findUserBy, registerUser } from './users.ts';

/** Returns the login methods that this site offers besides the user name (C-19). */
export async function listLoginMethods(ctx: Ctx): Promise<Output<typeof contract.loginMethods>> {
  const { miniProgram, officialAccount, sms } = ctx.providers;
  return { mini: miniProgram ? 1 : 0, offiaccount: officialAccount ? 1 : 0, sms: sms ? 1 : 0 };
}

const wrongCredentials = () => failed('账号或密码错误');

/**
 * Logs in by user name (C-65). `password` is base64 of UTF-8. A wrong password, an unknown or banned user and bad
 * base64 are refused with one text and after the same work. Throws `failed`, and tooFrequent while the account is
 * locked; unknown names are locked as well.
 */
export async function loginByUsername(
  ctx: Ctx,
  parts: readonly PersonalData[],
  input: { username: string; password: string },
): Promise<Login> {
  const username = normalizeUsername(input.username);
  const password = decodePassword(input.password);
  if (!isUsername(username)) {
    // No account can have such a name, so there is nothing to look up or lock; the hashing is done all the same.
    await withHashingSlot(() => isPassword(null, password));
    throw wrongCredentials();
  }
  const proven = await checkPassword(ctx, { username }, `name:${username}`, password);
  return openProven(ctx, parts, proven, wrongCredentials);
}

/**
 * Logs in by phone and password, or by phone and `code` (C-65). A wrong password, an unknown phone, an account without
 * a password and a banned account are refused with one text and after the same work. Throws `failed`, and tooFrequent
 * while the account is locked.
 */
export async function loginByPhone(
  ctx: Ctx,
  parts: readonly PersonalData[],
  input: Parsed<typeof contract.phoneLogin>,
): Promise<Login> {
  const { phone, pwd, code } = input;
  if (pwd === '' && code !== '') {
    if (!isSmsCode(code)) throw invalid('请输入6位验证码', 'code');
    return loginByPhoneCode(ctx, parts, { phone, code });
  }
  const index = phoneIndex(ctx, phone);
  const password = isLoginPassword(pwd) ? pwd : null;
  const proven = await checkPassword(ctx, { phoneIndex: index }, `phone:${index.toString('hex')}`, password);
  return openProven(ctx, parts, proven, wrongPhoneOrPassword);
}

/**
 * Opens a session for a user whose password was right; null: it was not. Throws `refusal` where nothing more may be told,
 * and beingErased, which only the owner of the password is told.
 */
async function openProven(
  ctx: Ctx,
  parts: readonly PersonalData[],
  proven: VerifiedUser | null,
  refusal: () => Refusal,
): Promise<Login> {
  if (!proven) throw refusal();
  const login = await openSession(ctx, parts, proven.userId, proven);
  if (!login) throw (await isBeingErased(ctx, proven.userId)) ? beingErased() : refusal();
  return login;
}

/**
 * Logs in by phone and SMS code, and creates an account when the phone has none (C-64). Throws wrongCode (42), and
 * bannedUser and beingErased, which only the owner of the phone is told.
 */
export async function loginByPhoneCode(
  ctx: Ctx,
  parts: readonly PersonalData[],
  input: Parsed<typeof contract.phoneCodeLogin>,
): Promise<Login> {
  const { phone, code } = input;
  await verifyCode(ctx, { phone, code, purpose: 'login' });
  const userId = (await findUserBy(ctx, { phone }))?.id ?? (await registerOwner(ctx, phone));
  const login = await openSession(ctx, parts, userId, { phoneIndex: phoneIndex(ctx, phone) });
  if (login) return login;
  if (await isBeingErased(ctx, userId)) throw beingErased();
  // The account has another phone by now: the code proves nothing about it.
  throw (await findUserBy(ctx, { phone }))?.id === userId ? bannedUser() : wrongCode();
}

async function registerOwner(ctx: Ctx, phone: string): Promise<number> {
  const id = await registerUser(ctx, { phone, inviterId: inviterOf(ctx), ip: ctx.request.ip });
  // Null: another request has registered the phone in the meantime.
  const userId = id ?? (await findUserBy(ctx, { phone }))?.id;
  if (userId === undefined) throw new Error('a phone is taken by nobody');
  return userId;
}
