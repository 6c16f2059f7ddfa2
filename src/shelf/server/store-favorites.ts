import { and, count, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { rowsOf, type Db } from '../../platform/db/client.ts';
import { favorites } from './tables.ts';

/** A document or a chart, by the item types of C-83. */
export type Target = { type: 3 | 4; id: number };

const KEY = { 3: sql`document_id`, 4: sql`chart_id` };

/** Selects the id when users may see the document or chart: a chart is seen in any published document of its file. */
const SHOWN = {
  3: (id: number) => sql`select id from documents where id = ${id} and state = 'published'`,
  4: (id: number) => sql`select id from charts c where id = ${id}
    and exists (select from documents d where d.file_id = c.file_id and d.state = 'published')`,
};

/** What writeFavorite did; of a removed favourite with the note and the folder that went with it. */
type Written =
  | { outcome: 'removed'; note: string; folderId: number | null }
  | { outcome: 'added' | 'unchanged' | 'missing' | 'full' | 'lost' };

/**
 * Adds or removes a favourite in one statement; `wanted` null turns it to the other state. A new one gets `note`, and stands in the folder
 * `folderId` of the user if there is one. Returns `lost` when another request changed the same favourite at the same moment and this one changed
 * nothing: then look again. Two that add a row at once may both find room for it, unless lockFolders is held.
 */
export async function writeFavorite(
  db: Db,
  favorite: {
    userId: number;
    target: Target;
    wanted: 0 | 1 | null;
    at: Date;
    note: string;
    folderId: number;
    maxRows: number;
  },
): Promise<Written> {
  const { userId, target, wanted, at, note, folderId, maxRows } = favorite;
  const key = KEY[target.type];
  const [row] = await rowsOf<{
    removed: boolean;
    note: string | null;
    folderId: number | null;
    added: boolean;
    kept: boolean;
    shown: boolean;
    rows: number;
  }>(
    db,
    sql`
      with removed as (
        delete from favorites where user_id = ${userId} and ${key} = ${target.id} and ${wanted !== 1}
        returning id, note, folder_id
      ), rows as (
        select count(*) as count from favorites where user_id = ${userId}
      ), added as (
        insert into favorites (user_id, ${key}, created_at, note, folder_id)
        select ${userId}, shown.id, ${at.toISOString()}, ${note},
          (select id from shelf_folders where user_id = ${userId} and id = ${folderId}) from (${SHOWN[target.type](target.id)}) as shown
        where ${wanted !== 0} and not exists (select from removed) and (select count from rows) < ${maxRows}
        on conflict do nothing returning id
      )
      select exists (select from removed) as removed, (select note from removed) as note,
        (select folder_id from removed) as "folderId", exists (select from added) as added,
        exists (select from favorites where user_id = ${userId} and ${key} = ${target.id}) as kept,
        exists (${SHOWN[target.type](target.id)}) as shown, (select count from rows) as rows`,
  );
  if (!row) throw new Error('a favourite answered no row');
  if (row.removed) return { outcome: 'removed', note: row.note ?? '', folderId: row.folderId };
  if (row.added) return { outcome: 'added' };
  if (wanted === 0 || (wanted === 1 && row.kept)) return { outcome: 'unchanged' };
  if (row.kept) return { outcome: 'lost' };
  if (!row.shown) return { outcome: 'missing' };
  return { outcome: row.rows >= maxRows ? 'full' : 'lost' };
}

/** Selects which of the documents and charts a user keeps. */
export async function selectFavored(db: Db, userId: number, among: { documentIds: number[]; chartIds: number[] }) {
  const rows = await db
    .select({ documentId: favorites.documentId, chartId: favorites.chartId })
    .from(favorites)
    .where(
      and(
        eq(favorites.userId, userId),
        sql`(${favorites.documentId} = any(${sql.param(among.documentIds)}::bigint[])
          or ${favorites.chartId} = any(${sql.param(among.chartIds)}::bigint[]))`,
      ),
    );
  return {
    documentIds: rows.flatMap(({ documentId }) => documentId ?? []),
    chartIds: rows.flatMap(({ chartId }) => chartId ?? []),
  };
}

/**
 * Which favourites of a user are listed: `folderId` null for the top, several folders for what any of them holds, left out for all;
 * `isPublished`: only documents that are in the library now.
 */
export type FavoriteFilter = {
  userId: number;
  type: 3 | 4;
  folderId?: number | number[] | null;
  isPublished?: boolean;
};

const isListed = ({ userId, type, folderId, isPublished }: FavoriteFilter) =>
  and(
    eq(favorites.userId, userId),
    isNotNull(type === 3 ? favorites.documentId : favorites.chartId),
    folderId === undefined
      ? undefined
      : folderId === null
        ? isNull(favorites.folderId)
        : inArray(favorites.folderId, [folderId].flat()),
    isPublished
      ? sql`exists (select from documents d where d.id = ${favorites.documentId} and d.state = 'published')`
      : undefined,
  );

/** Selects favourites, the newest first. */
export function selectFavorites(db: Db, filter: FavoriteFilter, page: { limit: number; offset: number }) {
  return db
    .select()
    .from(favorites)
    .where(isListed(filter))
    .orderBy(desc(favorites.id))
    .limit(page.limit)
    .offset(page.offset);
}

export async function countFavorites(db: Db, filter: FavoriteFilter): Promise<number> {
  const [row] = await db.select({ total: count() }).from(favorites).where(isListed(filter));
  return row?.total ?? 0;
}

/** Deletes favourites of a user and returns the number of deleted rows. */
export async function deleteFavorites(
  db: Db,
  userId: number,
  { documentIds, chartIds }: { documentIds: number[]; chartIds: number[] },
): Promise<number> {
  const deleted = await db
    .delete(favorites)
    .where(
      and(
        eq(favorites.userId, userId),
        sql`(${favorites.documentId} = any(${sql.param(documentIds)}::bigint[])
          or ${favorites.chartId} = any(${sql.param(chartIds)}::bigint[]))`,
      ),
    )
    .returning({ id: favorites.id });
  return deleted.length;
}
