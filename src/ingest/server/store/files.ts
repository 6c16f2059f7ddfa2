import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { Db } from '../../../platform/db/client.ts';
import { documents, files, pages, type FileType } from '../../../library/server/tables.ts';
import type { PreparedCover, PreparedFile } from '../../prepared-file.ts';
import type { StoredImages, StoredMedia } from './media.ts';

export type FileRow = typeof files.$inferSelect;

/** The file of this content; inserted when it is new. Two at once end with the same row: the hash is the key. */
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
  // The lock holds the other of two at once until this one has made its document.
  const [row] = await db.select().from(files).where(eq(files.sha256, file.sha256)).for('update');
  if (!row) throw new Error('a file row vanished');
  return row;
}

export async function selectFile(db: Db, id: number): Promise<FileRow | null> {
  const [row] = await db.select().from(files).where(eq(files.id, id));
  return row ?? null;
}

/** The oldest document that shows this file, whatever its state; null when there is none. */
export async function selectDocumentOfFile(db: Db, fileId: number) {
  const [row] = await db
    .select({ id: documents.id, state: documents.state })
    .from(documents)
    .where(eq(documents.fileId, fileId))
    .orderBy(asc(documents.id))
    .limit(1);
  return row ?? null;
}

/** Documents of a file that wait for it. */
export async function selectWaitingDocuments(db: Db, fileId: number): Promise<number[]> {
  const rows = await db
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.fileId, fileId), inArray(documents.state, ['processing', 'failed'])))
    .limit(1_000);
  return rows.map((row) => row.id);
}

/** Documents on the shelf that show this file. */
export async function selectShownDocuments(db: Db, fileId: number): Promise<number[]> {
  const rows = await db
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.fileId, fileId), eq(documents.state, 'published')))
    .limit(1_000);
  return rows.map((row) => row.id);
}

export async function updateFile(db: Db, id: number, change: PgUpdateSetSource<typeof files>): Promise<void> {
  await db.update(files).set(change).where(eq(files.id, id));
}

export type SavedPages = StoredMedia & {
  cover: Pick<PreparedCover, 'width' | 'height' | 'color'>;
  flags: readonly string[];
  /** Which sizes were drawn: IMAGES_VERSION, or what the file had when its pictures were kept. */
  imagesVersion: number;
};

/**
 * What was drawn and read, in one go: running it twice leaves the same rows. Tells whether the pages say anything else
 * than before.
 */
export async function savePages(db: Db, fileId: number, drawn: SavedPages): Promise<{ isTextNew: boolean }> {
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
  // Rows that stay are changed in place: search points at them.
  await db.delete(pages).where(and(eq(pages.fileId, fileId), gt(pages.pageNumber, drawn.pages.length)));
  const rows = drawn.pages.map((page) => ({
    fileId,
    pageNumber: page.number,
    width: page.width,
    height: page.height,
    hasImage: page.image !== null,
    imageName: page.imageName,
    largeName: page.largeName,
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
          largeName: found('large_name'),
          largeWidth: found('large_width'),
          text: found('text'),
        },
      });
  const isSame = before.length === rows.length && rows.every(({ text }, index) => text === before[index]);
  return { isTextNew: !isSame };
}

export async function saveOutline(
  db: Db,
  fileId: number,
  { outline, textExcerpt }: Pick<PreparedFile, 'outline' | 'textExcerpt'>,
): Promise<void> {
  await db.update(files).set({ outline, textExcerpt }).where(eq(files.id, fileId));
}

/**
 * Saves all rows of a file that was prepared elsewhere (the demo library) and whose images are stored. Its pages come in one size, so
 * that its images count as those of the first version.
 */
export async function savePrepared(db: Db, fileId: number, prepared: PreparedFile, media: StoredMedia): Promise<void> {
  await savePages(db, fileId, { ...media, cover: prepared.cover, flags: prepared.flags, imagesVersion: 1 });
  await saveOutline(db, fileId, prepared);
  const change = { state: 'ready' as const, failureCode: null, failureDetail: null, progress: 100 };
  await updateFile(db, fileId, { ...change, hasPdf: prepared.pdf !== null, preparedAt: new Date() });
}

/** The names of a file's page images, by page. */
export async function selectImagesOfFile(db: Db, fileId: number): Promise<Map<number, StoredImages>> {
  const rows = await db
    .select({
      page: pages.pageNumber,
      imageName: pages.imageName,
      largeName: pages.largeName,
      largeWidth: pages.largeWidth,
    })
    .from(pages)
    .where(and(eq(pages.fileId, fileId), eq(pages.hasImage, true)))
    .limit(1_000);
  return new Map(rows.map(({ page, ...images }) => [page, images]));
}

/** Text of every page, from the first. */
export async function selectPageTexts(db: Db, fileId: number): Promise<string[]> {
  const rows = await db
    .select({ text: pages.text })
    .from(pages)
    .where(eq(pages.fileId, fileId))
    .orderBy(asc(pages.pageNumber))
    .limit(2_000);
  return rows.map((row) => row.text);
}

/** Those of the hashes that a file row has. */
export async function selectKnownOriginals(db: Db, sha256s: string[]): Promise<Set<string>> {
  if (sha256s.length === 0) return new Set();
  const rows = await db
    .select({ sha256: files.sha256 })
    .from(files)
    .where(inArray(files.sha256, sha256s))
    .limit(sha256s.length);
  return new Set(rows.map((row) => row.sha256));
}

/** Those of the media folders that a file row has. */
export async function selectKnownMedia(db: Db, mediaKeys: string[]): Promise<Set<string>> {
  if (mediaKeys.length === 0) return new Set();
  const rows = await db
    .select({ mediaKey: files.mediaKey })
    .from(files)
    .where(inArray(files.mediaKey, mediaKeys))
    .limit(mediaKeys.length);
  return new Set(rows.map((row) => row.mediaKey));
}

/** Page images that rows name in these media folders, as `<media key>/<name>`. At most ten pages of a file have one. */
export async function selectImageNames(db: Db, mediaKeys: string[]): Promise<Set<string>> {
  if (mediaKeys.length === 0) return new Set();
  const rows = await db
    .select({ mediaKey: files.mediaKey, name: pages.imageName, large: pages.largeName })
    .from(pages)
    .innerJoin(files, eq(files.id, pages.fileId))
    .where(and(inArray(files.mediaKey, mediaKeys), eq(pages.hasImage, true)))
    .limit(mediaKeys.length * 100);
  return new Set(rows.flatMap(({ mediaKey, name, large }) => [`${mediaKey}/${name}`, `${mediaKey}/${large}`]));
}
