import { statfs } from 'node:fs/promises';

/** `name` is what an operator calls the folder; `leastBytes` must be free on its disk. */
export type Place = { name: string; folder: string; leastBytes: number };

/** The first of the places that is missing or has too little room, in an operator's words; null when all will do. */
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
