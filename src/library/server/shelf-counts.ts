import { sql, type SQL } from 'drizzle-orm';
import { startOfYear } from '../rules.ts';
import {
  FAILS,
  PAGE_BANDS,
  pageBandOf,
  RECENT,
  sinceDays,
  type ShelfCounts,
  type ShelfFilter,
} from '../shelf-filter.ts';

/** Columns as SQL, of whatever table holds the facts. `fileKind`: 1 PPT, 2 PDF; `industryId`: 0 for none. */
export type FactColumns = {
  fileKind: SQL;
  themeIds: SQL;
  industryId: SQL;
  createdAt: SQL;
  pageCount: SQL;
  isFree: SQL;
};

/** Whether anyone may have the file for nothing, as SQL over two tables by name; what nobody may have is not free (isPreviewOnly of rules.ts). */
export const isFreeSql = (documents: string, files: string): SQL =>
  sql.raw(`(${documents}.price_coins = 0 and not ${files}.flags @> '{macros}')`);

/** What each part of a filter asks of a row; a part that asks for nothing is not there. */
function asked(filter: ShelfFilter, columns: FactColumns): { bit: number; holds: SQL }[] {
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

/** The whole filter as one condition. */
export function holdsAll(filter: ShelfFilter, columns: FactColumns): SQL {
  const parts = asked(filter, columns).map(({ holds }) => sql`(${holds})`);
  return parts.length > 0 ? sql.join(parts, sql` and `) : sql`true`;
}

/** One bit for each part the row fails (FAILS of shelf-filter.ts), as an integer. */
export function failedBits(filter: ShelfFilter, columns: FactColumns): SQL {
  const bits = asked(filter, columns).map(({ bit, holds }) => sql`(case when ${holds} then 0 else ${bit}::int end)`);
  return bits.length > 0 ? sql.join(bits, sql` | `) : sql`0`;
}

/**
 * All counts as one JSON value, of a relation `hits` with the columns fails, file_kind, theme_ids, industry_id,
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

/** What `countsJson` selects. */
export type CountsJson = Record<Exclude<keyof ShelfCounts, 'free'>, Record<string, number> | null> & { free: number };

export function toShelfCounts(json: CountsJson): ShelfCounts {
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
