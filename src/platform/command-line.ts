import { CommanderError, InvalidArgumentError, type Command } from 'commander';
import { ConfigError } from './environment.ts';
import { StoreAway } from './files/file-store.ts';
import { whyNotWritten, writeNewFile } from './files/new-file.ts';
import { KeyNotWritable } from './files/secret-key.ts';
import { Refusal } from '../protocol/envelope.ts';
import { isDatabaseAway, withoutStatement } from './db/client.ts';
import { EmbeddedPostgresError } from './db/embedded-errors.ts';
import { MigrationBlockedError, MigrationError } from './db/migrate.ts';

/** Exit codes of `ceku`; those of sysexits.h where one fits. */
export const EXIT = {
  ok: 0,
  /** Some of the work was refused or found wrong; the output says what. */
  partial: 1,
  usage: 2,
  /** The argument or the input names something that does not exist or cannot be used. */
  data: 65,
  unavailable: 69,
  /** A defect of this program. */
  software: 70,
  cannotCreate: 73,
  busy: 75,
  config: 78,
  /** Shut down in order after Ctrl-C (interrupted) or SIGTERM (terminated). */
  interrupted: 130,
  terminated: 143,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** `--json`: the output is for a program. */
export type Json = { json?: boolean };

/** A refusal whose message is written for the operator; printed without a stack. */
export class OperatorError extends Error {
  readonly exitCode: ExitCode;
  constructor(message: string, exitCode: ExitCode) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Returns the command group of that name and creates the group on the first call: `ceku user` has verbs from several
 * slices.
 */
export function commandGroup(program: Command, name: string, description: string): Command {
  const known = program.commands.find((command) => command.name() === name);
  return known ?? program.command(name).description(description);
}

/** Replaces the control characters of untrusted text, which could move the terminal's cursor or change its title. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd');

/** Does the same with a text of several lines, which may have tabs. */
const printableLines = (text: string): string => text.replace(/[^\n\t]+/g, printable);

/**
 * Prints a result: `words` for a person, with control characters of untrusted names replaced, or `result` as one JSON
 * document on one line.
 */
export function printResult(options: { json?: boolean }, result: object, words: string): void {
  const shown = options.json ? JSON.stringify(result) : printableLines(words);
  process.stdout.write(`${shown}\n`);
}

/** Returns a parser of a whole number within limits, for `command.option(flags, text, wholeNumber(1, 100))`. */
export const wholeNumber = (min: number, max: number) => (text: string) => {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
};

/** Parses an id of a document or a user. */
export const idNumber = wholeNumber(1, Number.MAX_SAFE_INTEGER);

const DEBUG = '--debug';

/**
 * Runs one command. Resolves to the exit code; prints the reason of a failure on stderr. `--debug` anywhere in `argv`
 * (the words after `ceku`) adds the stack.
 */
export async function runCommandLine(program: Command, argv: string[]): Promise<number> {
  for (const command of commandsOf(program)) command.exitOverride();
  const [first, ...rest] = argv.filter((word) => word !== DEBUG);
  try {
    if (first === 'help')
      commandAt(
        program,
        rest.filter((word) => !word.startsWith('-')),
      ).help();
    await program.parseAsync(first === undefined ? [] : [first, ...rest], { from: 'user' });
    return Number(process.exitCode ?? EXIT.ok);
  } catch (error) {
    // Commander has already printed its own message; help and version end this way too, with code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const { message, exitCode } = explain(error);
    process.stderr.write(`${printableLines(message)}\n`);
    if (argv.includes(DEBUG) && error instanceof Error) process.stderr.write(`${printableLines(error.stack ?? '')}\n`);
    return exitCode;
  }
}

/**
 * Keeps the process running when stdout breaks, because its reader ended (`| head`) or its disk is full. Call this
 * once, before anything is printed. Returns a function that maps the exit code of a command to the exit code of the
 * process, which differs when output was lost other than to a closed pipe.
 */
export function outliveOutput(): (exitCode: number) => number {
  let lost: NodeJS.ErrnoException | null = null;
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') lost ??= error;
  });
  return (exitCode) => {
    if (lost === null) return exitCode;
    process.stderr.write(`The output cannot be written: ${lost.code ?? lost.message}. The work itself was done.\n`);
    return EXIT.cannotCreate;
  };
}

/** Returns the command that `ceku help order invoice answer` names: Commander's own help reads the first word alone. */
function commandAt(program: Command, path: readonly string[]): Command {
  return path.reduce((group, word) => {
    const found = group.commands.find((command) => command.name() === word);
    return found ?? group.error(`error: unknown command '${word}'`);
  }, program);
}

function commandsOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(commandsOf)];
}

function explain(error: unknown): { message: string; exitCode: number } {
  if (error instanceof OperatorError) return error;
  if (error instanceof ConfigError || error instanceof MigrationError) {
    return { message: error.message, exitCode: EXIT.config };
  }
  if (isDatabaseAway(error))
    return { message: 'The database does not answer. Try again later.', exitCode: EXIT.unavailable };
  if (error instanceof EmbeddedPostgresError) return error;
  if (error instanceof KeyNotWritable) return { message: error.message, exitCode: EXIT.cannotCreate };
  if (error instanceof StoreAway || error instanceof MigrationBlockedError)
    return { message: error.message, exitCode: EXIT.unavailable };
  if (error instanceof Refusal) return { message: error.message, exitCode: EXIT.data };
  const own = withoutStatement(error);
  const reason = own instanceof Error ? own.message : String(own);
  return { message: `The command failed: ${reason} (${DEBUG} shows more)`, exitCode: EXIT.partial };
}

/** Writes a file that the operator named. Throws OperatorError where there is one already, or none can be written. */
export async function writeNamedFile(path: string, bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
  try {
    await writeNewFile(path, bytes);
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    const problem = isThere ? 'exists already' : `cannot be written: ${whyNotWritten(error)}`;
    throw new OperatorError(`${path} ${problem}.`, EXIT.cannotCreate);
  }
}
