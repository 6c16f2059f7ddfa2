import { sql, type SQL } from 'drizzle-orm';
import {
  FAILS,
  PAGE_BANDS,
  pageBandOf,
  RECENT,
  type FilterCounts,
  type DocumentFilter,
  sinceDays,
} from '../document-filter.ts';
import { startOfYear } from '../rules.ts';

/** The filtered columns of a table, as SQL. `fileKind`: 1 PPT, 2 PDF; `industryId`: 0 for none. */
export type FactColumns = {
  fileKind: SQL;
  themeIds: SQL;
  industryId: SQL;
  createdAt: SQL;
  pageCount: SQL;
  isFree: SQL;
};

/** Returns the SQL condition that a file costs nothing, for two tables by name. A preview-only file is not free (isPreviewOnly of rules.ts). */
export const isFreeSql = (documents: string, files: string): SQL =>
  sql.raw(`(${documents}.price_coins = 0 and not ${files}.flags @> '{macros}')`);

/** Returns one condition per part of the filter; parts that match every row are left out. */
function conditionsOf(filter: DocumentFilter, columns: FactColumns): { bit: number; holds: SQL }[] {
  const { fileKind, themeId, industryId, created, isFree } = filter;
  const band = pageBandOf(filter.pageBand);
  const parts: { bit: number; holds: SQL }[] = [];
  if (fileKind) parts.push({ bit: FAILS.fileKind, holds: sql`${columns.fileKind} = ${fileKind}` });
  if (themeId) parts.push({ bit: FAILS.theme, holds: sql`${columns.themeIds} @> array[${themeId}]::integer[]` });
  if (industryId) parts.push({ bit: FAILS.industry, holds: sql`${columns.industryId} = ${industryId}` });
  if (created) parts.push({ bit: FAILS.created, holds: createdWithin(columns.createdAt, created) });
  if (band)
    parts.push({ bit: FAILS.pages, holds: sql`${columns.pageCount} between ${band.min}::int and ${band.max}::int` });
  if (isFree) parts.push({ bit: FAILS.free, holds: sql`${columns.isFree}` });
  return parts;
}

function createdWithin(createdAt: SQL, created: { since: Date } | { year: number }): SQL {
  if ('since' in created) return sql`${createdAt} >= ${created.since.toISOString()}::timestamptz`;
  const [from, to] = [startOfYear(created.year), startOfYear(created.year + 1)];
  return sql`${createdAt} >= ${from.toISOString()}::timestamptz and ${createdAt} < ${to.toISOString()}::timestamptz`;
}

/** Returns the whole filter as one SQL condition. */
export function holdsAll(filter: DocumentFilter, columns: FactColumns): SQL {
  const parts = conditionsOf(filter, columns).map(({ holds }) => sql`(${holds})`);
  return parts.length > 0 ? sql.join(parts, sql` and `) : sql`true`;
}

/** Returns SQL for an integer with one bit per part of the filter that the row fails (FAILS of document-filter.ts). */
export function failedBits(filter: DocumentFilter, columns: FactColumns): SQL {
  const bits = conditionsOf(filter, columns).map(
    ({ bit, holds }) => sql`(case when ${holds} then 0 else ${bit}::int end)`,
  );
  return bits.length > 0 ? sql.join(bits, sql` | `) : sql`0`;
}

/**
 * Returns SQL for all counts as one JSON value. It reads a relation `hits` with the columns fails, file_kind, theme_ids, industry_id,
 * created_at, page_count and is_free. `now` in epoch ms.
 */
export function countsJson(now: number): SQL {
  const but = (bit: number) => sql`(fails & ~${bit}::int) = 0`;
  const grouped = (key: SQL, bit: number, from = sql`hits`) =>
    sql`(select json_object_agg(key, count) from
      (select ${key} as key, count(*) from ${from} where ${but(bit)} group by 1) as g)`;
  const year = sql`extract(year from created_at at time zone 'Asia/Shanghai')::int`;
  const bands = sql.join(
    PAGE_BANDS.map(({ id, min, max }) => sql`when page_count between ${min}::int and ${max}::int then ${id}::int`),
    sql` `,
  );
  const recent = sql.join(
    RECENT.flatMap(({ id, days }) => [
      sql`${String(id)}::text`,
      sql`count(*) filter (where created_at >= ${sinceDays(days, now).toISOString()}::timestamptz)`,
    ]),
    sql`, `,
  );
  return sql`json_build_object(
    'fileKinds', ${grouped(sql`file_kind`, FAILS.fileKind)},
    'themes', ${grouped(sql`theme_id`, FAILS.theme, sql`hits, unnest(theme_ids) as theme_id`)},
    'industries', ${grouped(sql`nullif(industry_id, 0)`, FAILS.industry, sql`(select * from hits where industry_id > 0) as filed`)},
    'years', ${grouped(year, FAILS.created)},
    'recent', (select json_build_object(${recent}) from hits where ${but(FAILS.created)}),
    'pageBands', ${grouped(sql`case ${bands} end`, FAILS.pages, sql`(select * from hits where page_count > 0) as counted`)},
    'free', (select count(*) from hits where is_free and ${but(FAILS.free)}))`;
}

/** The JSON value that `countsJson` selects. */
export type CountsJson = Record<Exclude<keyof FilterCounts, 'free'>, Record<string, number> | null> & { free: number };

export function toFilterCounts(json: CountsJson): FilterCounts {
  const mapOf = (counts: Record<string, number> | null) =>
    new Map(Object.entries(counts ?? {}).map(([key, count]) => [Number(key), count]));
  return {
    fileKinds: mapOf(json.fileKinds),
    themes: mapOf(json.themes),
    industries: mapOf(json.industries),
    years: mapOf(json.years),
    recent: mapOf(json.recent),
    pageBands: mapOf(json.pageBands),
    free: json.free,
  };
}
