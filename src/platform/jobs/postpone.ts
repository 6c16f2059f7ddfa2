import type pg from 'pg';

/**
 * Thrown by a handler that cannot run now through no fault of the job: the job runs again later, and the attempt does
 * not count.
 */
export class JobPostponed extends Error {
  readonly seconds: number;
  constructor(reason: string, seconds: number) {
    super(reason);
    this.seconds = seconds;
  }
}

export type PostponableJob = {
  id: string;
  task_identifier: string;
  payload: unknown;
  key: string | null;
  queue: string | null;
  priority: number;
  attempts: number;
  max_attempts: number;
};

/**
 * Reschedules a running job; to be called before its handler ends. A new job replaces it under its key, so that the job
 * exists at every moment. Where another job was enqueued under the key meanwhile, that newer one stays as it is.
 */
export async function postponeJob(pool: pg.Pool, job: PostponableJob, seconds: number): Promise<void> {
  await pool.query(
    `select from graphile_worker.add_job(identifier => $1, payload => $2::json, max_attempts => $3, job_key => $4,
         priority => $5, run_at => now() + make_interval(secs => $6), queue_name => $7) made,
       graphile_worker.reschedule_jobs(array[made.id], attempts => $8)
     where not exists (select from graphile_worker.jobs newer
       where newer.key = $4 and newer.id <> $9 and newer.attempts < newer.max_attempts)`,
    [
      job.task_identifier,
      JSON.stringify(job.payload),
      job.max_attempts,
      job.key,
      job.priority,
      seconds,
      job.queue,
      Math.max(0, job.attempts - 1),
      job.id,
    ],
  );
}
