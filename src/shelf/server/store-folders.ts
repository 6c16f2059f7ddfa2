import { and, asc, count, desc, eq, isNull, sql } from 'drizzle-orm';
import { rowsOf, type Db } from '../../platform/db/client.ts';
import { favorites, shelfFolders, shortlists } from './tables.ts';

const FOLDER = {
  id: shelfFolders.id,
  parentId: shelfFolders.parentId,
  name: shelfFolders.name,
  createdAt: shelfFolders.createdAt,
};

/** Selects all folders of a user, by name; at most MAX_FOLDERS exist. */
export function selectFolders(db: Db, userId: number) {
  return db
    .select(FOLDER)
    .from(shelfFolders)
    .where(eq(shelfFolders.userId, userId))
    .orderBy(asc(shelfFolders.name), asc(shelfFolders.id));
}

/** Counts the favourites that stand in each folder of a user. */
export async function countInFolders(db: Db, userId: number): Promise<Map<number, number>> {
  const rows = await db
    .select({ folderId: favorites.folderId, total: count() })
    .from(favorites)
    .where(and(eq(favorites.userId, userId), sql`${favorites.folderId} is not null`))
    .groupBy(favorites.folderId);
  return new Map(rows.flatMap(({ folderId, total }) => (folderId === null ? [] : [[folderId, total]])));
}

/** Selects the folders within a folder (null: at the top), the newest first. */
export function selectFoldersWithin(
  db: Db,
  userId: number,
  parentId: number | null,
  page: { limit: number; offset: number },
) {
  return db
    .select(FOLDER)
    .from(shelfFolders)
    .where(isWithin(userId, parentId))
    .orderBy(desc(shelfFolders.id))
    .limit(page.limit)
    .offset(page.offset);
}

export async function countFoldersWithin(db: Db, userId: number, parentId: number | null): Promise<number> {
  const [row] = await db.select({ total: count() }).from(shelfFolders).where(isWithin(userId, parentId));
  return row?.total ?? 0;
}

const isWithin = (userId: number, parentId: number | null) =>
  and(
    eq(shelfFolders.userId, userId),
    parentId === null ? isNull(shelfFolders.parentId) : eq(shelfFolders.parentId, parentId),
  );

/** Locks the folders of a user against other changes until the transaction ends. */
export async function lockFolders(db: Db, userId: number): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended('shelf_folders', ${userId}))`);
}

export async function insertFolder(db: Db, folder: typeof shelfFolders.$inferInsert): Promise<number> {
  const [row] = await db.insert(shelfFolders).values(folder).returning({ id: shelfFolders.id });
  if (!row) throw new Error('a folder was not returned');
  return row.id;
}

/** Changes a folder of a user. Returns false when the user has no such folder. */
export async function updateFolder(
  db: Db,
  userId: number,
  id: number,
  changes: { name?: string; parentId?: number | null },
): Promise<boolean> {
  const changed = await db
    .update(shelfFolders)
    .set(changes)
    .where(and(eq(shelfFolders.userId, userId), eq(shelfFolders.id, id)))
    .returning({ id: shelfFolders.id });
  return changed.length > 0;
}

/**
 * Deletes a folder of a user in one statement: its contents move to the parent folder, and its links end. Returns false when the user has no
 * such folder. The caller holds lockFolders.
 */
export async function deleteFolder(db: Db, userId: number, id: number, at: Date): Promise<boolean> {
  const rows = await rowsOf(
    db,
    sql`
      with gone as (
        delete from ${shelfFolders} where user_id = ${userId} and id = ${id} returning parent_id
      ), folders_up as (
        update ${shelfFolders} set parent_id = (select parent_id from gone)
        where user_id = ${userId} and parent_id = ${id} and exists (select from gone)
      ), favorites_up as (
        update ${favorites} set folder_id = (select parent_id from gone)
        where user_id = ${userId} and folder_id = ${id} and exists (select from gone)
      ), links_ended as (
        update ${shortlists} set folder_id = null, revoked_at = coalesce(revoked_at, ${at.toISOString()})
        where user_id = ${userId} and folder_id = ${id} and exists (select from gone)
      )
      select from gone`,
  );
  return rows.length > 0;
}

/** Moves favourites of a user into a folder (null: to the top) and returns the number of moved rows. The caller holds lockFolders. */
export async function updateFolderOf(
  db: Db,
  userId: number,
  among: { documentIds: number[]; chartIds: number[] },
  folderId: number | null,
): Promise<number> {
  const moved = await db
    .update(favorites)
    .set({ folderId })
    .where(
      and(
        eq(favorites.userId, userId),
        sql`(${favorites.documentId} = any(${sql.param(among.documentIds)}::bigint[])
          or ${favorites.chartId} = any(${sql.param(among.chartIds)}::bigint[]))`,
      ),
    )
    .returning({ id: favorites.id });
  return moved.length;
}

/** Writes the note of a favourite document. Returns false when the user does not keep it. */
export async function updateNote(db: Db, userId: number, documentId: number, note: string): Promise<boolean> {
  const changed = await db
    .update(favorites)
    .set({ note })
    .where(and(eq(favorites.userId, userId), eq(favorites.documentId, documentId)))
    .returning({ id: favorites.id });
  return changed.length > 0;
}
