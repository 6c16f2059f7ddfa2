import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isAlive } from '../../platform/is-alive.ts';
import { officeSocket } from './soffice.ts';

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

async function sweepSockets(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith('convert-')) continue;
    const profile = pathToFileURL(join(folder, name, 'profile')).href;
    for (const user of new Set([0, process.getuid?.() ?? 0])) await rm(officeSocket(profile, user), { force: true });
  }
}
