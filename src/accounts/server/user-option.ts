import { InvalidArgumentError, type Command } from 'commander';
import type { Ctx } from '../../context.ts';
import { EXIT, OperatorError, idNumber } from '../../platform/command-line.ts';
import { isPhone, isUsername, normalizeUsername } from '../rules.ts';
import { findUserBy, type Account, type Who } from './users.ts';

export type WhoOptions = { id?: number; username?: string; phone?: string };

/** The three ways to name a user, on every command about one. */
export function withWho(command: Command): Command {
  return command
    .option('--username <name>', 'the user of this name', username)
    .option('--phone <number>', 'the user of this phone', phone)
    .option('--id <number>', 'the user of this id', idNumber)
    .option('--json', 'as JSON');
}

/**
 * The user the options name. Throws OperatorError unless exactly one is given, when there is no such user, or when that
 * account was erased: nothing can be done with it any more, and it can only be shown.
 */
export async function whichUser(ctx: Ctx, options: WhoOptions): Promise<Account> {
  const user = await whichUserEver(ctx, options);
  if (user.state === 'erased') throw new OperatorError(`The account ${user.id} was erased.`, EXIT.data);
  return user;
}

/** An erased one as well. */
export async function whichUserEver(ctx: Ctx, options: WhoOptions): Promise<Account> {
  const given: Who[] = [];
  if (options.id !== undefined) given.push({ id: options.id });
  if (options.username !== undefined) given.push({ username: options.username });
  if (options.phone !== undefined) given.push({ phone: options.phone });
  const [who, ...others] = given;
  if (!who || others.length > 0) {
    throw new OperatorError('Name the user by one of --username, --phone or --id.', EXIT.usage);
  }
  const user = await findUserBy(ctx, who);
  if (!user) throw new OperatorError('There is no such user. "ceku user list" shows them.', EXIT.data);
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

/** How an operator knows a user. */
export const nameOf = (user: Account) => `User ${user.username ?? (user.phone || user.nickname)} (id ${user.id})`;
