import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { transact } from '../../context.ts';
import { retryOnDeadlock } from './retry-database.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  await app.ctx.db.execute(sql`create table cups (id int primary key, sips int not null default 0)`);
  await app.ctx.db.execute(sql`insert into cups (id) values (1), (2)`);
});
afterAll(() => app.close());

/** Takes one cup, waits until the other party has the other, then wants that as well. */
async function drinkBoth(first: number, second: number, meet: () => Promise<unknown>): Promise<void> {
  await transact(app.ctx, async (tx) => {
    // Only one of the two looks for a deadlock in time, so that PostgreSQL ends exactly this one.
    await tx.db.execute(sql.raw(`set local deadlock_timeout = '${first === 1 ? '100ms' : '25s'}'`));
    await tx.db.execute(sql`update cups set sips = sips + 1 where id = ${first}`);
    await meet();
    await tx.db.execute(sql`update cups set sips = sips + 1 where id = ${second}`);
  });
}

test('of two deadlocked transactions one is retried, and both succeed', { timeout: 30_000 }, async () => {
  let arrived = 0;
  let open: (value?: unknown) => void;
  const both = new Promise((resolve) => (open = resolve));
  // Only the first two wait for each other.
  const meet = () => (++arrived === 2 ? (open(), both) : both);
  const other = retryOnDeadlock(() => drinkBoth(2, 1, meet));
  const ended = retryOnDeadlock(async () => {
    // The second try begins when the other has both cups: it could take one before the other wakes up, and deadlock again.
    if (arrived === 2) await other;
    await drinkBoth(1, 2, meet);
  });
  await Promise.all([ended, other]);
  expect(arrived).toBe(3);
  const { rows } = await app.ctx.db.execute(sql`select sips from cups order by id`);
  expect(rows).toEqual([{ sips: 2 }, { sips: 2 }]);
});

test('another error is thrown at once', async () => {
  let tries = 0;
  const failing = retryOnDeadlock(() => Promise.reject(new Error(`try ${++tries}`)));
  await expect(failing).rejects.toThrow('try 1');
});
