import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Namespace of our advisory locks in pg_locks; the second key is the process's own. */
const LOCK_SPACE = 7_021_002;

/** A lock by someone who never registered: killed in the moment between taking a job and saying who it was. */
const UNKNOWN_AFTER_SECONDS = 60;

const CONNECT_MS = 5_000;
const AGAIN_MS = 300;

/** What cost us our lease, a restart of the database say, cost the others theirs: time for them to be back as well. */
const SETTLE_MS = 10_000;

export type WorkerLease = {
  /** Marks a worker or pool of this process as alive for as long as the process lives. If it fails, `freeLost` makes up for it. */
  register(workerId: string): Promise<void>;
  /**
   * Frees the jobs of workers whose process is gone; returns how many jobs that were. Never those of its own process; none
   * at all while its own lease is lost, nor for a while after.
   */
  freeLost(): Promise<number>;
  close(): Promise<void>;
};

/**
 * A killed process leaves its jobs locked, and graphile-worker waits four hours before it trusts that. Here each
 * process holds an advisory lock on a connection of its own; the lock dies with it, and the next process to look frees
 * its jobs at once. A connection that breaks while the process lives is opened again under the same key.
 */
export async function openWorkerLease(connectionString: string, pool: pg.Pool): Promise<WorkerLease> {
  const lockKey = randomInt(1, 2_147_483_647);
  const mine = new Set<string>();
  const lock = await holdLock(connectionString, lockKey);
  const registerMine = () =>
    pool.query(
      `insert into job_workers (worker_id, lock_key)
       select id, $2 from unnest($1::text[]) id on conflict (worker_id) do nothing`,
      [[...mine], lockKey],
    );
  return {
    async register(workerId) {
      mine.add(workerId);
      await registerMine();
    },
    async freeLost() {
      if (!(await lock.isHeld(pool))) return 0;
      await registerMine();
      if (Date.now() < lock.settledAt()) return 0;
      const { rows: dead } = await pool.query<{ worker_id: string }>(
        `delete from job_workers w where w.lock_key <> $2 and not exists (${LOCK_OF('w.lock_key')}) returning worker_id`,
        [LOCK_SPACE, lockKey],
      );
      const { rows: lost } = await pool.query<{ id: string; locked_by: string; attempts: number }>(
        `select id, locked_by, attempts from graphile_worker.jobs where locked_by <> all($3::text[])
           and (locked_by = any($1::text[])
             or (locked_at < now() - make_interval(secs => $2)
               and locked_by not in (select worker_id from job_workers)))`,
        [dead.map((row) => row.worker_id), UNKNOWN_AFTER_SECONDS, [...mine]],
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
      await lock.close();
    },
  };
}

/** Whether somebody holds the lock of this key, as a subquery; `$1` is the space. */
const LOCK_OF = (key: string) =>
  `select from pg_locks l where l.locktype = 'advisory' and l.classid = $1::int::oid and l.objid = (${key})::oid and l.granted`;

type Lock = {
  /** Asks the database itself: a connection may be gone without our having heard of it. */
  isHeld(pool: pg.Pool): Promise<boolean>;
  /** Epoch milliseconds from which what others hold can be believed. */
  settledAt(): number;
  close(): Promise<void>;
};

/** Holds the lock until `close`, opening the connection again as often as it is lost. */
async function holdLock(connectionString: string, lockKey: number): Promise<Lock> {
  let settledAt = 0;
  let client: pg.Client | null = null;
  const closing = new AbortController();
  const open = async (): Promise<void> => {
    const opened = new pg.Client({
      connectionString,
      application_name: 'ceku-lease',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
    });
    const onLost = () => {
      if (client !== opened) return;
      client = null;
      void reopen();
    };
    opened.on('error', onLost).on('end', onLost);
    try {
      await opened.connect();
      // Where the server still holds the old session it waits here, and that one keeps us alive meanwhile.
      await opened.query('select pg_advisory_lock($1::int, $2::int)', [LOCK_SPACE, lockKey]);
    } catch (error) {
      await opened.end().catch(() => {});
      throw error;
    }
    if (closing.signal.aborted) await opened.end().catch(() => {});
    else client = opened;
  };
  const reopen = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      // Above the lease there is nobody to tell: whoever cannot reach the database says so.
      const isOpen = await open().then(
        () => true,
        () => false,
      );
      settledAt = Date.now() + SETTLE_MS;
      if (isOpen) return;
      await sleep(AGAIN_MS, undefined, { ref: false, signal: closing.signal }).catch(() => {});
    }
  };
  await open();
  return {
    async isHeld(pool) {
      const asked = client;
      if (!asked) return false;
      const { rows } = await pool.query<{ held: boolean }>(`select exists (${LOCK_OF('$2::int')}) as held`, [
        LOCK_SPACE,
        lockKey,
      ]);
      if (rows[0]?.held) return client === asked;
      await asked.end().catch(() => {});
      return false;
    },
    settledAt: () => settledAt,
    async close() {
      closing.abort();
      const held = client;
      client = null;
      await held?.end().catch(() => {});
    },
  };
}
