import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it that are missing, step by step: `mkdir` with `recursive` never returns where every
 * parent is there and the folder still cannot be made (/proc). Throws the system's error.
 */
export async function makeFolder(path: string): Promise<void> {
  const missing: string[] = [];
  let at = resolve(path);
  while (!(await isThere(at))) {
    missing.push(at);
    at = dirname(at);
  }
  for (const folder of missing.reverse()) {
    await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  // A file of that name is in the way: the system says so itself.
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
