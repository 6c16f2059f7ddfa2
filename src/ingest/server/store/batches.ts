/** Statements of a batch that read or write up to a thousand files at once. */
import { and, asc, eq, inArray, not, sql } from 'drizzle-orm';
import { rowsOf, type Db } from '../../../platform/db/client.ts';
import { labelNameSql } from '../../../library/server/document-sql.ts';
import { files, type DocumentState } from '../../../library/server/tables.ts';
import { SINGLE_KINDS, type SingleLabels } from '../../../library/taxonomy.ts';
import { hasPrepareJob } from './prepare-job.ts';
import { ingestItems } from './tables.ts';

export type NewItem = typeof ingestItems.$inferInsert;

/** Inserts up to a thousand items. */
export async function insertItems(db: Db, items: NewItem[]): Promise<void> {
  if (items.length > 0) await db.insert(ingestItems).values(items);
}

/**
 * Locks the rows of the files until the transaction ends, so that no result is recorded meanwhile. Locks in the order
 * of the ids, so that two callers cannot deadlock.
 */
export async function lockFiles(db: Db, ids: number[]): Promise<void> {
  if (ids.length > 0)
    await db.select({ id: files.id }).from(files).where(inArray(files.id, ids)).orderBy(asc(files.id)).for('update');
}

/** Returns the files that have no job which will prepare them. */
export async function selectFilesWithoutJob(db: Db, ids: number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ id: files.id })
    .from(files)
    .where(and(inArray(files.id, ids), not(hasPrepareJob(files.id))))
    .limit(ids.length);
  return rows.map((row) => row.id);
}

/** Returns the state of the oldest document of each file that has a document. */
export async function selectFirstStates(db: Db, fileIds: number[]): Promise<Map<number, DocumentState>> {
  if (fileIds.length === 0) return new Map();
  const rows = await rowsOf<{ fileId: number; state: DocumentState }>(
    db,
    sql`select distinct on (file_id) file_id as "fileId", state from documents
      where file_id = any(${sql.param(fileIds)}::bigint[]) order by file_id, id`,
  );
  return new Map(rows.map((row) => [row.fileId, row.state]));
}

/**
 * Counts the items of a batch that have no result yet. Reads a small index; `countItems` reads every item of the batch.
 */
export async function countOpenItemsOfBatch(db: Db, batchId: number): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)` })
    .from(ingestItems)
    .where(and(eq(ingestItems.batchId, batchId), sql`state in ('queued', 'running')`));
  return row?.count ?? 0;
}

export type KnownItem = { fileId: number; documentId: number; sha256: string; state: DocumentState };

/**
 * Returns, for each path that an earlier batch recorded with the same size and modification time, the file and the
 * document of that item. The keys of the map are indexes of `asked`.
 */
export async function selectKnownItems(
  db: Db,
  asked: { path: string; sizeBytes: number; modifiedAt: Date }[],
): Promise<Map<number, KnownItem>> {
  if (asked.length === 0) return new Map();
  const rows = await rowsOf<KnownItem & { number: number }>(
    db,
    sql`select asked.number::int, known.* from unnest(
        ${sql.param(asked.map(({ path }) => path))}::text[],
        ${sql.param(asked.map(({ sizeBytes }) => sizeBytes))}::bigint[],
        ${sql.param(asked.map(({ modifiedAt }) => modifiedAt.toISOString()))}::timestamptz[]
      ) with ordinality as asked (path, size_bytes, modified_at, number)
      cross join lateral (
        select f.id as "fileId", d.id as "documentId", f.sha256, d.state
        from ingest_items i join files f on f.id = i.file_id and f.sha256 = i.sha256
          join documents d on d.id = i.document_id
        where hashtextextended(i.path, 0) = hashtextextended(asked.path, 0) and i.path = asked.path
          and i.size_bytes = asked.size_bytes and i.modified_at = asked.modified_at and f.destroyed_at is null
        order by i.id desc limit 1
      ) as known`,
  );
  return new Map(rows.map(({ number, ...known }) => [number - 1, known]));
}

export type DocumentWords = SingleLabels & {
  id: number;
  name: string;
  keyword: string;
  priceCoins: number;
  researcher: string;
  themes: string[];
  createdAt: string;
};

/** Returns names and labels of the documents. */
export function selectDocumentWords(db: Db, ids: number[]): Promise<DocumentWords[]> {
  if (ids.length === 0) return Promise.resolve([]);
  const labels = SINGLE_KINDS.map((kind) => sql`${labelNameSql(kind, 'd')} as ${sql.identifier(kind)}`);
  return rowsOf<DocumentWords>(
    db,
    sql`select d.id, d.name, d.keyword, d.price_coins as "priceCoins", ${sql.join(labels, sql`, `)}, d.researcher,
        array(select th.name from themes th where th.id = any(d.theme_ids)) as themes,
        to_char(d.created_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as "createdAt"
      from documents d where d.id = any(${sql.param(ids)}::bigint[]) limit ${ids.length}`,
  );
}
