import { and, asc, eq, gt, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { Db } from '../../../platform/db/client.ts';
import type { FileType } from '../../../library/file-types.ts';
import { documents, files, pages } from '../../../library/server/tables.ts';
import type { PreparedCover, PreparedFile } from '../../prepared-file.ts';
import { deleteDrawnPages, selectDrawnNames } from './drawn-pages.ts';
import type { StoredImages, StoredMedia } from './media.ts';

export type FileRow = typeof files.$inferSelect;

/**
 * Inserts the file unless its content is known, and locks and returns its row. `sha256` is the key: two concurrent
 * calls return the same row.
 */
export async function upsertFile(
  db: Db,
  file: {
    sha256: string;
    mediaKey: string;
    fileType: FileType;
    sizeBytes: number;
    originalName: string;
    flags: string[];
  },
): Promise<FileRow> {
  await db.insert(files).values(file).onConflictDoNothing({ target: files.sha256 });
  // The lock makes a concurrent call wait until this transaction has created the document.
  const [row] = await db.select().from(files).where(eq(files.sha256, file.sha256)).for('update');
  if (!row) throw new Error('a file row vanished');
  return row;
}

export async function selectFile(db: Db, id: number): Promise<FileRow | null> {
  const [row] = await db.select().from(files).where(eq(files.id, id));
  return row ?? null;
}

/** Returns the oldest document of the file in any state; null when the file has no document. */
export async function selectDocumentOfFile(db: Db, fileId: number) {
  const [row] = await db
    .select({ id: documents.id, state: documents.state })
    .from(documents)
    .where(eq(documents.fileId, fileId))
    .orderBy(asc(documents.id))
    .limit(1);
  return row ?? null;
}

/** Returns the documents of the file that are not published because preparation has not ended or has failed. */
export async function selectWaitingDocuments(db: Db, fileId: number): Promise<number[]> {
  const rows = await db
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.fileId, fileId), inArray(documents.state, ['processing', 'failed'])))
    .limit(1_000);
  return rows.map((row) => row.id);
}

/** Returns the published documents of the file. */
export async function selectShownDocuments(db: Db, fileId: number): Promise<number[]> {
  const rows = await db
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.fileId, fileId), eq(documents.state, 'published')))
    .limit(1_000);
  return rows.map((row) => row.id);
}

/** Returns the ids of the documents of a file, in any state, that were not destroyed. */
export async function selectUndestroyedDocuments(db: Db, fileId: number): Promise<number[]> {
  const rows = await db
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.fileId, fileId), isNull(documents.destroyedAt)))
    .orderBy(asc(documents.id))
    .limit(1_000);
  return rows.map((row) => row.id);
}

export async function updateFile(db: Db, id: number, change: PgUpdateSetSource<typeof files>): Promise<void> {
  await db.update(files).set(change).where(eq(files.id, id));
}

export type SavedPages = StoredMedia & {
  cover: Pick<PreparedCover, 'width' | 'height' | 'color'>;
  flags: readonly string[];
  /** The IMAGES_VERSION that the images were drawn with; the version of the file when its images were kept. */
  imagesVersion: number;
};

/**
 * Saves sizes, images and text of the pages and the cover. Running it twice leaves the same rows. `isTextNew` says
 * whether the text of any page has changed.
 */
export async function upsertPages(db: Db, fileId: number, drawn: SavedPages): Promise<{ isTextNew: boolean }> {
  const before = await selectPageTexts(db, fileId);
  await db
    .update(files)
    .set({
      pageCount: drawn.pages.length,
      previewCount: drawn.pages.filter((page) => page.image).length,
      coverWidth: drawn.cover.width,
      coverHeight: drawn.cover.height,
      coverColor: drawn.cover.color,
      coverWidths: drawn.coverWidths,
      imagesVersion: drawn.imagesVersion,
      hasStrip: drawn.hasStrip,
      hasWords: drawn.hasWords,
      flags: [...drawn.flags],
    })
    .where(eq(files.id, fileId));
  // Rows of pages that stay are updated in place: the search tables refer to their ids.
  await db.delete(pages).where(and(eq(pages.fileId, fileId), gt(pages.pageNumber, drawn.pages.length)));
  const rows = drawn.pages.map((page) => ({
    fileId,
    pageNumber: page.number,
    width: page.width,
    height: page.height,
    hasImage: page.image !== null,
    imageName: page.imageName,
    largeWidth: page.largeWidth,
    text: page.text,
  }));
  const found = (column: string) => sql.raw(`excluded.${column}`);
  for (let at = 0; at < rows.length; at += 500)
    await db
      .insert(pages)
      .values(rows.slice(at, at + 500))
      .onConflictDoUpdate({
        target: [pages.fileId, pages.pageNumber],
        set: {
          width: found('width'),
          height: found('height'),
          hasImage: found('has_image'),
          imageName: found('image_name'),
          largeWidth: found('large_width'),
          text: found('text'),
        },
      });
  // Pages that readers asked for were drawn from what the file was before.
  await deleteDrawnPages(db, fileId);
  const isSame = before.length === rows.length && rows.every(({ text }, index) => text === before[index]);
  return { isTextNew: !isSame };
}

export async function updateOutline(
  db: Db,
  fileId: number,
  { outline, textExcerpt }: Pick<PreparedFile, 'outline' | 'textExcerpt'>,
): Promise<void> {
  await db.update(files).set({ outline, textExcerpt }).where(eq(files.id, fileId));
}

/**
 * Saves all rows of a file that was prepared on another machine (the demo library) and whose images are stored. Its
 * pages have one size, so the file gets the first version of images.
 */
export async function upsertPreparedFile(
  db: Db,
  fileId: number,
  prepared: PreparedFile,
  media: StoredMedia,
): Promise<void> {
  await upsertPages(db, fileId, { ...media, cover: prepared.cover, flags: prepared.flags, imagesVersion: 1 });
  await updateOutline(db, fileId, prepared);
  const change = { state: 'ready' as const, failureCode: null, failureDetail: null, progress: 100 };
  await updateFile(db, fileId, { ...change, hasPdf: prepared.pdf !== null, preparedAt: new Date() });
}

/** Returns the names of the page images of a file, by page number. */
export async function selectImagesOfFile(db: Db, fileId: number): Promise<Map<number, StoredImages>> {
  const rows = await db
    .select({
      page: pages.pageNumber,
      imageName: pages.imageName,
      largeWidth: pages.largeWidth,
    })
    .from(pages)
    .where(and(eq(pages.fileId, fileId), eq(pages.hasImage, true)))
    .limit(1_000);
  return new Map(rows.map(({ page, ...images }) => [page, images]));
}

/**
 * Returns the page that the largest cover of a file is drawn from: the first whose source has more detail than its image
 * (the page of a cover that has that size). Null when there is none.
 */
export async function selectCoverPage(db: Db, fileId: number): Promise<{ number: number; imageName: string } | null> {
  const [row] = await db
    .select({ number: pages.pageNumber, imageName: pages.imageName })
    .from(pages)
    .where(and(eq(pages.fileId, fileId), eq(pages.hasImage, true), ne(pages.imageName, ''), gt(pages.largeWidth, 0)))
    .orderBy(asc(pages.pageNumber))
    .limit(1);
  return row ?? null;
}

/** Returns the text of every page of a file, in the order of the pages. */
export async function selectPageTexts(db: Db, fileId: number): Promise<string[]> {
  const rows = await db
    .select({ text: pages.text })
    .from(pages)
    .where(eq(pages.fileId, fileId))
    .orderBy(asc(pages.pageNumber))
    .limit(2_000);
  return rows.map((row) => row.text);
}

/** Returns the hashes that have a row in files whose bytes were not destroyed. */
export async function selectKnownOriginals(db: Db, sha256s: string[]): Promise<Set<string>> {
  if (sha256s.length === 0) return new Set();
  const rows = await db
    .select({ sha256: files.sha256 })
    .from(files)
    .where(and(inArray(files.sha256, sha256s), isNull(files.destroyedAt)))
    .limit(sha256s.length);
  return new Set(rows.map((row) => row.sha256));
}

/** Whether the file with this hash was destroyed. */
export async function isDestroyed(db: Db, sha256: string): Promise<boolean> {
  const [row] = await db
    .select({ id: files.id })
    .from(files)
    .where(and(eq(files.sha256, sha256), isNotNull(files.destroyedAt)));
  return row !== undefined;
}

/** Locks a file and returns whether it was destroyed. */
export async function lockDestroyed(db: Db, id: number): Promise<boolean> {
  const [row] = await db.select({ at: files.destroyedAt }).from(files).where(eq(files.id, id)).for('update');
  return (row?.at ?? null) !== null;
}

/**
 * Deletes texts, facts and images of a file and records that it is destroyed. Its hash, type, size, number of pages and the key of its media
 * folder stay. Safe to repeat: the first time stays.
 */
export async function updateFileDestroyed(db: Db, id: number, at: Date): Promise<void> {
  await deleteDrawnPages(db, id);
  await db.delete(pages).where(eq(pages.fileId, id));
  await updateFile(db, id, {
    originalName: 'destroyed',
    state: 'failed',
    failureCode: 'destroyed',
    failureDetail: null,
    previewCount: 0,
    hasPdf: false,
    hasStrip: false,
    hasWords: false,
    outline: [],
    textExcerpt: '',
    fonts: {},
    doubts: [],
    budgetFen: 0,
    budgetPage: 0,
    people: 0,
    peoplePage: 0,
    days: 0,
    daysPage: 0,
    keyPages: [],
    damagedAt: null,
    destroyedAt: sql`coalesce(${files.destroyedAt}, ${at})`,
  });
}

/** Returns the media keys that have a row in files whose images were not destroyed. */
export async function selectKnownMedia(db: Db, mediaKeys: string[]): Promise<Set<string>> {
  if (mediaKeys.length === 0) return new Set();
  const rows = await db
    .select({ mediaKey: files.mediaKey })
    .from(files)
    .where(and(inArray(files.mediaKey, mediaKeys), isNull(files.destroyedAt)))
    .limit(mediaKeys.length);
  return new Set(rows.map((row) => row.mediaKey));
}

/**
 * Returns the page images that rows of pages name in these media folders, as `<media key>/<name>`. A file has at most
 * ten pages with an image.
 */
export async function selectImageNames(db: Db, mediaKeys: string[]): Promise<Set<string>> {
  if (mediaKeys.length === 0) return new Set();
  const rows = await db
    .select({ mediaKey: files.mediaKey, name: pages.imageName })
    .from(pages)
    .innerJoin(files, eq(files.id, pages.fileId))
    .where(and(inArray(files.mediaKey, mediaKeys), isNull(files.destroyedAt), eq(pages.hasImage, true)))
    .limit(mediaKeys.length * 100);
  const names = rows.map(({ mediaKey, name }) => `${mediaKey}/${name}`);
  return new Set([...names, ...(await selectDrawnNames(db, mediaKeys))]);
}
