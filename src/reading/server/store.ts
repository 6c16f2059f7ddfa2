import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { Db } from '../../platform/db/client.ts';
import { reads } from './tables.ts';

/** Looks within a minute are one: a page that is loaded again writes nothing. */
const SAME_LOOK_SECONDS = 60;

type ReadKey = { userId: number; documentId: number; month: string };

/** Notes a look. `isFirst`: the first of the month, of however many at once only one. `isOverLimit`: as it was noted before. */
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
      setWhere: lt(reads.lastReadAt, sql`excluded.last_read_at - make_interval(secs => ${SAME_LOOK_SECONDS})`),
    })
    .returning({
      isFirst: sql<boolean>`${reads.firstReadAt} = ${reads.lastReadAt}`,
      isOverLimit: reads.isOverLimit,
    });
  if (written) return written;
  // The same look once more: nothing was written.
  const [known] = await db.select({ isOverLimit: reads.isOverLimit }).from(reads).where(isRead(key));
  return { isFirst: false, isOverLimit: known?.isOverLimit ?? false };
}

export async function setReadOverLimit(db: Db, key: ReadKey, isOverLimit: boolean): Promise<void> {
  await db.update(reads).set({ isOverLimit }).where(isRead(key));
}

const isRead = (key: ReadKey) =>
  and(eq(reads.userId, key.userId), eq(reads.documentId, key.documentId), eq(reads.month, key.month));

/** What a user has read, newest first. */
export function listReads(db: Db, userId: number, limit: number) {
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
