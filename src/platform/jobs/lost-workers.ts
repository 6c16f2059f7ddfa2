import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isSqlState } from '../db/client.ts';
import { endConnection, KEEP_ALIVE, limitAnswers, probe, PROMPT_ANSWER_MS } from '../db/silent-connections.ts';

/** Namespace of this module's advisory locks in pg_locks; the second key identifies the process. */
const LOCK_SPACE = 7_021_002;

/** A job lock by a worker that never registered: its process was killed between taking the job and registering. */
const UNKNOWN_AFTER_SECONDS = 60;

const CONNECT_MS = 5_000;
const AGAIN_MS = 300;
/**
 * How long a statement of a new connection waits for the lock that the server still holds for the old one; then the same connection asks
 * again. Shorter than the limit for an answer, so that a wait is not taken for silence.
 */
const LOCK_WAIT_MS = PROMPT_ANSWER_MS / 2;
/**
 * The server ends the session of a process that is not reached any more after 25 s, and with it the lease. TCP sends no keep-alive probes while
 * an answer is unacknowledged; tcp_user_timeout limits that wait.
 */
const SERVER_KEEP_ALIVE =
  '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c tcp_user_timeout=25000';

/**
 * Grace time after this process lost its own lease: a restart of the database, say, cost the other processes theirs as
 * well, and they need time to reconnect.
 */
const SETTLE_MS = 10_000;

type WorkerLease = {
  /**
   * Registers a worker or pool of this process as alive for as long as the process lives. If that fails, `freeLost`
   * makes up for it.
   */
  register(workerId: string): Promise<void>;
  /**
   * Frees the jobs of workers whose process has ended and returns their number. Never frees jobs of its own process,
   * and frees none while its own lease is lost or shortly after.
   */
  freeLost(): Promise<number>;
  /** Waits until no job is locked by a worker of this process, but no longer than `maxMs`. */
  whenNoneIsHeld(maxMs: number): Promise<void>;
  close(): Promise<void>;
};

/**
 * Opens the lease of this process. A killed process leaves its jobs locked, and graphile-worker waits four hours before
 * it frees them. Here each process holds an advisory lock on a separate connection; the lock ends with the process, and
 * the next sweep of another process frees its jobs at once. A connection that breaks while the process lives is opened
 * again under the same key.
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
        // An attempt that was cut off does not count: three power cuts must not use up a job.
        for (const { id, attempts } of lost) {
          await pool.query('select graphile_worker.reschedule_jobs(array[$1::bigint], attempts => $2::int)', [
            id,
            Math.max(0, attempts - 1),
          ]);
        }
      }
      return lost.length;
    },
    async whenNoneIsHeld(maxMs) {
      for (const giveUpAt = Date.now() + maxMs; Date.now() < giveUpAt; await sleep(50)) {
        const held = await pool
          .query('select from graphile_worker.jobs where locked_by = any($1::text[]) limit 1', [[...mine]])
          .catch(() => null);
        if (!held?.rowCount) return;
      }
    },
    async close() {
      await pool.query('delete from job_workers where lock_key = $1', [lockKey]).catch(() => {});
      await lock.close();
    },
  };
}

/** Returns an SQL subquery: whether a process holds the lock of this key; `$1` is the namespace. */
const LOCK_OF = (key: string) =>
  `select from pg_locks l where l.locktype = 'advisory' and l.classid = $1::int::oid and l.objid = (${key})::oid and l.granted`;

type Lock = {
  /** Asks the database, because a connection may be lost before this process notices. */
  isHeld(pool: pg.Pool): Promise<boolean>;
  /** Epoch milliseconds from which the leases of other processes can be trusted. */
  settledAt(): number;
  close(): Promise<void>;
};

/** LOCK_NOT_AVAILABLE: the wait has reached lock_timeout. */
const LOCK_TIMEOUT = '55P03';

/** Returns whether the connection has the lock; false after LOCK_WAIT_MS. */
async function takeLock(client: pg.Client, lockKey: number): Promise<boolean> {
  try {
    await client.query('select pg_advisory_lock($1::int, $2::int)', [LOCK_SPACE, lockKey]);
    return true;
  } catch (error) {
    if (isSqlState(error, LOCK_TIMEOUT)) return false;
    throw error;
  }
}

/** Holds the lock until `close`, and reconnects whenever the connection is lost. */
async function holdLock(connectionString: string, lockKey: number): Promise<Lock> {
  let settledAt = 0;
  let client: pg.Client | null = null;
  const closing = new AbortController();
  const open = async (): Promise<void> => {
    const opened = new pg.Client({
      connectionString,
      application_name: 'ceku-lease',
      connectionTimeoutMillis: CONNECT_MS,
      options: `-c lock_timeout=${LOCK_WAIT_MS} ${SERVER_KEEP_ALIVE}`,
      ...KEEP_ALIVE,
    });
    limitAnswers(opened, PROMPT_ANSWER_MS);
    const onLost = () => {
      if (client !== opened) return;
      client = null;
      void reopen();
    };
    opened.on('error', onLost).on('end', onLost);
    try {
      await opened.connect();
      // The server may still hold the old session, which keeps the lease meanwhile. The moment that session ends, a
      // statement must be waiting for the lock: while nobody holds it, another process may free the jobs of this one.
      while (!(await takeLock(opened, lockKey))) closing.signal.throwIfAborted();
    } catch (error) {
      await endConnection(opened);
      throw error;
    }
    if (closing.signal.aborted) return endConnection(opened);
    client = opened;
    probe(opened);
  };
  const reopen = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      // A failure has no caller to report to; other code that needs the database reports that it is away.
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
      await endConnection(asked);
      return false;
    },
    settledAt: () => settledAt,
    async close() {
      closing.abort();
      const held = client;
      client = null;
      if (held) await endConnection(held);
    },
  };
}
