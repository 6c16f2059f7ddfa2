import { randomBytes, randomUUID } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../config.ts';
import { makeFolder } from './make-folder.ts';
import { syncPath } from './sync-path.ts';

const KEY_BYTES = 32;
/** A random key has some 30 different bytes; a file that lost its content in a power cut is all zeros. */
const MIN_DISTINCT_BYTES = 8;

/**
 * Returns the site's signing secret: the configured one, or a key file in the data folder that is created on first use
 * (mode 0600). Two processes that start together end with the same key, because the complete file is linked into place
 * once. Throws ConfigError for an invalid key file: everybody could make signatures with an empty key.
 */
export async function loadSecretKey(dataDir: string, configured: string | null): Promise<Buffer> {
  if (configured) return Buffer.from(configured, 'utf8');
  const folder = join(dataDir, 'keys');
  const path = join(folder, 'secret.key');
  return (await readKey(path)) ?? makeKey(folder, path);
}

async function makeKey(folder: string, path: string): Promise<Buffer> {
  await makeFolder(folder, 0o700);
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(randomBytes(KEY_BYTES));
    // Synced before the link, and the folder after it: a power cut leaves a whole key or none.
    await file.sync();
  } finally {
    await file.close();
  }
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  await syncPath(folder);
  const key = await readKey(path);
  if (!key) throw new ConfigError([`DATA_DIR: the key file ${path} was removed while it was made. Start again.`]);
  return key;
}

/** Returns null when there is no such file. */
async function readKey(path: string): Promise<Buffer | null> {
  const key = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new ConfigError([`DATA_DIR: the key file ${path} cannot be read (${error.code ?? error.message})`]);
  });
  if (key === null || (key.length >= KEY_BYTES && new Set(key).size >= MIN_DISTINCT_BYTES)) return key;
  const state = key.length === 0 ? 'is empty' : key.length < KEY_BYTES ? 'is too short' : 'holds no random key';
  throw new ConfigError([
    `DATA_DIR: the key file ${path} ${state}. Put it back from a backup; without one remove the file, and the next start ` +
      'makes a new key, as long as no phone in the database was sealed with the old one',
  ]);
}
