import { transact, type Ctx } from '../../context.ts';
import { failed } from '../../protocol/envelope.ts';
import { hashPassword, inHashingPlace, isPassword } from './passwords.ts';
import { updateSessionsRevoked } from './store-sessions.ts';
import { selectCredentials, updateUser } from './store.ts';

const usableHereOnly = () => failed('演示账号只能在运行本站的电脑上登录');
const sharedAccount = () => failed('演示账号由多人共用，不支持此操作');

/**
 * Whether a demo account may log in with this request. These accounts are made for whoever tries the site out, so a public
 * site refuses them, also when an earlier start made them. Throws `failed` where only another machine is in the way.
 */
export function mayUseDemoAccount(ctx: Ctx): boolean {
  if (ctx.config.demoLogins === 'this-machine' && !ctx.request.isFromThisMachine) throw usableHereOnly();
  return ctx.config.demoLogins !== 'refused';
}

/** Nobody takes over an account that everybody may use. Throws `failed` unless the request is the operator's own. */
export function refuseSharedAccount(ctx: Ctx, user: { isDemo: boolean }): void {
  if (user.isDemo && !ctx.request.isFromThisMachine) throw sharedAccount();
}

/** Sets a demo account's password to `password` and ends its sessions, unless it is that already. */
export async function keepDemoPassword(ctx: Ctx, username: string, password: string): Promise<void> {
  const user = await selectCredentials(ctx.db, { username });
  if (!user || (await inHashingPlace(() => isPassword(user.passwordHash, password)))) return;
  const passwordHash = await hashPassword(password);
  await transact(ctx, async (tx) => {
    await updateUser(tx.db, user.id, { passwordHash });
    await updateSessionsRevoked(tx.db, user.id, 'password-set', new Date(tx.clock.now()));
  });
}
