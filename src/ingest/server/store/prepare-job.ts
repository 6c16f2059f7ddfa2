import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { hasOpenJob } from '../../../platform/jobs/jobs.ts';

/** Name of the job that prepares one stored file (steps/jobs.ts). */
export const PREPARE_FILE_JOB = 'ingest-prepare-file';

const KEY_PREFIX = 'prepare-file:';

/** Returns the key of the job that prepares this file: a file has one such job at most. */
export function prepareFileKey(fileId: number): string {
  return `${KEY_PREFIX}${fileId}`;
}

/** True for rows whose file has a job that waits or runs. `fileId`: the column with the file's id. */
export function hasPrepareJob(fileId: SQLWrapper): SQL {
  return hasOpenJob(prepareFileKeyOf(fileId));
}

/** The same key as an SQL expression, for statements that join files with their jobs. */
export function prepareFileKeyOf(fileId: SQLWrapper): SQL {
  return sql`${sql.raw(`'${KEY_PREFIX}'`)} || ${fileId}`;
}
