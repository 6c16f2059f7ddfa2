import { LARGEST_COVER_WIDTH } from '../../rules.ts';
import type { Ctx } from '../../../context.ts';
import type { files } from '../../../library/server/tables.ts';
import { statStored, StoreMissing } from '../../../platform/files/file-store.ts';
import { unavailable } from '../../../protocol/envelope.ts';
import { coverName, largeCoverName } from '../render/page-image.ts';
import { findDiskShortage } from '../source/disk-space.ts';
import { selectCoverPage } from '../store/files.ts';
import { readableKey, type ReadableFile } from './drawn-pages.ts';

/** The largest cover, drawn from the page of the cover when somebody first asks for it, and kept. */

type CoveredFile = ReadableFile & Pick<typeof files.$inferSelect, 'coverWidths'>;

/** Returns the storage key of the largest cover that ingest made; null when there is none. Throws StoreAway. */
export async function findMadeCover(ctx: Ctx, file: CoveredFile): Promise<string | null> {
  for (const width of file.coverWidths.toSorted((one, other) => other - one)) {
    const key = `media/${file.mediaKey}/${coverName(width)}.webp`;
    if (await statStored(ctx.files, key)) return key;
  }
  return null;
}

/**
 * Returns the storage key of the largest cover, which is drawn now unless it is there. Null without a cover. Throws
 * `unavailable` (503) when too many covers wait, the disk is full, or the child that draws was ended from outside.
 */
export async function getLargestCover(ctx: Ctx, file: CoveredFile): Promise<string | null> {
  const made = await findMadeCover(ctx, file);
  if (
    made === null ||
    !file.coverWidths.includes(LARGEST_COVER_WIDTH) ||
    made.endsWith(`/${coverName(LARGEST_COVER_WIDTH)}.webp`)
  )
    return made;
  const page = await selectCoverPage(ctx.db, file.id);
  const pdfKey = readableKey(file);
  if (page === null || pdfKey === null) return made;
  // Named by the page's image: a cover that changed never hides behind an old name.
  const key = `media/${file.mediaKey}/${largeCoverName(page.imageName)}.webp`;
  if (await ctx.files.stat(key)) return key;
  await ctx.pageDrawer.once(key, async () => {
    if (await drawCover(ctx, file, { pdfKey, page: page.number, key })) return;
    ctx.log.warn({ fileId: file.id, page: page.number }, 'the largest cover cannot be drawn: a smaller one is shown');
    // Kept under the name of the largest, or every request would try again.
    await ctx.files.withLocalPath(made, (path) => ctx.files.put(key, path));
  });
  return key;
}

/** Draws a cover into the file store. Returns false when it cannot be drawn. */
async function drawCover(
  ctx: Ctx,
  file: CoveredFile,
  { pdfKey, page, key }: { pdfKey: string; page: number; key: string },
): Promise<boolean> {
  const shortage = await findDiskShortage(ctx, (await ctx.files.stat(pdfKey))?.size);
  if (shortage !== null) {
    ctx.log.error({ fileId: file.id, shortage }, 'a cover is not drawn: there is too little disk space');
    throw unavailable();
  }
  const uploadedSha256 = file.fileType === 'pdf' ? file.sha256 : null;
  try {
    return await ctx.files.withLocalPath(pdfKey, (pdf) =>
      ctx.pageDrawer.draw(
        { pdf, uploadedSha256, pages: [page], size: 'cover', mark: null, client: 'covers' },
        async ([drawn]) => {
          // The end of the child says nothing about the page: a smaller cover must not be kept in its place.
          if (!drawn) throw unavailable();
          if (drawn.kind !== 'cover') return false;
          await ctx.files.put(key, drawn.cover);
          return true;
        },
      ),
    );
  } catch (error) {
    if (error instanceof StoreMissing) return false;
    throw error;
  }
}
