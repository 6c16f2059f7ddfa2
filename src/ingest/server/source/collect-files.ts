import { isUtf8 } from 'node:buffer';
import type { Dirent } from 'node:fs';
import { opendir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { EXIT, OperatorError } from '../../../platform/command-line.ts';
import { RefusedError, refuse, type Refused } from '../../refusals.ts';
import { kindOf, openFolder, placeIn, rootAt, type Root } from './open-source.ts';

/** Names of files that are never meant to be ingested. */
const IGNORED = /^(\.|~\$|Thumbs\.db$|desktop\.ini$|__MACOSX$)/i;

/** A path that cannot be listed or read. */
export type Unreachable = { path: string; refused: Refused };

export type Collected = {
  files: string[];
  unreachable: Unreachable[];
  /** Returns the folder that was listed to find the file; null when the file itself was given, which may be a link. */
  rootOf: (path: string) => Root | null;
};

/**
 * Returns the absolute paths of all regular files under the given files and folders, in a stable order, without
 * duplicates. Leaves out hidden files, lock files, links, and the files and folders of `except`, unless a folder among
 * them was given itself. Returns what cannot be listed or has an invalid name as `unreachable` and goes on. Throws
 * OperatorError (65) for a path that does not exist, or is neither a file nor a folder.
 */
export async function collectFiles(paths: string[], except: readonly string[] = []): Promise<Collected> {
  const files = new Set<string>();
  const given = new Set<string>();
  const roots = new Map<string, Root>();
  const unreachable = new Map<string, Unreachable>();
  const passed = new Set((await Promise.all(except.map(bothNames))).flat());
  for (const path of paths) {
    const facts = await stat(path).catch(() => null);
    if (!facts) throw new OperatorError(`There is no file or folder at ${path}.`, EXIT.data);
    if (facts.isFile()) {
      if (passed.has(resolve(path))) continue;
      files.add(resolve(path));
      given.add(resolve(path));
      continue;
    }
    if (!facts.isDirectory())
      throw new OperatorError(`${path} is ${kindOf(facts)}, neither a file nor a folder.`, EXIT.data);
    const root = await rootAt(resolve(path)).catch(unlisted);
    if ('code' in root) {
      unreachable.set(resolve(path), { path: resolve(path), refused: root });
      continue;
    }
    roots.set(root.given, root);
    for await (const found of walk(root, passed)) {
      if (typeof found === 'string') files.add(found);
      else unreachable.set(found.path, found);
    }
  }
  const rootOf = (path: string) => (given.has(path) ? null : innermostRoot(roots, path));
  return { files: [...files], unreachable: [...unreachable.values()], rootOf };
}

/** Returns the innermost given folder that contains the path: an inner folder may have been given as a link. */
function innermostRoot(roots: ReadonlyMap<string, Root>, path: string): Root | null {
  for (let at = path; at !== dirname(at);) {
    at = dirname(at);
    const root = roots.get(at);
    if (root) return root;
  }
  return null;
}

/** Returns the path as given, and resolved without links. */
async function bothNames(path: string): Promise<string[]> {
  return [resolve(path), await realpath(path).catch(() => resolve(path))];
}

/** Yields the files of a folder, then those of its subfolders, each in the order of their names. */
async function* walk(root: Root, passed: ReadonlySet<string>): AsyncGenerator<string | Unreachable> {
  const waiting = [root.given];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const entries = await list(folder, root).catch(unlisted);
    if ('code' in entries) {
      yield { path: folder, refused: entries };
      continue;
    }
    const folders: string[] = [];
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (IGNORED.test(entry.name) || passed.has(path) || passed.has(placeIn(root, path))) continue;
      if (!entry.isUtf8) yield { path, refused: refuse('file-name') };
      else if (entry.isFile) yield path;
      else folders.push(path);
    }
    waiting.push(...folders.reverse());
  }
}

type Entry = { name: string; isUtf8: boolean; isFile: boolean };

/**
 * Reads names as bytes: a file whose name is not UTF-8 (old Windows programs write such names) could not be opened
 * again.
 */
async function list(folder: string, root: Root): Promise<Entry[]> {
  const entries: Entry[] = [];
  const { handle, listed } = await openFolder(folder, root);
  try {
    // The types of Node do not know readdir with names as bytes.
    const options = { encoding: 'buffer' as BufferEncoding };
    for await (const entry of await opendir(listed, options)) {
      if (!entry.isFile() && !entry.isDirectory()) continue;
      const name = (entry as unknown as Dirent<Buffer>).name;
      entries.push({ name: name.toString(), isUtf8: isUtf8(name), isFile: entry.isFile() });
    }
  } finally {
    await handle.close();
  }
  return entries;
}

function unlisted(error: unknown): Refused {
  if (error instanceof RefusedError) return refuse(error.code, `the folder: ${error.detail}`);
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return refuse('unreadable', `the folder: ${code}`);
}
