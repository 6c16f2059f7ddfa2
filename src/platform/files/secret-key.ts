import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';

/**
 * The site's signing secret: the configured one, or a key file in the data folder made on first use (mode 0600).
 * Two processes that start together end with the same key: the file appears whole, by link, once.
 */
export async function loadSecretKey(dataDir: string, configured: string | null): Promise<Buffer> {
  if (configured) return Buffer.from(configured, 'utf8');
  const folder = join(dataDir, 'keys');
  const path = join(folder, 'secret.key');
  const existing = await readFile(path).catch(() => null);
  if (existing && existing.length >= 32) return existing;
  await makeFolder(folder, 0o700);
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, randomBytes(32), { mode: 0o600 });
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return readFile(path);
}
