import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../tests/test-database.ts';
import { createLog } from '../log.ts';
import { isDatabaseAway, openDatabase, rowsOf, type Database } from './client.ts';

const MAX = 4;

let database: TestDatabase;
let site: Database;
let operator: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  site = openDatabase(database.url, { max: MAX, log: createLog('silent') });
  operator = openDatabase(database.url, { max: 1, log: createLog('silent') });
});
afterAll(async () => {
  await Promise.all([site.close(), operator.close()]);
  await database.drop();
});

it('gives the connection back when a transaction cannot begin because the connection was lost', async () => {
  const one = () => site.db.transaction(async (tx) => rowsOf<{ one: number }>(tx, sql`select 1 as one`));
  for (let outage = 0; outage < MAX * 2; outage += 1) {
    const find = () => rowsOf<{ pid: number }>(site.db, sql`select pg_backend_pid() as pid`);
    const [connection] = await find().catch(find);
    await operator.db.execute(sql`select pg_terminate_backend(${connection?.pid})`);
    // The connection may be used before this process hears of its end.
    await one().catch((error: unknown) => expect(isDatabaseAway(error)).toBe(true));
  }
  await expect.poll(() => one().catch(() => null)).toEqual([{ one: 1 }]);
  await expect.poll(() => site.pool.idleCount).toBe(site.pool.totalCount);
});

it('says of a pool that was closed because the process ends that the database is away', async () => {
  const ending = openDatabase(database.url, { max: 1, log: createLog('silent') });
  await ending.close();
  const late = await ending.db.execute(sql`select 1`).catch((error: unknown) => error);
  expect(isDatabaseAway(late)).toBe(true);
});

it('says of a Unix socket without a server that the database is away', async () => {
  const stopped = openDatabase('postgres://ceku@%2Ftmp%2Fno-such-folder/ceku', { max: 1, log: createLog('silent') });
  const error: unknown = await stopped.db.execute(sql`select 1`).catch((reason: unknown) => reason);
  expect(isDatabaseAway(error)).toBe(true);
  await stopped.close();
  const missing = Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT', syscall: 'open' });
  expect(isDatabaseAway(missing)).toBe(false);
});

it('gives the connection back when the work of a transaction fails, and undoes the work', async () => {
  await site.db.execute(sql`create table kept (id int)`);
  const work = site.db.transaction(async (tx) => {
    await tx.execute(sql`insert into kept values (1)`);
    throw new Error('no');
  });
  await expect(work).rejects.toThrow('no');
  expect(await rowsOf(site.db, sql`select id from kept`)).toEqual([]);
  expect(site.pool.idleCount).toBe(site.pool.totalCount);
});
