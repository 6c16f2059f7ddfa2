import { createHash, randomBytes } from 'node:crypto';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPublished } from '../../../../tests/published-document.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import type { FileStore } from '../../../platform/files/file-store.ts';
import { sweepOrphans } from './sweep-orphans.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

it('keeps an original that is put again while the sweep looks for its row, and removes the others', async () => {
  const [left, again] = [await putOld(), await putOld()];
  const { files } = app.ctx;
  const list: FileStore['list'] = async function* (kind) {
    yield* files.list(kind);
    if (kind === 'originals') await files.put(again.key, again.source);
  };
  expect(await sweepOrphans({ ...app.ctx, files: { ...files, list } })).toMatchObject({ checked: 2, removed: 1 });
  expect(await files.stat(left.key)).toBeNull();
  expect(await files.stat(again.key)).not.toBeNull();
});

it('removes pictures for shared links after a month, which are made again on request, and keeps the cover', async () => {
  const { mediaKey } = await addPublished(app);
  const source = join(app.folder, 'picture');
  await writeFile(source, 'picture');
  const old = new Date(Date.now() - 31 * 86_400_000);
  const put = async (name: string, at: Date) => {
    const key = `media/${mediaKey}/${name}`;
    await app.ctx.files.put(key, source);
    await app.ctx.files.withLocalPath(key, (path) => utimes(path, at, at));
    return key;
  };
  const yesterday = new Date(Date.now() - 86_400_000);
  const kept = [await put('cover.webp', old), await put('share-0123456789abcdef.jpg', yesterday)];
  const gone = [await put('share-fedcba9876543210.jpg', old), await put('share.jpg', old)];
  await sweepOrphans(app.ctx);
  for (const key of kept) expect(await app.ctx.files.stat(key), key).not.toBeNull();
  for (const key of gone) expect(await app.ctx.files.stat(key), key).toBeNull();
});

/** Puts an original without a row, as a run that was broken off two hours ago. */
async function putOld(): Promise<{ key: string; source: string }> {
  const bytes = randomBytes(100);
  const key = `originals/${createHash('sha256').update(bytes).digest('hex')}`;
  const source = join(app.folder, 'source');
  await writeFile(source, bytes);
  await app.ctx.files.put(key, source);
  const before = new Date(Date.now() - 2 * 3_600_000);
  await app.ctx.files.withLocalPath(key, (path) => utimes(path, before, before));
  return { key, source };
}
