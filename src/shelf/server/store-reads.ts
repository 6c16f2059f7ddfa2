import { and, desc, eq, gt, inArray, lt, sql } from 'drizzle-orm';
import { preparedOnce, rowsOf, type Db } from '../../platform/db/client.ts';
import { readingPositions, reads } from './tables.ts';

/** Reads of a document within a minute count as one while no other was read: reloading a page writes nothing. */
const SAME_READ_SECONDS = 60;

type ReadKey = { userId: number; documentId: number; month: string };

/** Records a read, unless it goes on with the last one of the user, of the same document within the minute. */
export async function recordReadOnce(db: Db, read: ReadKey & { at: Date }): Promise<void> {
  const { at, ...key } = read;
  // Looked up before: an upsert that updates nothing still locks the row, and its commit waits for the disk.
  const [known] = await KNOWN_READ(db).execute(key);
  const isSame = known && at.getTime() - known.lastReadAt.getTime() <= SAME_READ_SECONDS * 1_000;
  const isReturn = isSame && (await hasLaterRead(db, read.userId, known.lastReadAt));
  if (!isSame || isReturn) await upsertRead(db, read, isReturn ? 0 : SAME_READ_SECONDS);
}

async function hasLaterRead(db: Db, userId: number, at: Date): Promise<boolean> {
  const [later] = await db
    .select({ documentId: reads.documentId })
    .from(reads)
    .where(and(eq(reads.userId, userId), gt(reads.lastReadAt, at)))
    .limit(1);
  return later !== undefined;
}

const KNOWN_READ = preparedOnce((db) =>
  db
    .select({ lastReadAt: reads.lastReadAt })
    .from(reads)
    .where(
      and(
        eq(reads.userId, sql.placeholder('userId')),
        eq(reads.documentId, sql.placeholder('documentId')),
        eq(reads.month, sql.placeholder('month')),
      ),
    )
    .prepare('known_read'),
);

/** `apartSeconds`: how much later than the recorded read it has to be. */
async function upsertRead(db: Db, { at, ...key }: ReadKey & { at: Date }, apartSeconds: number): Promise<void> {
  await db
    .insert(reads)
    .values({ ...key, firstReadAt: at, lastReadAt: at })
    .onConflictDoUpdate({
      target: [reads.userId, reads.documentId, reads.month],
      set: { lastReadAt: sql`excluded.last_read_at` },
      setWhere: lt(reads.lastReadAt, sql`excluded.last_read_at - make_interval(secs => ${apartSeconds})`),
    });
}

/** Returns everything that a user has read, newest first. */
export function selectReads(db: Db, userId: number) {
  const { documentId, firstReadAt, lastReadAt } = reads;
  return db
    .select({ documentId, firstReadAt, lastReadAt })
    .from(reads)
    .where(eq(reads.userId, userId))
    .orderBy(desc(lastReadAt));
}

/**
 * Returns a page of what a user has read and how many documents there are, each document once, the last read first, with the page they
 * were at. Only documents that are published, or that the user owns, are listed and counted: all others have left every list (C-112).
 * Reads tables of library and membership.
 */
export async function selectHistory(db: Db, userId: number, page: { limit: number; offset: number }) {
  const rows = await rowsOf<{ total: number; documentId: number | null; readSeconds: number; page: number }>(
    db,
    // A document has a row for each month. One pass over the user's rows counts and sorts; only the page looks up positions.
    sql`
      with listed as materialized (
        select latest.document_id, latest.read_at
        from (
          select document_id, max(last_read_at) as read_at from reads where user_id = ${userId} group by document_id
        ) as latest
        join documents d on d.id = latest.document_id
        left join entitlements e on e.user_id = ${userId} and e.document_id = latest.document_id
        where d.state = 'published' or e.document_id is not null
      )
      select counted.total, page.document_id as "documentId", extract(epoch from page.read_at)::bigint as "readSeconds",
        coalesce(p.page, 0) as page
      from (select count(*)::integer as total from listed) as counted
      left join (
        select document_id, read_at from listed order by read_at desc, document_id desc limit ${page.limit} offset ${page.offset}
      ) as page on true
      left join reading_positions p on p.user_id = ${userId} and p.document_id = page.document_id
      order by page.read_at desc, page.document_id desc`,
  );
  const reads = rows.flatMap(({ documentId, readSeconds, page: at }) =>
    documentId === null ? [] : [{ documentId, readSeconds, page: at }],
  );
  return { reads, total: rows[0]?.total ?? 0 };
}

/** Returns when a user last read a document in any month; null when they never did. */
export async function selectLastRead(db: Db, userId: number, documentId: number): Promise<Date | null> {
  const [row] = await db
    .select({ lastReadAt: reads.lastReadAt })
    .from(reads)
    .where(and(eq(reads.userId, userId), eq(reads.documentId, documentId)))
    .orderBy(desc(reads.lastReadAt))
    .limit(1);
  return row?.lastReadAt ?? null;
}

/**
 * Deletes a user's reads and last pages: of `documentIds`, or of all documents when left out. Returns the number of documents.
 * Call it within a transaction: deletions of one user wait for each other, because two at once could deadlock.
 */
export async function deleteHistory(db: Db, userId: number, documentIds?: number[]): Promise<number> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended('reads', ${userId}))`);
  const deletedFrom = (table: typeof reads | typeof readingPositions) =>
    and(eq(table.userId, userId), documentIds && inArray(table.documentId, documentIds));
  await db.delete(readingPositions).where(deletedFrom(readingPositions));
  const deleted = await db.delete(reads).where(deletedFrom(reads)).returning({ documentId: reads.documentId });
  return new Set(deleted.map(({ documentId }) => documentId)).size;
}

type Position = typeof readingPositions.$inferSelect;

/** Records the page that a user is at. Of two devices the later one counts. */
export async function upsertPosition(db: Db, position: Position): Promise<void> {
  await db
    .insert(readingPositions)
    .values(position)
    .onConflictDoUpdate({
      target: [readingPositions.userId, readingPositions.documentId],
      set: { page: sql`excluded.page`, readAt: sql`excluded.read_at` },
      setWhere: lt(readingPositions.readAt, sql`excluded.read_at`),
    });
}

export async function selectPosition(db: Db, userId: number, documentId: number): Promise<Position | null> {
  const [row] = await db
    .select()
    .from(readingPositions)
    .where(and(eq(readingPositions.userId, userId), eq(readingPositions.documentId, documentId)));
  return row ?? null;
}

/** Returns the page that a user read last of every document, newest first. */
export function selectPositions(db: Db, userId: number): Promise<Position[]> {
  return db
    .select()
    .from(readingPositions)
    .where(eq(readingPositions.userId, userId))
    .orderBy(desc(readingPositions.readAt));
}
