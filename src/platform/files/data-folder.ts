import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';

/** What the site keeps in its data folder and no other user of the machine may read. PostgreSQL guards its own folder. */
const PRIVATE_FOLDERS = ['files', 'keys', 'quarantine', 'search'];
const KNOWN = /^(files|keys|quarantine|search|postgres|postgres\.log.*)$/;

/** Others may pass through, for PostgreSQL runs as another user where the site is root, and see nothing on the way. */
const PASSABLE = 0o711;
const PRIVATE = 0o700;

/**
 * Makes the data folder, or closes one that an earlier release left open to other users of the machine: originals are
 * what the site sells. A folder that holds anything else as well, or belongs to another user, keeps its mode; the
 * site's own folders in it are closed all the same.
 */
export async function closeDataFolder(dataDir: string): Promise<void> {
  await makeFolder(dataDir, PASSABLE);
  for (const name of PRIVATE_FOLDERS) await restrict(join(dataDir, name), PRIVATE);
  const entries = await readdir(dataDir);
  if (entries.every((name) => KNOWN.test(name))) await restrict(dataDir, PASSABLE);
}

/** Takes away what `allowed` does not allow. Leaves alone what is no folder, or not this user's. */
async function restrict(path: string, allowed: number): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (!found?.isDirectory() || found.uid !== process.getuid?.()) return;
  const mode = found.mode & 0o7777;
  if ((mode & 0o777 & ~allowed) !== 0) await chmod(path, mode & ~(0o777 & ~allowed));
}
