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

/** Makes lockLabels wait until this transaction ends, and waits for it. */
export async function keepLabels(db: Db, kind: ClosedKind): Promise<void> {
  await db.execute(sql`lock table ${tableOf(kind)} in row exclusive mode`);
}

// Statements of the operator's commands

/** Makes other writers of a kind's labels wait until this transaction ends; readers go on. */
export async function lockLabels(db: Db, kind: ClosedKind): Promise<void> {
  await db.execute(sql`lock table ${tableOf(kind)} in share row exclusive mode`);
}

/** Counts the documents, in any state, that have each theme or industry. */
export async function countUses(db: Db, kind: 'theme' | 'industry'): Promise<Map<number, number>> {
  const ids = kind === 'theme' ? sql`unnest(theme_ids)` : sql`industry_id`;
  const rows = await rowsOf<{ id: number | null; documents: number }>(
    db,
    sql`select id, count(*) as documents from (select ${ids} as id from documents) used group by id`,
  );
  return new Map(rows.flatMap(({ id, documents }) => (id === null ? [] : [[id, documents]])));
}

export async function insertLabel(db: Db, kind: ClosedKind, label: { name: string; position: number }): Promise<void> {
  await db.execute(sql`insert into ${tableOf(kind)} (name, position) values (${label.name}, ${label.position})`);
}

export async function updateLabel(
  db: Db,
  kind: ClosedKind,
  labelId: number,
  { name, position }: { name: string; position?: number },
): Promise<void> {
  await db.execute(sql`update ${tableOf(kind)} set name = ${name}, position = coalesce(${position ?? null}, position)
    where id = ${labelId} and (name, position) is distinct from (${name}, coalesce(${position ?? null}, position))`);
}

export async function deleteLabels(db: Db, kind: ClosedKind, ids: readonly number[]): Promise<void> {
  await db.execute(sql`delete from ${tableOf(kind)} where id = any(${sql.param([...ids])}::int[])`);
}

/** Records that the operator has set the labels of a kind. */
export async function markListSet(db: Db, kind: ClosedKind, now: Date): Promise<void> {
  await db.execute(sql`insert into label_lists (kind, set_at) values (${kind}, ${now.toISOString()})
    on conflict (kind) do update set set_at = excluded.set_at`);
}

/** Returns the kinds whose labels the operator has set. */
export async function selectSetKinds(db: Db): Promise<Set<string>> {
  const rows = await rowsOf<{ kind: string }>(db, sql`select kind from label_lists`);
  return new Set(rows.map(({ kind }) => kind));
}
