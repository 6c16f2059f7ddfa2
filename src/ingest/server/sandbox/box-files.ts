/**
 * Copies files into the box of a child and moves files out of it. Files in `out` are untrusted: a hostile file may
 * control the child.
 */
import { constants, createWriteStream, type Stats } from 'node:fs';
import { chmod, chown, copyFile, lstat, open, readdir, rename, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { RefusedError } from '../../refusals.ts';
import type { FileIdentity } from '../source/open-source.ts';
import type { Box } from './sandbox.ts';

/**
 * Copies a file into `in` and returns the path of the copy. Throws RefusedError (`unreadable`) when `identity` is given
 * and another file is at the path.
 */
export async function copyIn(box: Box, source: string, name: string, identity?: FileIdentity): Promise<string> {
  const copy = join(box.in, name);
  if (identity) await copySame(source, copy, identity);
  else await copyFile(source, copy, constants.COPYFILE_FICLONE);
  // Other users cannot enter the folder; the child is in its group.
  await chmod(copy, 0o644);
  return copy;
}

async function copySame(source: string, copy: string, identity: FileIdentity): Promise<void> {
  const handle = await open(source, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    const { dev, ino } = await handle.stat();
    if (dev !== identity.dev || ino !== identity.ino)
      throw new RefusedError('unreadable', 'another file has taken its place');
    await pipeline(handle.createReadStream({ autoClose: false }), createWriteStream(copy));
  } finally {
    await handle.close();
  }
}

/**
 * Moves a file from `out` to a folder that the child cannot write to. Returns the new path; null when there is no such
 * file. The moved file is checked, not the file in `out`, which the child may still change: links, pipes and hard links
 * are refused.
 */
export async function takeOut(box: Box, name: string, folder: string): Promise<string | null> {
  const taken = join(folder, name);
  const source = join(box.out, basename(name));
  try {
    await rename(source, taken);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'EXDEV') return copyOut(box, source, taken);
    // A folder of the child cannot take the place of a file or folder that is there.
    if (['ENOENT', 'EISDIR', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST'].includes(code)) return null;
    throw error;
  }
  const found = await lstat(taken);
  if (!isMadeByChild(box, found)) {
    // A folder is removed with all of `folder`, after the child has ended.
    if (!found.isDirectory()) await unlink(taken);
    return null;
  }
  if (box.sandbox.user !== null) await chown(taken, 0, 0);
  await chmod(taken, 0o644);
  return taken;
}

/** Whether the file is a regular file with a single name that the child owns. */
function isMadeByChild({ sandbox }: Box, found: Stats): boolean {
  const owner = sandbox.user ?? process.getuid?.() ?? found.uid;
  return found.isFile() && found.nlink === 1 && found.uid === owner;
}

/** Does the same as `takeOut` when `folder` is on another file system, to which a file cannot be renamed. */
async function copyOut(box: Box, source: string, taken: string): Promise<string | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
  const handle = await open(source, flags).catch((error: NodeJS.ErrnoException) => {
    // ELOOP: a link. ENXIO: a socket.
    if (error.code === 'ELOOP' || error.code === 'ENXIO' || error.code === 'ENOENT') return null;
    throw error;
  });
  if (handle === null) return null;
  try {
    if (!isMadeByChild(box, await handle.stat())) return null;
    await pipeline(handle.createReadStream({ autoClose: false }), createWriteStream(taken, { mode: 0o644 }));
  } finally {
    await handle.close();
    await unlink(source).catch(() => {});
  }
  return taken;
}

/**
 * Moves all files from `out` to `folder` and empties `in`, between two jobs of one child. Returns false when `out`
 * holds a link or a folder, which the renderer never makes: the child is compromised.
 */
export async function emptyBox(box: Box, folder: string): Promise<boolean> {
  for (const name of await readdir(box.in)) await unlink(join(box.in, name));
  const taken: (string | null)[] = [];
  for (const name of await readdir(box.out)) taken.push(await takeOut(box, name, folder));
  return !taken.includes(null);
}
