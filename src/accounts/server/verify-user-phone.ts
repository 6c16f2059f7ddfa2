import type { Ctx } from '../../context.ts';
import { addressGroup } from '../../protocol/address-group.ts';
import { CODE } from '../../protocol/codes.ts';
import { invalid, Refusal } from '../../protocol/envelope.ts';
import type { Parsed } from '../../protocol/endpoint.ts';
import type { verifyUserPhone as contract } from '../contract.ts';
import { isPhone, maskPhone, tooManyPhoneChecks, unknownPhone } from '../rules.ts';
import { findUserBy } from './find-user.ts';
import { findOwnPhone } from './phones.ts';

const MINUTE = { points: 5, seconds: 60 };
const DAY = { points: 20, seconds: 86_400 };

/**
 * The one call that tells whether a phone has an account (C-67), hence its guards: five a minute and twenty a day for an
 * address, then 43; a member is told of their own phone alone. Throws unknownPhone (1).
 */
export async function verifyUserPhone(ctx: Ctx, input: Parsed<typeof contract>): Promise<{ exists: 1 }> {
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
