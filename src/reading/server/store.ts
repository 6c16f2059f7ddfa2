import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { Db } from '../../platform/db/client.ts';
import { reads } from './tables.ts';

/** Reads within a minute count as one: reloading a page writes nothing. */
const SAME_READ_SECONDS = 60;

type ReadKey = { userId: number; documentId: number; month: string };

/**
 * Records a read. `isFirst`: the first read of the month, true for exactly one of concurrent reads. `isOverLimit`: as
 * recorded at the first read.
 */
export async function upsertRead(
  db: Db,
  read: ReadKey & { at: Date },
): Promise<{ isFirst: boolean; isOverLimit: boolean }> {
  const { at, ...key } = read;
  const [written] = await db
    .insert(reads)
    .values({ ...key, firstReadAt: at, lastReadAt: at })
    .onConflictDoUpdate({
      target: [reads.userId, reads.documentId, reads.month],
      set: { lastReadAt: sql`excluded.last_read_at` },
      setWhere: lt(reads.lastReadAt, sql`excluded.last_read_at - make_interval(secs => ${SAME_READ_SECONDS})`),
    })
    .returning({
      isFirst: sql<boolean>`${reads.firstReadAt} = ${reads.lastReadAt}`,
      isOverLimit: reads.isOverLimit,
    });
  if (written) return written;
  // Nothing was written: this read was already recorded within the minute.
  const [known] = await db.select({ isOverLimit: reads.isOverLimit }).from(reads).where(isRead(key));
  return { isFirst: false, isOverLimit: known?.isOverLimit ?? false };
}

export async function updateReadOverLimit(db: Db, key: ReadKey, isOverLimit: boolean): Promise<void> {
  await db.update(reads).set({ isOverLimit }).where(isRead(key));
}

const isRead = (key: ReadKey) =>
  and(eq(reads.userId, key.userId), eq(reads.documentId, key.documentId), eq(reads.month, key.month));

/** Returns what a user has read, newest first. */
export function selectReads(db: Db, userId: number, limit: number) {
  const { documentId, firstReadAt, lastReadAt } = reads;
  return db
    .select({ documentId, firstReadAt, lastReadAt })
    .from(reads)
    .where(eq(reads.userId, userId))
    .orderBy(desc(lastReadAt))
    .limit(limit);
}

export async function deleteReads(db: Db, userId: number): Promise<void> {
  await db.delete(reads).where(eq(reads.userId, userId));
}
