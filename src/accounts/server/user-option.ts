import { InvalidArgumentError, type Command } from 'commander';
import type { Ctx } from '../../context.ts';
import { EXIT, OperatorError, idNumber } from '../../platform/command-line.ts';
import { isPhone, isUsername, normalizeUsername } from '../rules.ts';
import { findUserBy, type Account, type UserKey } from './users.ts';

export type UserOptions = { id?: number; username?: string; phone?: string };

/** Adds the three options that name a user to a command. */
export function withUserOptions(command: Command): Command {
  return command
    .option('--username <name>', 'the user with this user name', username)
    .option('--phone <number>', 'the user with this phone', phone)
    .option('--id <number>', 'the user with this id', idNumber)
    .option('--json', 'as JSON');
}

/**
 * Returns the user that the options name. Throws OperatorError unless exactly one option is given, when there is no
 * such user, and, unless `includeErased`, when the account was erased: an erased account can only be shown.
 */
export async function findUserByOption(
  ctx: Ctx,
  options: UserOptions,
  { includeErased = false }: { includeErased?: boolean } = {},
): Promise<Account> {
  const given: UserKey[] = [];
  if (options.id !== undefined) given.push({ id: options.id });
  if (options.username !== undefined) given.push({ username: options.username });
  if (options.phone !== undefined) given.push({ phone: options.phone });
  const [key, ...others] = given;
  if (!key || others.length > 0) {
    throw new OperatorError('Name the user by one of --username, --phone or --id.', EXIT.usage);
  }
  const user = await findUserBy(ctx, key);
  if (!user) throw new OperatorError('There is no such user. "ceku user list" shows them.', EXIT.data);
  if (user.state === 'erased' && !includeErased)
    throw new OperatorError(`The account ${user.id} was erased.`, EXIT.data);
  return user;
}

export function username(text: string): string {
  const name = normalizeUsername(text);
  if (isUsername(name)) return name;
  throw new InvalidArgumentError('A user name is 3 to 32 of a-z 0-9 _ . -');
}

export function phone(text: string): string {
  if (isPhone(text)) return text;
  throw new InvalidArgumentError('A phone is 11 digits, like 13800001234.');
}

/** Returns the words that messages to the operator name a user by. */
export const userLabel = (user: Account) => `User ${user.username ?? (user.phone || user.nickname)} (id ${user.id})`;
