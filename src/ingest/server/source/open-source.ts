import { constants, type Stats } from 'node:fs';
import { open, readlink, realpath, stat, type FileHandle } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RefusedError } from '../../refusals.ts';

/** A folder that is listed: as it was given, and where that is without links. */
export type Root = { given: string; real: string };

/** By this an open file is told from another, whatever their names. */
export type FileIdentity = { dev: number; ino: number };

/** `place`: where it lies, without links below the root. */
export type Source = { handle: FileHandle; place: string; facts: Stats };

/** A pipe that has taken a file's place must not make us wait for a writer. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * Opens a file to read it; whoever opens it closes its handle. What was found by listing a folder must lie there still, with no link
 * in its place or on the way to it: else who can write to the folder has us read, and keep, what only we may read. What the
 * operator has typed (`root` null) may be a link. Throws RefusedError (`unreadable`, `unknown-type`) and the system's errors.
 */
export async function openSource(path: string, root: Root | null): Promise<Source> {
  const place = root ? placeIn(root, path) : path;
  const handle = await openAt(place, root);
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) throw new RefusedError('unknown-type', 'not a regular file');
    return { handle, place, facts };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Opens a folder likewise, and gives a path by which it, and nothing that has taken its place, is listed. */
export async function openFolder(path: string, root: Root): Promise<{ handle: FileHandle; listed: string }> {
  const place = placeIn(root, path);
  const handle = await openAt(place, root, constants.O_DIRECTORY);
  const listed = `/proc/self/fd/${handle.fd}`;
  return { handle, listed: (await nameOf(handle)) === null ? place : listed };
}

/** The folder at a path, whatever links lead there. Throws the system's errors. */
export async function rootAt(path: string): Promise<Root> {
  const handle = await open(path, READ | constants.O_DIRECTORY);
  try {
    return { given: path, real: (await nameOf(handle)) ?? (await realpath(path)) };
  } finally {
    await handle.close();
  }
}

/** Where a path below the root lies. */
export const placeIn = (root: Root, path: string): string => join(root.real, relative(root.given, path));

export const identityOf = ({ dev, ino }: Stats): FileIdentity => ({ dev, ino });

async function openAt(place: string, root: Root | null, flags = 0): Promise<FileHandle> {
  if (!root) return openSoon(place, READ | flags);
  const handle = await openSoon(place, READ | flags | constants.O_NOFOLLOW).catch((error: NodeJS.ErrnoException) => {
    // What a system says of a link where none is followed; of one in a folder's place.
    throw error.code === 'ELOOP' || error.code === 'ENOTDIR' ? aLink() : error;
  });
  try {
    if (!(await liesAt(handle, place, root))) throw aLink();
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const LEASE_WAITS_MS = [50, 200, 500, 1_000];

/** A file server that keeps a file for one of its clients (Samba, NFS) is asked by the first try to give it up, and needs a moment. */
async function openSoon(place: string, flags: number): Promise<FileHandle> {
  for (const ms of LEASE_WAITS_MS) {
    const handle = await open(place, flags).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EAGAIN') throw error;
      return null;
    });
    if (handle) return handle;
    await sleep(ms);
  }
  return open(place, flags);
}

const aLink = () =>
  new RefusedError('unreadable', 'a link, or another file, has taken its place or that of its folder');

async function liesAt(handle: FileHandle, place: string, root: Root): Promise<boolean> {
  const name = await nameOf(handle);
  if (name !== null) {
    // File systems that know no capitals may write the rest of a name in their own way.
    const rest = (path: string) => path.slice(root.real.length).normalize('NFC').toLowerCase();
    return name.startsWith(root.real) && rest(name) === rest(place);
  }
  const [real, there, opened] = await Promise.all([realpath(place), stat(place), handle.stat()]);
  return real === place && there.dev === opened.dev && there.ino === opened.ino;
}

/** What Linux calls an open file: its path without links. Null on other systems. */
function nameOf(handle: FileHandle): Promise<string | null> {
  return readlink(`/proc/self/fd/${handle.fd}`).catch(() => null);
}
