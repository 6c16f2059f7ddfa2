import { open, rm } from 'node:fs/promises';

/** Writes a file that only its owner can read. Throws EEXIST where a file is already; a file that cannot be written whole is removed again. */
export async function writeNewFile(path: string, bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    try {
      await file.writeFile(bytes);
    } finally {
      // Some disks say only here that they are full.
      await file.close();
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** What `whyNotWritten` says of ENOENT. */
export const NO_SUCH_FOLDER = 'there is no such folder, or no file can be created in it';

/** Returns in words why a file or folder cannot be written. */
export function whyNotWritten(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') return NO_SUCH_FOLDER;
  if (code === 'ENOTDIR' || code === 'EEXIST') return 'a file is in the way';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return 'permission denied';
  if (code === 'ENAMETOOLONG') return 'the name is too long';
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'the disk is full';
  return code || String(error);
}
