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
import { findOwnPhone, phoneMeant } from './phones.ts';
import { takeCode } from './sms-codes.ts';
import { updateOtherSessionsRevoked, updateSessionsRevoked } from './store-sessions.ts';
import { updateUser } from './store.ts';
import { findUserBy } from './users.ts';

const MINUTE = { points: 5, seconds: 60 };
const DAY = { points: 20, seconds: 86_400 };

/**
 * The one call that tells whether a phone has an account (C-67), hence its guards: five a minute and twenty a day for an
 * address, then 43; a member is told of their own phone alone. Throws unknownPhone (1).
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
 * A new password by a code sent to the phone (C-69). The user's other sessions end, and the lock of too many wrong
 * passwords; the asking session stays where it is the same user's. Throws wrongCode (42), and unknownPhone (1), which
 * only whoever holds the phone is told.
 */
export async function resetPassword(
  ctx: Ctx,
  input: Parsed<typeof contract.returnPwd>,
): Promise<CodedAnswer<Record<string, never>>> {
  // Before the code is used up by it.
  if (isCommonPassword(input.pwd)) throw commonPassword();
  const phone = await phoneMeant(ctx, input.phone);
  await takeCode(ctx, { phone, code: input.code, purpose: 'reset' });
  const user = await findUserBy(ctx, { phone });
  if (!user) throw unknownPhone();
  refuseSharedAccount(ctx, user);
  // Before the transaction: hashing waits for its turn, and a transaction must not.
  const passwordHash = await hashPassword(input.pwd);
  await transact(ctx, async (tx) => {
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
