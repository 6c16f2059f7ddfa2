import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { InvalidArgumentError, type Command } from 'commander';
import { EXIT, OperatorError } from '../../platform/command-line.ts';
import { isCommonPassword } from '../common-passwords.ts';
import { isNewPassword } from '../rules.ts';

export type PasswordOptions = { password?: string; passwordStdin?: boolean };

/** Adds the two options that give a password to a command. */
export function withPassword(command: Command): Command {
  return command
    .option('--password-stdin', 'read the password, 8 to 64 characters, from the first line of stdin')
    .option(
      '--password <text>',
      'the password itself: the shell’s history and the list of processes show it',
      asOption,
    );
}

/**
 * Returns the password that the options give. Throws OperatorError unless there is exactly one, of 8 to 64 characters,
 * that is not among the most common ones.
 */
export async function passwordOf({ password, passwordStdin = false }: PasswordOptions): Promise<string> {
  if ((password !== undefined) === passwordStdin)
    throw new OperatorError('Give the password by --password-stdin, or by --password.', EXIT.usage);
  if (password !== undefined) return password;
  const line = await readLine();
  const problem = line === null ? 'There is no password on stdin.' : problemOf(line);
  if (line === null || problem !== null) throw new OperatorError(problem ?? '', EXIT.usage);
  return line;
}

function asOption(text: string): string {
  const problem = problemOf(text);
  if (problem !== null) throw new InvalidArgumentError(problem);
  return text;
}

function problemOf(password: string): string | null {
  if (!isNewPassword(password)) return 'A password is 8 to 64 characters.';
  return isCommonPassword(password) ? 'This password is among the most common ones. Choose another one.' : null;
}

/**
 * Reads the first line of stdin, on a terminal without showing what is typed. Returns null when stdin ends before it.
 */
async function readLine(): Promise<string | null> {
  const { stdin } = process;
  if (stdin.isTTY) process.stderr.write('Password (not shown): ');
  const nowhere = new Writable({ write: (_text, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: stdin.isTTY });
  try {
    for await (const line of lines) return line;
    return null;
  } finally {
    lines.close();
    if (stdin.isTTY) process.stderr.write('\n');
    // A pipe whose writer stays open would keep the command from ending.
    stdin.unref?.();
  }
}
