import { and, asc, eq, getTableColumns, gt, inArray, not, sql, type SQL } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { Db } from '../../platform/db/client.ts';
import { hasOpenJob } from '../../platform/jobs/jobs.ts';
import { documents, files, pages, type FileType } from '../../library/server/tables.ts';
import type { PreparedCover, PreparedFile } from '../prepared-file.ts';
import type { StoredMedia } from './store-media.ts';
import { ingestBatches, ingestItems, type IngestState } from './tables.ts';

/** Of an item: its result is not known yet. */
const IS_OPEN = inArray(ingestItems.state, ['queued', 'running']);

export type FileRow = typeof files.$inferSelect;
export type ItemRow = typeof ingestItems.$inferSelect;
export type ListedItem = ItemRow & { pageCount: number | null };
export type ItemCounts = Record<IngestState, number>;

export async function insertBatch(db: Db): Promise<number> {
  const [row] = await db.insert(ingestBatches).values({}).returning({ id: ingestBatches.id });
  if (!row) throw new Error('a batch was not inserted');
  return row.id;
}

export async function closeBatch(db: Db, id: number): Promise<void> {
  await db
    .update(ingestBatches)
    .set({ finishedAt: sql`now()` })
    .where(eq(ingestBatches.id, id));
}

export async function insertItem(db: Db, item: typeof ingestItems.$inferInsert): Promise<void> {
  await db.insert(ingestItems).values(item);
}

/** Whether a file of this batch with the same content is on its way already. */
export async function hasOpenItem(db: Db, batchId: number, fileId: number): Promise<boolean> {
  const rows = await db
    .select({ id: ingestItems.id })
    .from(ingestItems)
    .where(
      and(
        eq(ingestItems.fileId, fileId),
        eq(ingestItems.batchId, batchId),
        inArray(ingestItems.state, ['queued', 'running', 'waiting']),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

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

export async function failDocuments(db: Db, fileId: number): Promise<void> {
  await db
    .update(documents)
    .set({ state: 'failed', updatedAt: sql`now()` })
    .where(and(eq(documents.fileId, fileId), eq(documents.state, 'processing')));
}

export type SavedPages = StoredMedia & { cover: Omit<PreparedCover, 'image'>; flags: readonly string[] };

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

/** A file that was prepared elsewhere (the demo library) and whose images are stored: all its rows. */
export async function savePrepared(db: Db, fileId: number, prepared: PreparedFile, media: StoredMedia): Promise<void> {
  await savePages(db, fileId, { ...media, cover: prepared.cover, flags: prepared.flags });
  await saveOutline(db, fileId, prepared);
  const change = { state: 'ready' as const, failureCode: null, failureDetail: null, progress: 100 };
  await updateFile(db, fileId, { ...change, hasPdf: prepared.pdf !== null, preparedAt: new Date() });
}

/** The names of a file's page images, by page. */
export async function selectImagesOfFile(db: Db, fileId: number): Promise<Map<number, string>> {
  const rows = await db
    .select({ page: pages.pageNumber, name: pages.imageName })
    .from(pages)
    .where(and(eq(pages.fileId, fileId), eq(pages.hasImage, true)))
    .limit(1_000);
  return new Map(rows.map(({ page, name }) => [page, name]));
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

/** Open items of a file: several batches may wait for the same one. */
export async function settleItems(
  db: Db,
  fileId: number,
  outcome: { state: IngestState; reasonCode: string | null; message: string },
): Promise<void> {
  const isFinal = outcome.state !== 'running' && outcome.state !== 'queued';
  await db
    .update(ingestItems)
    .set({ ...outcome, finishedAt: isFinal ? sql`now()` : null })
    .where(and(eq(ingestItems.fileId, fileId), inArray(ingestItems.state, ['queued', 'running', 'waiting'])));
}

/** The next items of a batch, in the order they were recorded, with the pages of those that have a file. */
export function selectItems(db: Db, batchId: number, limit: number, afterId: number): Promise<ListedItem[]> {
  return db
    .select({ ...getTableColumns(ingestItems), pageCount: files.pageCount })
    .from(ingestItems)
    .leftJoin(files, eq(files.id, ingestItems.fileId))
    .where(and(eq(ingestItems.batchId, batchId), gt(ingestItems.id, afterId)))
    .orderBy(asc(ingestItems.id))
    .limit(limit);
}

export function countItems(db: Db, batchId: number): Promise<ItemCounts> {
  return countWhere(db, eq(ingestItems.batchId, batchId));
}

/** Items of a batch that wait for a job which nobody will do: it is gone, or its tries are used up. */
export async function selectAbandoned(db: Db, batchId: number): Promise<number[]> {
  const rows = await db
    .select({ id: ingestItems.id })
    .from(ingestItems)
    .where(
      and(eq(ingestItems.batchId, batchId), IS_OPEN, not(hasOpenJob(sql`'prepare-file:' || ${ingestItems.fileId}`))),
    )
    .limit(1_000);
  return rows.map((row) => row.id);
}

/** Those of the items that are open still. */
export async function failItems(
  db: Db,
  ids: number[],
  failure: { reasonCode: string; message: string },
): Promise<void> {
  if (ids.length === 0) return;
  await db
    .update(ingestItems)
    .set({ state: 'failed', ...failure, finishedAt: sql`now()` })
    .where(and(inArray(ingestItems.id, ids), IS_OPEN));
}

/** Open items of a batch for another reason than this one. */
export async function hasOpenBut(db: Db, batchId: number, reasonCode: string): Promise<boolean> {
  const rows = await db
    .select({ id: ingestItems.id })
    .from(ingestItems)
    .where(
      and(eq(ingestItems.batchId, batchId), IS_OPEN, sql`${ingestItems.reasonCode} is distinct from ${reasonCode}`),
    )
    .limit(1);
  return rows.length > 0;
}

/** Of all batches that are not closed and have something open. */
export function countOpenItems(db: Db): Promise<ItemCounts> {
  const open = sql`select batch_id from ingest_items where state in ('queued', 'running')`;
  return countWhere(db, sql`${ingestItems.batchId} in (${open})`);
}

async function countWhere(db: Db, where: SQL): Promise<ItemCounts> {
  const rows = await db
    .select({ state: ingestItems.state, count: sql<number>`count(*)` })
    .from(ingestItems)
    .where(where)
    .groupBy(ingestItems.state);
  const counts = { queued: 0, running: 0, published: 0, duplicate: 0, waiting: 0, refused: 0, failed: 0 };
  for (const row of rows) counts[row.state] = row.count;
  return counts;
}

/** The last file of a batch, or of any, that was refused or failed. */
export async function selectLastProblem(
  db: Db,
  batchId: number | null,
): Promise<{ path: string; message: string } | null> {
  const [row] = await db
    .select({ path: ingestItems.path, message: ingestItems.message })
    .from(ingestItems)
    .where(
      and(
        inArray(ingestItems.state, ['refused', 'failed']),
        batchId === null
          ? sql`${ingestItems.batchId} in (select batch_id from ingest_items where state in ('queued', 'running'))`
          : eq(ingestItems.batchId, batchId),
      ),
    )
    .orderBy(sql`${ingestItems.finishedAt} desc nulls last`)
    .limit(1);
  return row ?? null;
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
    .select({ mediaKey: files.mediaKey, name: pages.imageName })
    .from(pages)
    .innerJoin(files, eq(files.id, pages.fileId))
    .where(and(inArray(files.mediaKey, mediaKeys), eq(pages.hasImage, true)))
    .limit(mediaKeys.length * 100);
  return new Set(rows.map((row) => `${row.mediaKey}/${row.name}`));
}
