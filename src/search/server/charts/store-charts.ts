import { sql, type SQL } from 'drizzle-orm';
import type { ChartData } from '../../../charts/chart-data.ts';
import { type Db, rowsOf } from '../../../platform/db/client.ts';

/** A chart with all texts it is found by, and the document that stands for it. */
export type ChartSource = {
  id: number;
  documentId: number;
  typeId: number;
  typeName: string;
  name: string;
  title: string;
  data: ChartData;
  documentName: string;
  keyword: string;
  industryId: number;
  industry: string | null;
  pageText: string | null;
};

/**
 * Selects the charts of these files that a published document shows, each with the oldest such document. Locks files and documents until the
 * transaction ends: no chart is recorded and no document hidden between this read and the write of the entries.
 */
export async function lockChartSources(db: Db, fileIds: readonly number[]): Promise<ChartSource[]> {
  const files = sql.param(fileIds);
  await db.execute(sql`select id from files where id = any(${files}::bigint[]) order by id for share`);
  await db.execute(sql`select id from documents where file_id = any(${files}::bigint[]) order by id for share`);
  return rowsOf<ChartSource>(
    db,
    sql`select c.id, d.id as "documentId", c.type_id as "typeId", t.name as "typeName", c.name, c.title, c.data, d.name as "documentName",
        d.keyword, coalesce(d.industry_id, 0) as "industryId", i.name as industry, p.text as "pageText"
      from (select distinct on (file_id) * from documents where file_id = any(${files}::bigint[]) and state = 'published'
          order by file_id, id) as d
        join charts c on c.file_id = d.file_id join chart_types t on t.id = c.type_id
        left join industries i on i.id = d.industry_id
        left join pages p on p.file_id = c.file_id and p.page_number = c.page_number
      order by c.id`,
  );
}

/** Deletes the entries of charts of these files that are not among `kept`. */
export async function deleteOtherEntries(
  db: Db,
  fileIds: readonly number[],
  kept: readonly { id: number }[],
): Promise<void> {
  await db.execute(sql`delete from chart_entries e using charts c
    where c.id = e.chart_id and c.file_id = any(${sql.param(fileIds)}::bigint[])
      and c.id <> all(${sql.param(kept.map(({ id }) => id))}::bigint[])`);
}

/** Writes entries; the time is copied from the document. An entry that would not change is left alone, so that kept pages stay. */
export async function upsertChartEntries(
  db: Db,
  entries: (Pick<ChartSource, 'id' | 'documentId' | 'typeId' | 'industryId'> & { tokens: string })[],
): Promise<void> {
  if (entries.length === 0) return;
  const column = (valueOf: (entry: (typeof entries)[number]) => number | string) => sql.param(entries.map(valueOf));
  await db.execute(sql`insert into chart_entries as known (chart_id, document_id, type_id, industry_id, created_at, tokens)
    select e.chart_id, e.document_id, e.type_id, e.industry_id, d.created_at, e.tokens::tsvector
    from unnest(${column(({ id }) => id)}::bigint[], ${column(({ documentId }) => documentId)}::bigint[],
      ${column(({ typeId }) => typeId)}::integer[], ${column(({ industryId }) => industryId)}::integer[],
      ${column(({ tokens }) => tokens)}::text[]) as e (chart_id, document_id, type_id, industry_id, tokens)
    join documents d on d.id = e.document_id
    on conflict (chart_id) do update set document_id = excluded.document_id, type_id = excluded.type_id,
      industry_id = excluded.industry_id, created_at = excluded.created_at, tokens = excluded.tokens
    where (known.document_id, known.type_id, known.industry_id, known.created_at, known.tokens)
      is distinct from (excluded.document_id, excluded.type_id, excluded.industry_id, excluded.created_at, excluded.tokens)`);
}

/** Selects the files of documents in any state: the charts of a hidden document may now be shown by another one, or by none. */
export async function selectChartFilesOf(db: Db, documentIds: readonly number[]): Promise<number[]> {
  const rows = await rowsOf<{ id: number }>(
    db,
    sql`select distinct d.file_id as id from documents d where d.id = any(${sql.param(documentIds)}::bigint[])
      and exists (select from charts c where c.file_id = d.file_id) order by 1`,
  );
  return rows.map(({ id }) => id);
}

/** Looks at up to `limit` files after `afterId`, by id, and tells which have a published document and a chart without an entry. */
export function selectUnindexedFiles(
  db: Db,
  afterId: number,
  limit: number,
): Promise<{ id: number; isUnindexed: boolean }[]> {
  return rowsOf(
    db,
    sql`select f.id, exists (select from documents d where d.file_id = f.id and d.state = 'published')
        and exists (select from charts c where c.file_id = f.id
          and not exists (select from chart_entries e where e.chart_id = c.id)) as "isUnindexed"
      from (select id from files where id > ${afterId} order by id limit ${limit}) as f order by f.id`,
  );
}

/** Narrows the charts that are listed. 0 and null do not narrow. */
export type ChartFilter = {
  typeId: number;
  industryId: number;
  /** Documents brought in from `since` on, and before `before`. */
  since: Date | null;
  before: Date | null;
};

export type ChartsWanted = {
  filter: ChartFilter;
  limit: number;
  offset: number;
};

/** A chart with some of the words: `missing` are the indexes of those it lacks. */
export type FoundChart = { id: number; missing: number[] };
type ChartCounts = { types: Map<number, number>; industries: Map<number, number> };
export type FoundCharts = {
  charts: FoundChart[];
  /** Charts under the filter, and how many of them hold every word; these come first. */
  total: number;
  fullCount: number;
  /** Charts that hold every word, whatever the filter. */
  fullAnywhere: number;
  /** Indexes of words that no chart holds. */
  unknown: number[];
  counts: ChartCounts;
};

type FoundRow = {
  total: number;
  full_count: number;
  full_anywhere: number;
  unknown: number[];
  charts: FoundChart[] | null;
  types: { id: number; count: number }[] | null;
  industries: { id: number; count: number }[] | null;
};

/** Selects one page of all charts, the newest document first, with the counts of filter choices. */
export function selectAllCharts(db: Db, wanted: ChartsWanted): Promise<FoundCharts> {
  const hits = sql`select chart_id, document_id, type_id, industry_id, created_at, true as is_full, 0::float8 as worth,
    '[]'::jsonb as missing from chart_entries`;
  return selectFound(db, hits, sql`'[]'::jsonb`, wanted);
}

/** Makes the answer of `hits` (chart_id, document_id, type_id, industry_id, created_at, is_full, worth, missing): a page, totals, counts. */
export async function selectFound(db: Db, hits: SQL, unknown: SQL, wanted: ChartsWanted): Promise<FoundCharts> {
  const { typeId, industryId, since, before } = wanted.filter;
  const isType = typeId > 0 ? sql`type_id = ${typeId}` : sql`true`;
  const isIndustry = industryId > 0 ? sql`industry_id = ${industryId}` : sql`true`;
  const isTime = sql`${since ? sql`created_at >= ${since.toISOString()}::timestamptz` : sql`true`}
    and ${before ? sql`created_at < ${before.toISOString()}::timestamptz` : sql`true`}`;
  // The choices of a filter are counted under every filter but its own.
  const counted = (column: SQL, others: SQL) => sql`(select json_agg(json_build_object('id', id, 'count', count)) from
    (select ${column} as id, count(*) as count from hits where is_time and ${others} group by 1) as counted)`;
  const [row] = await rowsOf<FoundRow>(
    db,
    sql`with hits as materialized (
        select *, ${isType} as is_type, ${isIndustry} as is_industry, ${isTime} as is_time from (${hits}) as found
      ), shown as (select * from hits where is_type and is_industry and is_time)
      select (select count(*) from shown) as total, (select count(*) from shown where is_full) as full_count,
        (select count(*) from hits where is_full) as full_anywhere, ${unknown} as unknown,
        ${counted(sql`type_id`, sql`is_industry`)} as types, ${counted(sql`industry_id`, sql`is_type`)} as industries,
        (select json_agg(json_build_object('id', chart_id, 'missing', missing)
            order by is_full desc, worth desc, created_at desc, document_id desc, chart_id)
          from (select * from shown order by is_full desc, worth desc, created_at desc, document_id desc, chart_id
            limit ${wanted.limit} offset ${wanted.offset}) as page) as charts`,
  );
  if (!row) throw new Error('a chart search returned no row');
  const mapOf = (counts: { id: number; count: number }[] | null) =>
    new Map((counts ?? []).map(({ id, count }) => [id, count]));
  return {
    charts: row.charts ?? [],
    total: row.total,
    fullCount: row.full_count,
    fullAnywhere: row.full_anywhere,
    unknown: row.unknown,
    counts: { types: mapOf(row.types), industries: mapOf(row.industries) },
  };
}
