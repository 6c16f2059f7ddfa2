import { and, asc, count, desc, eq, inArray, sql } from 'drizzle-orm';
import { users } from '../../accounts/server/tables.ts';
import { documents } from '../../library/server/tables.ts';
import { rowsOf, type Db } from '../../platform/db/client.ts';
import { groupDocuments, groupMembers, groups } from './tables.ts';

export type GroupRow = typeof groups.$inferSelect;

/**
 * The columns of a group as `userId` sees it. Counted when asked: kept counters could drift from what is shown. `groups.id` is written out,
 * because Drizzle names a column of the only table without its table, and within a subquery `id` would be another table's.
 */
const groupColumns = (userId: number, documentId: number) => ({
  id: groups.id,
  name: groups.name,
  description: groups.description,
  mark: groups.mark,
  color: groups.color,
  memberCount: sql<number>`(select count(*) from group_members m where m.group_id = groups.id)`,
  fileCount: sql<number>`(select count(*) from group_documents s
    join documents d on d.id = s.document_id and d.state = 'published' where s.group_id = groups.id)`,
  isJoined: sql<boolean>`exists (select 1 from group_members m where m.group_id = groups.id and m.user_id = ${userId})`,
  isAdded: sql<boolean>`exists (select 1 from group_documents s
    where s.group_id = groups.id and s.document_id = ${documentId})`,
});

export type GroupFacts = Awaited<ReturnType<typeof selectGroups>>[number];

/** Returns open groups in their order. */
export function selectGroups(db: Db, seen: { userId: number; documentId: number; limit: number; offset: number }) {
  return db
    .select(groupColumns(seen.userId, seen.documentId))
    .from(groups)
    .where(eq(groups.isOpen, true))
    .orderBy(asc(groups.position), asc(groups.id))
    .limit(seen.limit)
    .offset(seen.offset);
}

export async function countGroups(db: Db): Promise<number> {
  const [row] = await db.select({ total: count() }).from(groups).where(eq(groups.isOpen, true));
  return row?.total ?? 0;
}

/** Returns an open group; null when there is none of that id. */
export async function selectGroup(db: Db, id: number, userId: number): Promise<GroupFacts | null> {
  const [row] = await db
    .select(groupColumns(userId, 0))
    .from(groups)
    .where(and(eq(groups.id, id), eq(groups.isOpen, true)));
  return row ?? null;
}

const isJoinedBy = (userId: number) => and(eq(groupMembers.userId, userId), eq(groups.isOpen, true));

/** Returns the open groups that a user joined, the last joined first. */
export function selectJoinedGroups(db: Db, seen: { userId: number; limit: number; offset: number }) {
  return db
    .select(groupColumns(seen.userId, 0))
    .from(groupMembers)
    .innerJoin(groups, eq(groups.id, groupMembers.groupId))
    .where(isJoinedBy(seen.userId))
    .orderBy(desc(groupMembers.joinedAt), desc(groupMembers.groupId))
    .limit(seen.limit)
    .offset(seen.offset);
}

export async function countJoinedGroups(db: Db, userId: number): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(groupMembers)
    .innerJoin(groups, eq(groups.id, groupMembers.groupId))
    .where(isJoinedBy(userId));
  return row?.total ?? 0;
}

/** Returns how many of the open groups `ids` a user has joined. */
export async function countJoinedAmong(db: Db, userId: number, ids: readonly number[]): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(groupMembers)
    .innerJoin(groups, eq(groups.id, groupMembers.groupId))
    .where(and(isJoinedBy(userId), inArray(groups.id, [...ids])));
  return row?.total ?? 0;
}

export async function insertMember(db: Db, member: typeof groupMembers.$inferInsert): Promise<void> {
  await db.insert(groupMembers).values(member).onConflictDoNothing();
}

export async function deleteMember(db: Db, groupId: number, userId: number): Promise<void> {
  await db.delete(groupMembers).where(and(eq(groupMembers.groupId, groupId), eq(groupMembers.userId, userId)));
}

/**
 * Puts a document on shelves where it does not stand yet; returns on how many. The rows are inserted in the order of
 * their groups, so that two calls at once wait for each other and never for ever.
 */
export async function insertShelfRows(
  db: Db,
  row: { groupIds: readonly number[]; documentId: number; userId: number | null; addedAt: Date },
): Promise<number> {
  const inserted = await db
    .insert(groupDocuments)
    .values(
      row.groupIds
        .toSorted((one, other) => one - other)
        .map((groupId) => ({ groupId, documentId: row.documentId, userId: row.userId, addedAt: row.addedAt })),
    )
    .onConflictDoNothing()
    .returning({ groupId: groupDocuments.groupId });
  return inserted.length;
}

/** Takes a document from a shelf; false when the user did not put it there. */
export async function deleteShelfRow(
  db: Db,
  row: { groupId: number; documentId: number; userId: number },
): Promise<boolean> {
  const deleted = await db
    .delete(groupDocuments)
    .where(
      and(
        eq(groupDocuments.groupId, row.groupId),
        eq(groupDocuments.documentId, row.documentId),
        eq(groupDocuments.userId, row.userId),
      ),
    )
    .returning({ documentId: groupDocuments.documentId });
  return deleted.length > 0;
}

/** Returns the published documents of a shelf, the last added first, with the nickname of who added them ("" for nobody). */
export function selectShelf(db: Db, page: { groupId: number; limit: number; offset: number }) {
  return db
    .select({
      documentId: groupDocuments.documentId,
      userId: groupDocuments.userId,
      addedAt: groupDocuments.addedAt,
      addedBy: sql<string>`coalesce(${users.nickname}, '')`,
    })
    .from(groupDocuments)
    .innerJoin(documents, and(eq(documents.id, groupDocuments.documentId), eq(documents.state, 'published')))
    .leftJoin(users, eq(users.id, groupDocuments.userId))
    .where(eq(groupDocuments.groupId, page.groupId))
    .orderBy(desc(groupDocuments.addedAt), desc(groupDocuments.documentId))
    .limit(page.limit)
    .offset(page.offset);
}

/** Returns the groups that a user joined and the documents that they put on shelves, for a copy of their data. */
export async function selectPersonalData(db: Db, userId: number) {
  const joined = await db
    .select({ name: groups.name, at: groupMembers.joinedAt })
    .from(groupMembers)
    .innerJoin(groups, eq(groups.id, groupMembers.groupId))
    .where(eq(groupMembers.userId, userId))
    .orderBy(groupMembers.joinedAt);
  const added = await db
    .select({
      group: groups.name,
      documentId: groupDocuments.documentId,
      name: documents.name,
      at: groupDocuments.addedAt,
    })
    .from(groupDocuments)
    .innerJoin(groups, eq(groups.id, groupDocuments.groupId))
    .innerJoin(documents, eq(documents.id, groupDocuments.documentId))
    .where(eq(groupDocuments.userId, userId))
    .orderBy(groupDocuments.addedAt);
  return { joined, added };
}

/** Takes a user out of all groups. The documents that they added stay on the shelves, without a name. */
export async function deletePersonalData(db: Db, userId: number): Promise<void> {
  await db.delete(groupMembers).where(eq(groupMembers.userId, userId));
  await db.update(groupDocuments).set({ userId: null }).where(eq(groupDocuments.userId, userId));
}

// Statements of the operator's commands

/** Returns the open groups in their order, or every group. */
export function selectGroupRows(db: Db, which: 'open' | 'all'): Promise<GroupRow[]> {
  return db
    .select()
    .from(groups)
    .where(which === 'open' ? eq(groups.isOpen, true) : undefined)
    .orderBy(asc(groups.position), asc(groups.id));
}

/** Returns the members and the published documents of each open group by its id. */
export async function selectGroupCounts(db: Db): Promise<Map<number, { members: number; documents: number }>> {
  const rows = await rowsOf<{ id: number; members: number; documents: number }>(
    db,
    sql`select g.id,
        (select count(*) from group_members m where m.group_id = g.id) as members,
        (select count(*) from group_documents s join documents d on d.id = s.document_id and d.state = 'published'
          where s.group_id = g.id) as documents
      from groups g where g.is_open`,
  );
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}

/** Makes other writers of groups wait until this transaction ends; readers, and members who join, go on. */
export async function lockGroups(db: Db): Promise<void> {
  await db.execute(sql`lock table groups in share row exclusive mode`);
}

export async function closeGroups(db: Db): Promise<void> {
  await db.update(groups).set({ isOpen: false }).where(eq(groups.isOpen, true));
}

/** Writes a group with its place in the list, and opens it. `id` null inserts. */
export async function upsertGroup(
  db: Db,
  { id, ...row }: Pick<GroupRow, 'name' | 'description' | 'mark' | 'color' | 'position'> & { id: number | null },
): Promise<void> {
  const open = { ...row, isOpen: true };
  if (id === null) await db.insert(groups).values(open);
  else await db.update(groups).set(open).where(eq(groups.id, id));
}
