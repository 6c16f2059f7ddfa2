import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { hasOpenJob } from '../../../platform/jobs/jobs.ts';

/** Name of the job that prepares one stored file (steps/jobs.ts). */
export const PREPARE_FILE_JOB = 'ingest-prepare-file';

const KEY_PREFIX = 'prepare-file:';

/** Returns the key of the job that prepares a file. A file has at most one such job. */
export function prepareFileKey(fileId: number): string {
  return `${KEY_PREFIX}${fileId}`;
}

/** SQL condition: the file has a job that waits or runs. `fileId` is the column with the id of the file. */
export function hasPrepareJob(fileId: SQLWrapper): SQL {
  return hasOpenJob(prepareFileKeyOf(fileId));
}

/** Returns the key of prepareFileKey as an SQL expression. */
export function prepareFileKeyOf(fileId: SQLWrapper): SQL {
  return sql`${sql.raw(`'${KEY_PREFIX}'`)} || ${fileId}`;
}
