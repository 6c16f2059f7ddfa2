import { transact, type Ctx } from '../../../context.ts';
import { isSqlState } from '../../../platform/db/client.ts';
import { CODE } from '../../../protocol/codes.ts';
import type { Parsed } from '../../../protocol/endpoint.ts';
import { CodedAnswer, conflict, invalid, sessionInvalid, type Refusal } from '../../../protocol/envelope.ts';
import { isCommonPassword } from '../../common-passwords.ts';
import type * as contract from '../../contract.ts';
import { commonPassword, isMemberPassword, isSmsCode, maskPhone } from '../../rules.ts';
import { refuseSharedAccount } from '../demo-accounts.ts';
import { phoneBound } from '../job-notices.ts';
import { hashPassword } from '../passwords.ts';
import { openPhone, phoneIndex, storedPhone } from './phones.ts';
import { hasFreshScan, provePassword, provePresence } from '../prove-owner.ts';
import { requireSession } from '../sessions.ts';
import { senderOf, verifyCodes, type GivenCode } from './sms-codes.ts';
import { insertCode, updateCodeState } from './store-codes.ts';
import { selectUser, updatePhone, type User } from '../store.ts';

const phoneTaken = () => conflict('该手机号已被其他账号绑定');
const accountChanged = () => conflict('账号的手机号或密码刚刚已被更改，请刷新页面后重试');

/**
 * Binds or changes the phone of an account (C-68). A session alone is not enough: a stranger who finds a browser logged
 * in must not take the account over. The owner proves themselves by the password; without a password by a code to the
 * bound phone (`old_code`) or a fresh scan; without either by a login or a scan in the last ten minutes. The replaced
 * phone gets a message. Only the holder of the new phone is told that it belongs to another account. Throws invalid
 * (40), wrongPassword, tooFrequent (locked), wrongCode, scanNeeded (43), conflict (60).
 */
export async function bindPhone(
  ctx: Ctx,
  input: Parsed<typeof contract.bindPhone>,
): Promise<CodedAnswer<{ phone: string }>> {
  const { userId } = requireSession(ctx);
  const user = await selectUser(ctx.db, { id: userId });
  if (!user) throw sessionInvalid();
  refuseSharedAccount(ctx, user);
  const oldPhone = openPhone(ctx, user.phoneSealed);
  // Hash before any proof is used up: this refuses what cannot become a password.
  const newHash = user.hasPassword ? null : await hashOf(input.pwd);
  const { codes, provenHash } = await proofsOf(ctx, user, oldPhone, input);
  await verifyCodes(ctx, [...codes, { phone: input.phone, code: input.code, purpose: 'bind' }]);
  try {
    const from = oldPhone === null ? null : phoneIndex(ctx, oldPhone);
    const change = { from, phone: storedPhone(ctx, input.phone), passwordHash: newHash, provenHash };
    const isChanged = await transact(ctx, async (tx) => {
      const hasPhone = await updatePhone(tx.db, userId, change);
      if (hasPhone && oldPhone === null) await tx.jobs.add(phoneBound, { userId });
      return hasPhone;
    });
    if (!isChanged) throw await bindingLost(ctx, userId);
  } catch (error) {
    if (isSqlState(error, '23505')) throw phoneTaken();
    throw error;
  }
  if (oldPhone !== null && oldPhone !== input.phone) await notifyReplacedPhone(ctx, oldPhone, input.phone);
  return new CodedAnswer(CODE.ok, '绑定成功', { phone: maskPhone(input.phone) });
}

/**
 * Returns the refusal of a lost update: another request changed the phone or the password in the meantime, or the
 * account was erased.
 */
async function bindingLost(ctx: Ctx, userId: number): Promise<Refusal> {
  const user = await selectUser(ctx.db, { id: userId });
  return user && user.state !== 'erased' ? accountChanged() : sessionInvalid();
}

/** Checks the owner's proof. Returns the codes that are still to be verified for it, and the hash of the password that was right. */
async function proofsOf(
  ctx: Ctx,
  user: User,
  oldPhone: string | null,
  input: Parsed<typeof contract.bindPhone>,
): Promise<{ codes: GivenCode[]; provenHash: string | null }> {
  if (user.hasPassword) {
    return { codes: [], provenHash: await provePassword(ctx, user.id, input.pwd) };
  }
  if (oldPhone === null) {
    await provePresence(ctx, user.id);
    return { codes: [], provenHash: null };
  }
  // The code to the unchanged phone is the proof; only the password is new.
  if (oldPhone === input.phone || (await hasFreshScan(ctx))) return { codes: [], provenHash: null };
  if (!isSmsCode(input.old_code)) throw invalid('请输入原手机号收到的6位验证码', 'old_code');
  const code = { phone: oldPhone, code: input.old_code, purpose: 'rebind', field: 'old_code' } as const;
  return { codes: [code], provenHash: null };
}

async function hashOf(pwd: string): Promise<string | null> {
  if (pwd === '') return null;
  if (!isMemberPassword(pwd)) throw invalid('密码需为8-20位字母和数字组合', 'pwd');
  if (isCommonPassword(pwd)) throw commonPassword();
  return hashPassword(pwd);
}

/**
 * Sends a message to the phone that an account was bound to until now. The limits of messages do not hold it back, but
 * it counts in them. The phone is changed whether or not the message is sent; the log says when it was not.
 */
async function notifyReplacedPhone(ctx: Ctx, oldPhone: string, newPhone: string): Promise<void> {
  const tellReplaced = ctx.providers.sms?.tellReplaced;
  if (!tellReplaced) {
    ctx.log.warn('no notice was sent to a replaced phone: SMS_NOTICE_TEMPLATE is not set');
    return;
  }
  const row = { phoneIndex: phoneIndex(ctx, oldPhone), ...senderOf(ctx), purpose: 'notice', codeHash: '' } as const;
  const id = await insertCode(ctx.db, { ...row, createdAt: new Date(ctx.clock.now()) });
  try {
    await tellReplaced({ phone: oldPhone, tail: newPhone.slice(-4), reference: `ceku-${id}` });
    await updateCodeState(ctx.db, id, 'sent');
  } catch (error) {
    await updateCodeState(ctx.db, id, 'unknown');
    ctx.log.error({ error }, 'the notice to a replaced phone was not sent');
  }
}
