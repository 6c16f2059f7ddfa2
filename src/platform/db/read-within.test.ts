import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { CODE } from '../../protocol/codes.ts';
import { rowsOf } from './client.ts';
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
