import type { Ctx } from '../../context.ts';
import { failed } from '../../protocol/envelope.ts';

const usableHereOnly = () => failed('演示账号只能在运行本站的电脑上登录');
const sharedAccount = () => failed('演示账号由多人共用，不支持此操作');

/**
 * Whether a demo account may log in with this request. Everybody knows the password of these accounts, so a public site
 * refuses them, also when an earlier start made them. Throws `failed` where only another machine is in the way.
 */
export function mayUseDemoAccount(ctx: Ctx): boolean {
  if (ctx.config.demoLogins === 'this-machine' && !ctx.request.isFromThisMachine) throw usableHereOnly();
  return ctx.config.demoLogins !== 'refused';
}

/** Nobody takes over an account that everybody may use. Throws `failed` unless the request is the operator's own. */
export function refuseSharedAccount(ctx: Ctx, user: { isDemo: boolean }): void {
  if (user.isDemo && !ctx.request.isFromThisMachine) throw sharedAccount();
}
