import { mkdir, stat, open, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { formatNumber } from '../../protocol/format-number.ts';

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

/** Waits until a file, or the entries of a folder, are on disk and survive a power cut. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** `name` is the folder's name in messages for the operator; `minFreeBytes` must be free on its disk. */
export type Place = { name: string; folder: string; minFreeBytes: number };

/**
 * Returns a message for the operator about the first folder that is missing or has too little free space; null when all
 * are fine.
 */
export async function findShortage(places: readonly Place[]): Promise<string | null> {
  for (const { name, folder, minFreeBytes } of places) {
    try {
      const { bavail, bsize } = await statfs(folder);
      const free = bavail * bsize;
      if (free < minFreeBytes) return `${name} (${folder}) has ${inMb(free)} free and needs ${inMb(minFreeBytes)}`;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      return `${name} (${folder}) cannot be used: ${code}`;
    }
  }
  return null;
}

const inMb = (bytes: number) => `${formatNumber(Math.ceil(bytes / 1_000_000))} MB`;
