import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Ctx } from '../../context.ts';
import { getLargestCover } from '../../ingest/server/pages/large-cover.ts';
import { WORK_FOLDER } from '../../ingest/server/sandbox/work-folders.ts';
import { findShownFile } from '../../library/server/catalogue.ts';
import { createConcurrencyLimit } from '../../platform/concurrency-limit.ts';
import { statStored } from '../../platform/files/file-store.ts';

/**
 * Size of the picture: WeChat and others show a large card for this width, and read JPEG everywhere but WebP only in
 * places.
 */
const SHARE_PICTURE = { width: 1_200, height: 675 } as const;

/** Pictures are made one after the other and each only once, because anybody may request any document's picture. */
const drawingLimit = createConcurrencyLimit(1);

/**
 * Returns the storage key of the picture that is shown beside a shared link: the cover as JPEG, 1,200 × 675, on a
 * background of its own colour where its proportions differ. The picture is made on the first request, since most
 * documents are never shared. Returns null when no published document shows the cover. Throws as getLargestCover.
 */
export async function findSharePicture(ctx: Ctx, mediaKey: string): Promise<string | null> {
  const file = await findShownFile(ctx, mediaKey);
  if (!file || file.coverWidth === 0) return null;
  const cover = await getLargestCover(ctx, file);
  if (cover === null) return null;
  const key = await keyOf(ctx, mediaKey, { key: cover, color: file.coverColor });
  if (await ctx.files.stat(key)) return key;
  return drawingLimit.run(async () => {
    if (await ctx.files.stat(key)) return key;
    await makeSharePicture(ctx, { key: cover, color: file.coverColor }, key);
    return key;
  });
}

/** Named by the version of the cover: a cover that is replaced while its picture is made does not hide behind the picture. */
async function keyOf(ctx: Ctx, mediaKey: string, cover: { key: string; color: string }): Promise<string> {
  const stored = await statStored(ctx.files, cover.key);
  const version = createHash('sha256')
    .update(JSON.stringify([cover, stored && { size: stored.size, modifiedAt: stored.modifiedAt }]))
    .digest('hex')
    .slice(0, 16);
  return `media/${mediaKey}/share-${version}.jpg`;
}

async function makeSharePicture(ctx: Ctx, cover: { key: string; color: string }, key: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), `${WORK_FOLDER}${process.pid}-share-`));
  try {
    const file = join(folder, 'share.jpg');
    await ctx.files.withLocalPath(cover.key, async (path) =>
      // Read here: libvips remembers the pictures of paths, also of files that were replaced.
      sharp(await readFile(path))
        .resize({ ...SHARE_PICTURE, fit: 'contain', background: cover.color })
        .flatten({ background: cover.color })
        .jpeg({ quality: 82, progressive: true })
        .toFile(file),
    );
    await ctx.files.put(key, file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
