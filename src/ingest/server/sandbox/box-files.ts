/** Files on their way into a child's box and out of it. What comes out was made by a program that a stranger's file may have taken over. */
import { constants, createWriteStream, type Stats } from 'node:fs';
import { chmod, chown, copyFile, lstat, open, readdir, rename, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { RefusedError } from '../../refusals.ts';
import type { FileIdentity } from '../source/open-source.ts';
import type { Box } from './sandbox.ts';

/**
 * Copies a file into `in` and answers the copy's path. With `identity` it must be that file: throws RefusedError (`unreadable`) when
 * another lies there by now.
 */
export async function copyIn(box: Box, source: string, name: string, identity?: FileIdentity): Promise<string> {
  const copy = join(box.in, name);
  if (identity) await copySame(source, copy, identity);
  else await copyFile(source, copy, constants.COPYFILE_FICLONE);
  // The folder is closed to others; the child is of its group.
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
 * Moves a file that the child wrote in `out` to a folder that is ours alone, and answers its path there; null when there is none. Looked
 * at is what arrives, because the child may still be changing `out`: neither links nor pipes, nor a second name of a file of ours.
 */
export async function takeOut(box: Box, name: string, folder: string, newName = name): Promise<string | null> {
  const taken = join(folder, newName);
  const source = join(box.out, basename(name));
  try {
    await rename(source, taken);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'EXDEV') return copyOut(box, source, taken);
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR') return null;
    throw error;
  }
  const found = await lstat(taken);
  if (!isChildsOwn(box, found)) {
    // A folder is left to whoever removes all of `folder`, after the child.
    if (!found.isDirectory()) await unlink(taken);
    return null;
  }
  if (box.sandbox.user !== null) await chown(taken, 0, 0);
  await chmod(taken, 0o644);
  return taken;
}

/** Whether a file is a regular one that the child made, with this one name. */
function isChildsOwn({ sandbox }: Box, found: Stats): boolean {
  const owner = sandbox.user ?? process.getuid?.() ?? found.uid;
  return found.isFile() && found.nlink === 1 && found.uid === owner;
}

/** Does the same as `takeOut` where the folder is on another file system, which a rename cannot reach. */
async function copyOut(box: Box, source: string, taken: string): Promise<string | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
  const handle = await open(source, flags).catch((error: NodeJS.ErrnoException) => {
    // A link (ELOOP), a socket (ENXIO), or nothing at all.
    if (error.code === 'ELOOP' || error.code === 'ENXIO' || error.code === 'ENOENT') return null;
    throw error;
  });
  if (handle === null) return null;
  try {
    if (!isChildsOwn(box, await handle.stat())) return null;
    await pipeline(handle.createReadStream({ autoClose: false }), createWriteStream(taken, { mode: 0o644 }));
  } finally {
    await handle.close();
    await unlink(source).catch(() => {});
  }
  return taken;
}

/**
 * Moves all files from `out` to a folder of ours and empties `in`, between two jobs of one child. False when the child has made
 * what the renderer never makes (a link, a folder): then something else is at work in it.
 */
export async function emptyBox(box: Box, folder: string): Promise<boolean> {
  for (const name of await readdir(box.in)) await unlink(join(box.in, name));
  const taken: (string | null)[] = [];
  for (const name of await readdir(box.out)) taken.push(await takeOut(box, name, folder));
  return !taken.includes(null);
}
