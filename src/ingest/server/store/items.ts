import { and, asc, eq, getTableColumns, gt, inArray, not, sql, type SQL } from 'drizzle-orm';
import type { Db } from '../../../platform/db/client.ts';
import { files } from '../../../library/server/tables.ts';
import { hasPrepareJob } from './prepare-job.ts';
import { ingestBatches, ingestItems, type IngestState } from './tables.ts';

/** Condition: the result of the item is not known yet. */
const IS_OPEN = inArray(ingestItems.state, ['queued', 'running']);

export type ItemRow = typeof ingestItems.$inferSelect;
export type ListedItem = ItemRow & { pageCount: number | null };
export type ItemCounts = Record<IngestState, number>;

export async function insertBatch(db: Db): Promise<number> {
  const [row] = await db.insert(ingestBatches).values({}).returning({ id: ingestBatches.id });
  if (!row) throw new Error('a batch was not inserted');
  return row.id;
}

export async function updateBatchFinished(db: Db, id: number): Promise<void> {
  await db
    .update(ingestBatches)
    .set({ finishedAt: sql`now()` })
    .where(eq(ingestBatches.id, id));
}

export async function insertItem(db: Db, item: typeof ingestItems.$inferInsert): Promise<void> {
  await db.insert(ingestItems).values(item);
}

/** Whether this batch has another item with the same file whose result is not known yet. */
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

/** Sets the state of every item of the file that is not final. Several batches may wait for one file. */
export async function updateOpenItems(
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

/** Returns the next items of a batch in the order of their ids, with the page counts of their files. */
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

/** Returns the items of a batch that wait for a job which does not exist or has no attempts left. */
export async function selectItemsWithoutJob(db: Db, batchId: number): Promise<number[]> {
  const rows = await db
    .select({ id: ingestItems.id })
    .from(ingestItems)
    .where(and(eq(ingestItems.batchId, batchId), IS_OPEN, not(hasPrepareJob(ingestItems.fileId))))
    .limit(1_000);
  return rows.map((row) => row.id);
}

/** Marks those of the items as failed whose result is not known yet. */
export async function updateItemsFailed(
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

/** Whether the batch has an item without a result whose reason is not `reasonCode`. */
export async function hasOpenItemForOtherReason(db: Db, batchId: number, reasonCode: string): Promise<boolean> {
  const rows = await db
    .select({ id: ingestItems.id })
    .from(ingestItems)
    .where(
      and(eq(ingestItems.batchId, batchId), IS_OPEN, sql`${ingestItems.reasonCode} is distinct from ${reasonCode}`),
    )
    .limit(1);
  return rows.length > 0;
}

/** Counts the items, by state, of all batches that have an item without a result. */
export function countItemsOfOpenBatches(db: Db): Promise<ItemCounts> {
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

/** Returns the last file that was refused or failed in the batch, or in any batch with an item without a result. */
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
