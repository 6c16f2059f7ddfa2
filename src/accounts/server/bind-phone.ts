import type { Ctx } from '../../context.ts';
import { isSqlState } from '../../platform/db/client.ts';
import { CODE } from '../../protocol/codes.ts';
import type { Parsed } from '../../protocol/endpoint.ts';
import { CodedAnswer, conflict, invalid, sessionInvalid } from '../../protocol/envelope.ts';
import type { bindPhone as contract } from '../contract.ts';
import { isCommonPassword } from '../common-passwords.ts';
import { commonPassword, isLoginPassword, isMemberPassword, maskPhone, wrongPassword } from '../rules.ts';
import { checkPassword } from './check-password.ts';
import { refuseSharedAccount } from './demo-accounts.ts';
import { hashPassword } from './passwords.ts';
import { storedPhone } from './phones.ts';
import { requireSession } from './require-session.ts';
import { findUser, setUser } from './store.ts';
import { takeCode } from './take-code.ts';

const phoneTaken = () => conflict('该手机号已被其他账号绑定');

/**
 * Binds a phone, or changes it (C-68). The current password of an account that has one is asked for each time: whoever
 * found a browser logged in must not make the account theirs. Whether the phone is somebody's is told only to whoever
 * holds it. Throws wrongPassword, tooFrequent (locked), wrongCode, conflict (60).
 */
export async function bindPhone(ctx: Ctx, input: Parsed<typeof contract>): Promise<CodedAnswer<{ phone: string }>> {
  const { userId } = requireSession(ctx);
  const user = await findUser(ctx.db, { id: userId });
  if (!user) throw sessionInvalid();
  refuseSharedAccount(ctx, user);
  const newHash = user.hasPassword ? null : await hashOf(input.pwd);
  if (user.hasPassword) await proveOwner(ctx, userId, input.pwd);
  await takeCode(ctx, { phone: input.phone, code: input.code, purpose: 'bind' });
  try {
    const change = { ...storedPhone(ctx, input.phone), ...(newHash !== null && { passwordHash: newHash }) };
    if (!(await setUser(ctx.db, userId, change))) throw sessionInvalid();
  } catch (error) {
    if (isSqlState(error, '23505')) throw phoneTaken();
    throw error;
  }
  return new CodedAnswer(CODE.ok, '绑定成功', { phone: maskPhone(input.phone) });
}

async function proveOwner(ctx: Ctx, userId: number, pwd: string): Promise<void> {
  const proven = await checkPassword(ctx, { id: userId }, `id:${userId}`, isLoginPassword(pwd) ? pwd : null);
  if (proven === null) throw wrongPassword();
}

async function hashOf(pwd: string): Promise<string | null> {
  if (pwd === '') return null;
  if (!isMemberPassword(pwd)) throw invalid('密码需为8-20位字母和数字组合', 'pwd');
  if (isCommonPassword(pwd)) throw commonPassword();
  return hashPassword(pwd);
}
