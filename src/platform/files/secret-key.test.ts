import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { symlinkSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigError } from '../environment.ts';
import { loadSecretKey } from './secret-key.ts';

let dataDir: string;
let path: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'ceku-key-'));
  path = join(dataDir, 'keys', 'secret.key');
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

async function writeKey(bytes: Buffer): Promise<void> {
  await mkdir(join(dataDir, 'keys'), { recursive: true });
  await writeFile(path, bytes);
}

test('it is made once, for its owner alone, and the same ever after', async () => {
  const keys = await Promise.all([loadSecretKey(dataDir, null), loadSecretKey(dataDir, null)]);
  expect(keys[0]).toHaveLength(32);
  expect(keys[1]).toEqual(keys[0]);
  expect(await loadSecretKey(dataDir, null)).toEqual(keys[0]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(join(dataDir, 'keys'))).mode & 0o777).toBe(0o700);
  expect(await readdir(join(dataDir, 'keys'))).toEqual(['secret.key']);
});

test.each([
  ['empty', Buffer.alloc(0), 'is empty'],
  ['cut short', randomBytes(31), 'is too short'],
  ['zeros, as after a power cut', Buffer.alloc(32), 'holds no random key'],
  ['a kilobyte of zeros', Buffer.alloc(1024), 'holds no random key'],
  ['one word again and again', Buffer.from('abcdefgh'.repeat(8)), 'holds no random key'],
  [
    'a page of HTML',
    Buffer.from('<html><body>404 Not Found: the backup is not here</body></html>\n'),
    'holds no random key',
  ],
  ['a sample of a manual', Buffer.from('changeme-this-is-an-example-of-a-secret-0123\n'), 'holds no random key'],
])('a key file that is %s is refused in words, and left as it is', async (_what, bytes, words) => {
  await writeKey(bytes);
  const refused = await loadSecretKey(dataDir, null).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ConfigError);
  expect(String(refused)).toContain(words);
  expect(String(refused)).toContain(path);
  expect(await readFile(path)).toEqual(bytes);
});

test.each([
  ['a pipe, which would never end', (target: string) => execFileSync('mkfifo', [target])],
  ['a link to a device that never ends', (target: string) => symlinkSync('/dev/zero', target)],
  ['longer than any key', (target: string) => writeFileSync(target, randomBytes(5_000))],
])('a key file that is %s is refused without being read', async (_what, make) => {
  await mkdir(join(dataDir, 'keys'), { recursive: true });
  make(path);
  await expect(loadSecretKey(dataDir, null)).rejects.toThrow(/is no file of at most 4096 bytes/);
});

test('a key that an operator made as text is a key', async () => {
  await writeKey(Buffer.from(`${randomBytes(32).toString('hex')}\n`));
  expect(await loadSecretKey(dataDir, null)).toHaveLength(65);
});

test('a key file that cannot be read is no reason to make another', async () => {
  await mkdir(path, { recursive: true });
  await expect(loadSecretKey(dataDir, null)).rejects.toThrow(ConfigError);
});
