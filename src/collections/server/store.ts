import { and, asc, count, eq, sql } from 'drizzle-orm';
import { documents, type DocumentState } from '../../library/server/tables.ts';
import type { Db } from '../../platform/db/client.ts';
import { MAX_BANNER_COVERS } from '../contract.ts';
import { collectionDocuments, collections } from './tables.ts';

export type CollectionRow = typeof collections.$inferSelect;

const isListed = eq(collections.isListed, true);

/**
 * The columns of a collection as everybody sees it: counted when asked, so that a document that is hidden is gone at once.
 * `collections.id` is written out, because Drizzle names a column of the only table without its table.
 */
const COLUMNS = {
  id: collections.id,
  name: collections.name,
  description: collections.description,
  tags: collections.tags,
  createdAt: collections.createdAt,
  updatedAt: collections.updatedAt,
  fileCount: sql<number>`(select count(*) from collection_documents c
    join documents d on d.id = c.document_id and d.state = 'published' where c.collection_id = collections.id)`,
  /** The first published documents that have a cover. */
  coverIds: sql<number[]>`(select coalesce(json_agg(covered.id order by covered.position), '[]') from (
    select d.id, c.position from collection_documents c
      join documents d on d.id = c.document_id and d.state = 'published'
      join files f on f.id = d.file_id and f.cover_width > 0
      where c.collection_id = collections.id order by c.position limit ${sql.raw(String(MAX_BANNER_COVERS))}) covered)`,
};

export type CollectionFacts = Awaited<ReturnType<typeof selectCollections>>[number];

/** Returns listed collections in their order. */
export function selectCollections(db: Db, page: { limit: number; offset: number }) {
  return db
    .select(COLUMNS)
    .from(collections)
    .where(isListed)
    .orderBy(asc(collections.position), asc(collections.id))
    .limit(page.limit)
    .offset(page.offset);
}

export async function countCollections(db: Db): Promise<number> {
  const [row] = await db.select({ total: count() }).from(collections).where(isListed);
  return row?.total ?? 0;
}

/** Returns a listed collection; null when there is none of that id. */
export async function selectCollection(db: Db, id: number): Promise<CollectionFacts | null> {
  const [row] = await db
    .select(COLUMNS)
    .from(collections)
    .where(and(isListed, eq(collections.id, id)));
  return row ?? null;
}

/** Returns the ids of the published documents of a collection in their order. */
export async function selectCollectionFiles(
  db: Db,
  page: { collectionId: number; limit: number; offset: number },
): Promise<number[]> {
  const rows = await db
    .select({ id: documents.id })
    .from(collectionDocuments)
    .innerJoin(documents, and(eq(documents.id, collectionDocuments.documentId), eq(documents.state, 'published')))
    .where(eq(collectionDocuments.collectionId, page.collectionId))
    .orderBy(asc(collectionDocuments.position))
    .limit(page.limit)
    .offset(page.offset);
  return rows.map(({ id }) => id);
}

/** Returns the ids of the listed collections in their order. */
export async function selectListedIds(db: Db): Promise<number[]> {
  const rows = await db
    .select({ id: collections.id })
    .from(collections)
    .where(isListed)
    .orderBy(asc(collections.position), asc(collections.id));
  return rows.map(({ id }) => id);
}

// Statements of the operator's commands

/** Returns every collection with the ids of its documents in any state, in the order of the list. */
export function selectCollectionRows(db: Db) {
  return db
    .select({
      id: collections.id,
      name: collections.name,
      description: collections.description,
      tags: collections.tags,
      isListed: collections.isListed,
      documents: sql<number[]>`(select coalesce(json_agg(c.document_id order by c.position), '[]')
        from collection_documents c where c.collection_id = collections.id)`,
    })
    .from(collections)
    .orderBy(asc(collections.position), asc(collections.id));
}

/** Returns the name and the state of each id that is a document. */
export async function selectDocumentNames(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, { name: string; state: DocumentState }>> {
  const rows = await db
    .select({ id: documents.id, name: documents.name, state: documents.state })
    .from(documents)
    .where(sql`${documents.id} = any(${sql.param(ids)}::bigint[])`);
  return new Map(rows.map(({ id, ...facts }) => [id, facts]));
}

/** Makes other writers of collections wait until this transaction ends; readers go on. */
export async function lockCollections(db: Db): Promise<void> {
  await db.execute(sql`lock table collections in share row exclusive mode`);
}

export async function unlistCollections(db: Db): Promise<void> {
  await db.update(collections).set({ isListed: false }).where(isListed);
}

type ListedTerms = Pick<CollectionRow, 'name' | 'description' | 'tags' | 'position'>;

/** Inserts a listed collection and returns its id. */
export async function insertCollection(db: Db, terms: ListedTerms, now: Date): Promise<number> {
  const [row] = await db
    .insert(collections)
    .values({ ...terms, createdAt: now, updatedAt: now })
    .returning({ id: collections.id });
  if (!row) throw new Error('an insert returned no row');
  return row.id;
}

/** Writes a collection and lists it. Without `updatedAt` the time of the last change stays. */
export async function updateCollection(db: Db, id: number, terms: ListedTerms & { updatedAt?: Date }): Promise<void> {
  await db
    .update(collections)
    .set({ ...terms, isListed: true })
    .where(eq(collections.id, id));
}

/** Makes `ids` the documents of a collection, in that order. */
export async function replaceDocuments(db: Db, collectionId: number, ids: readonly number[]): Promise<void> {
  await db.delete(collectionDocuments).where(eq(collectionDocuments.collectionId, collectionId));
  if (ids.length === 0) return;
  await db
    .insert(collectionDocuments)
    .values(ids.map((documentId, position) => ({ collectionId, documentId, position })));
}
