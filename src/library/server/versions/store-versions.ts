import { and, desc, eq, inArray, ne, or, sql } from 'drizzle-orm';
import { type Db, rowsOf } from '../../../platform/db/client.ts';
import { documents, type DocumentState, fileNeighbors, files, fileVersionPairs, fileVersions } from '../tables.ts';

/** Replaces the neighbours of a file, in both directions. A neighbour keeps at most `maxOfOther` of its own. */
export async function replaceNeighbors(
  db: Db,
  fileId: number,
  neighbors: readonly { fileId: number; score: number }[],
  maxOfOther: number,
): Promise<void> {
  await db.delete(fileNeighbors).where(or(eq(fileNeighbors.fileId, fileId), eq(fileNeighbors.neighborId, fileId)));
  if (neighbors.length === 0) return;
  await db.insert(fileNeighbors).values(
    neighbors.flatMap(({ fileId: neighborId, score }) => [
      { fileId, neighborId, score },
      { fileId: neighborId, neighborId: fileId, score },
    ]),
  );
  // A file that is similar to many others must not collect neighbours without limit.
  const others = neighbors.map((neighbor) => neighbor.fileId);
  await db.execute(sql`delete from file_neighbors n using (
      select file_id, neighbor_id, row_number() over (partition by file_id order by score desc, neighbor_id) as place
      from file_neighbors where file_id = any(${sql.param(others)}::bigint[])) as ranked
    where n.file_id = ranked.file_id and n.neighbor_id = ranked.neighbor_id and ranked.place > ${maxOfOther}`);
}

/** Selects the neighbours of a file, the most similar first. */
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

/** Selects all files of some groups. No limit: a group with a missing member would be wrong. */
export async function selectMembers(db: Db, groupIds: number[]): Promise<number[]> {
  if (groupIds.length === 0) return [];
  const rows = await db
    .select({ fileId: fileVersions.fileId })
    .from(fileVersions)
    .where(inArray(fileVersions.groupId, groupIds));
  return rows.map((row) => row.fileId);
}

/** Selects the version pairs that contain one of the files. */
export async function selectPairs(db: Db, fileIds: number[]): Promise<[number, number][]> {
  const rows = await db
    .select()
    .from(fileVersionPairs)
    .where(or(inArray(fileVersionPairs.fileId, fileIds), inArray(fileVersionPairs.otherId, fileIds)));
  return rows.map((row) => [row.fileId, row.otherId]);
}

/** Replaces the pairs of a file; answers with whom it stood in pairs before. */
export async function replacePairs(db: Db, fileId: number, others: readonly number[]): Promise<number[]> {
  const before = await db
    .delete(fileVersionPairs)
    .where(or(eq(fileVersionPairs.fileId, fileId), eq(fileVersionPairs.otherId, fileId)))
    .returning();
  if (others.length > 0)
    await db
      .insert(fileVersionPairs)
      .values(others.map((other) => ({ fileId: Math.min(fileId, other), otherId: Math.max(fileId, other) })));
  return before.map((pair) => (pair.fileId === fileId ? pair.otherId : pair.fileId));
}

/** Merges these files and groups into one group, numbered by its lowest file id. */
export async function mergeGroups(db: Db, fileIds: number[], groupIds: number[]): Promise<void> {
  const groupId = Math.min(...fileIds, ...groupIds);
  if (groupIds.length > 0)
    await db
      .update(fileVersions)
      .set({ groupId })
      .where(and(inArray(fileVersions.groupId, groupIds), ne(fileVersions.groupId, groupId)));
  await db
    .insert(fileVersions)
    .values(fileIds.map((fileId) => ({ fileId, groupId })))
    .onConflictDoUpdate({ target: fileVersions.fileId, set: { groupId }, setWhere: ne(fileVersions.groupId, groupId) });
}

/** Moves files into these groups, each numbered by its lowest file id; files that are in none of the groups leave theirs. */
export async function replaceGroups(db: Db, fileIds: number[], groups: readonly number[][]): Promise<void> {
  await db.delete(fileVersions).where(inArray(fileVersions.fileId, fileIds));
  const rows = groups.flatMap((members) => members.map((fileId) => ({ fileId, groupId: Math.min(...members) })));
  if (rows.length > 0) await db.insert(fileVersions).values(rows);
}

/** Takes the lock under which versions are written: without it, two files that are compared concurrently would miss each other. */
export async function lockVersionGroups(db: Db): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtext('ceku-versions'))`);
}

/** Selects the documents of a file's versions, its own included, the newest first, in any state or in one. */
export function selectVersionDocuments(db: Db, fileId: number, limit: number, state?: DocumentState) {
  const group = sql`(select v.group_id from file_versions v where v.file_id = ${fileId})`;
  return db
    .select({
      id: documents.id,
      fileId: documents.fileId,
      name: documents.name,
      state: documents.state,
      priceCoins: documents.priceCoins,
      createdAt: documents.createdAt,
      pageCount: files.pageCount,
      fileType: files.fileType,
      flags: files.flags,
    })
    .from(documents)
    .innerJoin(files, eq(files.id, documents.fileId))
    .innerJoin(fileVersions, and(eq(fileVersions.fileId, documents.fileId), eq(fileVersions.groupId, group)))
    .where(state && eq(documents.state, state))
    .orderBy(desc(documents.createdAt), desc(documents.id))
    .limit(limit);
}

/** Selects the documents among `ids` that have a newer published version. */
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
