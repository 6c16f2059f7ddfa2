import { createUser, findUserBy } from '../src/accounts/server/users.ts';
import { ensureDemoPassword } from '../src/accounts/server/demo-accounts.ts';
import type { Ctx } from '../src/context.ts';
import { grantCoins, grantMembership, wasMembershipGranted } from '../src/membership/server/grants.ts';

const LETTERS = 'abcdefghjkmnpqrstuvwxyz';
const DIGITS = '23456789';

/**
 * The password of every demo login of this site: 50 bits drawn from the site's own secret, so that a stranger who reaches
 * the site knows none of it and every start prints the same one. Three letters and a digit, three times.
 */
export function demoPasswordOf(ctx: Pick<Ctx, 'signer'>): string {
  const bytes = Buffer.from(ctx.signer.sign('demo-password'), 'base64url').subarray(0, 12);
  return [...bytes]
    .map((byte, at) => (at % 4 === 3 ? DIGITS[byte % DIGITS.length] : LETTERS[byte % LETTERS.length]))
    .join('');
}

export const DEMO_USERS = [
  { username: 'demo', nickname: '策划小白', coins: 100, tier: 0, note: '普通用户，100 喵币' },
  { username: 'vip', nickname: '策划达人', coins: 50, tier: 1, note: '标准VIP，50 喵币' },
  { username: 'pro', nickname: '资深策划', coins: 200, tier: 2, note: '高级VIP，200 喵币' },
] as const;

/**
 * Creates the demo logins. Safe to repeat. The first login is created before the demo documents and the others after
 * them.
 */
export async function seedDemoUsers(
  ctx: Ctx,
  users: readonly (typeof DEMO_USERS)[number][] = DEMO_USERS,
): Promise<void> {
  for (const user of users) {
    const { username, nickname, coins, tier } = user;
    const created = await createUser(ctx, {
      username,
      password: demoPasswordOf(ctx),
      phone: null,
      nickname,
      isDemo: true,
    });
    const userId = created ?? (await findUserBy(ctx, { username }))?.id;
    if (!userId) continue;
    await grantCoins(ctx, { userId, coins, reason: 'demo', ref: refOf(user) });
    if (tier !== 0) await grantMembership(ctx, { userId, tier, days: 365, reason: 'demo', ref: refOf(user) });
  }
}

/** Returns the demo logins in this database that are neither erased nor have a password of their own. */
export async function listDemoUsers(ctx: Ctx): Promise<(typeof DEMO_USERS)[number][]> {
  const accounts = await Promise.all(DEMO_USERS.map(({ username }) => findUserBy(ctx, { username })));
  return DEMO_USERS.filter((_, index) => accounts[index]?.isDemo);
}

/** Gives the demo logins that an earlier release, or another secret, made the password that the start prints. */
export async function renewDemoPasswords(ctx: Ctx): Promise<void> {
  if (ctx.config.demoLogins === 'refused') return;
  for (const { username } of await listDemoUsers(ctx)) await ensureDemoPassword(ctx, username, demoPasswordOf(ctx));
}

/**
 * Returns the lines about demo logins that the site prints at its start: one for each login, or why they are refused;
 * none when there are no demo logins.
 */
export async function describeDemoLogins(ctx: Ctx): Promise<string[]> {
  const users = await listDemoUsers(ctx);
  if (users.length === 0) return [];
  const { demoLogins, publicBecause } = ctx.config;
  const names = users.map(({ username }) => username).join(', ');
  if (demoLogins === 'refused')
    return [
      `The demo logins (${names}) of this database are refused: ${publicBecause ?? 'DEMO is off'}. "ceku user erase" removes them.`,
    ];
  const lines = users.map(
    ({ username, note }) => `demo login  ${username.padEnd(5)} / ${demoPasswordOf(ctx)}  ${note}`,
  );
  return demoLogins === 'everywhere'
    ? [...lines, 'They work for everybody who reaches this site, because DEMO is on.']
    : [...lines, 'They work in browsers on this machine only; DEMO=on lets everybody use them.'];
}

/**
 * Whether a start was interrupted while it loaded the demo library; the next start continues. Decided by the last
 * membership grant, which outlives its account: an erased demo login must not come back.
 */
export async function isDemoUnfinished(ctx: Ctx): Promise<boolean> {
  const [first, , last] = DEMO_USERS;
  return (await listDemoUsers(ctx)).includes(first) && !(await wasMembershipGranted(ctx, refOf(last)));
}

const refOf = ({ username }: { username: string }) => `demo:${username}`;
