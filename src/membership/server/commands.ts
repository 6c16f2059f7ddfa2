import { InvalidArgumentError, type Command } from 'commander';
import { findObstacle, type PersonalData } from '../../accounts/server/personal-data.ts';
import type { UserState } from '../../accounts/server/tables.ts';
import { findUserByOption, userLabel, withUserOptions, type UserOptions } from '../../accounts/server/user-option.ts';
import type { Ctx, Open } from '../../context.ts';
import { dayText } from '../../library/rules.ts';
import { commandGroup, EXIT, OperatorError, printResult, wholeNumber, type Json } from '../../platform/command-line.ts';
import { tierAt, type Clocks } from '../rules.ts';
import { grantCoins, grantMembership } from './grants.ts';
import { LedgerConflict } from './ledger.ts';
import { selectStanding } from './store.ts';
import { verifyLedger } from './verify-ledger.ts';

type Grant = UserOptions & Json & { reason: string; ref?: string };

const TIERS = ['not a member', 'standard', 'advanced'] as const;

/**
 * Adds `ceku user show|grant-coins|grant-vip` and `ceku ledger verify`. `parts` is what may stand against the deletion of an account.
 */
export function membershipCommands(program: Command, open: Open, parts: readonly PersonalData[]): void {
  const group = commandGroup(program, 'user', 'accounts, coins and membership of users');
  withUserOptions(group.command('show').description('show an account with its coins and membership')).action(
    (options: UserOptions & Json) => open((ctx) => show(ctx, parts, options)),
  );
  grantOf(group, 'grant-coins', 'grant coins')
    .requiredOption('--coins <count>', 'how many', wholeNumber(1, 1_000_000))
    .action((options: Grant & { coins: number }) => open((ctx) => giveCoins(ctx, options)));
  grantOf(group, 'grant-vip', 'grant days of membership')
    .requiredOption('--tier <number>', '1 standard, 2 advanced', wholeNumber(1, 2))
    .requiredOption('--days <count>', 'how many; 36500 is for life', wholeNumber(1, 36_500))
    .action((options: Grant & { tier: number; days: number }) => open((ctx) => giveDays(ctx, options)));
  commandGroup(program, 'ledger', 'the coin ledger')
    .command('verify')
    .description('check that coins, coupons, reads, entitlements and memberships add up')
    .option('--json', 'as JSON')
    // An empty database would be right in every respect.
    .action((options: Json) => open((ctx) => verify(ctx, options)));
}

const grantOf = (group: Command, name: string, description: string) =>
  withUserOptions(group.command(name).description(description))
    .requiredOption('--reason <text>', 'kept with the grant', reason)
    .option('--ref <text>', 'your reference for this grant: a repeated reference grants once', reference);

function reason(text: string): string {
  if (text.trim()) return text.trim();
  throw new InvalidArgumentError('Say why, in a few words.');
}

/** Refuses an empty reference, which a script with an empty variable gives: taken as no reference, each run would grant again. */
function reference(text: string): string {
  if (text.trim()) return text;
  throw new InvalidArgumentError('A reference cannot be empty. Leave --ref out for a grant without one.');
}

async function show(ctx: Ctx, parts: readonly PersonalData[], options: UserOptions & Json): Promise<void> {
  const user = await findUserByOption(ctx, options, { includeErased: true });
  const standing = await selectStanding(ctx.db, user.id, new Date(ctx.clock.now()));
  if (!standing) throw new OperatorError('The user is gone.', EXIT.data);
  const obstacle = user.eraseAt && (await findObstacle(ctx, parts, user.id));
  const deletion = user.eraseAt && deletionText(ctx, { ...user, eraseAt: user.eraseAt }, obstacle);
  const words = [
    `${userLabel(user)}, ${user.nickname}: ${user.state}`,
    ...(deletion ? [deletion] : []),
    `phone: ${user.phone || 'none'}`,
    `coins: ${standing.balance}`,
    `membership: ${membershipText(standing, ctx.clock.now())}`,
    `coupons used: ${standing.todayUsed} today, ${standing.monthUsed} this month`,
  ];
  printResult(options, { ...user, deletionObstacle: obstacle, ...standing }, words.join('\n'));
}

/** Returns what becomes of a requested deletion, and of a login. A banned user's login takes nothing back. */
function deletionText(
  ctx: Ctx,
  { eraseAt, state }: { eraseAt: Date; state: UserState },
  obstacle: string | null,
): string {
  const isDue = eraseAt.getTime() <= ctx.clock.now();
  const unlessBack = state === 'banned' ? '' : ' unless they log in';
  if (obstacle === null) {
    return isDue
      ? 'asked for deletion: erased within the hour, a login is refused'
      : `asked for deletion: erased after ${dayText(eraseAt)}${unlessBack}`;
  }
  const until = isDue ? 'as soon as this is settled' : `after ${dayText(eraseAt)}, once this is settled,`;
  return `asked for deletion: erased ${until}${unlessBack}: ${obstacle}`;
}

async function giveCoins(ctx: Ctx, options: Grant & { coins: number }): Promise<void> {
  const user = await findUserByOption(ctx, options);
  const { coins, reason, ref } = options;
  const posted = await refuseConflict(grantCoins(ctx, { userId: user.id, coins, reason, ...(ref && { ref }) }));
  const words = posted.isNew
    ? `${userLabel(user)} was granted ${coins} coins`
    : `This ref was granted before, nothing changed`;
  printResult(
    options,
    { id: user.id, granted: posted.isNew, balance: posted.balance },
    `${words}. Balance: ${posted.balance}.`,
  );
}

async function giveDays(ctx: Ctx, options: Grant & { tier: number; days: number }): Promise<void> {
  const user = await findUserByOption(ctx, options);
  const { days, reason, ref } = options;
  const tier = options.tier === 1 ? 1 : 2;
  const granted = await refuseConflict(
    grantMembership(ctx, { userId: user.id, tier, days, reason, ...(ref && { ref: ref }) }),
  );
  const words = granted.isNew
    ? `${userLabel(user)} was granted ${days} days: ${tierText(granted.clocks, tier)}`
    : `This ref was granted before, nothing changed`;
  const text = membershipText(granted.clocks, ctx.clock.now());
  printResult(options, { id: user.id, granted: granted.isNew, ...granted.clocks }, `${words}. Now ${text}.`);
}

async function verify(ctx: Ctx, options: Json): Promise<void> {
  const report = await verifyLedger(ctx);
  const lines = report.violations.map(({ rule, subject, detail }) => `${rule}: ${subject}: ${detail}`);
  const { entries, accounts, entitlements } = report.checked;
  const checked = `checked: ${entries} entries, ${accounts} accounts, ${entitlements} entitlements`;
  printResult(options, report, [...lines, checked, `violations: ${report.violations.length}`].join('\n'));
  if (report.violations.length > 0) throw new OperatorError('The ledger does not add up.', EXIT.partial);
}

async function refuseConflict<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof LedgerConflict)) throw error;
    throw new OperatorError('That --ref was used for another grant. Nothing changed.', EXIT.data);
  }
}

/** Returns the tier of now with its end, and the standard membership that runs beside an advanced one with its own. */
function membershipText(clocks: Clocks, now: number): string {
  const tier = tierAt(clocks, now);
  if (tier === 0) return TIERS[0];
  const isBoth = tier === 2 && tierAt({ ...clocks, advancedEndAt: null }, now) === 1;
  if (!isBoth) return tierText(clocks, tier);
  const { standardEndAt, advancedEndAt } = clocks;
  const isLater = standardEndAt !== null && advancedEndAt !== null && standardEndAt > advancedEndAt;
  return `${tierText(clocks, 2)}, ${isLater ? 'then ' : ''}${tierText(clocks, 1)}`;
}

function tierText({ standardEndAt, advancedEndAt }: Clocks, tier: 1 | 2): string {
  const end = tier === 1 ? standardEndAt : advancedEndAt;
  return end ? `${TIERS[tier]} until ${dayText(end)}` : TIERS[tier];
}
