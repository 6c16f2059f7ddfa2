import { findUserBy } from '../src/accounts/server/find-user.ts';
import { createUser } from '../src/accounts/server/create-user.ts';
import type { Ctx } from '../src/context.ts';
import { grantCoins } from '../src/membership/server/grant-coins.ts';
import { grantMembership } from '../src/membership/server/grant-membership.ts';
import { wasMembershipGranted } from '../src/membership/server/was-membership-granted.ts';

/** The password of every demo login. They exist only where the demo library was loaded into an empty database. */
export const DEMO_PASSWORD = 'ceku2026';

export const DEMO_USERS = [
  { username: 'demo', nickname: '策划小白', coins: 100, tier: 0, note: '普通用户，100 喵币' },
  { username: 'vip', nickname: '策划达人', coins: 50, tier: 1, note: '标准VIP，50 喵币' },
  { username: 'pro', nickname: '资深策划', coins: 200, tier: 2, note: '高级VIP，200 喵币' },
] as const;

/** Safe to repeat. The first login is made before the demo documents and the others after them. */
export async function seedDemoUsers(
  ctx: Ctx,
  users: readonly (typeof DEMO_USERS)[number][] = DEMO_USERS,
): Promise<void> {
  for (const user of users) {
    const { username, nickname, coins, tier } = user;
    const created = await createUser(ctx, { username, password: DEMO_PASSWORD, phone: null, nickname });
    const userId = created ?? (await findUserBy(ctx, { username }))?.id;
    if (!userId) continue;
    await grantCoins(ctx, { userId, coins, reason: 'demo', ref: refOf(user) });
    if (tier !== 0) await grantMembership(ctx, { userId, tier, days: 365, reason: 'demo', ref: refOf(user) });
  }
}

/** True when this database was seeded with the demo logins: the start page of the terminal then names them. */
export async function hasDemoUsers(ctx: Ctx): Promise<boolean> {
  return (await findUserBy(ctx, { username: DEMO_USERS[0].username })) !== null;
}

/**
 * True when a start was interrupted while it loaded the demo library: the next one goes on with it. Told by the very last
 * grant, which outlives its account: erasing a demo login must not bring it back.
 */
export async function isDemoUnfinished(ctx: Ctx): Promise<boolean> {
  const last = DEMO_USERS[2];
  return (await hasDemoUsers(ctx)) && !(await wasMembershipGranted(ctx, refOf(last)));
}

const refOf = ({ username }: { username: string }) => `demo:${username}`;
