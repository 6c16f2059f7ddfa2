import { and, asc, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { Db } from '../../platform/db/client.ts';
import { files } from './tables.ts';

/** `documentIds`: all documents of this file, in any state. */
export type StoredOriginal = { id: number; sha256: string; sizeBytes: number; documentIds: number[] };

/** Selects originals, the longest unchecked first: those that were last checked before `checkedBefore`, or those of `documentIds`. */
export async function selectOriginals(
  db: Db,
  options: { checkedBefore: Date; limit: number } | { documentIds: number[]; limit: number },
): Promise<StoredOriginal[]> {
  // Written with table names: Drizzle omits them in a select from one table, and inside `exists` the bare columns would be those of documents.
  const isOfThem = (ids: number[]) =>
    sql`exists (select from documents d where d.file_id = files.id and d.id = any(${sql.param(ids)}::bigint[]))`;
  return db
    .select({
      id: files.id,
      sha256: files.sha256,
      sizeBytes: files.sizeBytes,
      documentIds: sql<number[]>`array(select d.id::int from documents d where d.file_id = files.id order by d.id)`,
    })
    .from(files)
    .where(
      and(
        isNull(files.destroyedAt),
        'documentIds' in options
          ? isOfThem(options.documentIds)
          : or(isNull(files.checkedAt), lt(files.checkedAt, options.checkedBefore)),
      ),
    )
    .orderBy(sql`${files.checkedAt} nulls first`, asc(files.id))
    .limit(options.limit);
}

/** Records a check. Returns true when the state changed: an original is newly lost, or whole again. */
export async function updateOriginalState(db: Db, fileId: number, isIntact: boolean, at: Date): Promise<boolean> {
  await db.update(files).set({ checkedAt: at }).where(eq(files.id, fileId));
  const changed = await db
    .update(files)
    .set({ damagedAt: isIntact ? null : at })
    .where(and(eq(files.id, fileId), isIntact ? sql`${files.damagedAt} is not null` : isNull(files.damagedAt)))
    .returning({ id: files.id });
  return changed.length > 0;
}

export async function selectHasOriginals(db: Db): Promise<boolean> {
  return (await db.select({ id: files.id }).from(files).limit(1)).length > 0;
}

/** Counts the originals of the library, those that were destroyed not. */
export async function countOriginals(db: Db): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(files)
    .where(isNull(files.destroyedAt));
  return row?.count ?? 0;
}
