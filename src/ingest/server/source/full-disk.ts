import { statfs } from 'node:fs/promises';

// The render child imports this file: it must not load the database, which takes longer than the child's own start.

/** Below this much free space, a program that failed may have failed because the disk was full. */
const MIN_FREE = 16 * 1024 * 1024;

/**
 * Call this after a child has failed and before its output is removed: a failure on a full disk says nothing about the
 * file. Throws an error with the code ENOSPC when the disk of `folder` is full.
 */
export async function failIfDiskIsFull(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= MIN_FREE) return;
  throw Object.assign(new Error(`ENOSPC: the disk of ${folder} is full`), { code: 'ENOSPC' });
}
