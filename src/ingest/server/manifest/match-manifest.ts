import { statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { EXIT, OperatorError } from '../../../platform/command-line.ts';
import type { ManifestFacts } from './manifest-facts.ts';
import { keyOf, manifestError, type Manifest, type ManifestRow } from './read-manifest.ts';

export type MatchedManifest = {
  /** Facts of one of the files; null when the manifest does not name it. */
  factsOf(file: string): Partial<ManifestFacts> | null;
  /** Paths that the manifest names and that are not among the files. */
  missing: string[];
  /** Files that the manifest does not name. */
  unnamed: string[];
};

/**
 * Which row speaks of which file: the one at its path; for a path of another machine, the end of it (the longest that
 * is there); else the one file of that name, if the name is unique among the rows and among the files. No file gets the
 * name and price of a namesake. Throws OperatorError (65): rows of which that cannot be said, by line; a manifest that
 * names none of the files.
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
        problems.push(`lines ${[row, ...others].map(({ line }) => line).join(', ')}: all may mean ${key}`);
      else taken.set(key, row);
    }
    open = wanted.get('') ?? [];
  };
  take((row) => [keyOf(row.path)]);
  // Longer ends first: what is left of a path says less the shorter it is.
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
        `line ${row.line}: ${there.length} files are called ${row.file}, such as ${there[0]} and ${there[1]}`,
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

/** The manifest's files that are there, where no paths were given beside it. */
export function findNamedFiles(path: string, manifest: Manifest): string[] {
  const folder = dirname(resolve(path));
  return manifest.rows.flatMap((row) => {
    const parts = isElsewhere(row) ? row.file.split('/').length : 0;
    const ends = Array.from({ length: parts }, (_, at) => endOf(row, parts - at, folder)).flat();
    return [row.path, ...ends].flatMap((end) => [end, end.normalize('NFC'), end.normalize('NFD')]).find(isFile) ?? [];
  });
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** A path from another machine's root, or from one that is not this one's. */
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
