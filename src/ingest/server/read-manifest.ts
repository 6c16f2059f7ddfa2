import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { EXIT, OperatorError } from '../../platform/command-line.ts';
import type { DocumentFacts } from './accept-file.ts';
import { readTable } from './read-table.ts';

const COLUMNS = [
  'file',
  'name',
  'themes',
  'industry',
  'organization',
  'keyword',
  'price',
  'date',
  'type',
  'researcher',
];
const MAX_PRICE = 99_999;
const MAX_NAME = 200;
const SHOWN_PROBLEMS = 10;

export type Manifest = {
  /** Facts of the file at an absolute path; null when the manifest does not name it. */
  factsOf(path: string): Partial<DocumentFacts> | null;
  /** Absolute paths in the manifest's order. */
  paths: string[];
  /** Those of its files that are not among these, by path or by name. */
  missingAmong(files: readonly string[]): string[];
  ignoredColumns: string[];
};

/**
 * Reads a manifest: CSV (UTF-8 or GB18030) or XLSX with a header, paths relative to the manifest itself. Only `file` is required.
 * Throws OperatorError (65) that lists what is wrong by line; nothing is taken in from a manifest with errors.
 */
export async function readManifest(path: string): Promise<Manifest> {
  const bytes = await readFile(path).catch(() => {
    throw new OperatorError(`The manifest ${path} cannot be read.`, EXIT.data);
  });
  const rows = await readTable(bytes, path);
  const header = rows[0]?.map((cell) => cell.trim().toLowerCase()) ?? [];
  if (!header.includes('file')) {
    throw new OperatorError(`The manifest needs a column "file". Known columns: ${COLUMNS.join(', ')}.`, EXIT.data);
  }
  const problems: string[] = [];
  const facts = new Map<string, Partial<DocumentFacts>>();
  rows.slice(1).forEach((cells, index) => {
    const row = Object.fromEntries(header.map((column, at) => [column, cells[at]?.trim() ?? '']));
    const file = row['file'];
    if (!file) return problems.push(`line ${index + 2}: no file name`);
    const found = problemsOf(row).map((problem) => `line ${index + 2}: ${problem}`);
    problems.push(...found);
    facts.set(resolve(dirname(path), file), toFacts(row));
  });
  if (problems.length > 0) throw manifestError(path, problems);
  const byName = new Map([...facts].map(([file, value]) => [basename(file), value]));
  return {
    factsOf: (file) => facts.get(resolve(file)) ?? byName.get(basename(file)) ?? null,
    paths: [...facts.keys()],
    missingAmong(files) {
      const there = new Set(files);
      const names = new Set(files.map((file) => basename(file)));
      return [...facts.keys()].filter((file) => !there.has(file) && !names.has(basename(file)));
    },
    ignoredColumns: header.filter((column) => column && !COLUMNS.includes(column)),
  };
}

function problemsOf(row: Record<string, string>): string[] {
  const { name = '', price = '', date = '' } = row;
  return [
    ...([...name].length > MAX_NAME ? [`the name is longer than ${MAX_NAME} characters`] : []),
    ...(price && !(/^\d{1,5}$/.test(price) && Number(price) <= MAX_PRICE)
      ? [`the price "${price}" is not a whole number of coins`]
      : []),
    ...(date && dayOf(date) === null ? [`the date "${date}" is not YYYY-MM-DD`] : []),
  ];
}

function toFacts(row: Record<string, string>): Partial<DocumentFacts> {
  const createdAt = dayOf(row['date'] ?? '');
  return {
    ...(row['name'] && { name: row['name'] }),
    keyword: row['keyword'] ?? '',
    priceCoins: Number(row['price'] || 0),
    industry: row['industry'] ?? '',
    themes: (row['themes'] ?? '')
      .split(/[;；]/)
      .map((theme) => theme.trim())
      .filter(Boolean),
    organization: row['organization'] ?? '',
    type: row['type'] ?? '',
    researcher: row['researcher'] ?? '',
    ...(createdAt && { createdAt }),
  };
}

/** Morning of a Shanghai day; null when there is no such day. */
function dayOf(text: string): Date | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const day = new Date(`${text}T09:00:00+08:00`);
  const isReal = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
  return isReal ? day : null;
}

function manifestError(path: string, problems: string[]): OperatorError {
  const more = problems.length > SHOWN_PROBLEMS ? [`… and ${problems.length - SHOWN_PROBLEMS} more`] : [];
  return new OperatorError(
    [`${path} has errors:`, ...problems.slice(0, SHOWN_PROBLEMS), ...more].join('\n  '),
    EXIT.data,
  );
}
