import { transact, type Ctx } from '../../context.ts';
import { addressGroup } from '../../protocol/address-group.ts';
import { CODE } from '../../protocol/codes.ts';
import type { Parsed } from '../../protocol/endpoint.ts';
import { CodedAnswer, Refusal, invalid } from '../../protocol/envelope.ts';
import { isCommonPassword } from '../common-passwords.ts';
import type * as contract from '../contract.ts';
import { commonPassword, isPhone, maskPhone, tooManyPhoneChecks, unknownPhone } from '../rules.ts';
import { refuseSharedAccount } from './demo-accounts.ts';
import { hashPassword, unlockPassword } from './passwords.ts';
import { findOwnPhone, phoneIndex, resolvePhone } from './phones/phones.ts';
import { verifyCode } from './phones/sms-codes.ts';
import { updateOtherSessionsRevoked, updateSessionsRevoked } from './store-sessions.ts';
import { lockUser, selectPhoneIndex, updateUser } from './store.ts';
import { findUserBy } from './users.ts';

const MINUTE = { points: 5, seconds: 60 };
const DAY = { points: 20, seconds: 86_400 };

/**
 * Tells whether a phone has an account (C-67). No other call tells this, so visitors get five answers a minute and
 * twenty a day for one address, then 43; a member is told of their own phone alone. Throws unknownPhone (1).
 */
export async function verifyUserPhone(
  ctx: Ctx,
  input: Parsed<typeof contract.verifyUserPhone>,
): Promise<{ exists: 1 }> {
  const { phone } = input;
  if (ctx.session) {
    const own = await findOwnPhone(ctx);
    if (own !== null && (phone === '' || phone === own || phone === maskPhone(own))) return { exists: 1 };
    if (phone !== '' && !isPhone(phone)) throw invalid('请输入正确的手机号', 'phone');
    throw unknownPhone();
  }
  if (!isPhone(phone)) throw invalid('请输入正确的手机号', 'phone');
  await guard(ctx);
  const user = await findUserBy(ctx, { phone });
  if (!user) throw unknownPhone();
  return { exists: 1 };
}

async function guard(ctx: Ctx): Promise<void> {
  try {
    for (const { points, seconds } of [MINUTE, DAY]) {
      await ctx.limiter.take('verify-phone', addressGroup(ctx.request.ip), points, { seconds });
    }
  } catch (error) {
    if (error instanceof Refusal && error.code === CODE.tooFrequent) {
      const wait = error.data?.['retry_after'];
      throw tooManyPhoneChecks(typeof wait === 'number' ? wait : MINUTE.seconds);
    }
    throw error;
  }
}

/**
 * Resets a password by a code sent to the phone (C-69). Ends the user's other sessions and removes the lock of wrong
 * passwords; the caller's session stays open when it belongs to the same user. Throws tooFrequent (41), wrongCode (42), and
 * unknownPhone (1), which only the holder of the phone is told.
 */
export async function resetPassword(
  ctx: Ctx,
  input: Parsed<typeof contract.returnPwd>,
): Promise<CodedAnswer<Record<string, never>>> {
  // Refuse a common password before the code is used up.
  if (isCommonPassword(input.pwd)) throw commonPassword();
  const phone = await resolvePhone(ctx, input.phone);
  // Hash before the code is used up, as a full queue for hashing refuses the request; and before the transaction, which must not wait.
  const passwordHash = await hashPassword(input.pwd);
  await verifyCode(ctx, { phone, code: input.code, purpose: 'reset' });
  const user = await findUserBy(ctx, { phone });
  if (!user) throw unknownPhone();
  refuseSharedAccount(ctx, user);
  await transact(ctx, async (tx) => {
    await lockUser(tx.db, user.id);
    // The phone may have been replaced since the code was verified: its holder is no longer the owner.
    if (!(await selectPhoneIndex(tx.db, user.id))?.equals(phoneIndex(ctx, phone))) throw unknownPhone();
    await updateUser(tx.db, user.id, { passwordHash });
    await unlockPassword(tx, user.id);
    const now = new Date(tx.clock.now());
    if (ctx.session?.userId === user.id) {
      await updateOtherSessionsRevoked(tx.db, user.id, ctx.session.id, 'password-set', now);
      return;
    }
    await updateSessionsRevoked(tx.db, user.id, 'password-set', now);
  });
  return new CodedAnswer(CODE.ok, '重置密码成功', {});
}
