import { and, asc, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import { files } from '../../../library/server/tables.ts';
import type { Db } from '../../../platform/db/client.ts';
import { drawnPages } from './tables.ts';

export type DrawnPage = typeof drawnPages.$inferSelect;

/** Returns the rows of pages from `firstPage` to `lastPage`, in order. */
export function selectDrawnPages(
  db: Db,
  fileId: number,
  { firstPage, lastPage }: { firstPage: number; lastPage: number },
): Promise<DrawnPage[]> {
  return db
    .select()
    .from(drawnPages)
    .where(and(eq(drawnPages.fileId, fileId), sql`${drawnPages.pageNumber} between ${firstPage} and ${lastPage}`))
    .orderBy(asc(drawnPages.pageNumber))
    .limit(1_000);
}

/** Inserts a page. A page that was there as a thumbnail becomes a whole page; a thumbnail never replaces a whole page. */
export async function upsertDrawnPage(db: Db, page: typeof drawnPages.$inferInsert): Promise<void> {
  const isWhole = Boolean(page.imageName);
  const insert = db.insert(drawnPages).values(page);
  const target = [drawnPages.fileId, drawnPages.pageNumber];
  if (isWhole) await insert.onConflictDoUpdate({ target, set: page });
  else await insert.onConflictDoNothing({ target });
}

/** Records that pages were used, unless they were used after `since`: a page that is read writes once in a while. */
export async function updateUsed(db: Db, fileId: number, pages: number[], at: Date, since: Date): Promise<void> {
  await db
    .update(drawnPages)
    .set({ usedAt: at })
    .where(and(eq(drawnPages.fileId, fileId), inArray(drawnPages.pageNumber, pages), lt(drawnPages.usedAt, since)));
}

export async function deleteDrawnPages(db: Db, fileId: number, pages?: number[]): Promise<void> {
  const ofFile = eq(drawnPages.fileId, fileId);
  await db.delete(drawnPages).where(pages ? and(ofFile, inArray(drawnPages.pageNumber, pages)) : ofFile);
}

/** Returns the bytes of all images of all rows. */
export async function countDrawnBytes(db: Db): Promise<number> {
  const [row] = await db.select({ bytes: sql<string>`coalesce(sum(${drawnPages.bytes}), 0)` }).from(drawnPages);
  return Number(row?.bytes ?? 0);
}

/**
 * Deletes the rows that were not used for the longest time, `atMost` of them and none used after `before`, and returns
 * them with the media folder of their file.
 */
export async function deleteLeastUsed(
  db: Db,
  { atMost, before }: { atMost: number; before: Date },
): Promise<(DrawnPage & { mediaKey: string })[]> {
  const oldest = db
    .select({ fileId: drawnPages.fileId, pageNumber: drawnPages.pageNumber })
    .from(drawnPages)
    .where(lt(drawnPages.usedAt, before))
    .orderBy(asc(drawnPages.usedAt))
    .limit(atMost)
    .for('update', { skipLocked: true });
  const gone = await db
    .delete(drawnPages)
    .where(sql`(${drawnPages.fileId}, ${drawnPages.pageNumber}) in ${oldest}`)
    .returning();
  if (gone.length === 0) return [];
  const ids = [...new Set(gone.map(({ fileId }) => fileId))];
  const keys = await db.select({ id: files.id, mediaKey: files.mediaKey }).from(files).where(inArray(files.id, ids));
  const keyOf = new Map(keys.map(({ id, mediaKey }) => [id, mediaKey]));
  return gone.flatMap((row) => {
    const mediaKey = keyOf.get(row.fileId);
    return mediaKey === undefined ? [] : [{ ...row, mediaKey }];
  });
}

/** Returns the names of all images of these media folders, as `<media key>/<name>`. */
export async function selectDrawnNames(db: Db, mediaKeys: string[]): Promise<string[]> {
  const rows = await db
    .select({
      mediaKey: files.mediaKey,
      image: drawnPages.imageName,
      large: drawnPages.largeName,
      thumbnail: drawnPages.thumbnailName,
    })
    .from(drawnPages)
    .innerJoin(files, eq(files.id, drawnPages.fileId))
    .where(and(inArray(files.mediaKey, mediaKeys), isNull(files.destroyedAt)))
    .limit(mediaKeys.length * 1_000);
  return rows.flatMap(({ mediaKey, image, large, thumbnail }) =>
    [image, large, thumbnail].filter((name) => name !== '').map((name) => `${mediaKey}/${name}`),
  );
}
