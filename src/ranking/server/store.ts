import { sql, type SQL } from 'drizzle-orm';
import { rowsOf, type Db } from '../../platform/db/client.ts';
import { MIN_MOVE, WEIGHTS, type Signal } from '../rules.ts';

/** Returns a query of all signals after `since`: (document_id, user_id, kind, weight, at). A new kind of signal is one more branch here. */
function signalsSince(since: Date, documentId?: number): SQL {
  const from = since.toISOString();
  const ofDocument = documentId === undefined ? sql`` : sql` and document_id = ${documentId}`;
  return sql`select document_id, user_id, 'read' as kind, ${WEIGHTS.read}::int as weight, last_read_at as at from reads
      where last_read_at >= ${from}::timestamptz${ofDocument}
    union all
    select document_id, user_id, 'download', ${WEIGHTS.download}::int, created_at from entitlements
      where created_at >= ${from}::timestamptz${ofDocument}
    union all
    select document_id, user_id, 'favourite', ${WEIGHTS.favourite}::int, created_at from favorites
      where document_id is not null and created_at >= ${from}::timestamptz${ofDocument}`;
}

/**
 * Selects the documents whose heat is worth writing: heatOf of rules.ts as SQL, compared with the written heat. The largest changes come
 * first. A small change waits until it adds up to MIN_MOVE; a heat that falls to 0 is always written.
 */
export function selectChangedHeats(db: Db, since: Date, limit: number): Promise<{ id: number; heat: number }[]> {
  return rowsOf<{ id: number; heat: number }>(
    db,
    sql`with strongest as (
        select document_id, max(weight) as weight from (${signalsSince(since)}) as s group by document_id, user_id
      ), heats as (
        select document_id, sum(weight)::int as heat from strongest group by document_id
      ), compared as (
        select d.id, h.heat, d.heat as written from heats h join documents d on d.id = h.document_id
        union all
        select d.id, 0, d.heat from documents d where d.heat > 0 and d.id not in (select document_id from heats)
      ), changes as (
        select id, heat, abs(ln(1 + heat::float8) - ln(1 + written::float8)) as size from compared
        where heat <> written
      )
      select id, heat from changes where heat = 0 or size >= ${MIN_MOVE}::float8
      order by size desc, id limit ${limit}`,
  );
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
