import { asc, sql } from 'drizzle-orm';
import { rowsOf, type Db } from '../../platform/db/client.ts';
import { documentTypes, industries, themes } from './tables.ts';

export function selectThemes(db: Db) {
  return db
    .select({ id: themes.id, name: themes.name })
    .from(themes)
    .orderBy(asc(themes.position), asc(themes.id))
    .limit(1_000);
}

export function selectIndustries(db: Db) {
  return db
    .select({ id: industries.id, name: industries.name })
    .from(industries)
    .orderBy(asc(industries.position), asc(industries.id))
    .limit(1_000);
}

export function selectTypes(db: Db) {
  return db
    .select({ id: documentTypes.id, name: documentTypes.name })
    .from(documentTypes)
    .orderBy(asc(documentTypes.position), asc(documentTypes.id))
    .limit(1_000);
}

/** The tables of labels: `name` is unique in each. */
export type NameTable = 'industries' | 'themes' | 'document_types' | 'organizations';

/** Inserts the names that are missing and returns the ids of all. Concurrent callers get the same ids. Callers clean the names first. */
export async function insertMissingNames(db: Db, table: NameTable, names: string[]): Promise<Map<string, number>> {
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
  // Sorted: concurrent bulk inserts take the unique keys in one order and cannot deadlock.
  await db.execute(
    sql`insert into ${name} (name) select unnest(${sql.param(missing.sort())}::text[]) on conflict (name) do nothing`,
  );
  return new Map((await find()).map((row) => [row.name, row.id]));
}

/** Inserts the missing `names` and numbers all of them in the given order; other names keep their position. */
export async function upsertNamesInOrder(
  db: Db,
  table: Exclude<NameTable, 'organizations'>,
  names: readonly string[],
): Promise<void> {
  // Inserted in this order, so that ids follow it; only missing names, because a refused insert would use up an id.
  await db.execute(sql`insert into ${sql.identifier(table)} (name)
    select name from unnest(${sql.param([...names])}::text[]) with ordinality as wanted (name, position)
    where not exists (select from ${sql.identifier(table)} t where t.name = wanted.name)
    order by position on conflict (name) do nothing`);
  await db.execute(sql`update ${sql.identifier(table)} as t set position = wanted.position
    from unnest(${sql.param([...names])}::text[]) with ordinality as wanted (name, position)
    where t.name = wanted.name and t.position <> wanted.position`);
}
