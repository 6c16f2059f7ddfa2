import { sql, type SQL } from 'drizzle-orm';
import {
  type ByFilterField,
  bandOf,
  BUDGET_BANDS,
  FACET_NAMES,
  type FacetName,
  countsOf,
  DAYS_BANDS,
  type DocumentFilter,
  type FacetCounts,
  type FilterFacts,
  mapFilterFields,
  bitOfFacet,
  PAGE_BANDS,
  PEOPLE_BANDS,
  RECENT_PERIODS,
  daysBefore,
} from '../document-filter.ts';
import { startOfYear } from '../rules.ts';

/** Returns the SQL condition that a file costs nothing, for two tables by name. A preview-only file is not free (isPreviewOnly of rules.ts). */
const isFreeSql = (documents: string, files: string) =>
  `(${documents}.price_coins = 0 and not ${files}.flags @> '{macros}')`;

type Fact = { column: string; of: (documents: string, files: string) => string; isLabel?: true };

/** Each fact: its column in search_entries, and its value in a document and its file. `isLabel`: null in a document and 0 in the column mean none. */
const FACTS: Record<keyof FilterFacts, Fact> = {
  fileKind: { column: 'file_kind', of: (_, f) => `(case when ${f}.file_type = 'pdf' then 2 else 1 end)` },
  themeIds: { column: 'theme_ids', of: (d) => `${d}.theme_ids` },
  industryId: { column: 'industry_id', of: (d) => `${d}.industry_id`, isLabel: true },
  createdAt: { column: 'created_at', of: (d) => `${d}.created_at` },
  pageCount: { column: 'page_count', of: (_, f) => `${f}.page_count` },
  isFree: { column: 'is_free', of: isFreeSql },
  budgetYuan: { column: 'budget_yuan', of: (_, f) => `(${f}.budget_fen / 100)` },
  people: { column: 'people', of: (_, f) => `${f}.people` },
  days: { column: 'days', of: (_, f) => `${f}.days` },
};

// Safe: the keys of the literal above.
const FACT_KEYS = Object.keys(FACTS) as (keyof FilterFacts)[];

/** The columns of search_entries that hold facts. */
export const FACT_NAMES: readonly string[] = FACT_KEYS.map((key) => FACTS[key].column);

/** The facts of a row, as SQL. */
type FactColumns = Record<keyof FilterFacts, SQL>;

function columnsBy(textOf: (fact: Fact) => string): FactColumns {
  // Safe: one entry for each key.
  return Object.fromEntries(FACT_KEYS.map((key) => [key, sql.raw(textOf(FACTS[key]))])) as FactColumns;
}

/** Returns the facts of search_entries, or of a relation with the same columns; `alias` is its name in a join. */
export const factColumns = (alias = ''): FactColumns =>
  columnsBy(({ column }) => (alias ? `${alias}.${column}` : column));

/** Returns the facts of a document and its file, for two tables by name. */
export const documentFactColumns = (documents: string, files: string): FactColumns =>
  columnsBy(({ of }) => of(documents, files));

/** Returns the facts as a list of columns with the names and in the order of FACT_NAMES. */
export const factList = (columns: FactColumns): SQL => listed(columns, (key) => FACTS[key].column);

/** Returns the facts as a list of columns with the names of FilterFacts; `createdAt` is in epoch ms. */
export function factFields(columns: FactColumns): SQL {
  const createdAt = sql`(extract(epoch from ${columns.createdAt}) * 1000)::float8`;
  return listed({ ...columns, createdAt }, (key) => `"${key}"`);
}

function listed(columns: FactColumns, nameOf: (key: keyof FilterFacts) => string): SQL {
  const named = FACT_KEYS.map((key) => {
    const value = FACTS[key].isLabel ? sql`coalesce(${columns[key]}, 0)` : columns[key];
    return sql`${value} as ${sql.raw(nameOf(key))}`;
  });
  return sql.join(named, sql`, `);
}

/** The condition of each field of a filter; null matches every row. */
const HOLDS: ByFilterField<[FactColumns], SQL | null> = {
  fileKind: (kind, columns) => sql`${columns.fileKind} = ${kind}`,
  themeId: (theme, columns) => sql`${columns.themeIds} @> array[${theme}]::integer[]`,
  industryId: (industry, columns) => sql`${columns.industryId} = ${industry}`,
  created: (created, columns) => createdWithin(columns.createdAt, created),
  pageBand: (id, columns) => within(columns.pageCount, PAGE_BANDS, id),
  isFree: (_, columns) => columns.isFree,
  budgetBand: (id, columns) => within(columns.budgetYuan, BUDGET_BANDS, id),
  peopleBand: (id, columns) => within(columns.people, PEOPLE_BANDS, id),
  daysBand: (id, columns) => within(columns.days, DAYS_BANDS, id),
};

function within(column: SQL, bands: Parameters<typeof bandOf>[0], id: number): SQL | null {
  const band = bandOf(bands, id);
  return band && sql`${column} between ${band.min}::int and ${band.max}::int`;
}

function createdWithin(createdAt: SQL, created: { since: Date } | { year: number }): SQL {
  if ('since' in created) return sql`${createdAt} >= ${created.since.toISOString()}::timestamptz`;
  const [from, to] = [startOfYear(created.year), startOfYear(created.year + 1)];
  return sql`${createdAt} >= ${from.toISOString()}::timestamptz and ${createdAt} < ${to.toISOString()}::timestamptz`;
}

/** Returns the whole filter as one SQL condition. */
export function matchesFilter(filter: DocumentFilter, columns: FactColumns): SQL {
  const conditions = mapFilterFields(filter, HOLDS, columns).flatMap(({ result }) =>
    result ? [sql`(${result})`] : [],
  );
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`;
}

/** Returns SQL for an integer with one bit per field of the filter that the row fails (FILTER_BITS of document-filter.ts). */
export function failedBits(filter: DocumentFilter, columns: FactColumns): SQL {
  const bits = mapFilterFields(filter, HOLDS, columns).flatMap(({ bit, result }) =>
    result ? [sql`(case when ${result} then 0 else ${bit}::int end)`] : [],
  );
  return bits.length > 0 ? sql.join(bits, sql` | `) : sql`0`;
}

/** Returns SQL for all counts as one JSON value. It reads a relation `hits` with the columns of factList and `fails`. `now` in epoch ms. */
export function countsJson(now: number): SQL {
  const but = (name: FacetName) => sql`(fails & ~${bitOfFacet(name)}::int) = 0`;
  const grouped = (name: FacetName, key: SQL, from = sql`hits`) =>
    sql`(select json_object_agg(key, count) from
      (select ${key} as key, count(*) from ${from} where ${but(name)} group by 1) as g)`;
  const ofLabel = (name: FacetName, column: string) =>
    grouped(name, sql`nullif(${sql.raw(column)}, 0)`, sql`(select * from hits where ${sql.raw(column)} > 0) as filed`);
  const ofBands = (name: FacetName, column: string, bands: Parameters<typeof bandOf>[0]) => {
    const value = sql.raw(column);
    const cases = bands.map(
      ({ id, min, max }) => sql`when ${value} between ${min}::int and ${max}::int then ${id}::int`,
    );
    return grouped(
      name,
      sql`case ${sql.join(cases, sql` `)} end`,
      sql`(select * from hits where ${value} > 0) as stated`,
    );
  };
  const recent = sql.join(
    RECENT_PERIODS.flatMap(({ id, days }) => [
      sql`${String(id)}::text`,
      sql`count(*) filter (where created_at >= ${daysBefore(days, now).toISOString()}::timestamptz)`,
    ]),
    sql`, `,
  );
  const counts: Record<FacetName, SQL> = {
    fileKinds: grouped('fileKinds', sql`file_kind`),
    themes: grouped('themes', sql`theme_id`, sql`hits, unnest(theme_ids) as theme_id`),
    industries: ofLabel('industries', 'industry_id'),
    years: grouped('years', sql`extract(year from created_at at time zone 'Asia/Shanghai')::int`),
    recent: sql`(select json_build_object(${recent}) from hits where ${but('recent')})`,
    pageBands: ofBands('pageBands', 'page_count', PAGE_BANDS),
    budgetBands: ofBands('budgetBands', 'budget_yuan', BUDGET_BANDS),
    peopleBands: ofBands('peopleBands', 'people', PEOPLE_BANDS),
    daysBands: ofBands('daysBands', 'days', DAYS_BANDS),
    free: sql`(select json_build_object('1', count(*)) from hits where is_free and ${but('free')})`,
  };
  const named = FACET_NAMES.map((name) => sql`${sql.raw(`'${name}'`)}, ${counts[name]}`);
  return sql`json_build_object(${sql.join(named, sql`, `)})`;
}

/** The JSON value that `countsJson` selects. */
export type CountsJson = Record<FacetName, Record<string, number> | null>;

export function toFacetCounts(json: CountsJson): FacetCounts {
  return countsOf((name) => new Map(Object.entries(json[name] ?? {}).map(([key, count]) => [Number(key), count])));
}
