import { sql } from 'drizzle-orm';
import type { FilterFacts } from '../../../library/document-filter.ts';
import { factColumns, factFields, type FactFields, factList } from '../../../library/server/filter-sql.ts';
import { type Db, namedRowsOf, rowsOf } from '../../../platform/db/client.ts';

/** Selects the files of the published documents among `documentIds`. */
export async function selectFilesOf(db: Db, documentIds: number[]): Promise<number[]> {
  const rows = await rowsOf<{ id: number }>(
    db,
    sql`select distinct file_id as id from documents
      where id = any(${sql.param(documentIds)}::bigint[]) and state = 'published'`,
  );
  return rows.map((row) => row.id);
}

/** Selects up to `limit` files of published documents after `afterId`, by id. */
export async function selectNextFiles(db: Db, afterId: number, limit: number): Promise<number[]> {
  const rows = await rowsOf<{ id: number }>(
    db,
    sql`select f.id from files f where f.id > ${afterId}
      and exists (select from documents d where d.file_id = f.id and d.state = 'published') order by f.id limit ${limit}`,
  );
  return rows.map((row) => row.id);
}

/** A page as it was read. `digest` tells whether the text has changed since. */
export type ReadPage = { fileId: number; page: number; text: string; digest: string };

/** Selects up to `limit` pages of these files that have no entry yet. */
export function selectUnindexedPages(db: Db, fileIds: number[], limit: number): Promise<ReadPage[]> {
  return rowsOf(
    db,
    sql`select p.file_id as "fileId", p.page_number as page, p.text, md5(p.text) as digest from pages p
      where p.file_id = any(${sql.param(fileIds)}::bigint[])
        and not exists (select from page_entries e where e.file_id = p.file_id and e.page_number = p.page_number)
      order by p.file_id, p.page_number limit ${limit}`,
  );
}

/** Writes the entries of pages whose text is unchanged. A page that changed since it was read is indexed by the job of that change. */
export async function upsertPageEntries(
  db: Db,
  entries: (Omit<ReadPage, 'text'> & { tokens: string })[],
): Promise<void> {
  // The lock waits for uncommitted changes of text; it takes rows in the order in which pages are saved.
  await db.execute(sql`with still as materialized (
      select p.file_id, p.page_number, e.tokens
      from unnest(${sql.param(entries.map(({ fileId }) => fileId))}::bigint[],
        ${sql.param(entries.map(({ page }) => page))}::integer[],
        ${sql.param(entries.map(({ digest }) => digest))}::text[],
        ${sql.param(entries.map(({ tokens }) => tokens))}::text[]) as e (file_id, page, digest, tokens)
      join pages p on p.file_id = e.file_id and p.page_number = e.page and md5(p.text) = e.digest
      order by p.file_id, p.page_number for share of p
    )
    insert into page_entries (file_id, page_number, tokens) select file_id, page_number, tokens::tsvector from still
    on conflict (file_id, page_number) do update set tokens = excluded.tokens`);
}

export async function deletePageEntries(db: Db, fileIds: number[]): Promise<void> {
  await db.execute(sql`delete from page_entries where file_id = any(${sql.param(fileIds)}::bigint[])`);
}

/** Tells whether a page of a published document has no entry, as after an upgrade. */
export async function hasUnindexedPages(db: Db): Promise<boolean> {
  const [row] = await rowsOf<{ is_missing: boolean }>(
    db,
    sql`select exists (select from pages p
      where not exists (select from page_entries e where e.file_id = p.file_id and e.page_number = p.page_number)
        and exists (select from documents d where d.file_id = p.file_id and d.state = 'published')) as is_missing`,
  );
  return row?.is_missing ?? false;
}

/**
 * Selects the pages of each document that match `query` (a tsquery literal), at most `perDocument` and none after `lastPage`. Cover pages come last, because they
 * repeat the name. For a few documents only: it scans the pages of each file.
 */
export function selectPageHits(
  db: Db,
  documentIds: number[],
  query: string,
  { perDocument, lastPage }: { perDocument: number; lastPage: number | null },
): Promise<{ id: number; page: number; text: string }[]> {
  return namedRowsOf(
    db,
    'pages_of_documents',
    sql`select d.id, hit.page_number as page, p.text from documents d
      cross join lateral (
        select e.page_number from (
          -- Offset 0 keeps the planner from searching the index of all pages once per document.
          select page_number, tokens from page_entries where file_id = d.file_id offset 0) as e
        where e.tokens @@ ${query}::tsquery 
          and (${lastPage}::integer is null or e.page_number <= ${lastPage}::integer)
        order by (e.page_number = 1), e.page_number limit ${perDocument}) as hit
      join pages p on p.file_id = d.file_id and p.page_number = hit.page_number
      where d.id = any(${sql.param(documentIds)}::bigint[]) and d.state = 'published'
      order by d.id, (hit.page_number = 1), hit.page_number`,
  );
}

/** The columns of `shown`: the document of a file, of its entry `e`. */
const SHOWN = sql`e.document_id as id, ${factList(factColumns('e'))}, e.popularity, e.recommend_score`;
/** The fields of a PagedDocument, of a relation with the columns of SHOWN. */
const FIELDS = sql`id, ${factFields(factColumns())}, popularity`;
type PagedRow = FactFields & { id: number; popularity: number };
const toPaged = (row: PagedRow): PagedDocument => ({ ...row, createdAt: new Date(row.createdAt) });

/** Returns the condition that a document contains a word (tsquery literal) in its name, keywords and labels, or on one of its pages. */
const holds = (word: string) => sql`(e.tokens @@ ${word}::tsquery or exists (
  select from (select tokens from page_entries where file_id = d.file_id offset 0) as p where p.tokens @@ ${word}::tsquery))`;

/**
 * Selects at most `limit` documents, one per file, that contain all `words` (tsquery literals, the rarest first) anywhere. Documents with
 * more of the words in their names come first. Only the first MAX_FILES files of the rarest word are searched.
 */
export async function selectSpread(db: Db, wanted: { words: string[]; limit: number }): Promise<PagedDocument[]> {
  const [rarest = '', ...others] = wanted.words;
  const named = wanted.words.map((word) => sql`(e.tokens @@ ${word}::tsquery)::integer`);
  const rows = await rowsOf<PagedRow>(
    db,
    sql`with candidates as materialized (
        (select d.file_id from search_entries e join documents d on d.id = e.document_id
          where e.tokens @@ ${rarest}::tsquery order by e.recommend_score desc limit ${MAX_FILES})
        union (select distinct file_id from page_entries where tokens @@ ${rarest}::tsquery limit ${MAX_FILES})
      ), shown as (
        select distinct on (c.file_id) ${SHOWN}, ${sql.join(named, sql` + `)} as named
        from candidates c join documents d on d.file_id = c.file_id
          join search_entries e on e.document_id = d.id
        where ${sql.join(wanted.words.map(holds), sql` and `)}
        order by c.file_id, named desc, e.recommend_score desc, e.document_id desc
      )
      select ${FIELDS}
      from shown order by named desc, recommend_score desc, id desc limit ${others.length > 0 ? wanted.limit : 0}`,
  );
  return rows.map(toPaged);
}

/** Selects for each document which of `words` (tsquery literals) it contains. */
export async function selectHeld(db: Db, ids: number[], words: string[]): Promise<Map<number, boolean[]>> {
  const rows = await rowsOf<{ id: number; held: boolean[] }>(
    db,
    sql`select d.id, array[${sql.join(words.map(holds), sql`, `)}] as held
      from documents d join search_entries e on e.document_id = d.id where d.id = any(${sql.param(ids)}::bigint[])`,
  );
  return new Map(rows.map(({ id, held }) => [id, held]));
}

/** Selects the documents among `ids` whose name, keywords and labels match `query` (a tsquery literal). */
export async function selectMatching(db: Db, ids: number[], query: string): Promise<number[]> {
  const rows = await rowsOf<{ id: number }>(
    db,
    sql`select document_id as id from search_entries
      where document_id = any(${sql.param(ids)}::bigint[]) and tokens @@ ${query}::tsquery`,
  );
  return rows.map(({ id }) => id);
}

/** A word that occurs in more files is so common that it hardly matters which of them are shown. */
const MAX_FILES = 500;

export type PagedDocument = FilterFacts & { id: number; popularity: number };

/**
 * Selects at most `limit` documents, one per file, that contain `words` on their pages only; those with most such pages come first. They
 * are not filtered: the rows carry the facts to filter, sort and count by.
 */
export async function selectOnlyInPages(db: Db, wanted: { words: string; limit: number }): Promise<PagedDocument[]> {
  const rows = await rowsOf<PagedRow>(
    db,
    sql`with hits as materialized (
        select file_id, count(*) as pages from page_entries where tokens @@ ${wanted.words}::tsquery group by file_id
        order by pages desc, file_id desc limit ${MAX_FILES}
      ), said as materialized (
        select d.file_id from search_entries e join documents d on d.id = e.document_id
        where e.tokens @@ ${wanted.words}::tsquery
      ), shown as (
        select distinct on (h.file_id) ${SHOWN}, h.pages
        from hits h join documents d on d.file_id = h.file_id
          join search_entries e on e.document_id = d.id
        where h.file_id not in (select file_id from said)
        order by h.file_id, e.recommend_score desc, e.document_id desc
      )
      select ${FIELDS}
      from shown order by pages desc, recommend_score desc, id desc limit ${wanted.limit}`,
  );
  return rows.map(toPaged);
}
