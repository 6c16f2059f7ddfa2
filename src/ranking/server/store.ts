import { sql, type SQL } from 'drizzle-orm';
import { rowsOf, type Db } from '../../platform/db/client.ts';
import { MIN_MOVE, WEIGHTS, type Signal } from '../rules.ts';

/**
 * Every signal since then, as (document_id, user_id, kind, weight, at). What people will be able to do later is one more
 * branch here, and a weight in rules.ts.
 */
function signalsSince(since: Date, documentId?: number): SQL {
  const from = since.toISOString();
  const ofIt = documentId === undefined ? sql`` : sql` and document_id = ${documentId}`;
  return sql`select document_id, user_id, 'read' as kind, ${WEIGHTS.read}::int as weight, last_read_at as at from reads
      where last_read_at >= ${from}::timestamptz${ofIt}
    union all
    select document_id, user_id, 'download', ${WEIGHTS.download}::int, created_at from entitlements
      where created_at >= ${from}::timestamptz${ofIt}`;
}

export type Move = { id: number; heat: number };

/** heatOf and isMove of rules.ts for the whole library: the largest moves first, at most `limit`. */
export function selectMoves(db: Db, since: Date, limit: number): Promise<Move[]> {
  return rowsOf<Move>(
    db,
    sql`with strongest as (
        select document_id, max(weight) as weight from (${signalsSince(since)}) as s group by document_id, user_id
      ), heats as (
        select document_id, sum(weight)::int as heat from strongest group by document_id
      ), now_and_before as (
        select d.id, h.heat, d.heat as written from heats h join documents d on d.id = h.document_id
        union all
        select d.id, 0, d.heat from documents d where d.heat > 0 and d.id not in (select document_id from heats)
      ), moves as (
        select id, heat, abs(ln(1 + heat::float8) - ln(1 + written::float8)) as size from now_and_before
        where heat <> written
      )
      select id, heat from moves where heat = 0 or size >= ${MIN_MOVE}::float8
      order by size desc, id limit ${limit}`,
  );
}

/** Writes them with the score that follows: recommendScore of library/rules.ts. Search hears of it by its trigger. */
export async function writeHeats(db: Db, moves: Move[]): Promise<void> {
  await db.execute(sql`update documents d set heat = m.heat,
      recommend_score = ln(1 + m.heat::float8) + extract(epoch from d.created_at)::float8 / 5184000
    from unnest(${sql.param(moves.map(({ id }) => id))}::bigint[], ${sql.param(moves.map(({ heat }) => heat))}::int[])
      as m (id, heat) where d.id = m.id`);
}

export async function selectSignals(db: Db, documentId: number, since: Date): Promise<Signal[]> {
  const rows = await rowsOf<Omit<Signal, 'at'> & { ms: number }>(
    db,
    sql`select user_id as "userId", kind, (extract(epoch from at) * 1000)::float8 as ms
      from (${signalsSince(since, documentId)}) as s order by at desc limit 100000`,
  );
  return rows.map(({ ms, ...signal }) => ({ ...signal, at: new Date(ms) }));
}

export async function selectRanked(
  db: Db,
  id: number,
): Promise<{ name: string; createdMs: number; heat: number; score: number } | null> {
  const [row] = await rowsOf<{ name: string; createdMs: number; heat: number; score: number }>(
    db,
    sql`select name, (extract(epoch from created_at) * 1000)::float8 as "createdMs", heat, recommend_score as score
      from documents where id = ${id}`,
  );
  return row ?? null;
}
