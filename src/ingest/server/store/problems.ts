import { and, asc, count, eq, gt, inArray, isNotNull, isNull, lt, not, notInArray, or, sql } from 'drizzle-orm';
import type { FileType } from '../../../library/file-types.ts';
import { files, type FileState } from '../../../library/server/tables.ts';
import { rowsOf, type Db } from '../../../platform/db/client.ts';
import { openJobKeys } from '../../../platform/jobs/jobs.ts';
import { hasPrepareJob, PREPARE_FILE_JOB, prepareFileKeyOf } from './prepare-job.ts';
import { updateFile, type FileRow } from './files.ts';

/** Records why a preparation failed. A file whose pages are shown stays `ready`: its documents stay published. */
export async function updateFileFailed(db: Db, id: number, why: { code: string; detail: string }): Promise<void> {
  const state = sql<FileState>`case when ${files.state} = 'ready' then 'ready' else 'failed' end`;
  await updateFile(db, id, { state, failureCode: why.code, failureDetail: why.detail });
}

/** `isUntried` leaves out files of which a step has failed since the file was last queued. */
export type Retriable = {
  states: FileState[];
  exceptCodes: string[];
  types?: FileType[];
  isUntried?: boolean;
};

/**
 * Returns files that a new preparation may improve and that have no job, in the order of their ids. A `ready` file
 * whose last preparation failed counts as failed.
 */
export function selectRetriable(
  db: Db,
  { states, exceptCodes, types, isUntried }: Retriable,
  page: { afterId: number; limit: number },
): Promise<Pick<FileRow, 'id' | 'state'>[]> {
  const hasFailedStep = sql`exists (select from ingest_steps s where s.file_id = ${files.id} and s.state = 'failed'
    and s.step not in ('charts', 'fingerprint'))`;
  const isUnfinished = and(
    inArray(files.state, states),
    // Repeats the condition of the partial index of unfinished files, so that the planner uses the index.
    sql`${files.state} in ('waiting', 'pending-preview', 'failed')`,
  );
  const failedBehindShelf = and(eq(files.state, 'ready'), isNotNull(files.failureCode));
  return db
    .select({ id: files.id, state: files.state })
    .from(files)
    .where(
      and(
        states.includes('failed') ? or(isUnfinished, failedBehindShelf) : isUnfinished,
        gt(files.id, page.afterId),
        or(isNull(files.failureCode), notInArray(files.failureCode, exceptCodes)),
        types && inArray(files.fileType, types),
        isUntried ? not(hasFailedStep) : undefined,
        not(hasPrepareJob(files.id)),
      ),
    )
    .orderBy(asc(files.id))
    .limit(page.limit);
}

/** Returns the number of files whose last preparation failed with one of these codes, published ones included. */
export async function countFailed(db: Db, codes: string[]): Promise<number> {
  const [row] = await db
    .select({ files: count() })
    .from(files)
    .where(and(inArray(files.state, ['failed', 'ready']), inArray(files.failureCode, codes)));
  return row?.files ?? 0;
}

/** Whether a file has a job that prepares it. */
export async function hasOpenPreparation(db: Db): Promise<boolean> {
  const [row] = await rowsOf<{ found: boolean }>(
    db,
    sql`select exists (select from ${openJobKeys(PREPARE_FILE_JOB)} open) as found`,
  );
  return row?.found ?? false;
}

/** Returns the oldest file that failed for want of time and was not tried on a quiet machine yet; null when there is none. */
export async function selectTimedOut(db: Db): Promise<number | null> {
  const [row] = await db
    .select({ id: files.id })
    .from(files)
    .where(and(sql`${files.failureCode} in ('convert-timeout', 'render-timeout')`, eq(files.quietTries, 0)))
    .orderBy(asc(files.id))
    .limit(1);
  return row?.id ?? null;
}

/** Makes other processes that look for a file to try alone wait until this transaction ends. */
export async function lockQuietTries(db: Db): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtext('ingest quiet tries'))`);
}

/** Counts the try of a file on a quiet machine. */
export async function updateQuietTries(db: Db, id: number): Promise<void> {
  await updateFile(db, id, { quietTries: sql`${files.quietTries} + 1` });
}

/**
 * Returns published files whose images were drawn with an older version than `imagesVersion` and that have no job, in
 * the order of their ids. Leaves out files whose images were kept because fonts are missing on this machine (new images
 * would be larger but wrong) and files of the demo library that its own job has not completed yet.
 */
export function selectOutdated(
  db: Db,
  imagesVersion: number,
  page: { afterId: number; limit: number },
): Promise<FileRow[]> {
  return db
    .select()
    .from(files)
    .where(
      and(
        eq(files.state, 'ready'),
        lt(files.imagesVersion, imagesVersion),
        gt(files.id, page.afterId),
        sql`exists (select from ingest_steps s where s.file_id = ${files.id} and s.step = 'publish' and s.state = 'done')`,
        sql`not exists (select from ingest_steps s where s.file_id = ${files.id} and s.step = 'render' and s.detail ? 'kept')`,
        not(hasPrepareJob(files.id)),
      ),
    )
    .orderBy(asc(files.id))
    .limit(page.limit);
}

/** Returns files that have a job but no open batch, because an earlier preparation of the file has ended. */
export async function selectRequeuedFiles(db: Db, page: { afterId: number; limit: number }): Promise<number[]> {
  const rows = await rowsOf<{ id: number }>(
    db,
    sql`select f.id from ${openJobKeys(PREPARE_FILE_JOB)} open
      join files f on open.key = ${prepareFileKeyOf(sql`f.id`)}
      where f.id > ${page.afterId} and not exists (
        select from ingest_items i join ingest_batches b on b.id = i.batch_id
        where i.file_id = f.id and i.state in ('queued', 'running') and b.finished_at is null)
      order by f.id limit ${page.limit}`,
  );
  return rows.map((row) => row.id);
}

/** Returns the files that have a job which prepares them. */
export function selectOpenFiles(db: Db, ids: number[]): Promise<Pick<FileRow, 'id' | 'sizeBytes'>[]> {
  return db
    .select({ id: files.id, sizeBytes: files.sizeBytes })
    .from(files)
    .where(and(sql`${files.id} = any(${sql.param(ids)}::bigint[])`, hasPrepareJob(files.id)))
    .limit(ids.length);
}

export type Outcome = {
  documentId: number | null;
  name: string;
  /** The publish step is done. */
  isPublished: boolean;
  hasFailed: boolean;
  /** The document is published, whatever the result of this preparation. */
  isShown: boolean;
  /** Why the preparation failed, in plain English; "" when it did not fail. */
  reason: string;
  /** Names of fonts of the deck, and the fonts that replaced them. */
  fonts: Record<string, string>;
  /** Fonts that this machine lacks and because of which the page images were kept. */
  keptFor: string[];
};

/** Returns the results of files that were prepared again. */
export function selectOutcomes(db: Db, ids: number[]): Promise<Outcome[]> {
  const stepOf = (state: string) => sql`from ingest_steps s where s.file_id = f.id and s.state = ${state}
    and s.step not in ('charts', 'fingerprint')`;
  return rowsOf<Outcome>(
    db,
    sql`select d.id as "documentId", f.original_name as name, f.failure_code is not null as "hasFailed",
      coalesce(d.state = 'published', false) as "isShown",
      exists (select from ingest_steps s where s.file_id = f.id and s.step = 'publish' and s.state = 'done') as "isPublished",
      coalesce(f.failure_detail, (select s.error ${stepOf('failed')} limit 1), '') as reason, f.fonts,
      coalesce((select s.detail -> 'lacking' ${stepOf('done')} and s.step = 'render'), '[]') as "keptFor"
    from files f left join lateral (select id, state from documents where file_id = f.id order by id limit 1) d on true
    where f.id = any(${sql.param(ids)}::bigint[]) order by f.id limit ${ids.length}`,
  );
}
