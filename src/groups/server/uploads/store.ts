import { and, asc, count, desc, eq, inArray, isNull, lt, ne, not, or, sql } from 'drizzle-orm';
import { users } from '../../../accounts/server/tables.ts';
import { rowsOf, type Db } from '../../../platform/db/client.ts';
import type { UploadState, UploadUsage } from '../../rules-uploads.ts';
import { groupMembers, groups, groupUploadReports, groupUploads } from '../tables.ts';

export type UploadRow = typeof groupUploads.$inferSelect;

/** First key of the locks that count the uploads of a member ("UPLO"); the second is the user. */
const USAGE_LOCKS = 0x55504c4f;

/** Makes other beginnings of uploads of this member wait until the transaction ends, so that each counts the others. */
export async function lockUsage(db: Db, userId: number): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(${USAGE_LOCKS}::int, (${userId} % 2147483647)::int)`);
}

/** Returns what counts against the quota of a member: every file but the failed ones. */
export async function selectUsage(db: Db, userId: number): Promise<UploadUsage> {
  const [row] = await rowsOf<UploadUsage>(
    db,
    sql`select count(*) as files, coalesce(sum(size_bytes), 0)::bigint as bytes,
        count(*) filter (where state <> 'ready') as unfinished,
        count(*) filter (where state in ('queued', 'running')) as converting
      from group_uploads where user_id = ${userId} and state <> 'failed'`,
  );
  return row ? { ...row, bytes: Number(row.bytes) } : { files: 0, bytes: 0, unfinished: 0, converting: 0 };
}

export async function insertUpload(
  db: Db,
  row: Pick<UploadRow, 'key' | 'userId' | 'name' | 'sizeBytes' | 'createdAt'>,
): Promise<void> {
  await db.insert(groupUploads).values(row);
}

/** Returns an upload by its key, if this user began it. */
export async function selectOwnUpload(db: Db, key: string, userId: number): Promise<UploadRow | null> {
  const [row] = await db
    .select()
    .from(groupUploads)
    .where(and(eq(groupUploads.key, key), eq(groupUploads.userId, userId)));
  return row ?? null;
}

export async function selectUpload(db: Db, id: number): Promise<UploadRow | null> {
  const [row] = await db.select().from(groupUploads).where(eq(groupUploads.id, id));
  return row ?? null;
}

/** The open groups that a user is in. */
const joinedBy = (db: Db, userId: number) =>
  db
    .select({ id: groups.id })
    .from(groupMembers)
    .innerJoin(groups, and(eq(groups.id, groupMembers.groupId), eq(groups.isOpen, true)))
    .where(eq(groupMembers.userId, userId));

/**
 * Returns an upload that a user may see: their own in any state, and what is ready on the shelf of an open group that they are in.
 */
export async function selectVisibleUpload(db: Db, id: number, userId: number): Promise<ListedUpload | null> {
  const [row] = await selectListed(db, userId).where(
    and(
      eq(groupUploads.id, id),
      or(
        eq(groupUploads.userId, userId),
        and(eq(groupUploads.state, 'ready'), inArray(groupUploads.groupId, joinedBy(db, userId))),
      ),
    ),
  );
  return row ?? null;
}

/** Whether a file stands on the shelf of an open group. */
const isInOpenGroup = sql<boolean>`exists (select from groups g where g.id = group_uploads.group_id and g.is_open)`;

export type ListedUpload = Awaited<ReturnType<typeof selectListed>>[number];

function selectListed(db: Db, userId: number) {
  return db
    .select({
      upload: groupUploads,
      addedBy: sql<string>`coalesce(${users.nickname}, '')`,
      isShelved: isInOpenGroup,
      isReported: sql<boolean>`exists (select from group_upload_reports r
        where r.upload_id = ${groupUploads.id} and r.user_id = ${userId})`,
    })
    .from(groupUploads)
    .leftJoin(users, eq(users.id, groupUploads.userId));
}

type ShelfSeen = { groupId: number; userId: number; isJoined: boolean };

/**
 * The files that a user sees on a shelf: their own in every state, those of no group yet or of a closed one included; for members of the
 * group also all ready files.
 */
const isShown = ({ groupId, userId, isJoined }: ShelfSeen) =>
  or(
    isJoined ? and(eq(groupUploads.groupId, groupId), eq(groupUploads.state, 'ready')) : undefined,
    and(eq(groupUploads.userId, userId), or(eq(groupUploads.groupId, groupId), not(isInOpenGroup))),
  );

/** Returns a page of the files on a shelf as this user sees them; what was begun or added last comes first. */
export function selectShelfUploads(
  db: Db,
  seen: ShelfSeen & { limit: number; offset: number },
): Promise<ListedUpload[]> {
  return selectListed(db, seen.userId)
    .where(isShown(seen))
    .orderBy(desc(sql`coalesce(${groupUploads.addedAt}, ${groupUploads.createdAt})`), desc(groupUploads.id))
    .limit(seen.limit)
    .offset(seen.offset);
}

export async function countShelfUploads(db: Db, seen: ShelfSeen): Promise<number> {
  const [row] = await db.select({ total: count() }).from(groupUploads).where(isShown(seen));
  return row?.total ?? 0;
}

/** Hands a received file over to the preparation; false when it is no longer waiting for that. */
export async function updateChecked(
  db: Db,
  id: number,
  facts: { fileType: UploadRow['fileType']; sha256: string; sizeBytes: number },
): Promise<boolean> {
  return isChanged(
    await db
      .update(groupUploads)
      .set({ ...facts, state: 'queued' })
      .where(and(eq(groupUploads.id, id), eq(groupUploads.state, 'receiving')))
      .returning({ id: groupUploads.id }),
  );
}

/** Counts work of the preparation that begins; false when the file was taken back meanwhile. */
export async function updateBegun(db: Db, id: number, progress: number): Promise<boolean> {
  return isChanged(
    await db
      .update(groupUploads)
      .set({ state: 'running', progress, brokenRuns: sql`${groupUploads.brokenRuns} + 1` })
      .where(and(eq(groupUploads.id, id), inArray(groupUploads.state, ['queued', 'running'])))
      .returning({ id: groupUploads.id }),
  );
}

/** Takes back the count of work that has come to an end, also by an error. */
export async function updateEnded(db: Db, id: number): Promise<void> {
  await db
    .update(groupUploads)
    .set({ brokenRuns: sql`greatest(0, ${groupUploads.brokenRuns} - 1)` })
    .where(eq(groupUploads.id, id));
}

/** Says how far the preparation has come, in percent; false when the file was taken back meanwhile. */
export async function updateRunning(db: Db, id: number, progress: number): Promise<boolean> {
  return isChanged(
    await db
      .update(groupUploads)
      .set({ state: 'running', progress })
      .where(and(eq(groupUploads.id, id), inArray(groupUploads.state, ['queued', 'running'])))
      .returning({ id: groupUploads.id }),
  );
}

/** Ends the preparation; false when the file was taken back meanwhile. */
export async function updatePrepared(
  db: Db,
  id: number,
  end:
    | (Pick<UploadRow, 'pages' | 'pageCount'> & { state: 'ready'; progress: 100 })
    | (Pick<UploadRow, 'message'> & { state: 'failed' }),
): Promise<boolean> {
  return isChanged(
    await db
      .update(groupUploads)
      .set(end)
      .where(and(eq(groupUploads.id, id), inArray(groupUploads.state, ['queued', 'running'])))
      .returning({ id: groupUploads.id }),
  );
}

/** Puts a checked file on the shelf of a group, unless it stands on a shelf already. */
export async function updateShelved(
  db: Db,
  upload: { key: string; userId: number; groupId: number; addedAt: Date },
): Promise<boolean> {
  return isChanged(
    await db
      .update(groupUploads)
      .set({ groupId: upload.groupId, addedAt: upload.addedAt })
      .where(
        and(
          eq(groupUploads.key, upload.key),
          eq(groupUploads.userId, upload.userId),
          isNull(groupUploads.groupId),
          inArray(groupUploads.state, ['queued', 'running', 'ready']),
        ),
      )
      .returning({ id: groupUploads.id }),
  );
}

const isChanged = (rows: unknown[]) => rows.length > 0;

/** Removes an upload, of this user when one is given; returns its key. */
export async function deleteUpload(db: Db, id: number, userId?: number): Promise<string | null> {
  const [row] = await db
    .delete(groupUploads)
    .where(and(eq(groupUploads.id, id), userId === undefined ? undefined : eq(groupUploads.userId, userId)))
    .returning({ key: groupUploads.key });
  return row?.key ?? null;
}

/** Removes an upload that has not passed the checks; false when it has, or is gone. */
export async function deleteUnchecked(db: Db, id: number): Promise<boolean> {
  return isChanged(
    await db
      .delete(groupUploads)
      .where(and(eq(groupUploads.id, id), eq(groupUploads.state, 'receiving')))
      .returning({ id: groupUploads.id }),
  );
}

/** Removes what was begun before a time and is not ready on a shelf; returns the keys. */
export async function deleteUnfinished(db: Db, before: Date): Promise<string[]> {
  const rows = await db
    .delete(groupUploads)
    .where(and(lt(groupUploads.createdAt, before), or(ne(groupUploads.state, 'ready'), isNull(groupUploads.groupId))))
    .returning({ key: groupUploads.key });
  return rows.map(({ key }) => key);
}

/** Returns the states of the uploads with these keys, by key; a key without an upload is left out. */
export async function selectStates(db: Db, keys: readonly string[]): Promise<Map<string, UploadState>> {
  const rows = await db
    .select({ key: groupUploads.key, state: groupUploads.state })
    .from(groupUploads)
    .where(sql`${groupUploads.key} = any(${sql.param([...keys])}::text[])`);
  return new Map(rows.map(({ key, state }) => [key, state]));
}

/** Records a report; a second one of the same member changes nothing. */
export async function insertReport(db: Db, report: typeof groupUploadReports.$inferInsert): Promise<void> {
  await db.insert(groupUploadReports).values(report).onConflictDoNothing();
}

export type ReportedUpload = Awaited<ReturnType<typeof selectReports>>[number];

/** Returns what members reported, the oldest report first. */
export function selectReports(db: Db) {
  return db
    .select({
      uploadId: groupUploads.id,
      name: groupUploads.name,
      group: groups.name,
      uploaderId: groupUploads.userId,
      reporterId: groupUploadReports.userId,
      reason: groupUploadReports.reason,
      createdAt: groupUploadReports.createdAt,
    })
    .from(groupUploadReports)
    .innerJoin(groupUploads, eq(groupUploads.id, groupUploadReports.uploadId))
    .leftJoin(groups, eq(groups.id, groupUploads.groupId))
    .orderBy(asc(groupUploadReports.createdAt), asc(groupUploads.id));
}

/** Removes the reports of a file; returns how many there were. */
export async function deleteReports(db: Db, uploadId: number): Promise<number> {
  const rows = await db
    .delete(groupUploadReports)
    .where(eq(groupUploadReports.uploadId, uploadId))
    .returning({ userId: groupUploadReports.userId });
  return rows.length;
}

/** Returns the files that a user uploaded and what they reported, for a copy of their data. */
export async function selectUploadData(db: Db, userId: number) {
  const uploads = await db
    .select({
      name: groupUploads.name,
      group: groups.name,
      fileType: groupUploads.fileType,
      sizeBytes: groupUploads.sizeBytes,
      sha256: groupUploads.sha256,
      state: groupUploads.state,
      at: groupUploads.createdAt,
    })
    .from(groupUploads)
    .leftJoin(groups, eq(groups.id, groupUploads.groupId))
    .where(eq(groupUploads.userId, userId))
    .orderBy(groupUploads.createdAt);
  const reports = await db
    .select({ name: groupUploads.name, reason: groupUploadReports.reason, at: groupUploadReports.createdAt })
    .from(groupUploadReports)
    .innerJoin(groupUploads, eq(groupUploads.id, groupUploadReports.uploadId))
    .where(eq(groupUploadReports.userId, userId))
    .orderBy(groupUploadReports.createdAt);
  return { uploads, reports };
}

/** Removes the uploads and the reports of a user; returns the keys of the files that have to go as well. */
export async function deleteUploadData(db: Db, userId: number): Promise<string[]> {
  await db.delete(groupUploadReports).where(eq(groupUploadReports.userId, userId));
  const rows = await db
    .delete(groupUploads)
    .where(eq(groupUploads.userId, userId))
    .returning({ key: groupUploads.key });
  return rows.map(({ key }) => key);
}
