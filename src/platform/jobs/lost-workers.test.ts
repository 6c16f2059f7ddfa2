import { afterAll, beforeAll, expect, test } from 'vitest';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../tests/test-database.ts';
import { openWorkerLease } from './lost-workers.ts';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
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
  const living = await openWorkerLease(database.url);
  const dead = await openWorkerLease(database.url);
  await living.register('worker-living');
  await dead.register('worker-dead');
  await lockJob('worker-living');
  await lockJob('worker-dead');

  const next = await openWorkerLease(database.url);
  expect(await next.freeLost()).toBe(0);
  expect(await lockedBy()).toEqual(['worker-dead', 'worker-living']);

  // What a kill does to the process: its connection is gone without a goodbye.
  await client.query(
    `select pg_terminate_backend(l.pid) from pg_locks l join job_workers w on l.objid = w.lock_key::oid
     where w.worker_id = 'worker-dead' and l.locktype = 'advisory'`,
  );
  await expect.poll(() => next.freeLost()).toBe(1);
  expect(await lockedBy()).toEqual(['worker-living']);
  await living.close();
  await dead.close();
  await next.close();
});
