import { randomInt } from 'node:crypto';
import pg from 'pg';

/** Namespace of our advisory locks in pg_locks; the second key is the process's own. */
const LOCK_SPACE = 7_021_002;

export type WorkerLease = {
  /** Marks a worker of this process as alive for as long as the process lives. */
  register(workerId: string): Promise<void>;
  /** Frees the jobs of workers whose process is gone; returns how many workers that were. */
  freeLost(): Promise<number>;
  close(): Promise<void>;
};

/**
 * A killed process leaves its jobs locked, and graphile-worker waits four hours before it trusts that. Here each
 * process holds an advisory lock on a connection of its own; the lock dies with it, and the next process to look frees
 * its jobs at once.
 */
export async function openWorkerLease(connectionString: string): Promise<WorkerLease> {
  const client = new pg.Client({ connectionString, application_name: 'ceku-lease', keepAlive: true });
  client.on('error', () => {});
  await client.connect();
  const lockKey = randomInt(1, 2_147_483_647);
  await client.query('select pg_advisory_lock($1::int, $2::int)', [LOCK_SPACE, lockKey]);
  return {
    async register(workerId) {
      await client.query('insert into job_workers (worker_id, lock_key) values ($1, $2) on conflict do nothing', [
        workerId,
        lockKey,
      ]);
    },
    async freeLost() {
      const { rows } = await client.query<{ worker_id: string }>(
        `select worker_id from job_workers w where not exists (
           select from pg_locks l where l.locktype = 'advisory' and l.classid = $1::int::oid
             and l.objid = w.lock_key::oid and l.granted)`,
        [LOCK_SPACE],
      );
      const ids = rows.map((row) => row.worker_id);
      if (ids.length === 0) return 0;
      await client.query('select graphile_worker.force_unlock_workers($1::text[])', [ids]);
      await client.query('delete from job_workers where worker_id = any($1::text[])', [ids]);
      return ids.length;
    },
    async close() {
      await client.query('delete from job_workers where lock_key = $1', [lockKey]).catch(() => {});
      await client.end().catch(() => {});
    },
  };
}
