import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { CODE } from '../../protocol/codes.ts';
import { namedRowsOf, rowsOf, type Db } from './client.ts';
import { readWithin } from './read-within.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

it('ends a statement at its deadline with "unavailable", and the connection lives on', async () => {
  const slow = readWithin(app.ctx.db, 50, (db) => db.execute(sql`select pg_sleep(5)`));
  await expect(slow).rejects.toMatchObject({ code: CODE.unavailable, status: 503 });
  expect(await readWithin(app.ctx.db, 50, (db) => rowsOf(db, sql`select 1 as one`))).toEqual([{ one: 1 }]);
});

it('refuses to write', async () => {
  await expect(readWithin(app.ctx.db, 500, (db) => db.execute(sql`delete from documents`))).rejects.toThrow();
});

it('reads inside a transaction what that has written', async () => {
  const count = (db: Db) =>
    rowsOf<{ count: number }>(db, sql`select count(*) as count from themes where name = '新主题'`);
  const [row] = await app.ctx.db.transaction(async (tx) => {
    await tx.execute(sql`insert into themes (name, position) values ('新主题', 99)`);
    return readWithin(tx, 500, count);
  });
  expect(row?.count).toBe(1);
});

it('leaves the connections of everybody else alone, however many slow questions wait', async () => {
  const slow = Array.from({ length: 30 }, () =>
    readWithin(app.ctx.db, 500, (db) => db.execute(sql`select pg_sleep(0.1)`)),
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
