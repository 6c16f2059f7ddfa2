import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from './folders.ts';

/** Entries of the data folder that no other user of the machine may read. PostgreSQL protects its own folder. */
const PRIVATE_FOLDERS = ['files', 'keys', 'quarantine', 'search', 'uploads'];
const KNOWN = /^(files|keys|quarantine|search|uploads|postgres|postgres\.log.*)$/;

/** Other users may enter the folder but not list it: PostgreSQL runs as another user where the site runs as root. */
const PASSABLE = 0o711;
const PRIVATE = 0o700;

/**
 * Creates the data folder, or closes a folder that an earlier release left readable for other users of the machine:
 * originals are what the site sells. A folder that also holds other things, or belongs to another user, keeps its mode;
 * the site's own folders inside are closed all the same.
 */
export async function closeDataFolder(dataDir: string): Promise<void> {
  await makeFolder(dataDir, PASSABLE);
  for (const name of PRIVATE_FOLDERS) await restrict(join(dataDir, name), PRIVATE);
  const entries = await readdir(dataDir);
  if (entries.every((name) => KNOWN.test(name))) await restrict(dataDir, PASSABLE);
}

/** Removes permissions beyond `allowed`. Ignores what is not a folder or does not belong to this user. */
async function restrict(path: string, allowed: number): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (!found?.isDirectory() || found.uid !== process.getuid?.()) return;
  const mode = found.mode & 0o7777;
  if ((mode & 0o777 & ~allowed) !== 0) await chmod(path, mode & ~(0o777 & ~allowed));
}
