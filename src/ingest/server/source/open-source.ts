import { constants, type Stats } from 'node:fs';
import { open, readlink, realpath, stat, type FileHandle } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RefusedError } from '../../refusals.ts';

/** A folder that is listed: its path as given, and without links. */
export type Root = { given: string; real: string };

/** Device and inode: identifies an open file whatever its name is. */
export type FileIdentity = { dev: number; ino: number };

/** `place` is the path of the open file without links below the root. */
export type Source = { handle: FileHandle; place: string; facts: Stats };

/** O_NONBLOCK: opening a pipe in place of a file must not wait for a writer. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * Opens a file for reading; the caller closes the handle. A file that was found by listing `root` must still be there,
 * without a link in its place or in a parent folder: otherwise somebody who can write to the folder could make the site
 * read and keep a file that only the site may read. A path that the operator typed (`root` null) may be a link. Throws
 * RefusedError (`unreadable`, `unknown-type`) and errors of the system.
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

/**
 * Opens a folder with the same checks. `listed` is a path that lists this folder even when another folder takes its
 * place.
 */
export async function openFolder(path: string, root: Root): Promise<{ handle: FileHandle; listed: string }> {
  const place = placeIn(root, path);
  const handle = await openAt(place, root, constants.O_DIRECTORY);
  const listed = `/proc/self/fd/${handle.fd}`;
  return { handle, listed: (await nameOf(handle)) === null ? place : listed };
}

/** Returns the folder at a path; links are followed. Throws errors of the system. */
export async function rootAt(path: string): Promise<Root> {
  const handle = await open(path, READ | constants.O_DIRECTORY);
  try {
    return { given: path, real: (await nameOf(handle)) ?? (await realpath(path)) };
  } finally {
    await handle.close();
  }
}

/** Returns the path without links of a path below the root. */
export const placeIn = (root: Root, path: string): string => join(root.real, relative(root.given, path));

export const identityOf = ({ dev, ino }: Stats): FileIdentity => ({ dev, ino });

async function openAt(place: string, root: Root | null, flags = 0): Promise<FileHandle> {
  if (!root) return openSoon(place, READ | flags);
  const handle = await openSoon(place, READ | flags | constants.O_NOFOLLOW).catch((error: NodeJS.ErrnoException) => {
    // ELOOP: the file is a link. ENOTDIR: a parent folder is a link.
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

/**
 * Opens a file, and tries again for a moment when a file server (Samba, NFS) has leased it to a client: the first try
 * asks the client to release it.
 */
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
    // A file system that ignores case may return the rest of the path in another case.
    const rest = (path: string) => path.slice(root.real.length).normalize('NFC').toLowerCase();
    return name.startsWith(root.real) && rest(name) === rest(place);
  }
  const [real, there, opened] = await Promise.all([realpath(place), stat(place), handle.stat()]);
  return real === place && there.dev === opened.dev && there.ino === opened.ino;
}

/** Returns the path without links of an open file, from /proc; null on systems other than Linux. */
function nameOf(handle: FileHandle): Promise<string | null> {
  return readlink(`/proc/self/fd/${handle.fd}`).catch(() => null);
}

/** Returns the kind of file at a path, in an operator's words. */
export function kindOf(facts: Stats): string {
  if (facts.isFile()) return 'a file';
  if (facts.isDirectory()) return 'a folder';
  if (facts.isFIFO()) return 'a pipe';
  if (facts.isSocket()) return 'a socket';
  return 'a device';
}

/** Size and modification time: a file with the same path and stamp is assumed to be unchanged. */
export type FileStamp = { sizeBytes: number; modifiedAt: Date };

/** The years 1 to 9999, which both Date and PostgreSQL can represent; file systems have times outside that range. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

export function stampOf({ size, mtimeMs }: Pick<Stats, 'size' | 'mtimeMs'>): FileStamp {
  return {
    sizeBytes: size,
    modifiedAt: new Date(Math.min(Math.max(Math.floor(mtimeMs), EARLIEST_MS), LATEST_MS)),
  };
}

export const isSameStamp = (one: FileStamp, other: FileStamp): boolean =>
  one.sizeBytes === other.sizeBytes && one.modifiedAt.getTime() === other.modifiedAt.getTime();
