import { readFile } from 'node:fs/promises';
import { isUtf8 } from 'node:buffer';
import { buffer } from 'node:stream/consumers';
import { isNode, isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import { z } from 'zod';
import { hasHidden } from '../protocol/hidden-characters.ts';
import { EXIT, OperatorError, printResult, type Json } from './command-line.ts';

/** YAML files that operators edit and hand to a `set` command. */

/** The file is refused; each problem is a sentence that begins with a line of the file where one is known. */
export class FileProblems extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

const MAX_FILE_CHARACTERS = 100_000;

/** Visible characters on one line: the texts stand on pages and in a terminal. */
export const visibleLine = (maxCharacters: number) =>
  z
    .string()
    .trim()
    .max(maxCharacters, `must have at most ${maxCharacters} characters`)
    .refine((text) => !hasHidden(text) && !/[\u2028\u2029]/.test(text), 'must be one line of visible characters');

/** Returns the values that a list has more than once, each once. */
export const repeated = <T>(values: readonly T[]): T[] => [
  ...new Set(values.filter((value, index) => values.indexOf(value) !== index)),
];

/** Reads a YAML text by a schema. Throws FileProblems, which names every problem with its line. */
export function parseYaml<S extends z.ZodType>(
  text: string,
  schema: S,
  maxCharacters = MAX_FILE_CHARACTERS,
): z.output<S> {
  if (text.length > maxCharacters)
    throw new FileProblems([`The file is too long: more than ${maxCharacters} characters.`]);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0)
    throw new FileProblems(
      document.errors.map(({ pos, message }) => `line ${lines.linePos(pos[0]).line}: This is no YAML. ${message}`),
    );
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null))
    throw new FileProblems(['The file is empty.']);
  const parsed = schema.safeParse(valueOf(document));
  if (parsed.success) return parsed.data;
  throw new FileProblems(
    parsed.error.issues.map(
      ({ path, message }) => `${placeOf(document, lines, path)}${nameOf(path)} ${plainMessage(message)}`,
    ),
  );
}

/** Returns what a file says, null where its aliases (`*name`) would expand without end. */
function valueOf(document: Document): unknown {
  try {
    return document.toJS();
  } catch {
    return null;
  }
}

/** Returns `line 7: ` for the innermost part of a path that the file has, "" for an empty file. */
function placeOf(document: Document, lines: LineCounter, path: PropertyKey[]): string {
  for (let length = path.length; length >= 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    const start = isNode(node) ? node.range?.[0] : undefined;
    if (start !== undefined) return `line ${lines.linePos(start).line}: `;
  }
  return '';
}

const nameOf = (path: PropertyKey[]): string =>
  path.length === 0
    ? 'The file'
    : path.map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at > 0 ? '.' : ''}${String(part)}`)).join('');

/** Returns zod's message as the end of a sentence whose subject is the field. */
const plainMessage = (message: string): string => (message.startsWith('must') ? message : `is wrong: ${message}`);

/** Reads the file that a command was given; `-` is standard input. Throws OperatorError. */
async function readGivenFile(file: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await (file === '-' ? buffer(process.stdin) : readFile(file));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EISDIR')
      throw new OperatorError(`${file} is a folder.`, EXIT.data);
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${nameOfFile(file)} cannot be read: ${reason}`, EXIT.data);
  }
  // Chinese Windows saves texts as GB18030 ("ANSI"), whose names would be read as other characters.
  if (!isUtf8(bytes))
    throw new OperatorError(`${nameOfFile(file)} is not UTF-8 text. Save it as UTF-8. Nothing changed.`, EXIT.data);
  return bytes.toString('utf8').replace(/^\ufeff/, '');
}

const nameOfFile = (file: string): string => (file === '-' ? 'Standard input' : file);

/** What a file changes: a line for each change, and whether the changes were made or only shown. */
type FileChanges = { changes: string[]; isDone: boolean };

/**
 * Runs a `set` command: hands the text of `file` to `set`, and prints what the file changes. Nothing changes without `--yes`. FileProblems become a
 * message for the operator; `noun` is what the file was expected to be. Throws OperatorError.
 */
export async function setByFile(
  file: string,
  noun: string,
  options: Json & { yes?: boolean },
  set: (text: string, options: { isDryRun: boolean }) => Promise<FileChanges>,
): Promise<void> {
  const text = await readGivenFile(file);
  try {
    const { changes, isDone } = await set(text, { isDryRun: !options.yes });
    printResult(options, { changes, changed: isDone }, wordsOfChanges(changes, isDone));
  } catch (error) {
    if (!(error instanceof FileProblems)) throw error;
    throw new OperatorError(
      `${nameOfFile(file)} is no ${noun}. Nothing changed.\n${error.problems.join('\n')}`,
      EXIT.data,
    );
  }
}

/** Returns the first line of the changes by a file that empties a list: it could be a mistake, such as a cut-off file. */
export const linesOfEmptied = (from: readonly unknown[], to: readonly unknown[], words: string): string[] =>
  from.length > 0 && to.length === 0 ? [`! ${words} (${from.length})`] : [];

/** Returns what a `set` command did: the changes, a line each, and whether they were made or only shown. */
function wordsOfChanges(changes: readonly string[], isDone: boolean): string {
  const end =
    changes.length === 0 ? 'Nothing changes.' : isDone ? 'Changed.' : 'Nothing changed yet. Add --yes to change it.';
  return [...changes, end].join('\n');
}
