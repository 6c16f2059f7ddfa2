import { sql } from 'drizzle-orm';
import { type Db, rowsOf } from '../../../platform/db/client.ts';

export type Searched = {
  /** Epoch milliseconds. */
  at: number;
  query: string;
  /** The query without a result that the same session made just before; "" for none. */
  insteadOf: string;
  /** The same person made a query of this meaning before, as far as this process remembers (search-log.ts). */
  isRepeat: boolean;
  found: number;
  forgiven: '' | 'corrected' | 'dropped';
  ms: number;
  tier: number;
};

export async function insertSearches(db: Db, rows: Searched[]): Promise<void> {
  await db.execute(sql`insert into search_log (at, query, instead_of, is_repeat, found, forgiven, ms, tier)
    select to_timestamp(at / 1000.0), query, "insteadOf", "isRepeat", found, forgiven, ms, tier
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as r (at float8, query text, "insteadOf" text, "isRepeat" boolean, found int, forgiven text, ms float4, tier int)`);
}

export async function deleteOldSearches(db: Db): Promise<void> {
  await db.execute(sql`delete from search_log where at < now() - interval '90 days'`);
}

export type QueryCount = { query: string; searches: number; found: number; forgiven: string; ms: number };

/** Selects the queries of the last `days` without regard to case, the most frequent first. `found` and `forgiven` are those of the last search. */
export function selectTopQueries(
  db: Db,
  days: number,
  wanted: { isFound: boolean | null; limit: number },
): Promise<QueryCount[]> {
  const found = wanted.isFound === null ? sql`true` : wanted.isFound ? sql`last.found > 0` : sql`last.found = 0`;
  return rowsOf(
    db,
    sql`select * from (
        select lower(query) as query, count(*) as searches, max(ms) as ms,
          (array_agg(found order by id desc))[1] as found, (array_agg(forgiven order by id desc))[1] as forgiven
        from search_log where at > now() - make_interval(days => ${days}) group by lower(query)) as last
      where ${found} order by searches desc, query limit ${wanted.limit}`,
  );
}

/** Selects the queries of the last `days` whose last search had results, those that most people made first. */
export function selectPopularQueries(
  db: Db,
  days: number,
  limit: number,
): Promise<{ query: string; people: number }[]> {
  return rowsOf(
    db,
    sql`select lower(query) as query, count(*) filter (where not is_repeat) as people from search_log
      where at > now() - make_interval(days => ${days}) group by lower(query)
      having (array_agg(found order by id desc))[1] > 0 order by people desc, query limit ${limit}`,
  );
}

export type ChangedQuery = { from: string; to: string; times: number };

/** Selects which queries without a result people changed into which with results, without regard to case, the most frequent first. */
export function selectChangedQueries(db: Db, days: number, limit: number): Promise<ChangedQuery[]> {
  return rowsOf(
    db,
    sql`select lower(instead_of) as from, lower(query) as to, count(*) as times from search_log
      where at > now() - make_interval(days => ${days}) and instead_of <> '' and found > 0
      group by lower(instead_of), lower(query) order by times desc, 1, 2 limit ${limit}`,
  );
}

export function selectSlowQueries(db: Db, days: number, limit: number): Promise<QueryCount[]> {
  return rowsOf(
    db,
    sql`select lower(query) as query, count(*) as searches, max(ms) as ms, max(found) as found, '' as forgiven
      from search_log where at > now() - make_interval(days => ${days})
      group by lower(query) order by max(ms) desc limit ${limit}`,
  );
}

export type SearchTotals = {
  searches: number;
  queries: number;
  empty: number;
  corrected: number;
  dropped: number;
  p50: number | null;
  p95: number | null;
  p99: number | null;
};

export async function selectSearchTotals(db: Db, days: number): Promise<SearchTotals> {
  const [row] = await rowsOf<SearchTotals>(
    db,
    sql`select count(*) as searches, count(distinct lower(query)) as queries,
        count(*) filter (where found = 0) as empty,
        count(*) filter (where forgiven = 'corrected') as corrected,
        count(*) filter (where forgiven = 'dropped') as dropped,
        percentile_cont(0.5) within group (order by ms) as p50, percentile_cont(0.95) within group (order by ms) as p95,
        percentile_cont(0.99) within group (order by ms) as p99
      from search_log where at > now() - make_interval(days => ${days})`,
  );
  return row ?? { searches: 0, queries: 0, empty: 0, corrected: 0, dropped: 0, p50: null, p95: null, p99: null };
}
