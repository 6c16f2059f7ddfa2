import { randomInt } from 'node:crypto';
import pg from 'pg';

/** Namespace of our advisory locks in pg_locks; the second key is the process's own. */
const LOCK_SPACE = 7_021_002;

/** A lock by someone who never registered: killed in the moment between taking a job and saying who it was. */
const UNKNOWN_AFTER_SECONDS = 60;

export type WorkerLease = {
  /** Marks a worker or pool of this process as alive for as long as the process lives. */
  register(workerId: string): Promise<void>;
  /** Frees the jobs of workers whose process is gone; returns how many jobs that were. */
  freeLost(): Promise<number>;
  close(): Promise<void>;
};

/**
 * A killed process leaves its jobs locked, and graphile-worker waits four hours before it trusts that. Here each
 * process holds an advisory lock on a connection of its own; the lock dies with it, and the next process to look frees
 * its jobs at once.
 */
export async function openWorkerLease(connectionString: string, pool: pg.Pool): Promise<WorkerLease> {
  const client = new pg.Client({ connectionString, application_name: 'ceku-lease', keepAlive: true });
  client.on('error', () => {});
  await client.connect();
  const lockKey = randomInt(1, 2_147_483_647);
  await client.query('select pg_advisory_lock($1::int, $2::int)', [LOCK_SPACE, lockKey]);
  return {
    async register(workerId) {
      const row = [workerId, lockKey];
      await pool.query('insert into job_workers (worker_id, lock_key) values ($1, $2) on conflict do nothing', row);
    },
    async freeLost() {
      const { rows: dead } = await pool.query<{ worker_id: string }>(
        `delete from job_workers w where not exists (
           select from pg_locks l where l.locktype = 'advisory' and l.classid = $1::int::oid
             and l.objid = w.lock_key::oid and l.granted)
         returning worker_id`,
        [LOCK_SPACE],
      );
      const { rows: lost } = await pool.query<{ id: string; locked_by: string; attempts: number }>(
        `select id, locked_by, attempts from graphile_worker.jobs where locked_by = any($1::text[])
           or (locked_at < now() - make_interval(secs => $2)
             and locked_by not in (select worker_id from job_workers))`,
        [dead.map((row) => row.worker_id), UNKNOWN_AFTER_SECONDS],
      );
      if (lost.length > 0) {
        await pool.query('select graphile_worker.force_unlock_workers($1::text[])', [lost.map((row) => row.locked_by)]);
        // A try that was cut off is no try: three power cuts must not use up a job.
        for (const { id, attempts } of lost) {
          await pool.query('select graphile_worker.reschedule_jobs(array[$1::bigint], attempts => $2::int)', [
            id,
            Math.max(0, attempts - 1),
          ]);
        }
      }
      return lost.length;
    },
    async close() {
      await pool.query('delete from job_workers where lock_key = $1', [lockKey]).catch(() => {});
      await client.end().catch(() => {});
    },
  };
}
