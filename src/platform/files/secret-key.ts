import { randomBytes, randomUUID } from 'node:crypto';
import { link, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../environment.ts';
import { makeFolder, syncPath } from './folders.ts';

const KEY_BYTES = 32;
const MAX_KEY_BYTES = 4_096;
/** A random key has some 30 different bytes; a file that lost its content in a power cut is all zeros. */
const MIN_DISTINCT_BYTES = 8;

/**
 * Returns the site's signing secret: the configured one, or a key file in the data folder that is created on first use
 * (mode 0600). Two processes that start together end with the same key, because the complete file is linked into place
 * once. Throws ConfigError for an invalid key file, because everybody could make signatures with an empty key, and
 * KeyNotWritable when no key file can be made.
 */
export async function loadSecretKey(dataDir: string, configured: string | null): Promise<Buffer> {
  if (configured) return Buffer.from(configured, 'utf8');
  const folder = join(dataDir, 'keys');
  const path = join(folder, 'secret.key');
  const known = await readKey(path);
  if (known) return known;
  await makeKey(folder, path).catch((error: NodeJS.ErrnoException) => {
    throw new KeyNotWritable(path, error.code ?? error.message, { cause: error });
  });
  const key = await readKey(path);
  if (!key) throw new ConfigError([`DATA_DIR: the key file ${path} was removed while it was made. Start again.`]);
  return key;
}

/** The key file cannot be made. Exit code 73. */
export class KeyNotWritable extends Error {
  constructor(path: string, reason: string, options: ErrorOptions) {
    super(`Cannot write to ${path}: ${reason}. Check its owner, its mode and the free disk space.`, options);
  }
}

async function makeKey(folder: string, path: string): Promise<void> {
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
}

/** Returns null when there is no such file. */
async function readKey(path: string): Promise<Buffer | null> {
  const key = await readSmallFile(path);
  if (key === null || (key.length >= KEY_BYTES && isRandom(key))) return key;
  const state = key.length === 0 ? 'is empty' : key.length < KEY_BYTES ? 'is too short' : 'holds no random key';
  throw new ConfigError([
    `DATA_DIR: the key file ${path} ${state}. Put it back from a backup; without one remove the file, and the next start ` +
      'makes a new key, as long as nothing in the database was sealed with the old one',
  ]);
}

/** Returns null when there is no such file. A pipe or device is not read: that would wait for ever or never end. */
async function readSmallFile(path: string): Promise<Buffer | null> {
  try {
    const facts = await stat(path);
    if (facts.isFile() && facts.size <= MAX_KEY_BYTES) return await readFile(path);
  } catch (error) {
    // Safe: stat and readFile throw nothing else.
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new ConfigError([`DATA_DIR: the key file ${path} cannot be read (${code ?? message})`]);
  }
  throw new ConfigError([`DATA_DIR: the key file ${path} is no file of at most ${MAX_KEY_BYTES} bytes`]);
}

/** False for a key that a person or a damaged disk has written: repetitions, samples from a manual, pages of HTML. */
function isRandom(key: Buffer): boolean {
  if (new Set(key).size < MIN_DISTINCT_BYTES || isRepetition(key)) return false;
  const text = key.toString('latin1');
  return !(IS_TEXT.test(text) && (/\s/.test(text.trim()) || isGuessableSecret(text.trim())));
}

const IS_TEXT = /^[\t\n\r\x20-\x7e]+$/;
const SAMPLE =
  /change.?(me|this|it)|replace.?(me|this)|place.?holder|your.{0,9}(secret|key)|example|default.?(secret|key)|(super|dev|test|local).?secret|openssl|^<.*>$|battery.?staple/i;
const ALPHABETS = ['0123456789abcdef', 'abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop'];
const MIN_DISTINCT = 8;
const MAX_PERIOD = 16;

/**
 * True for a secret that others can guess: a sample from a manual, a repetition, the alphabet, or a text of fewer than
 * eight different characters. A random secret of 32 characters is never refused.
 */
export function isGuessableSecret(secret: string): boolean {
  const lower = secret.toLowerCase();
  if (new Set(lower).size < MIN_DISTINCT || SAMPLE.test(lower)) return true;
  return isRepetition(lower) || ALPHABETS.some((alphabet) => lower.startsWith(alphabet));
}

/** True when a text or key repeats one part of at most MAX_PERIOD characters or bytes; the last copy may be cut short. */
function isRepetition(whole: ArrayLike<string | number>): boolean {
  const elements = Array.from(whole);
  return Array.from({ length: MAX_PERIOD }, (_, index) => index + 1).some((period) =>
    elements.every((element, at) => at < period || element === elements[at - period]),
  );
}
