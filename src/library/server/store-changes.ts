import { and, eq, inArray, ne, or, sql } from 'drizzle-orm';
import { rowsOf, type Db } from '../../platform/db/client.ts';
import { documents, type DocumentState, type HiddenReason } from './tables.ts';

/** Everything that changes rows of the catalogue; what reads them is in store.ts. */

/** The tables of words documents are filed under: `name` is unique in each. */
export type NameTable = 'industries' | 'themes' | 'document_types' | 'organizations';

/** Ids of the names, made where missing. Two callers at once get the same ids. Names must be clean already. */
export async function ensureNames(db: Db, table: NameTable, names: string[]): Promise<Map<string, number>> {
  const wanted = [...new Set(names)];
  if (wanted.length === 0) return new Map();
  const name = sql.identifier(table);
  const find = () =>
    rowsOf<{ id: number; name: string }>(
      db,
      sql`select id, name from ${name} where name = any(${sql.param(wanted)}::text[])`,
    );
  const known = new Map((await find()).map((row) => [row.name, row.id]));
  const missing = wanted.filter((word) => !known.has(word));
  if (missing.length === 0) return known;
  // Sorted, so that two bulk callers meet on the unique key in one order and never lock each other out.
  await db.execute(
    sql`insert into ${name} (name) select unnest(${sql.param(missing.sort())}::text[]) on conflict (name) do nothing`,
  );
  return new Map((await find()).map((row) => [row.name, row.id]));
}

/** Puts `names` into the table in their order; names that are not in the list keep their place. */
export async function placeNames(
  db: Db,
  table: Exclude<NameTable, 'organizations'>,
  names: readonly string[],
): Promise<void> {
  // Made in this order too, so that ids follow it. Only the missing ones: a refused insert would still use up an id.
  await db.execute(sql`insert into ${sql.identifier(table)} (name)
    select name from unnest(${sql.param([...names])}::text[]) with ordinality as wanted (name, position)
    where not exists (select from ${sql.identifier(table)} t where t.name = wanted.name)
    order by position on conflict (name) do nothing`);
  await db.execute(sql`update ${sql.identifier(table)} as t set position = wanted.position
    from unnest(${sql.param([...names])}::text[]) with ordinality as wanted (name, position)
    where t.name = wanted.name and t.position <> wanted.position`);
}

export type NewDocument = {
  fileId: number;
  name: string;
  isNameGuessed: boolean;
  keyword: string;
  priceCoins: number;
  industryId: number | null;
  typeId: number | null;
  organizationId: number | null;
  researcher: string;
  themeIds: number[];
  recommendScore: number;
  createdAt: Date;
};

export async function insertDocument(db: Db, row: NewDocument): Promise<number> {
  const [made] = await db
    .insert(documents)
    .values({ ...row, updatedAt: row.createdAt })
    .returning({ id: documents.id });
  if (!made) throw new Error('an insert returned no row');
  return made.id;
}

/** False when there is no such document. */
export async function updateDocument(
  db: Db,
  id: number,
  patch: Partial<Omit<NewDocument, 'fileId' | 'createdAt' | 'recommendScore'>> & { updatedAt: Date },
): Promise<boolean> {
  const changed = await db.update(documents).set(patch).where(eq(documents.id, id)).returning({ id: documents.id });
  return changed.length > 0;
}

/** Publishes what is in one of `from` and has a file with something to show; false when nothing changed. */
export async function updateToPublished(db: Db, id: number, from: DocumentState[]): Promise<boolean> {
  const hasSomethingToShow = sql`exists (select from files f
    where f.id = ${documents.fileId} and f.state in ('ready', 'pending-preview'))`;
  const changed = await db
    .update(documents)
    .set({ state: 'published', hiddenReason: null })
    .where(and(eq(documents.id, id), inArray(documents.state, from), hasSomethingToShow))
    .returning({ id: documents.id });
  return changed.length > 0;
}

/** False when it was hidden for that reason before, or there is no such document. */
export async function updateToHidden(db: Db, id: number, reason: HiddenReason): Promise<boolean> {
  const changed = await db
    .update(documents)
    .set({ state: 'hidden', hiddenReason: reason })
    .where(and(eq(documents.id, id), or(ne(documents.state, 'hidden'), ne(documents.hiddenReason, reason))))
    .returning({ id: documents.id });
  return changed.length > 0;
}

export async function selectState(db: Db, id: number): Promise<DocumentState | null> {
  const [row] = await db.select({ state: documents.state }).from(documents).where(eq(documents.id, id));
  return row?.state ?? null;
}

/** Fills what is empty of the documents of a file that are not on the shelf yet. */
export async function fillEmptyLabels(
  db: Db,
  fileId: number,
  labels: {
    name: { text: string; unless: string } | null;
    keyword: string;
    themeIds: number[];
    industryId: number | null;
  },
): Promise<void> {
  const { name, keyword, themeIds, industryId } = labels;
  await db.execute(sql`update documents set
      name = case when ${name !== null} and is_name_guessed and name = ${name?.unless ?? ''} then ${name?.text ?? ''} else name end,
      keyword = case when keyword = '' then ${keyword} else keyword end,
      theme_ids = case when theme_ids = '{}' then ${sql.param(themeIds)}::integer[] else theme_ids end,
      industry_id = coalesce(industry_id, ${industryId}::integer)
    where file_id = ${fileId} and state in ('processing', 'failed')`);
}
