import { InvalidArgumentError, type Command } from 'commander';
import type { Ctx, Open } from '../../context.ts';
import {
  EXIT,
  OperatorError,
  commandGroup,
  printResult,
  wholeNumber,
  writeNamedFile,
  type Json,
} from '../../platform/command-line.ts';
import { isNickname } from '../nicknames.ts';
import { banUser, setPassword, unbanUser } from './account-admin.ts';
import { eraseUser } from './privacy/delete-account.ts';
import { packPersonalData } from './privacy/make-export.ts';
import { passwordOf, withPassword, type PasswordOptions } from './password-option.ts';
import { findObstacle, type PersonalData } from './personal-data.ts';
import { readQuotas } from './quotas.ts';
import { findUserByOption, phone, userLabel, username, withUserOptions, type UserOptions } from './user-option.ts';
import { createUser, listAccounts } from './users.ts';

type CreateOptions = Json & PasswordOptions & { username: string; phone?: string; nickname?: string };

/**
 * Adds `ceku user create|list|quotas|ban|unban|set-password|export|erase`. The membership slice adds the commands about
 * coins and membership. `parts` is what every slice keeps about people.
 */
export function accountCommands(program: Command, open: Open, parts: PersonalData[]): void {
  const group = commandGroup(program, 'user', 'accounts, coins and membership of users');
  withPassword(group.command('create').description('create an account that logs in by user name'))
    .requiredOption('--username <name>', '3 to 32 of a-z 0-9 _ . -', username)
    .option('--phone <number>', 'mainland mobile, 11 digits', phone)
    .option('--nickname <name>', 'shown on the site, 2 to 20 characters; the user name by default', nickname)
    .option('--json', 'as JSON')
    .action(async (options: CreateOptions) => {
      const password = await passwordOf(options);
      await open((ctx) => create(ctx, options, password), { createsDatabase: true });
    });
  group
    .command('list')
    .description('list the newest accounts')
    .option('--limit <count>', 'how many', wholeNumber(1, 10_000), 50)
    .option('--json', 'as JSON')
    .action((options: Json & { limit: number }) => open((ctx) => list(ctx, options)));
  group
    .command('quotas')
    .description('show the messages and the calls to WeChat against the limits of this site')
    .option('--json', 'as JSON')
    .action((options: Json) => open((ctx) => showQuotas(ctx, options)));
  aboutOne(group, 'ban', 'ban a user: end all their sessions and refuse new logins').action(
    (options: UserOptions & Json) =>
      open(async (ctx) => {
        const user = await findUserByOption(ctx, options);
        const ended = await banUser(ctx, user.id);
        printResult(options, { id: user.id, state: 'banned', sessionsEnded: ended }, `${userLabel(user)} is banned.`);
      }),
  );
  aboutOne(group, 'unban', 'let a banned user log in again').action((options: UserOptions & Json) =>
    open(async (ctx) => {
      const user = await findUserByOption(ctx, options);
      await unbanUser(ctx, user.id);
      printResult(options, { id: user.id, state: 'active' }, `${userLabel(user)} may log in again.`);
    }),
  );
  withPassword(aboutOne(group, 'set-password', 'set a new password and end all sessions')).action(
    async (options: UserOptions & Json & PasswordOptions) => {
      const password = await passwordOf(options);
      await open(async (ctx) => {
        const user = await findUserByOption(ctx, options);
        const ended = await setPassword(ctx, user.id, password);
        printResult(options, { id: user.id, sessionsEnded: ended }, `${userLabel(user)} has a new password.`);
      });
    },
  );
  personalDataCommands(group, open, parts);
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
  withUserOptions(group.command(name).description(description));

function nickname(text: string): string {
  if (isNickname(text)) return text;
  throw new InvalidArgumentError('A nickname is 2 to 20 characters without < and >.');
}

async function showQuotas(ctx: Ctx, options: Json): Promise<void> {
  const quotas = await readQuotas(ctx);
  const { messages, calls } = quotas;
  const lines = Object.entries(calls).map(
    ([vendor, { inDay, perDay }]) => `${vendor}: ${inDay} of ${perDay} in 24 hours`,
  );
  printResult(options, quotas, [`messages: ${messages.inHour} of ${messages.perHour} in an hour`, ...lines].join('\n'));
}

type ExportOptions = UserOptions & { json?: boolean; to: string };
type EraseOptions = UserOptions & { json?: boolean; yes?: boolean };

/**
 * Adds `ceku user export|erase`: what members do for themselves on /user/userinfo (C-74), for those who ask the
 * operator in writing.
 */
function personalDataCommands(group: Command, open: Open, parts: PersonalData[]): void {
  withUserOptions(group.command('export').description('export everything kept about a user, as a ZIP of JSON files'))
    .requiredOption('--to <file>', 'where to write it; an existing file is not overwritten')
    .action((options: ExportOptions) => open((ctx) => exportOne(ctx, parts, options)));
  withUserOptions(group.command('erase').description('erase all personal data of a user, permanently and at once'))
    .option('--yes', 'confirm that the erasure cannot be undone')
    .action((options: EraseOptions) => open((ctx) => erase(ctx, parts, options)));
}

async function exportOne(ctx: Ctx, parts: PersonalData[], options: ExportOptions): Promise<void> {
  const user = await findUserByOption(ctx, options);
  const zip = await packPersonalData(ctx, parts, user.id);
  await writeNamedFile(options.to, zip);
  const words = `The data of ${userLabel(user)} is in ${options.to} (${zip.byteLength} bytes).`;
  printResult(options, { id: user.id, file: options.to, bytes: zip.byteLength }, words);
}

async function erase(ctx: Ctx, parts: PersonalData[], options: EraseOptions): Promise<void> {
  const user = await findUserByOption(ctx, options);
  if (!options.yes) {
    throw new OperatorError(`Erasing ${userLabel(user)} cannot be undone. Add --yes to confirm.`, EXIT.usage);
  }
  const obstacle = await findObstacle(ctx, parts, user.id);
  if (obstacle !== null) throw new OperatorError(`${userLabel(user)} cannot be erased now: ${obstacle}`, EXIT.data);
  if (!(await eraseUser(ctx, parts, user.id)))
    throw new OperatorError('The account was erased already, or a payment came in between.', EXIT.data);
  printResult(
    options,
    { id: user.id, state: 'erased' },
    `The account ${user.id} is erased; its ledger entries are kept.`,
  );
}
