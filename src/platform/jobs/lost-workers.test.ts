import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import pg from 'pg';
import { openLine } from '../../../tests/cut-line.ts';
import { createTestDatabase, type TestDatabase } from '../../../tests/test-database.ts';
import { z } from 'zod';
import { openDatabase } from '../db/client.ts';
import { createLog } from '../log.ts';
import { createJobs, defineJob, startWorkers } from './jobs.ts';
import { openWorkerLease } from './lost-workers.ts';

const PROCESS = fileURLToPath(new URL('./lost-workers.test-process.ts', import.meta.url));

let database: TestDatabase;
let client: pg.Client;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
  // A connection that breaks is replaced; without a listener its error would fail the run.
  pool.on('error', () => undefined);
});
beforeEach(() => client.query('delete from graphile_worker._private_jobs'));
afterAll(async () => {
  await client.end();
  await pool.end();
  await database.drop();
});

async function lockJob(worker: string): Promise<void> {
  await client.query(`select graphile_worker.add_job('some-work')`);
  await client.query(
    `update graphile_worker._private_jobs set locked_at = now(), locked_by = $1 where locked_by is null`,
    [worker],
  );
}

const lockedBy = async () => {
  const { rows } = await client.query<{ locked_by: string }>(
    'select locked_by from graphile_worker._private_jobs where locked_by is not null order by 1',
  );
  return rows.map((row) => row.locked_by);
};

test('jobs of a process that is gone are freed at once; those of a living one are left alone', async () => {
  const living = await openWorkerLease(database.url, pool);
  await living.register('worker-living');
  await lockJob('worker-living');
  const dying = spawn(process.execPath, [PROCESS, database.url, 'worker-dead'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(dying.stdout, 'data');

  const next = await openWorkerLease(database.url, pool);
  expect(await next.freeLost()).toBe(0);
  expect(await lockedBy()).toEqual(['worker-dead', 'worker-living']);

  dying.kill('SIGKILL');
  await once(dying, 'exit');
  await expect.poll(() => next.freeLost(), { timeout: 10_000 }).toBe(1);
  expect(await lockedBy()).toEqual(['worker-living']);
  await living.close();
  await next.close();
});

test('a job that runs is locked in a name we registered: no guess about the queue’s own naming', async () => {
  const app = openDatabase(database.url, { max: 4, log: createLog('silent') });
  const { db } = app;
  let finish = () => {};
  let isTaken = false;
  const job = defineJob({
    name: 'long-work',
    payload: z.object({}),
    maxAttempts: 1,
    load: () =>
      Promise.resolve(() => {
        isTaken = true;
        return new Promise<void>((done) => (finish = done));
      }),
  });
  const log = createLog('silent');
  const workers = await startWorkers({
    url: database.url,
    pool: app.pool,
    jobs: [job],
    ctx: null,
    concurrency: 1,
    log,
  });
  await createJobs(db).add(job, {});
  await expect.poll(() => isTaken, { timeout: 10_000 }).toBe(true);
  const known = `select from graphile_worker.jobs where task_identifier = 'long-work' and locked_by in (select worker_id from job_workers)`;
  // The name is registered beside the taking of the job, not before it.
  await expect.poll(async () => (await client.query(known)).rows.length, { timeout: 30_000 }).toBe(1);
  finish();
  await expect.poll(() => createJobs(db).countOpen(['long-work'])).toBe(0);
  await workers.stop();
  await app.close();
});

test('a lock nobody registered is freed after a minute, not before', async () => {
  const lease = await openWorkerLease(database.url, pool);
  await lockJob('nobody-knows');
  expect(await lease.freeLost()).toBe(0);
  await client.query(
    `update graphile_worker._private_jobs set locked_at = now() - interval '2 minutes' where locked_by = 'nobody-knows'`,
  );
  expect(await lease.freeLost()).toBe(1);
  await lease.close();
});

/** Ends the database connections of one process, as pg_terminate_backend or a failing network does. */
async function endLeases(): Promise<void> {
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'ceku-lease' and datname = current_database()`,
  );
}

/** Looks again and again, as the sweep does every few seconds. */
async function sweepFor(ms: number, lease: { freeLost(): Promise<number> }): Promise<number> {
  let freed = 0;
  for (const end = Date.now() + ms; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 20)))
    freed += await lease.freeLost();
  return freed;
}

test('a process that loses its lease takes it up again and never frees its own jobs', async () => {
  const lease = await openWorkerLease(database.url, pool);
  await lease.register('worker-cut');
  await lockJob('worker-cut');
  await endLeases();
  expect(await sweepFor(1_000, lease)).toBe(0);
  expect(await lockedBy()).toEqual(['worker-cut']);
  // To another it is alive again: lock and row are back.
  const other = await openWorkerLease(database.url, pool);
  await expect.poll(() => other.freeLost()).toBe(0);
  expect(await lockedBy()).toEqual(['worker-cut']);
  await lease.close();
  await other.close();
});

/** The leases of this database in pg_locks, which lists the locks of the whole server; 7021002 is LOCK_SPACE. */
const LEASES = `locktype = 'advisory' and classid = 7021002
  and database = (select oid from pg_database where datname = current_database())`;

test('a lease whose connection fell silent is taken up again when the server has ended the old session', async () => {
  const line = await openLine(database.url);
  const lease = await openWorkerLease(line.url, pool);
  await lease.register('worker-silent');
  await lockJob('worker-silent');
  const other = await openWorkerLease(database.url, pool);
  line.silence();
  const waiters = async () => (await client.query(`select from pg_locks where ${LEASES} and not granted`)).rowCount;
  // The new session waits for the old one, which keeps the jobs.
  await expect.poll(waiters, { timeout: 20_000, interval: 20 }).toBe(1);
  expect(await other.freeLost()).toBe(0);
  // It waits all the time, however long the server takes: 6 s are two of its waits. Between them there is a round trip.
  let gap = 0;
  for (const end = Date.now() + 6_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 20))) {
    gap = (await waiters()) === 1 ? 0 : gap + 1;
    expect(gap).toBeLessThan(3);
  }
  await client.query(
    `select pg_terminate_backend(pid) from pg_locks where ${LEASES} and granted and objid in
      (select objid from pg_locks where ${LEASES} and not granted)`,
  );
  await expect.poll(waiters, { timeout: 5_000, interval: 20 }).toBe(0);
  expect(await other.freeLost()).toBe(0);
  expect(await lockedBy()).toEqual(['worker-silent']);
  line.silence();
  await lease.close();
  await other.close();
  await line.cut();
}, 40_000);

test('a registration that failed is made up for; a job under that name is not taken for lost', async () => {
  const line = await openLine(database.url);
  const shaky = new pg.Pool({ connectionString: line.url, max: 2 });
  shaky.on('error', () => {});
  const lease = await openWorkerLease(line.url, shaky);
  await line.cut();
  await lease.register('worker-late').catch(() => {});
  await lockJob('worker-late');
  await client.query(`update graphile_worker._private_jobs set locked_at = now() - interval '2 minutes'`);
  await line.mend();
  const known = async () => (await client.query(`select from job_workers where worker_id = 'worker-late'`)).rowCount;
  await expect
    .poll(async () => [await lease.freeLost().catch(() => -1), await known()], { timeout: 10_000 })
    .toEqual([0, 1]);
  expect(await lockedBy()).toEqual(['worker-late']);
  await lease.close();
  await shaky.end();
  await line.cut();
});

test('a job that ends while the database is away is done once, and work goes on afterwards', async () => {
  const line = await openLine(database.url);
  const log = createLog('silent');
  const app = openDatabase(line.url, { max: 4, log });
  let finish = () => {};
  let runs = 0;
  const job = defineJob({
    name: 'cut-work',
    payload: z.object({}),
    maxAttempts: 5,
    load: () =>
      Promise.resolve(() => {
        runs++;
        return new Promise<void>((done) => (finish = done));
      }),
  });
  const workers = await startWorkers({ url: line.url, pool: app.pool, jobs: [job], ctx: null, concurrency: 1, log });
  const near = openDatabase(database.url, { max: 2, log });
  const jobs = createJobs(near.db);
  await jobs.add(job, {});
  await expect.poll(() => runs, { timeout: 10_000 }).toBe(1);
  await line.cut();
  finish();
  await new Promise((resolve) => setTimeout(resolve, 200));
  await line.mend();
  await expect.poll(() => jobs.countOpen(['cut-work']), { timeout: 15_000 }).toBe(0);
  expect(runs).toBe(1);
  await jobs.add(job, {});
  await expect.poll(() => runs, { timeout: 15_000 }).toBe(2);
  finish();
  await expect.poll(() => jobs.countOpen(['cut-work']), { timeout: 15_000 }).toBe(0);
  await workers.stop();
  await app.close();
  await near.close();
  await line.cut();
}, 60_000);
