import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, type Dirent, type Stats } from 'node:fs';
import {
  chmod,
  copyFile,
  mkdir,
  open,
  opendir,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ContentChanged, StoreAway, StoreMissing, type FileStore, type StoredFile } from './file-store.ts';
import { makeFolder, syncPath } from './folders.ts';

/**
 * Lies in the folder of a store since its first start. A folder without it is the place where a disk is to be mounted: what was written there
 * would be hidden under the disk later. No kind of keys has a dot in its name.
 */
const MARK = 'ceku.store';

const KEY = /^[a-z]+(\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)+$/;

/**
 * Makes a folder a store, with its mark, unless it is one. An empty folder becomes one only where `isInUse` says that nothing was stored yet: otherwise
 * its disk is not mounted, and the store stays away.
 */
export async function markLocalStore(root: string, isInUse: () => Promise<boolean>): Promise<void> {
  await makeFolder(root, 0o700);
  const names = await readdir(root);
  // A backup may have been brought back without the mark.
  const isStore = names.includes(MARK) || names.includes('originals');
  if (names.includes(MARK) || (!isStore && (await isInUse()))) return;
  await writeFile(
    join(root, MARK),
    'The files of a Ceku library. Without this file the site takes the disk for not mounted.\n',
    {
      mode: 0o600,
    },
  );
}

/**
 * Returns a file store in a folder of this machine that markLocalStore made one. A file is written under a temporary name, synced, and
 * renamed.
 */
export function createLocalStore(root: string): FileStore {
  const pathOf = (key: string) => {
    if (!KEY.test(key) || key.includes('..')) throw new Error(`not a storage key: ${key}`);
    // Two levels of fan-out keep folders small at a million documents.
    const [kind = '', name = '', ...rest] = key.split('/');
    return join(root, kind, name.slice(0, 2), [name, ...rest].join(sep));
  };
  const check = async () => {
    if (!(await stat(join(root, MARK)).catch(missingAsNull)))
      throw new StoreAway(
        `the folder of the stored files is empty or not there, as a disk that is not mounted: ${root}`,
      );
  };
  return {
    async put(key, source, expected) {
      const path = pathOf(key);
      await check();
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const draft = `${path}.${randomUUID()}.tmp`;
      try {
        if (expected || typeof source !== 'string') await copyBytes(source, draft, expected?.sha256);
        else await copyFile(source, draft);
        // copyFile copies the mode of the source as well.
        await chmod(draft, 0o600);
        await syncPath(draft);
        await rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
      await syncPath(dirname(path));
    },
    async stat(key) {
      const found = await stat(pathOf(key)).catch(missingAsNull);
      return found?.isFile() ? factsOf(found) : null;
    },
    async read(key, range) {
      const path = pathOf(key);
      const handle = await open(path, 'r').catch(missingAsNull);
      if (!handle) throw new StoreMissing(`no stored object at ${key}`);
      return createReadStream(path, { fd: handle, ...range });
    },
    async withLocalPath(key, use) {
      const path = pathOf(key);
      if (!(await stat(path).catch(missingAsNull))) throw new StoreMissing(`no stored object at ${key}`);
      return use(path);
    },
    async *list(kind) {
      if (!/^[a-z]+$/.test(kind)) throw new Error(`not a kind of keys: ${kind}`);
      const base = join(root, kind);
      // opendir reads a folder in pieces, so that a million names are never in memory.
      for await (const [key, path] of filesUnder(base, kind)) {
        const found = await stat(path).catch(missingAsNull);
        if (found) yield { key, ...factsOf(found) };
      }
    },
    check,
    async remove(key) {
      await rm(pathOf(key), { force: true });
    },
    async removeFolder(key) {
      // The retries are for files that a put writes meanwhile.
      await rm(pathOf(key), { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
    },
  };
}

const factsOf = ({ size, mtimeMs, ctimeMs }: Stats): StoredFile => ({
  size,
  changedAt: Math.max(mtimeMs, ctimeMs),
  modifiedAt: mtimeMs,
});

/** Yields keys and paths of the files of one kind. The fan-out folders are between the kind and the rest of the key. */
async function* filesUnder(base: string, kind: string): AsyncGenerator<[key: string, path: string]> {
  for await (const fan of await openFolder(base)) {
    if (fan.isDirectory()) yield* walk(join(base, fan.name), kind);
  }
}

async function* walk(folder: string, prefix: string): AsyncGenerator<[key: string, path: string]> {
  for await (const entry of await openFolder(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path, `${prefix}/${entry.name}`);
    else yield [`${prefix}/${entry.name}`, path];
  }
}

/** Yields the entries of a folder; none when the folder does not exist or was removed meanwhile. */
async function openFolder(path: string): Promise<AsyncIterable<Dirent>> {
  return (await opendir(path).catch(missingAsNull)) ?? (async function* () {})();
}

/** Hashes the bytes that are written, because the source may change before or after. */
async function copyBytes(source: string | FileHandle, draft: string, sha256?: string): Promise<void> {
  const hash = createHash('sha256');
  const highWaterMark = 1024 * 1024;
  await pipeline(
    typeof source === 'string'
      ? createReadStream(source, { highWaterMark })
      : source.createReadStream({ start: 0, autoClose: false, highWaterMark }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(draft, { mode: 0o600 }),
  );
  if (sha256 !== undefined && hash.digest('hex') !== sha256) throw new ContentChanged('the source is not what it was');
}

function missingAsNull(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
