import { opendir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EXIT, OperatorError } from '../../platform/command-line.ts';

/** Files nobody means to bring in. */
const IGNORED = /^(\.|~\$|Thumbs\.db$|desktop\.ini$|__MACOSX$)/i;

/**
 * Every file under the given files and folders, absolute, in a stable order, each once. Hidden files, lock files and
 * anything that is not a regular file are passed over. Throws OperatorError (65) for a path that does not exist.
 */
export async function collectFiles(paths: string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const path of paths) {
    const facts = await stat(path).catch(() => null);
    if (!facts) throw new OperatorError(`There is no file or folder at ${path}.`, EXIT.data);
    if (facts.isFile()) found.add(resolve(path));
    if (facts.isDirectory()) for (const file of await filesUnder(resolve(path))) found.add(file);
  }
  return [...found];
}

async function filesUnder(folder: string): Promise<string[]> {
  const files: string[] = [];
  const folders: string[] = [];
  for await (const entry of await opendir(folder)) {
    if (IGNORED.test(entry.name)) continue;
    if (entry.isFile()) files.push(join(folder, entry.name));
    if (entry.isDirectory()) folders.push(join(folder, entry.name));
  }
  files.sort();
  for (const child of folders.sort()) files.push(...(await filesUnder(child)));
  return files;
}
