import { and, desc, eq, inArray, or, sql } from 'drizzle-orm';
import { rowsOf, type Db } from '../../platform/db/client.ts';
import { fileNeighbors, fileVersions } from './tables-kin.ts';
import { documents, files } from './tables.ts';

/** Replaces what is known of a file's neighbours, in both directions. */
export async function replaceNeighbors(
  db: Db,
  fileId: number,
  neighbors: readonly { fileId: number; score: number }[],
  mostOfOther: number,
): Promise<void> {
  await db.delete(fileNeighbors).where(or(eq(fileNeighbors.fileId, fileId), eq(fileNeighbors.neighborId, fileId)));
  if (neighbors.length === 0) return;
  await db.insert(fileNeighbors).values(
    neighbors.flatMap(({ fileId: neighborId, score }) => [
      { fileId, neighborId, score },
      { fileId: neighborId, neighborId: fileId, score },
    ]),
  );
  // A popular one must not collect neighbours without end.
  const others = neighbors.map((neighbor) => neighbor.fileId);
  await db.execute(sql`delete from file_neighbors n using (
      select file_id, neighbor_id, row_number() over (partition by file_id order by score desc, neighbor_id) as place
      from file_neighbors where file_id = any(${sql.param(others)}::bigint[])) as ranked
    where n.file_id = ranked.file_id and n.neighbor_id = ranked.neighbor_id and ranked.place > ${mostOfOther}`);
}

/** Neighbours of a file by file id, best first. */
export function selectNeighbors(db: Db, fileId: number, limit: number) {
  return db
    .select({ fileId: fileNeighbors.neighborId, score: fileNeighbors.score })
    .from(fileNeighbors)
    .where(eq(fileNeighbors.fileId, fileId))
    .orderBy(desc(fileNeighbors.score))
    .limit(limit);
}

export function selectGroups(db: Db, fileIds: number[]) {
  if (fileIds.length === 0) return Promise.resolve([]);
  return db.select().from(fileVersions).where(inArray(fileVersions.fileId, fileIds)).limit(fileIds.length);
}

/** Makes one group of these files and of all the groups they are in. */
export async function mergeGroups(db: Db, fileIds: number[], groupIds: number[], groupId: number): Promise<void> {
  if (groupIds.length > 0)
    await db.update(fileVersions).set({ groupId }).where(inArray(fileVersions.groupId, groupIds));
  await db
    .insert(fileVersions)
    .values(fileIds.map((fileId) => ({ fileId, groupId })))
    .onConflictDoUpdate({ target: fileVersions.fileId, set: { groupId } });
}

/** Takes a file out of its group; a group of one is none. */
export async function leaveGroup(db: Db, fileId: number): Promise<void> {
  const [left] = await db.delete(fileVersions).where(eq(fileVersions.fileId, fileId)).returning();
  if (!left) return;
  await db.execute(sql`delete from file_versions where group_id = ${left.groupId}
    and (select count(*) from file_versions where group_id = ${left.groupId}) < 2`);
}

/** Two that find each other at the same moment would each miss the other: the kin of the library is written by one at a time. */
export async function lockKin(db: Db): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtext('ceku-kin'))`);
}

/** The documents of a file's versions, itself included, newest first; of every state. */
export function selectVersionDocuments(db: Db, fileId: number, limit: number) {
  const group = sql`(select v.group_id from file_versions v where v.file_id = ${fileId})`;
  return db
    .select({
      id: documents.id,
      fileId: documents.fileId,
      name: documents.name,
      state: documents.state,
      createdAt: documents.createdAt,
      pageCount: files.pageCount,
      fileType: files.fileType,
    })
    .from(documents)
    .innerJoin(files, eq(files.id, documents.fileId))
    .innerJoin(fileVersions, and(eq(fileVersions.fileId, documents.fileId), eq(fileVersions.groupId, group)))
    .orderBy(desc(documents.createdAt), desc(documents.id))
    .limit(limit);
}

/** Of some documents those of which a newer published version exists. */
export async function selectSuperseded(db: Db, ids: number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await rowsOf<{ id: number }>(
    db,
    sql`select d.id from documents d join file_versions v on v.file_id = d.file_id
      where d.id = any(${sql.param(ids)}::bigint[]) and exists (
        select from file_versions w join documents n on n.file_id = w.file_id
        where w.group_id = v.group_id and n.state = 'published' and (n.created_at, n.id) > (d.created_at, d.id))`,
  );
  return new Set(rows.map((row) => row.id));
}
