import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its missing parents step by step, with `mode` if given. `mkdir` with `recursive` never returns
 * where every parent exists and the folder still cannot be created (/proc). Throws the system's error.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const missing: string[] = [];
  let at = resolve(path);
  while (!(await isThere(at))) {
    missing.push(at);
    at = dirname(at);
  }
  for (const folder of missing.reverse()) {
    await mkdir(folder, { mode }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  // A file of that name exists: the system's error says so.
  if (!(await stat(path)).isDirectory()) await mkdir(path);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}
