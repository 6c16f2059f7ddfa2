import { and, asc, eq, inArray, isNotNull, not, or, sql } from 'drizzle-orm';
import { files, type FileState } from '../../library/server/tables.ts';
import { rowsOf, type Db } from '../../platform/db/client.ts';
import { hasOpenJob } from '../../platform/jobs/jobs.ts';
import { updateFile, type FileRow } from './store.ts';

/** Says why a preparation failed. A file whose pages are shown stays ready: what is on the shelf is not touched by it. */
export async function failFile(db: Db, id: number, why: { code: string; detail: string }): Promise<void> {
  const state = sql<FileState>`case when ${files.state} = 'ready' then 'ready' else 'failed' end`;
  await updateFile(db, id, { state, failureCode: why.code, failureDetail: why.detail });
}

/** Files that may come out better now, and that no job is about to prepare. Shown ones may have failed as well. */
export function selectRetriable(db: Db, states: FileState[], limit: number): Promise<FileRow[]> {
  const failedBehindShelf = states.includes('failed')
    ? and(eq(files.state, 'ready'), isNotNull(files.failureCode))
    : undefined;
  return db
    .select()
    .from(files)
    .where(
      and(or(inArray(files.state, states), failedBehindShelf), not(hasOpenJob(sql`'prepare-file:' || ${files.id}`))),
    )
    .orderBy(asc(files.id))
    .limit(limit);
}

/** Of these files, those that could not be prepared or wait for a tool, with a document and the reason in plain words. */
export function selectProblems(db: Db, fileIds: number[]): Promise<FileProblem[]> {
  if (fileIds.length === 0) return Promise.resolve([]);
  return rowsOf(
    db,
    sql`select f.id as "fileId", d.id as "documentId", coalesce(d.state = 'published', false) as "isShown",
        coalesce(f.failure_detail, s.error) as message
      from files f
        left join lateral (select id, state from documents where file_id = f.id order by id limit 1) as d on true
        left join ingest_steps s on s.file_id = f.id and s.state = 'waiting'
      where f.id = any(${sql.param(fileIds)}::bigint[]) and (f.failure_code is not null or s.state = 'waiting')
      order by f.id limit ${fileIds.length}`,
  );
}

export type FileProblem = { fileId: number; documentId: number | null; isShown: boolean; message: string };
