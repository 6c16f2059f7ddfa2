import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, open as openFile, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ContentChanged, StoreAway, StoreMissing, type FileStore } from '../../src/platform/files/file-store.ts';
import { createLocalStore, markLocalStore } from '../../src/platform/files/local-store.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ceku-store-'));
  await markLocalStore(join(folder, 'files'), () => Promise.resolve(false));
});
afterAll(() => rm(folder, { recursive: true }));

const adapters: [name: string, open: () => FileStore][] = [
  ['local folder', () => createLocalStore(join(folder, 'files'))],
];

describe.each(adapters)('%s', (_name, open) => {
  const key = `originals/${'ab'.repeat(32)}`;
  const bytes = randomBytes(300_000);
  let source: string;
  beforeAll(async () => {
    source = join(folder, 'source');
    await writeFile(source, bytes);
  });
  const read = async (store: FileStore, range?: { start: number; end: number }) =>
    Buffer.concat(await (await store.read(key, range)).toArray());

  test('what is put is read back byte for byte, whole and in ranges', async () => {
    const store = open();
    await store.put(key, source);
    expect(await store.stat(key)).toMatchObject({ size: bytes.length });
    expect(await read(store)).toEqual(bytes);
    expect(await read(store, { start: 10, end: 19 })).toEqual(bytes.subarray(10, 20));
    expect(await store.withLocalPath(key, (path) => readFile(path))).toEqual(bytes);
  });

  test('a store that is not there says so', async () => {
    const store = open();
    await store.put(key, source);
    await store.check();
    const files = join(folder, 'files');
    await rename(files, `${files}-away`);
    await expect(store.check()).rejects.toThrow(StoreAway);
    // Nothing is written to the place where a disk is to be mounted.
    await expect(store.put(key, source)).rejects.toThrow(StoreAway);
    await mkdir(files);
    await expect(store.put(key, source)).rejects.toThrow(StoreAway);
    expect(await readdir(files)).toEqual([]);
    await rmdir(files);
    await rename(`${files}-away`, files);
  });

  test('an open file is copied from its start, whatever lies at its path meanwhile, and stays open', async () => {
    const store = open();
    const path = join(folder, 'opened');
    await writeFile(path, bytes);
    const handle = await openFile(path);
    await handle.read(Buffer.alloc(10));
    await rm(path);
    await writeFile(path, 'another file');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    for (const expected of [undefined, { sha256 }]) {
      await store.put(`originals/${'cd'.repeat(32)}`, handle, expected);
      expect(await (await store.read(`originals/${'cd'.repeat(32)}`)).toArray().then(Buffer.concat)).toEqual(bytes);
    }
    await expect(store.put(key, handle, { sha256: '0'.repeat(64) })).rejects.toThrow(ContentChanged);
    expect((await handle.stat()).size).toBe(bytes.length);
    await handle.close();
  });

  test('twenty puts of one key at once leave one whole object and no temporary file', async () => {
    const store = open();
    await Promise.all(Array.from({ length: 20 }, () => store.put(key, source)));
    expect(await read(store)).toEqual(bytes);
    const names = await readdir(join(folder, 'files'), { recursive: true });
    expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('everything of a kind is listed with size and time, drafts too; a kind without files is empty', async () => {
    const store = open();
    await store.put('media/abcdefghijklmnopqrstuv/cover.webp', source);
    await store.put('media/abcdefghijklmnopqrstuv/strip.webp', source);
    await store.put(key, source);
    const listed = await Array.fromAsync(store.list('media'));
    expect(listed.map((file) => file.key).toSorted()).toEqual([
      'media/abcdefghijklmnopqrstuv/cover.webp',
      'media/abcdefghijklmnopqrstuv/strip.webp',
    ]);
    for (const file of listed) {
      expect(file.size).toBe(bytes.length);
      expect(Math.abs(Date.now() - file.modifiedAt)).toBeLessThan(60_000);
    }
    expect(await Array.fromAsync(store.list('nothing'))).toEqual([]);
  });

  test('with a hash only those bytes are stored; others leave what was there, and no temporary file', async () => {
    const store = open();
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await store.put('originals/hashed', source, { sha256 });
    expect(await (await store.read('originals/hashed')).toArray().then(Buffer.concat)).toEqual(bytes);
    const other = join(folder, 'other');
    await writeFile(other, 'other bytes');
    for (const to of ['originals/hashed', 'originals/never'])
      await expect(store.put(to, other, { sha256 })).rejects.toThrow(ContentChanged);
    expect(await store.stat('originals/hashed')).toMatchObject({ size: bytes.length });
    expect(await store.stat('originals/never')).toBeNull();
    const names = await readdir(join(folder, 'files'), { recursive: true });
    expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('a source that does not exist leaves nothing behind', async () => {
    const store = open();
    await expect(store.put('originals/none', join(folder, 'nowhere'))).rejects.toThrow();
    expect(await store.stat('originals/none')).toBeNull();
  });

  test('a missing object is null to stat, StoreMissing to read; removing it is harmless', async () => {
    const store = open();
    expect(await store.stat('originals/missing')).toBeNull();
    await expect(store.read('originals/missing')).rejects.toThrow(StoreMissing);
    await expect(store.withLocalPath('originals/missing', async () => 1)).rejects.toThrow(StoreMissing);
    await store.remove('originals/missing');
    await store.remove(key);
    expect(await store.stat(key)).toBeNull();
  });

  test('a folder is removed with all its objects and no others; removing it again is harmless', async () => {
    const store = open();
    for (const name of ['one/original', 'one/1.webp', 'ones/original']) await store.put(`uploads/${name}`, source);
    for (let time = 0; time < 2; time++) await store.removeFolder('uploads/one');
    const listed = await Array.fromAsync(store.list('uploads'));
    expect(listed.map((file) => file.key)).toEqual(['uploads/ones/original']);
    expect(await readdir(join(folder, 'files', 'uploads', 'on'))).toEqual(['ones']);
  });

  test.each(['../etc/passwd', 'originals/../../x', '/absolute', 'originals//x', 'originals/a\0b', 'noslash'])(
    'the key %j is refused, whatever is asked',
    async (bad) => {
      const store = open();
      await expect(store.put(bad, source)).rejects.toThrow('not a storage key');
      await expect(store.stat(bad)).rejects.toThrow('not a storage key');
      await expect(store.read(bad)).rejects.toThrow('not a storage key');
      await expect(store.remove(bad)).rejects.toThrow('not a storage key');
      await expect(store.removeFolder(bad)).rejects.toThrow('not a storage key');
    },
  );
});

describe('the mark of a folder of files', () => {
  const never = () => Promise.reject(new Error('not asked'));
  const stateOf = async (root: string) =>
    createLocalStore(root)
      .check()
      .then(
        () => 'there',
        () => 'away',
      );

  test('is made in a new folder, and found at each later start', async () => {
    const root = join(folder, 'new');
    await markLocalStore(root, () => Promise.resolve(false));
    expect(await stateOf(root)).toBe('there');
    await markLocalStore(root, never);
    expect(await stateOf(root)).toBe('there');
  });

  test('is not made in the empty folder of a library that has files: their disk is not mounted', async () => {
    const root = join(folder, 'unmounted');
    for (const make of [() => Promise.resolve(), () => mkdir(join(root, 'lost+found'))]) {
      await make();
      await markLocalStore(root, () => Promise.resolve(true));
      expect(await stateOf(root)).toBe('away');
    }
  });

  test('is made where a backup brought the files back without it', async () => {
    const root = join(folder, 'restored');
    await mkdir(join(root, 'originals'), { recursive: true });
    await markLocalStore(root, never);
    expect(await stateOf(root)).toBe('there');
  });
});
