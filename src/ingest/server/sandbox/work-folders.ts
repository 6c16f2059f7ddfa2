import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { COPY_FOLDER, isAlive } from '../../../platform/processes.ts';

/**
 * The user that children run as when the site runs as root: a number without an account, because other daemons use
 * `nobody` (PostgreSQL may).
 */
export const CHILD_USER = 61_987;

/**
 * Prefix of the names of work folders. The process id follows, so that a later start recognises the folders of ended
 * processes.
 */
export const WORK_FOLDER = 'ceku-ingest-';

const SWEPT = new RegExp(`^(?:${WORK_FOLDER}|${COPY_FOLDER})(\\d+)-`);

/**
 * Removes the work folders of processes that have ended, and the sockets that their LibreOffice left in `/tmp`. Returns
 * the number of folders.
 */
export async function sweepWorkFolders(): Promise<number> {
  let swept = 0;
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const pid = Number(SWEPT.exec(name)?.[1]);
    const folder = join(tmpdir(), name);
    if (!pid || (pid === process.pid ? !(await isOlderThanProcess(folder)) : isAlive(pid))) continue;
    await sweepSockets(folder);
    await rm(folder, { recursive: true, force: true }).catch(() => {});
    swept++;
  }
  return swept;
}

/** A process that is started again in its container has the process id of the one before. */
async function isOlderThanProcess(folder: string): Promise<boolean> {
  const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Infinity }));
  // The earlier of two readings: the clock may have been set meanwhile.
  return mtimeMs < Math.min(performance.timeOrigin, Date.now() - process.uptime() * 1_000);
}

async function sweepSockets(box: string): Promise<void> {
  const profile = pathToFileURL(join(box, 'out', 'home', 'profile')).href;
  for (const socket of officeSockets(profile)) await rm(socket, { force: true });
}

/**
 * Returns the path of the socket by which a second LibreOffice finds the first: always in `/tmp`, and left behind by a
 * LibreOffice that is killed or crashes. The name contains the user id and the MD5 of the profile's URL in UTF-16, as
 * hex without leading zeros of each byte (desktop, officeipcthread).
 */
export function officeSocket(profileUrl: string, user: number): string {
  const digest = createHash('md5').update(Buffer.from(profileUrl, 'utf16le')).digest();
  return `/tmp/OSL_PIPE_${user}_SingleOfficeIPC_${[...digest].map((byte) => byte.toString(16)).join('')}`;
}

/**
 * Returns the possible sockets of a profile: LibreOffice may run as this user, as CHILD_USER, or as user 0 of a
 * namespace.
 */
export function officeSockets(profileUrl: string): string[] {
  return [...new Set([0, CHILD_USER, process.getuid?.() ?? 0])].map((user) => officeSocket(profileUrl, user));
}
