import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { CODE } from '../../protocol/codes.ts';
import { namedRowsOf, rowsOf, type Db } from './client.ts';
import { readWithin } from './read-within.ts';

/** A deadline that no busy machine reaches. */
const LONG_MS = 60_000;
/** The SQLSTATE read_only_sql_transaction. */
const READ_ONLY = '25006';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

it('ends a statement at its deadline with "unavailable", and the connection lives on', async () => {
  const slow = readWithin(app.ctx, 50, (db) => db.execute(sql`select pg_sleep(5)`));
  await expect(slow).rejects.toMatchObject({ code: CODE.unavailable, status: 503 });
  expect(await readWithin(app.ctx, LONG_MS, (db) => rowsOf(db, sql`select 1 as one`))).toEqual([{ one: 1 }]);
});

it('refuses to write', async () => {
  await expect(readWithin(app.ctx, LONG_MS, (db) => db.execute(sql`delete from documents`))).rejects.toMatchObject({
    cause: { code: READ_ONLY },
  });
});

it('asks the pool itself where there are no read connections, and keeps the deadline there', async () => {
  const { db } = app.ctx;
  const without = { db, readDb: () => null };
  expect(await readWithin(without, LONG_MS, (read) => rowsOf(read, sql`select 1 as one`))).toEqual([{ one: 1 }]);
  const slow = readWithin(without, 50, (read) => read.execute(sql`select pg_sleep(5)`));
  await expect(slow).rejects.toMatchObject({ code: CODE.unavailable, status: 503 });
});

it('leaves the connections of everybody else alone, however many slow questions wait', async () => {
  const slow = Array.from({ length: 30 }, () =>
    readWithin(app.ctx, LONG_MS, (db) => db.execute(sql`select pg_sleep(0.1)`)),
  );
  expect(await rowsOf(app.ctx.db, sql`select 1 as one`)).toEqual([{ one: 1 }]);
  await Promise.all(slow);
});

it('plans a named statement once, and asks it as any other inside a transaction', async () => {
  const ask = (db: Db, value: number) => namedRowsOf(db, 'next_number', sql`select ${value}::int + 1 as next`);
  expect(await ask(app.ctx.db, 1)).toEqual([{ next: 2 }]);
  expect(await ask(app.ctx.db, 2)).toEqual([{ next: 3 }]);
  expect(await app.ctx.db.transaction((tx) => ask(tx, 3))).toEqual([{ next: 4 }]);
});
