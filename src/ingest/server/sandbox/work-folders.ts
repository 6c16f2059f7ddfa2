import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isAlive } from '../../../platform/is-alive.ts';

/**
 * The user that children run as when the site runs as root: a number without an account, so that no daemon of the machine
 * shares it (PostgreSQL may run as `nobody`).
 */
export const CHILD_USER = 61_987;

/** Names of work folders carry the process id, so that a later start can tell the abandoned ones. */
export const WORK_FOLDER = 'ceku-ingest-';

/** Removes the work folders of processes that are gone, and the sockets their LibreOffice left in `/tmp`. */
export async function sweepWorkFolders(): Promise<number> {
  let swept = 0;
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const pid = Number(new RegExp(`^${WORK_FOLDER}(\\d+)-`).exec(name)?.[1]);
    if (!pid || isAlive(pid)) continue;
    const folder = join(tmpdir(), name);
    await sweepSockets(folder);
    await rm(folder, { recursive: true, force: true }).catch(() => {});
    swept++;
  }
  return swept;
}

async function sweepSockets(box: string): Promise<void> {
  const profile = pathToFileURL(join(box, 'out', 'home', 'profile')).href;
  for (const socket of officeSockets(profile)) await rm(socket, { force: true });
}

/**
 * The socket by which a second LibreOffice would find the first: always in `/tmp`, and left there by one that is killed
 * or crashes. Its name is made of the user and of the MD5 of the profile's URL in UTF-16, its bytes in hex without
 * leading zeros (desktop, officeipcthread).
 */
export function officeSocket(profileUrl: string, user: number): string {
  const digest = createHash('md5').update(Buffer.from(profileUrl, 'utf16le')).digest();
  return `/tmp/OSL_PIPE_${user}_SingleOfficeIPC_${[...digest].map((byte) => byte.toString(16)).join('')}`;
}

/** The sockets of a profile, whichever user its LibreOffice took itself for: ours, the children's, or user 0 of a namespace. */
export function officeSockets(profileUrl: string): string[] {
  return [...new Set([0, CHILD_USER, process.getuid?.() ?? 0])].map((user) => officeSocket(profileUrl, user));
}
