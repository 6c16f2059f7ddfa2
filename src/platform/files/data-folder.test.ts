import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeDataFolder } from './data-folder.ts';
import { createLocalStore, markLocalStore } from './local-store.ts';

let folder: string;
let dataDir: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ceku-closed-'));
  dataDir = join(folder, 'data');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

/** A data folder as earlier releases made it: open to everybody. */
async function makeOpen(...names: string[]): Promise<void> {
  for (const name of ['', ...names]) {
    await mkdir(join(dataDir, name), { recursive: true });
    await chmod(join(dataDir, name), 0o755);
  }
}

test('a new data folder can be passed through and not be read by others', async () => {
  await closeDataFolder(dataDir);
  expect(await modeOf(dataDir)).toBe(0o711);
});

test('an open one is closed, with all that is in it', async () => {
  await makeOpen('files', 'files/originals', 'keys', 'quarantine', 'search', 'postgres');
  await closeDataFolder(dataDir);
  expect(await modeOf(dataDir)).toBe(0o711);
  for (const name of ['files', 'keys', 'quarantine', 'search'])
    expect(await modeOf(join(dataDir, name)), name).toBe(0o700);
  // PostgreSQL refuses to start on a folder of another mode than its own.
  expect(await modeOf(join(dataDir, 'postgres'))).toBe(0o755);
});

test('a folder that holds other things keeps its mode; ours in it are closed', async () => {
  await makeOpen('files', 'holiday-pictures');
  await closeDataFolder(dataDir);
  expect(await modeOf(dataDir)).toBe(0o755);
  expect(await modeOf(join(dataDir, 'files'))).toBe(0o700);
  expect(await modeOf(join(dataDir, 'holiday-pictures'))).toBe(0o755);
});

test('one that is closed further, and a link that leads elsewhere, are left alone', async () => {
  await makeOpen();
  await mkdir(join(folder, 'disk'));
  await chmod(join(folder, 'disk'), 0o755);
  await symlink(join(folder, 'disk'), join(dataDir, 'files'));
  await chmod(dataDir, 0o700);
  await closeDataFolder(dataDir);
  expect(await modeOf(dataDir)).toBe(0o700);
  expect(await modeOf(join(folder, 'disk'))).toBe(0o755);
});

test('what is stored is for its owner alone, whatever mode the source has', async () => {
  await mkdir(dataDir);
  const source = join(folder, 'deck.pptx');
  await writeFile(source, 'deck');
  await chmod(source, 0o644);
  await markLocalStore(join(dataDir, 'files'), () => Promise.resolve(false));
  const store = createLocalStore(join(dataDir, 'files'));
  await store.put('originals/aabb', source);
  const sha256 = createHash('sha256').update('deck').digest('hex');
  await store.put('originals/aacc', source, { sha256 });
  await store.put('pdf/ccdd.pdf', source);
  for (const path of ['originals/aa/aabb', 'originals/aa/aacc', 'pdf/cc/ccdd.pdf'])
    expect(await modeOf(join(dataDir, 'files', path))).toBe(0o600);
  for (const path of ['', 'originals', 'originals/aa', 'pdf/cc'])
    expect(await modeOf(join(dataDir, 'files', path))).toBe(0o700);
});
