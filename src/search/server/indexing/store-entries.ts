import type { Sort } from '../../../library/limits.ts';
import { sql, type SQL } from 'drizzle-orm';
import { type DocumentFilter, type FacetCounts, noCounts } from '../../../library/document-filter.ts';
import type { FileType } from '../../../library/file-types.ts';
import type { KeyPage } from '../../../library/key-pages.ts';
import {
  countsJson,
  type CountsJson,
  documentFactColumns,
  FACT_NAMES,
  factColumns,
  factList,
  failedBits,
  toFacetCounts,
} from '../../../library/server/filter-sql.ts';
import { type Db, rowsOf } from '../../../platform/db/client.ts';

export type Wanted = {
  /** tsquery literal of the words, never empty. */
  query: string;
  filter: DocumentFilter;
  sort: Sort;
  /** Terms added to the score of a hit. */
  bonuses: { query: string; weight: number }[];
  limit: number;
  offset: number;
  /** Epoch ms. The recent days are counted back from it. */
  now: number;
  /** False leaves the counts empty. */
  isCounted?: boolean;
  /** Ids of documents that are no hits. */
  without?: readonly number[];
};

export type Found = { ids: number[]; total: number; counts: FacetCounts };

const FACTS = factColumns();

/**
 * Selects one page of the best hits, the exact total, and the counts of each filter choice. One statement, so that they agree; it visits
 * every hit once.
 */
export async function selectEntries(db: Db, wanted: Wanted): Promise<Found> {
  const [row] = await rowsOf<{ ids: number[] | null; total: number; counts: CountsJson | null }>(
    db,
    sql`with hits as materialized (
        select document_id, ${factList(FACTS)}, ${keyOf(wanted)} as key, ${failedBits(wanted.filter, FACTS)} as fails
        from search_entries where tokens @@ ${wanted.query}::tsquery${notAmong(wanted.without ?? [])}
      )
      select (select count(*) from hits where fails = 0) as total, ${wanted.isCounted === false ? sql`null` : countsJson(wanted.now)} as counts,
        (select json_agg(document_id order by key desc, document_id desc) from (
          select document_id, key from hits where fails = 0 order by key desc, document_id desc
          limit ${wanted.limit} offset ${wanted.offset}) as page) as ids`,
  );
  if (!row) throw new Error('a search returned no row');
  return { ids: row.ids ?? [], total: row.total, counts: row.counts ? toFacetCounts(row.counts) : noCounts() };
}

const notAmong = (ids: readonly number[]) =>
  ids.length > 0 ? sql` and document_id <> all(${sql.param(ids)}::bigint[])` : sql``;

/** Returns the sort key of hits, sorted descending, then by id descending. Times are rounded to the second, as in the engine. */
function keyOf({ sort, bonuses }: Wanted): SQL {
  if (sort === 'newest') return sql`floor(extract(epoch from created_at))`;
  if (sort === 'hottest') return sql`popularity`;
  if (sort === 'pages') return sql`page_count`;
  if (sort === 'budget') return sql`budget_yuan`;
  if (sort === 'people') return sql`people`;
  if (sort === 'days') return sql`days`;
  const worths = bonuses.map(
    ({ query, weight }) => sql`case when tokens @@ ${query}::tsquery then ${weight}::float8 else 0 end`,
  );
  return sql.join([sql`recommend_score`, ...worths], sql` + `);
}

export type EntrySource = {
  id: number;
  name: string;
  keyword: string;
  organization: string | null;
  industry: string | null;
  fileType: FileType;
  createdAt: string;
  budgetYuan: number;
  people: number;
  days: number;
  keyPages: KeyPage[];
};

/**
 * Selects the published documents among `ids` and locks them until the transaction ends: a document cannot be hidden between this read
 * and the write of its entry.
 */
export function lockSources(db: Db, ids: number[]): Promise<EntrySource[]> {
  return rowsOf<EntrySource>(
    db,
    sql`select d.id, d.name, d.keyword, o.name as organization, i.name as industry, f.file_type as "fileType",
        f.budget_fen / 100 as "budgetYuan", f.people, f.days, f.key_pages as "keyPages",
        to_char(d.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "createdAt"
      from documents d join files f on f.id = d.file_id
        left join organizations o on o.id = d.organization_id left join industries i on i.id = d.industry_id
      where d.id = any(${sql.param(ids)}::bigint[]) and d.state = 'published'
      order by d.id for share of d`,
  );
}

/** Writes entries; the database copies ranking and filter facts from the documents. */
export async function upsertEntries(db: Db, entries: { id: number; tokens: string }[]): Promise<void> {
  if (entries.length === 0) return;
  await db.execute(sql`insert into search_entries (document_id, tokens, recommend_score, popularity, ${COPIED})
    select d.id, e.tokens::tsvector, d.recommend_score, d.popularity, ${factList(documentFactColumns('d', 'f'))}
    from unnest(${sql.param(entries.map(({ id }) => id))}::bigint[], ${sql.param(entries.map(({ tokens }) => tokens))}::text[])
      as e (id, tokens) join documents d on d.id = e.id join files f on f.id = d.file_id
    on conflict (document_id) do update set tokens = excluded.tokens, recommend_score = excluded.recommend_score,
      popularity = excluded.popularity, (${COPIED}) = row (${EXCLUDED})`);
}

const COPIED = sql.raw(FACT_NAMES.join(', '));
const EXCLUDED = sql.raw(FACT_NAMES.map((name) => `excluded.${name}`).join(', '));

/** Selects the ids of up to `limit` published documents after `afterId`, ascending. */
export async function selectNextDocumentIds(db: Db, afterId: number, limit: number): Promise<number[]> {
  const rows = await rowsOf<{ id: number }>(
    db,
    sql`select id from documents where id > ${afterId} and state = 'published' order by id limit ${limit}`,
  );
  return rows.map((row) => row.id);
}

/** Deletes entries of documents that are not published. There are none unless somebody changed the tables by hand. */
export async function deleteStrayEntries(db: Db): Promise<number> {
  const rows = await rowsOf(
    db,
    sql`delete from search_entries e using documents d
      where d.id = e.document_id and d.state <> 'published' returning e.document_id`,
  );
  return rows.length;
}
