import { transact, type Ctx } from '../../context.ts';
import { CODE } from '../../protocol/codes.ts';
import type { Parsed } from '../../protocol/endpoint.ts';
import { CodedAnswer } from '../../protocol/envelope.ts';
import type { returnPwd as contract } from '../contract.ts';
import { isCommonPassword } from '../common-passwords.ts';
import { commonPassword, unknownPhone } from '../rules.ts';
import { unlockPassword } from './check-password.ts';
import { refuseSharedAccount } from './demo-accounts.ts';
import { findUserBy } from './find-user.ts';
import { hashPassword } from './passwords.ts';
import { phoneMeant } from './phones.ts';
import { revokeOtherSessions, revokeSessionsOf, setUser } from './store.ts';
import { takeCode } from './take-code.ts';

/**
 * A new password by a code sent to the phone (C-69). The user's other sessions end, and the lock of too many wrong
 * passwords; the asking session stays where it is the same user's. Throws wrongCode (42), and unknownPhone (1), which
 * only whoever holds the phone is told.
 */
export async function resetPassword(
  ctx: Ctx,
  input: Parsed<typeof contract>,
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
    await setUser(tx.db, user.id, { passwordHash });
    await unlockPassword(tx, user.id);
    const now = new Date(tx.clock.now());
    if (ctx.session?.userId === user.id) {
      await revokeOtherSessions(tx.db, user.id, ctx.session.id, 'password-set', now);
      return;
    }
    await revokeSessionsOf(tx.db, user.id, 'password-set', now);
  });
  return new CodedAnswer(CODE.ok, '重置密码成功', {});
}
