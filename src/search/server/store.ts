import { sql, type SQL } from 'drizzle-orm';
import { rowsOf, type Db } from '../../platform/db/client.ts';
import type { FileType } from '../../library/file-types.ts';

export type Wanted = {
  /** tsquery literal of words and marks, never empty. */
  query: string;
  since: Date | null;
  /** 0: all. */
  themeId: number;
  /** Terms added to the score of a hit. */
  bonuses: { query: string; weight: number }[];
  limit: number;
  offset: number;
};

export type Found = { ids: number[]; total: number; themeCounts: Map<number, number> };

type FoundRow = { ids: number[] | null; total: number; themes: { id: number; count: number }[] | null };

/**
 * One page of the best hits, the exact number of all, and how many there are of each theme whatever theme is asked for.
 * One statement, so that the three agree; its cost is that of visiting every hit once.
 */
export async function findEntries(db: Db, wanted: Wanted): Promise<Found> {
  const score = sql.join(
    [
      sql`recommend_score`,
      ...wanted.bonuses.map(
        ({ query, weight }) => sql`case when tokens @@ ${query}::tsquery then ${weight}::float8 else 0 end`,
      ),
    ],
    sql` + `,
  );
  const [row] = await rowsOf<FoundRow>(
    db,
    sql`with hits as materialized (
        select document_id, theme_ids, ${score} as score from search_entries where ${matches(wanted)}
      ), seen as (
        select document_id, score from hits where ${ofTheme(wanted.themeId)}
      )
      select (select count(*) from seen) as total,
        (select json_agg(json_build_object('id', theme_id, 'count', count)) from (
          select theme_id, count(*) from hits, unnest(theme_ids) as theme_id group by theme_id) as t) as themes,
        (select json_agg(document_id order by score desc, document_id desc) from (
          select document_id, score from seen order by score desc, document_id desc
          limit ${wanted.limit} offset ${wanted.offset}) as page) as ids`,
  );
  return {
    ids: row?.ids ?? [],
    total: row?.total ?? 0,
    themeCounts: new Map(row?.themes?.map((theme) => [theme.id, theme.count])),
  };
}

function matches(wanted: { query: string; since: Date | null }): SQL {
  const asked = sql`tokens @@ ${wanted.query}::tsquery`;
  return wanted.since ? sql`${asked} and created_at >= ${wanted.since.toISOString()}::timestamptz` : asked;
}

function ofTheme(themeId: number): SQL {
  return themeId === 0 ? sql`true` : sql`theme_ids @> array[${themeId}]::integer[]`;
}

export type EntrySource = {
  id: number;
  name: string;
  keyword: string;
  organization: string | null;
  industry: string | null;
  fileType: FileType;
  createdAt: string;
};

/**
 * The published ones of `ids`, locked until the transaction ends: a document cannot leave the shelf between being read
 * here and its entry being written.
 */
export function lockSources(db: Db, ids: number[]): Promise<EntrySource[]> {
  return rowsOf<EntrySource>(
    db,
    sql`select d.id, d.name, d.keyword, o.name as organization, i.name as industry, f.file_type as "fileType",
        to_char(d.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "createdAt"
      from documents d join files f on f.id = d.file_id
        left join organizations o on o.id = d.organization_id left join industries i on i.id = d.industry_id
      where d.id = any(${sql.param(ids)}::bigint[]) and d.state = 'published'
      order by d.id for share of d`,
  );
}

/** Writes entries; ranking and filter facts are taken from the documents themselves. */
export async function putEntries(db: Db, entries: { id: number; tokens: string }[]): Promise<void> {
  if (entries.length === 0) return;
  await db.execute(sql`insert into search_entries (document_id, tokens, recommend_score, theme_ids, created_at)
    select d.id, e.tokens::tsvector, d.recommend_score, d.theme_ids, d.created_at
    from unnest(${sql.param(entries.map(({ id }) => id))}::bigint[], ${sql.param(entries.map(({ tokens }) => tokens))}::text[])
      as e (id, tokens) join documents d on d.id = e.id
    on conflict (document_id) do update set tokens = excluded.tokens, recommend_score = excluded.recommend_score,
      theme_ids = excluded.theme_ids, created_at = excluded.created_at`);
}

/** Up to `limit` published documents after `afterId`, by id. */
export async function nextDocumentIds(db: Db, afterId: number, limit: number): Promise<number[]> {
  const rows = await rowsOf<{ id: number }>(
    db,
    sql`select id from documents where id > ${afterId} and state = 'published' order by id limit ${limit}`,
  );
  return rows.map((row) => row.id);
}

/** Entries of documents that are not on the shelf; there are none unless someone wrote to the tables by hand. */
export async function removeStrayEntries(db: Db): Promise<number> {
  const rows = await rowsOf(
    db,
    sql`delete from search_entries e using documents d
      where d.id = e.document_id and d.state <> 'published' returning e.document_id`,
  );
  return rows.length;
}
