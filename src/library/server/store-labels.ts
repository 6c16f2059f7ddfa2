import { sql } from 'drizzle-orm';
import { rowsOf, type Db } from '../../platform/db/client.ts';
import type { Named } from '../contract.ts';
import { LABELS, type ClosedKind, type LabelKind } from '../taxonomy.ts';

const tableOf = (kind: LabelKind) => sql.identifier(LABELS[kind].table);

/** Selects the labels of a kind in the order of the site. */
export function selectLabels(db: Db, kind: ClosedKind): Promise<Named[]> {
  return rowsOf<Named>(db, sql`select id, name from ${tableOf(kind)} order by position, id limit 1000`);
}

/** Inserts the names that are missing and returns the ids of all. Concurrent callers get the same ids. Callers clean the names first. */
export async function insertMissingNames(db: Db, kind: LabelKind, names: string[]): Promise<Map<string, number>> {
  const wanted = [...new Set(names)];
  if (wanted.length === 0) return new Map();
  const name = tableOf(kind);
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
export async function upsertNamesInOrder(db: Db, kind: ClosedKind, names: readonly string[]): Promise<void> {
  const table = tableOf(kind);
  // Inserted in this order, so that ids follow it; only missing names, because a refused insert would use up an id.
  await db.execute(sql`insert into ${table} (name)
    select name from unnest(${sql.param([...names])}::text[]) with ordinality as wanted (name, position)
    where not exists (select from ${table} t where t.name = wanted.name)
    order by position on conflict (name) do nothing`);
  await db.execute(sql`update ${table} as t set position = wanted.position
    from unnest(${sql.param([...names])}::text[]) with ordinality as wanted (name, position)
    where t.name = wanted.name and t.position <> wanted.position`);
}
