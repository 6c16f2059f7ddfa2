import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { EXIT, OperatorError } from '../../../platform/command-line.ts';
import type { ManifestFacts } from './manifest-facts.ts';
import { kindOf } from '../source/open-source.ts';
import { columnOf, COLUMNS, factsOf, problemsOf, type Column, type Row } from './manifest-cells.ts';
import { readTable, type TableRow } from './read-table.ts';

const SHOWN_PROBLEMS = 10;

export type ManifestRow = {
  line: number;
  /** The path as written in the manifest, with / between folders. */
  file: string;
  /** The absolute path, relative to the folder of the manifest. */
  path: string;
  /** The facts in the row; empty cells are left out. */
  facts: Partial<ManifestFacts>;
};

export type Manifest = {
  /** One row for each file, in the order of the manifest. */
  rows: ManifestRow[];
  ignoredColumns: string[];
  /** Lines that repeat another line. */
  repeatedLines: number[];
};

/**
 * Reads a manifest: a table (read-table.ts) with a header, whose paths are relative to the folder of the manifest. Only
 * the column `file` is required. No day may be after that of `now` (epoch milliseconds). Throws OperatorError (65) with
 * the faults by line: nothing is ingested with a faulty manifest.
 */
export async function readManifest(path: string, now: number): Promise<Manifest> {
  const bytes = await bytesOf(path);
  const [header, ...lines] = await readTable(bytes, path, (cell) => columnOf(cell) !== null);
  const columns = columnsOf(header?.cells ?? []);
  const problems: string[] = [];
  const byFile = new Map<string, ManifestRow>();
  const repeatedLines: number[] = [];
  for (const line of lines) {
    const row = rowOf(line, columns);
    const found = [...shapeProblems(line, columns.length, row), ...problemsOf(row, now)];
    problems.push(...found.map((problem) => `line ${line.line}: ${problem}`));
    if (!row.file) continue;
    const file = slashes(row.file);
    const made = { line: line.line, file, path: resolve(dirname(path), withoutDrive(file)), facts: factsOf(row, now) };
    const before = byFile.get(keyOf(made.path));
    if (!before) byFile.set(keyOf(made.path), made);
    else if (isDeepStrictEqual(before.facts, made.facts)) repeatedLines.push(made.line);
    else problems.push(`line ${made.line}: same file as line ${before.line} with different facts: ${row.file}`);
  }
  if (problems.length > 0) throw manifestError(path, problems);
  const ignoredColumns = (header?.cells ?? []).filter((cell) => cell && columnOf(cell) === null);
  return { rows: [...byFile.values()], ignoredColumns, repeatedLines };
}

/** Reads a regular file only: reading a pipe would wait for a writer. */
async function bytesOf(path: string): Promise<Buffer> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    try {
      const facts = await file.stat();
      if (!facts.isFile()) throw new OperatorError(`The manifest ${path} is ${kindOf(facts)}, not a file.`, EXIT.data);
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    // ENXIO: the path is a socket.
    if (code === 'ENXIO') throw new OperatorError(`The manifest ${path} is a socket, not a file.`, EXIT.data);
    const reason = code === 'ENOENT' ? 'there is no such file' : code || String(error);
    throw new OperatorError(`The manifest ${path} cannot be read: ${reason}.`, EXIT.data);
  }
}

/** Returns a key by which two paths are compared: macOS decomposes accents in names, Windows separates folders by \. */
export function keyOf(path: string): string {
  return slashes(path.normalize('NFC'));
}

const slashes = (path: string) => path.replaceAll('\\', '/');

/**
 * Removes the drive or server of a path of another machine (C:/方案/a.pptx, //server/方案/a.pptx): only the end of the path
 * can match.
 */
function withoutDrive(file: string): string {
  return file.replace(/^[a-z]:\/*|^\/\/+/i, '') || file;
}

function columnsOf(header: string[]): (Column | null)[] {
  const columns = header.map(columnOf);
  const doubled = columns.find((column, at) => column !== null && columns.indexOf(column) !== at);
  if (doubled) {
    const names = header.filter((cell) => columnOf(cell) === doubled);
    throw new OperatorError(`The manifest's columns ${names.join(', ')} both mean "${doubled}".`, EXIT.data);
  }
  if (!columns.includes('file'))
    throw new OperatorError(`The manifest needs a column "file". Known columns: ${COLUMNS.join(', ')}.`, EXIT.data);
  return columns;
}

function rowOf({ cells }: TableRow, columns: (Column | null)[]): Row {
  return Object.fromEntries(columns.flatMap((column, at) => (column ? [[column, cells[at] ?? '']] : [])));
}

function shapeProblems({ cells }: TableRow, columns: number, { file }: Row): string[] {
  if (!file) return ['no file name'];
  const surplus = cells.slice(columns).some((cell) => cell !== '');
  return surplus ? [`${cells.length} cells for ${columns} columns; text that contains a separator needs quotes`] : [];
}

export function manifestError(path: string, problems: string[]): OperatorError {
  const more = problems.length > SHOWN_PROBLEMS ? [`… and ${problems.length - SHOWN_PROBLEMS} more`] : [];
  return new OperatorError(
    [`${path} has errors:`, ...problems.slice(0, SHOWN_PROBLEMS), ...more].join('\n  '),
    EXIT.data,
  );
}
