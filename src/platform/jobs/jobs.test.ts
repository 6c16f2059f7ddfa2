import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '../../../tests/test-database.ts';
import { openDatabase, rowsOf, type Database } from '../db/client.ts';
import { createLog } from '../log.ts';
import { createJobs, defineJob, startWorkers, type JobAttempt } from './jobs.ts';
import { JobPostponed } from './postpone.ts';

let cloned: TestDatabase;
let database: Database;
const log = createLog('silent');
beforeAll(async () => {
  cloned = await createTestDatabase();
  database = openDatabase(cloned.url, { max: 5, log });
});
afterAll(async () => {
  await database.close();
  await cloned.drop();
});

/** A job that goes on until it is called off. */
function endlessJob(name: string) {
  const taken: JobAttempt[] = [];
  const job = defineJob({
    name,
    payload: z.object({}),
    maxAttempts: 1,
    load: () =>
      Promise.resolve((_ctx: null, _payload: object, attempt: JobAttempt) => {
        taken.push(attempt);
        return new Promise<void>((_, reject) => {
          attempt.signal?.addEventListener('abort', () => reject(new Error('called off')));
        });
      }),
  });
  const start = () =>
    startWorkers({ url: cloned.url, pool: database.pool, jobs: [job], ctx: null, concurrency: 1, log });
  return { job, taken, start };
}

const attemptsOf = (name: string) =>
  rowsOf<{ attempts: number }>(
    database.db,
    sql`select attempts from graphile_worker.jobs where task_identifier = ${name}`,
  );

test('a stop in order uses up no try, and the job is taken again at once', { timeout: 60_000 }, async () => {
  const { job, taken, start } = endlessJob('endless-work');
  const jobs = createJobs(database.db);
  await jobs.add(job, {});
  const first = await start();
  await expect.poll(() => taken.length, { timeout: 10_000 }).toBe(1);
  await first.stop();
  expect(await jobs.countOpen(['endless-work'])).toBe(1);
  expect(await attemptsOf('endless-work')).toEqual([{ attempts: 0 }]);
  const second = await start();
  await expect.poll(() => taken.length, { timeout: 30_000 }).toBe(2);
  expect(taken[1]?.number).toBe(1);
  await second.stop();
});

test('the workers leave the smallest pool to the queries of the site', { timeout: 30_000 }, async () => {
  const small = openDatabase(cloned.url, { max: 1, log });
  const done: string[] = [];
  const [once, several, long] = [{}, { concurrencyPerWorker: 4 }, { isLong: true }].map((kind, index) =>
    defineJob({
      name: `small-pool-${index}`,
      ...kind,
      payload: z.object({}),
      maxAttempts: 1,
      load: () =>
        Promise.resolve(async () => {
          await rowsOf(small.db, sql`select 1`);
          done.push(`small-pool-${index}`);
        }),
    }),
  );
  const jobs = [once, several, long].flatMap((job) => job ?? []);
  const workers = await startWorkers({ url: cloned.url, pool: small.pool, jobs, ctx: null, concurrency: 2, log });
  for (const job of jobs) await createJobs(small.db).add(job, {});
  await expect.poll(() => done.toSorted()).toEqual(['small-pool-0', 'small-pool-1', 'small-pool-2']);
  await workers.stop();
  await small.close();
});

test('a job that cannot be done now is postponed in its queue, and that is no try', { timeout: 30_000 }, async () => {
  const tries: number[] = [];
  const queues: unknown[] = [];
  const queueOf = () =>
    rowsOf(database.db, sql`select queue_name as queue from graphile_worker.jobs where task_identifier = 'later-work'`);
  const job = defineJob({
    name: 'later-work',
    payload: z.object({ of: z.string() }),
    maxAttempts: 2,
    load: () =>
      Promise.resolve(async (_ctx: null, { of }: { of: string }, attempt: JobAttempt) => {
        tries.push(attempt.number);
        if (tries.length > 2) queues.push(await queueOf());
        if (tries.length === 1) return Promise.reject(new Error(`${of} fails`));
        return tries.length < 4 ? Promise.reject(new JobPostponed('no disk space', 1)) : Promise.resolve();
      }),
  });
  const jobs = createJobs(database.db);
  await jobs.add(job, { of: 'this' }, { key: 'later', queue: 'line' });
  const workers = await startWorkers({
    url: cloned.url,
    pool: database.pool,
    jobs: [job],
    ctx: null,
    concurrency: 1,
    log,
  });
  // Also after a failure: the database is closed behind the last test, and waits for workers.
  onTestFinished(() => workers.stop());
  // A try is counted before it asks for its queue.
  await expect.poll(() => queues.length, { timeout: 20_000 }).toBe(2);
  // The failure counted as a try; the postponement did not.
  expect(tries).toEqual([1, 2, 2, 2]);
  expect(queues).toEqual([[{ queue: 'line' }], [{ queue: 'line' }]]);
  await expect.poll(() => jobs.countOpen(['later-work'])).toBe(0);
});

test('a job that is postponed leaves alone a newer one of its key, which was enqueued while it ran', async () => {
  const jobs = createJobs(database.db);
  const done: string[] = [];
  const job = defineJob({
    name: 'renewed-work',
    payload: z.object({ of: z.string() }),
    maxAttempts: 2,
    load: () =>
      Promise.resolve(async (_ctx: null, { of }: { of: string }) => {
        if (of === 'new') return void done.push(of);
        await jobs.add(job, { of: 'new' }, { key: 'renewed', afterSeconds: 1 });
        throw new JobPostponed('no disk space', 600);
      }),
  });
  await jobs.add(job, { of: 'old' }, { key: 'renewed' });
  const workers = await startWorkers({
    url: cloned.url,
    pool: database.pool,
    jobs: [job],
    ctx: null,
    concurrency: 1,
    log,
  });
  onTestFinished(() => workers.stop());
  await expect.poll(() => done, { timeout: 15_000 }).toEqual(['new']);
  await expect.poll(() => jobs.countOpen(['renewed-work'])).toBe(0);
}, 30_000);

test('a job on its last try is open: it is counted, and another of its key is not added beside it', async () => {
  const { job, taken, start } = endlessJob('last-try');
  const jobs = createJobs(database.db);
  await jobs.add(job, {}, { key: 'last' });
  const workers = await start();
  await expect.poll(() => taken.length, { timeout: 10_000 }).toBe(1);
  expect(taken[0]?.isLast).toBe(true);
  expect(await jobs.countOpen(['last-try'])).toBe(1);
  await jobs.add(job, {}, { key: 'last', isKept: true });
  expect(await jobs.countOpen(['last-try'])).toBe(1);
  expect(await attemptsOf('last-try')).toHaveLength(1);
  await workers.stop();
}, 60_000);
