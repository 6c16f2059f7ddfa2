import { statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { EXIT, OperatorError } from '../../../platform/command-line.ts';
import type { ManifestFacts } from './manifest-facts.ts';
import { keyOf, manifestError, type Manifest, type ManifestRow } from './read-manifest.ts';

export type MatchedManifest = {
  /** Returns the facts of a file; null when the manifest does not name it. */
  factsOf(file: string): Partial<ManifestFacts> | null;
  /** Paths in the manifest that are not among the files. */
  missing: string[];
  /** Files that are not in the manifest. */
  unnamed: string[];
};

/**
 * Matches rows and files: a row belongs to the file at its path; for a path of another machine, to the file with the
 * longest matching end of the path; otherwise to the only file of that name, when the name is unique among rows and
 * files. Throws OperatorError (65) with the lines of ambiguous rows, and when the manifest names none of the files.
 */
export function matchManifest(path: string, manifest: Manifest, files: readonly string[]): MatchedManifest {
  const fileOf = new Map(files.map((file) => [keyOf(file), file]));
  const taken = new Map<string, ManifestRow>();
  const problems: string[] = [];
  let open = manifest.rows;
  const take = (candidates: (row: ManifestRow) => string[]) => {
    const wanted = Map.groupBy(open, (row) => candidates(row).find((key) => fileOf.has(key) && !taken.has(key)) ?? '');
    for (const [key, [row, ...others]] of wanted) {
      if (key === '' || !row) continue;
      if (others.length > 0)
        problems.push(`lines ${[row, ...others].map(({ line }) => line).join(', ')}: each may be ${key}`);
      else taken.set(key, row);
    }
    open = wanted.get('') ?? [];
  };
  take((row) => [keyOf(row.path)]);
  // Longer ends are tried first, because a shorter end is less specific.
  const most = open.reduce(
    (length, row) => (isElsewhere(row) ? Math.max(length, row.file.split('/').length) : length),
    0,
  );
  const folder = dirname(resolve(path));
  for (let left = most; left > 0; left--) take((row) => (isElsewhere(row) ? endOf(row, left, folder) : []));

  const rowsCalled = countBy(manifest.rows.map((row) => nameOf(row.file)));
  const filesCalled = Map.groupBy(fileOf.keys(), nameOf);
  const namesakes = (row: ManifestRow) => filesCalled.get(nameOf(row.file)) ?? [];
  for (const row of open) {
    const there = namesakes(row).filter((key) => !taken.has(key));
    if (there.length > 1 && (isElsewhere(row) || !row.file.includes('/')))
      problems.push(
        `line ${row.line}: ${there.length} files have the name ${row.file}, such as ${there[0]} and ${there[1]}`,
      );
  }
  take((row) => (rowsCalled.get(nameOf(row.file)) === 1 && namesakes(row).length === 1 ? namesakes(row) : []));

  if (problems.length > 0) throw manifestError(path, problems);
  if (taken.size === 0 && files.length > 0 && manifest.rows.length > 0) {
    const [row] = manifest.rows;
    const words = `${path} names none of the ${files.length} files: its line ${row?.line} is ${row?.path}, the first file ${files[0]}.`;
    throw new OperatorError(words, EXIT.data);
  }
  return {
    factsOf: (file) => taken.get(keyOf(file))?.facts ?? null,
    missing: open.map((row) => row.path),
    unnamed: files.filter((file) => !taken.has(keyOf(file))),
  };
}

/** Returns the existing files that the manifest names; used when the command was given no paths. */
export function findNamedFiles(path: string, manifest: Manifest): string[] {
  const folder = dirname(resolve(path));
  return manifest.rows.flatMap((row) => {
    const parts = isElsewhere(row) ? row.file.split('/').length : 0;
    const ends = Array.from({ length: parts }, (_, at) => endOf(row, parts - at, folder)).flat();
    return [row.path, ...ends].flatMap((end) => [end, end.normalize('NFC'), end.normalize('NFD')]).find(isFile) ?? [];
  });
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** Whether the path begins at a drive or at the root, which may be of another machine. */
const isElsewhere = (row: ManifestRow) => /^([a-z]:)?\//i.test(row.file);

function endOf(row: ManifestRow, parts: number, folder: string): string[] {
  const names = row.file.split('/').filter(Boolean);
  return names.length >= parts ? [keyOf(`${folder}/${names.slice(-parts).join('/')}`)] : [];
}

const nameOf = (path: string) => keyOf(basename(keyOf(path)));

function countBy(names: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
