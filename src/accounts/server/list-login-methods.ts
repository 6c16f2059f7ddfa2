import type { Ctx } from '../../context.ts';
import type { Output } from '../../protocol/endpoint.ts';
import type { loginMethods as contract } from '../contract.ts';

/** Which ways in are open besides the user name (C-19). */
export async function listLoginMethods(ctx: Ctx): Promise<Output<typeof contract>> {
  const { miniProgram, officialAccount, sms } = ctx.providers;
  return { mini: miniProgram ? 1 : 0, offiaccount: officialAccount ? 1 : 0, sms: sms ? 1 : 0 };
}
