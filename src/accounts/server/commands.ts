import { InvalidArgumentError, type Command } from 'commander';
import type { Ctx, Open } from '../../context.ts';
import { commandGroup, EXIT, OperatorError, printResult, wholeNumber, type Json } from '../../platform/command-line.ts';
import { isNickname } from '../rules.ts';
import { banUser, unbanUser } from './ban-user.ts';
import { createUser } from './create-user.ts';
import { setPassword } from './set-password.ts';
import { listAccounts } from './find-user.ts';
import { SMS_SITE_SECONDS } from '../rules.ts';
import { countSendings } from './store-codes.ts';
import { readVendorCalls } from './vendor-quota.ts';
import { nameOf } from './name-of.ts';
import { phone, username, whichUser, withWho, type WhoOptions } from './which-user.ts';
import { passwordOf, withPassword, type PasswordOptions } from './password-option.ts';
import { privacyCommands } from './privacy-commands.ts';
import type { PersonalData } from './personal-data.ts';

type CreateOptions = Json & PasswordOptions & { username: string; phone?: string; nickname?: string };

/**
 * `ceku user create|list|quotas|ban|unban|set-password|export|erase`; those about coins and membership are added by that slice.
 * `parts`: what every slice keeps about people.
 */
export function accountCommands(program: Command, open: Open, parts: PersonalData[]): void {
  const group = commandGroup(program, 'user', 'people: accounts, coins, membership');
  withPassword(group.command('create').description('make an account that logs in by user name'))
    .requiredOption('--username <name>', '3 to 32 of a-z 0-9 _ . -', username)
    .option('--phone <number>', 'mainland mobile, 11 digits', phone)
    .option('--nickname <name>', 'shown on the site, 2 to 20 characters; the user name by default', nickname)
    .option('--json', 'as JSON')
    .action(async (options: CreateOptions) => {
      const password = await passwordOf(options);
      await open((ctx) => create(ctx, options, password));
    });
  group
    .command('list')
    .description('the newest accounts')
    .option('--limit <count>', 'how many', wholeNumber(1, 10_000), 50)
    .option('--json', 'as JSON')
    .action((options: Json & { limit: number }) => open((ctx) => list(ctx, options)));
  group
    .command('quotas')
    .description('messages and calls to WeChat against the ceilings of this site')
    .option('--json', 'as JSON')
    .action((options: Json) => open((ctx) => showQuotas(ctx, options)));
  aboutOne(group, 'ban', 'end all sessions of a user and let them open none').action((options: WhoOptions & Json) =>
    open(async (ctx) => {
      const user = await whichUser(ctx, options);
      const ended = await banUser(ctx, user.id);
      printResult(options, { id: user.id, state: 'banned', sessionsEnded: ended }, `${nameOf(user)} is banned.`);
    }),
  );
  aboutOne(group, 'unban', 'let a banned user log in again').action((options: WhoOptions & Json) =>
    open(async (ctx) => {
      const user = await whichUser(ctx, options);
      await unbanUser(ctx, user.id);
      printResult(options, { id: user.id, state: 'active' }, `${nameOf(user)} may log in again.`);
    }),
  );
  withPassword(aboutOne(group, 'set-password', 'set a new password and end all sessions')).action(
    async (options: WhoOptions & Json & PasswordOptions) => {
      const password = await passwordOf(options);
      await open(async (ctx) => {
        const user = await whichUser(ctx, options);
        const ended = await setPassword(ctx, user.id, password);
        printResult(options, { id: user.id, sessionsEnded: ended }, `${nameOf(user)} has a new password.`);
      });
    },
  );
  privacyCommands(group, open, parts);
}

async function create(ctx: Ctx, options: CreateOptions, password: string): Promise<void> {
  const id = await createUser(ctx, {
    username: options.username,
    password,
    phone: options.phone ?? null,
    nickname: options.nickname ?? options.username.slice(0, 20),
  });
  if (id === null) throw new OperatorError('That user name or phone belongs to an account already.', EXIT.data);
  printResult(options, { id, username: options.username }, `User ${options.username} has id ${id}.`);
}

async function list(ctx: Ctx, options: Json & { limit: number }): Promise<void> {
  const users = await listAccounts(ctx, options.limit);
  const lines = users.map((user) =>
    [user.id, user.username ?? '-', user.phone || '-', user.state, user.nickname].join('\t'),
  );
  printResult(options, { users }, lines.length > 0 ? lines.join('\n') : 'There is no account yet.');
}

const aboutOne = (group: Command, name: string, description: string) =>
  withWho(group.command(name).description(description));

function nickname(text: string): string {
  if (isNickname(text)) return text;
  throw new InvalidArgumentError('A nickname is 2 to 20 characters without < and >.');
}

async function showQuotas(ctx: Ctx, options: Json): Promise<void> {
  const now = ctx.clock.now();
  const messages = await countSendings(ctx.db, new Date(now - SMS_SITE_SECONDS * 1000));
  const calls = await readVendorCalls(ctx.db, now);
  const quotas = { messages: { inHour: messages, perHour: ctx.config.smsPerHour }, calls };
  const lines = Object.entries(calls).map(
    ([vendor, { inDay, perDay }]) => `${vendor}: ${inDay} of ${perDay} in 24 hours`,
  );
  printResult(options, quotas, [`messages: ${messages} of ${ctx.config.smsPerHour} in an hour`, ...lines].join('\n'));
}
