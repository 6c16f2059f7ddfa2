import { sql } from 'drizzle-orm';
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

/** Selects up to `limit` pages of these files after the page `place`, by file and page. */
export function selectPages(
  db: Db,
  fileIds: number[],
  place: Pick<ReadPage, 'fileId' | 'page'>,
  limit: number,
): Promise<ReadPage[]> {
  return rowsOf(
    db,
    sql`select file_id as "fileId", page_number as page, text, md5(text) as digest from pages
      where file_id = any(${sql.param(fileIds)}::bigint[])
        and (file_id, page_number) > (${place.fileId}::bigint, ${place.page}::integer)
      order by file_id, page_number limit ${limit}`,
  );
}

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

/** Looks at up to `limit` files after `afterId`, by id, and tells which have a published document and a page without an entry. */
export function selectUnindexedFiles(
  db: Db,
  afterId: number,
  limit: number,
): Promise<{ id: number; isUnindexed: boolean }[]> {
  return rowsOf(
    db,
    sql`select f.id, exists (select from documents d where d.file_id = f.id and d.state = 'published')
        and exists (select from pages p where p.file_id = f.id
          and not exists (select from page_entries e where e.file_id = p.file_id and e.page_number = p.page_number)) as "isUnindexed"
      from (select id from files where id > ${afterId} order by id limit ${limit}) as f order by f.id`,
  );
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
