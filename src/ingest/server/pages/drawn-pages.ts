import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { Ctx } from '../../../context.ts';
import type { files } from '../../../library/server/tables.ts';
import { statStored, StoreMissing } from '../../../platform/files/file-store.ts';
import { unavailable } from '../../../protocol/envelope.ts';
import type { DrawnImage } from '../../prepared-file.ts';
import type { WordBox } from '../../word-boxes.ts';
import { findDiskShortage } from '../source/disk-space.ts';
import {
  countDrawnBytes,
  deleteDrawnPages,
  deleteLeastUsed,
  selectDrawnPages,
  updateUsed,
  upsertDrawnPage,
  type DrawnPage,
} from '../store/drawn-pages.ts';
import { isDestroyed, selectImageNames } from '../store/files.ts';
import type { DrawnFiles } from './page-drawer.ts';

/** The pages of whole decks, drawn when a reader first asks for them and kept until others need the space (C-41). */

/** The facts of a file that drawing its pages needs. */
export type ReadableFile = Pick<
  typeof files.$inferSelect,
  'id' | 'sha256' | 'mediaKey' | 'fileType' | 'hasPdf' | 'pageCount'
>;

/** The images of a page. To draw `large` (for 2x screens) takes as long as the other two together. */
type Size = 'normal' | 'large' | 'thumbnail';

/** A page is marked as used at most this often. */
const USED_EVERY_MS = 60 * 60_000;
/** How many pages after the page that was asked for are drawn ahead of time. */
const PAGES_AHEAD = 2;
/** A page that could not be drawn holds a child for seconds: it is tried again after this time. */
const FAILED_FOR_MS = 3 * 60_000;
/** Thumbnails are drawn in groups: opening the PDF takes longer than drawing a thumbnail. */
const THUMBNAILS_AT_ONCE = 12;

/** Returns the key of the PDF that a file is read from; null while there is none: its deck was not converted yet. */
export function readableKey({ fileType, hasPdf, sha256 }: ReadableFile): string | null {
  if (fileType === 'pdf') return `originals/${sha256}`;
  return hasPdf ? `pdf/${sha256}.pdf` : null;
}

/**
 * Returns the storage key of an image of a page, which is drawn now unless it is there. Null when the page cannot be
 * drawn or has no such image. Throws `unavailable` (503) when too many wait, or the disk is full, and StoreAway. `client` names who waits.
 */
export async function getPageImage(
  ctx: Ctx,
  file: ReadableFile,
  page: number,
  image: Size,
  client: string,
): Promise<string | null> {
  const drawn = await getDrawn(ctx, file, page, image, client);
  const key = keyOf(file, drawn, image);
  if (key === null || (await statStored(ctx.files, key))) return key;
  // The image was evicted while an equal page was drawn, or the store was restored from an older copy.
  await deleteDrawnPages(ctx.db, file.id, [page]);
  return keyOf(file, await getDrawn(ctx, file, page, image, client), image);
}

/** Returns the words of a page, which is drawn now unless it is there. Throws as getPageImage. */
export async function getPageWords(ctx: Ctx, file: ReadableFile, page: number, client: string): Promise<WordBox[]> {
  return (await getDrawn(ctx, file, page, 'normal', client))?.words ?? [];
}

function keyOf(file: ReadableFile, drawn: DrawnPage | null, image: Size): string | null {
  const name = drawn && { normal: drawn.imageName, large: drawn.largeName, thumbnail: drawn.thumbnailName }[image];
  return name ? `media/${file.mediaKey}/${name}.webp` : null;
}

async function getDrawn(
  ctx: Ctx,
  file: ReadableFile,
  page: number,
  size: Size,
  client: string,
): Promise<DrawnPage | null> {
  if (page < 1 || page > file.pageCount) return null;
  const known = await findDrawn(ctx, file.id, page, size);
  if (known) {
    await markUsed(ctx, known);
    return known;
  }
  if (readableKey(file) === null || hasFailed(ctx, file, page, size)) return null;
  const isGroup = size === 'thumbnail';
  await ctx.pageDrawer.once(`${file.id} ${size} ${isGroup ? firstOfGroup(page) : page}`, () =>
    drawMissing(ctx, file, isGroup ? groupOf(file, page) : [page], size, client),
  );
  if (size !== 'thumbnail') void drawAhead(ctx, file, page, size);
  return findDrawn(ctx, file.id, page, size);
}

const failureKey = (file: ReadableFile, page: number, size: Size) => `${file.id} ${size} ${page}`;

const hasFailed = (ctx: Ctx, file: ReadableFile, page: number, size: Size): boolean =>
  (ctx.pageDrawer.failures.get(failureKey(file, page, size)) ?? 0) > ctx.clock.now();

const firstOfGroup = (page: number) => page - ((page - 1) % THUMBNAILS_AT_ONCE);

function groupOf(file: ReadableFile, page: number): number[] {
  const first = firstOfGroup(page);
  const length = Math.min(THUMBNAILS_AT_ONCE, file.pageCount - first + 1);
  return Array.from({ length }, (_, index) => first + index);
}

async function findDrawn(ctx: Ctx, fileId: number, page: number, size: Size): Promise<DrawnPage | null> {
  const [row] = await selectDrawnPages(ctx.db, fileId, { firstPage: page, lastPage: page });
  return row && isDrawn(row, size) ? row : null;
}

/** A page may have a large image that nobody has asked for: its width is known, and its name is empty. */
function isDrawn({ imageName, largeName, largeWidth }: DrawnPage, size: Size): boolean {
  if (size === 'thumbnail') return true;
  return imageName !== '' && (size === 'normal' || largeName !== '' || largeWidth === 0);
}

async function markUsed(ctx: Ctx, { fileId, pageNumber, usedAt }: DrawnPage): Promise<void> {
  const now = ctx.clock.now();
  const since = new Date(now - USED_EVERY_MS);
  if (usedAt < since) await updateUsed(ctx.db, fileId, [pageNumber], new Date(now), since);
}

/** Draws the pages after a page that was asked for, while nobody waits. A failure shows when they are asked for. */
async function drawAhead(ctx: Ctx, file: ReadableFile, page: number, size: Size): Promise<void> {
  for (let next = page + 1; next <= Math.min(page + PAGES_AHEAD, file.pageCount); next++) {
    if (!ctx.pageDrawer.isIdle()) return;
    try {
      if (hasFailed(ctx, file, next, size) || (await findDrawn(ctx, file.id, next, size))) continue;
      await ctx.pageDrawer.once(`${file.id} ${size} ${next}`, () => drawMissing(ctx, file, [next], size, 'ahead'));
    } catch (error) {
      ctx.log.debug({ error, fileId: file.id, page: next }, 'a page could not be drawn ahead of time');
      return;
    }
  }
}

async function drawMissing(ctx: Ctx, file: ReadableFile, pages: number[], size: Size, client: string): Promise<void> {
  const key = readableKey(file);
  if (key === null) return;
  const range = { firstPage: Math.min(...pages), lastPage: Math.max(...pages) };
  const there = await selectDrawnPages(ctx.db, file.id, range);
  const isThere = (page: number) => there.some((row) => row.pageNumber === page && isDrawn(row, size));
  const missing = pages.filter((page) => !isThere(page) && !hasFailed(ctx, file, page, size));
  if (missing.length === 0) return;
  const shortage = await findDiskShortage(ctx, (await ctx.files.stat(key))?.size);
  if (shortage !== null) {
    ctx.log.error({ fileId: file.id, shortage }, 'pages are not drawn: there is too little disk space');
    throw unavailable();
  }
  const mark = ctx.config.hasPreviewMark && size !== 'thumbnail' ? ctx.config.site.name : null;
  await ctx.files
    .withLocalPath(key, (pdf) =>
      ctx.pageDrawer.draw(
        { pdf, uploadedSha256: file.fileType === 'pdf' ? file.sha256 : null, pages: missing, size, mark, client },
        async (drawn) => {
          await savePages(ctx, file, drawn, there);
          for (const { kind, page } of drawn)
            if (kind === 'failed')
              ctx.pageDrawer.failures.set(failureKey(file, page, size), ctx.clock.now() + FAILED_FOR_MS);
        },
      ),
    )
    .catch(async (error: unknown) => {
      if (!(error instanceof StoreMissing)) throw error;
      await ctx.files.check();
      ctx.log.error({ fileId: file.id, key }, 'pages are not drawn: the PDF is not in the file store');
    });
}

/** `there` are the rows of pages that are known already: a large image is added to the images that a page has. */
async function savePages(ctx: Ctx, file: ReadableFile, drawn: DrawnFiles[], there: DrawnPage[]): Promise<void> {
  for (const page of drawn) {
    if (page.kind === 'cover') continue;
    if (page.kind === 'failed') {
      ctx.log.warn({ fileId: file.id, page: page.page }, 'a page cannot be drawn');
      continue;
    }
    const known = there.find(({ pageNumber, imageName }) => pageNumber === page.page && imageName !== '');
    if (known && page.kind === 'page') {
      const large = page.large && (await putImage(ctx, file, page.large));
      const bytes = known.bytes + (large?.bytes ?? 0);
      await upsertDrawnPage(ctx.db, {
        ...known,
        largeName: large?.name ?? '',
        largeWidth: page.largeWidth,
        bytes,
        usedAt: new Date(ctx.clock.now()),
      });
      continue;
    }
    const thumbnail = await putImage(ctx, file, page.thumbnail);
    const shared = {
      fileId: file.id,
      pageNumber: page.page,
      thumbnailName: thumbnail.name,
      thumbnailWidth: page.thumbnail.width,
      thumbnailHeight: page.thumbnail.height,
      usedAt: new Date(ctx.clock.now()),
    };
    if (page.kind === 'thumbnail') {
      await upsertDrawnPage(ctx.db, { ...shared, bytes: thumbnail.bytes });
      continue;
    }
    const normal = await putImage(ctx, file, page.normal);
    const large = page.large && (await putImage(ctx, file, page.large));
    await upsertDrawnPage(ctx.db, {
      ...shared,
      imageName: normal.name,
      width: page.normal.width,
      height: page.normal.height,
      largeName: large?.name ?? '',
      largeWidth: page.largeWidth,
      words: page.words,
      bytes: thumbnail.bytes + normal.bytes + (large?.bytes ?? 0),
    });
  }
  // The rows wait for a destruction of the file that is under way (their foreign key), and its images go with the nightly sweep.
  if (await isDestroyed(ctx.db, file.sha256)) await deleteDrawnPages(ctx.db, file.id);
}

async function putImage(ctx: Ctx, file: ReadableFile, { image }: DrawnImage): Promise<{ name: string; bytes: number }> {
  const name = createHash('sha256')
    .update(await readFile(image))
    .digest('hex')
    .slice(0, 32);
  await ctx.files.put(`media/${file.mediaKey}/${name}.webp`, image);
  return { name, bytes: (await stat(image)).size };
}

const EVICTED_AT_ONCE = 200;
/** Pages that somebody reads at this moment stay. */
const KEPT_AFTER_USE_MS = 10 * 60_000;

/**
 * Removes the pages that were not used for the longest time until the rest fits into `budgetBytes`. Returns how many
 * pages and bytes went.
 */
export async function evictDrawnPages(ctx: Ctx, budgetBytes: number): Promise<{ pages: number; bytes: number }> {
  const evicted = { pages: 0, bytes: 0 };
  let left = await countDrawnBytes(ctx.db);
  while (left > budgetBytes) {
    const before = new Date(ctx.clock.now() - KEPT_AFTER_USE_MS);
    const gone = await deleteLeastUsed(ctx.db, { atMost: EVICTED_AT_ONCE, before });
    if (gone.length === 0) break;
    // Equal pages share an image, and so do pages of the preview.
    const named = await selectImageNames(ctx.db, [...new Set(gone.map(({ mediaKey }) => mediaKey))]);
    for (const { mediaKey, imageName, largeName, thumbnailName, bytes } of gone) {
      for (const name of [imageName, largeName, thumbnailName])
        if (name !== '' && !named.has(`${mediaKey}/${name}`)) await ctx.files.remove(`media/${mediaKey}/${name}.webp`);
      evicted.pages += 1;
      evicted.bytes += bytes;
      left -= bytes;
    }
  }
  return evicted;
}
