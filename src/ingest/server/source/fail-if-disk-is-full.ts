import { statfs } from 'node:fs/promises';

/** With less than this free a program that failed may have failed for want of it. */
const MIN_FREE = 16 * 1024 * 1024;

/**
 * To be asked where a child has failed, before what it wrote is removed: on a full disk that says nothing of the file.
 * Throws an error with the code ENOSPC then.
 */
export async function failIfDiskIsFull(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= MIN_FREE) return;
  throw Object.assign(new Error(`ENOSPC: the disk of ${folder} is full`), { code: 'ENOSPC' });
}
