import pg from 'pg';
import { expect, it } from 'vitest';
import { createTestDatabase } from './test-database.ts';

const select = async (url: string, sql: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
};

it('gives each caller a migrated database of its own, and takes it away even in use', async () => {
  const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const made = await select(two.url, "select count(*)::int as n from pg_tables where schemaname = 'public'");
  expect(made).not.toEqual([{ n: 0 }]);
  await select(one.url, 'create table mine (id int)');
  expect(await select(two.url, "select 1 from pg_tables where tablename = 'mine'")).toEqual([]);

  const busy = new pg.Client({ connectionString: one.url });
  busy.on('error', () => undefined);
  await busy.connect();
  await Promise.all([one.drop(), two.drop()]);
  await expect(select(one.url, 'select 1')).rejects.toThrow(/does not exist/);
  await busy.end().catch(() => undefined);
});

it('is dropped after the connections of an ended pool are closed: none is ended by force', async () => {
  const errors: string[] = [];
  for (let round = 0; round < 30; round++) {
    const database = await createTestDatabase();
    const pool = new pg.Pool({ connectionString: database.url, max: 8 });
    pool.on('error', (error) => errors.push(error.message));
    await Promise.all(Array.from({ length: 8 }, () => pool.query('select 1')));
    await pool.end();
    await database.drop();
  }
  expect(errors).toEqual([]);
});
