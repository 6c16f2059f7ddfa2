import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../tests/test-app.ts';
import { rowsOf, type Db } from './db/client.ts';
import { createBatchLoader } from './batch-loader.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  await app.ctx.db.execute(sql`create table loadBatched (id int primary key, value int not null)`);
  await app.ctx.db.execute(sql`insert into loadBatched select id, 0 from generate_series(1, 100) as id`);
});
afterAll(() => app.close());

type Row = { id: number; value: number };
const reads: number[][] = [];
const loader = createBatchLoader<number, number>();
const loadBatch = (db: Db, ids: number[]) => loader(ids, (wanted) => readBatch(db, wanted));
async function readBatch(db: Db, ids: number[]) {
  reads.push(ids);
  const rows = await rowsOf<Row>(db, sql`select id, value from loadBatched where id = any(${sql.param(ids)}::int[])`);
  return new Map(rows.map(({ id, value }) => [id, value]));
}

it('answers many at once by two reads, each key asked for once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, at) => {
      // Some come while the first read is under way.
      if (at % 2 === 1) await new Promise((resolve) => setImmediate(resolve));
      return loadBatch(app.ctx.db, [at + 1, 1]);
    }),
  );
  answers.forEach((rows, at) => expect(rows.get(at + 1)).toBe(0));
  expect(reads.length).toBeLessThanOrEqual(3);
  for (const ids of reads) expect(ids).toEqual([...new Set(ids)]);
});

it('never answers with what was read before it was asked for', async () => {
  for (let value = 1; value <= 30; value++) {
    const others = [loadBatch(app.ctx.db, [2]), loadBatch(app.ctx.db, [3])];
    await app.ctx.db.execute(sql`update loadBatched set value = ${value} where id = 1`);
    expect((await loadBatch(app.ctx.db, [1])).get(1)).toBe(value);
    await Promise.all(others);
  }
});

it('fails those who asked together, and goes on', async () => {
  const load = createBatchLoader<number, number>();
  const broken = async (ids: number[]) => {
    await app.ctx.db.execute(sql`select 1 / ${ids[0]}::int`);
    return new Map(ids.map((id) => [id, id]));
  };
  await expect(Promise.all([load([0], broken), load([0], broken)])).rejects.toThrow();
  expect(await load([7], broken)).toEqual(new Map([[7, 7]]));
});
