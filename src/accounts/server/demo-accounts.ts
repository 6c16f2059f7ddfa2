import { type Ctx, transact, type TransactionCtx } from '../../context.ts';
import { failed } from '../../protocol/envelope.ts';
import { hashPassword, withHashingSlot, isPassword } from './passwords.ts';
import { updateSessionsRevoked } from './store-sessions.ts';
import { selectCredentials, updateUser } from './store.ts';

const usableHereOnly = () => failed('演示账号只能在运行本站的电脑上登录');
const sharedAccount = () => failed('演示账号由多人共用，不支持此操作');

/**
 * Returns whether a demo account may log in with this request. Demo accounts have public passwords, so a public site
 * refuses them, also those that an earlier start created. Throws `failed` where only another machine is refused.
 */
export function mayUseDemoAccount(ctx: TransactionCtx): boolean {
  if (ctx.config.demoLogins === 'this-machine' && !ctx.request.isFromThisMachine) throw usableHereOnly();
  return ctx.config.demoLogins !== 'refused';
}

/** Returns whether this is a demo account that many people share; a browser on this machine is its operator's. */
export const isSharedAccount = (ctx: Ctx, user: { isDemo: boolean } | null): boolean =>
  user !== null && user.isDemo && !ctx.request.isFromThisMachine;

/**
 * Refuses a change of a demo account, which many people share, and what would tell one of them about the others. Throws
 * `failed` unless the request comes from this machine.
 */
export function refuseSharedAccount(ctx: Ctx, user: { isDemo: boolean } | null): void {
  if (isSharedAccount(ctx, user)) throw sharedAccount();
}

/** Resets a demo account's password to `password` and ends its sessions, unless that is its password already. */
export async function ensureDemoPassword(ctx: Ctx, username: string, password: string): Promise<void> {
  const user = await selectCredentials(ctx.db, { username });
  if (!user || (await withHashingSlot(() => isPassword(user.passwordHash, password)))) return;
  const passwordHash = await hashPassword(password);
  await transact(ctx, async (tx) => {
    await updateUser(tx.db, user.id, { passwordHash });
    await updateSessionsRevoked(tx.db, user.id, 'password-set', new Date(tx.clock.now()));
  });
}
