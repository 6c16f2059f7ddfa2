import { statfs } from 'node:fs/promises';

/** `name` is the folder's name in messages for the operator; `leastBytes` must be free on its disk. */
export type Place = { name: string; folder: string; leastBytes: number };

/**
 * Returns a message for the operator about the first folder that is missing or has too little free space; null when all
 * are fine.
 */
export async function findShortage(places: readonly Place[]): Promise<string | null> {
  for (const { name, folder, leastBytes } of places) {
    try {
      const { bavail, bsize } = await statfs(folder);
      const free = bavail * bsize;
      if (free < leastBytes) return `${name} (${folder}) has ${inMb(free)} free and needs ${inMb(leastBytes)}`;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      return `${name} (${folder}) cannot be used: ${code}`;
    }
  }
  return null;
}

const inMb = (bytes: number) => `${Math.ceil(bytes / 1_000_000).toLocaleString('en-US')} MB`;
