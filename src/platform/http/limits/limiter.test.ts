import type pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { openDatabase } from '../../db/client.ts';
import { createLimiter, type Limiter } from './limiter.ts';

let app: TestApp;
let pool: pg.Pool;
let closePool: () => Promise<void>;
beforeAll(async () => {
  app = await openTestApp();
  ({ pool, close: closePool } = openDatabase(app.databaseUrl, { max: 8, log: app.ctx.log }));
});
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  await closePool();
  await app.close();
});

/** Asks this often and returns how many were let through. */
async function passed(limiter: Limiter, who: string, times: number): Promise<number> {
  const asked = Array.from({ length: times }, () => limiter.take('codes', who, 5, { seconds: 300 }));
  return (await Promise.allSettled(asked)).filter(({ status }) => status === 'fulfilled').length;
}

it('keeps a limit exactly on nodes whose clocks differ by minutes, and tells each how long to wait', async () => {
  expect(await passed(createLimiter(pool), 'skewed', 4)).toBe(4);
  const now = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => now + 300_000);
  const early = createLimiter(pool);
  expect(await passed(early, 'skewed', 4)).toBe(1);
  vi.restoreAllMocks();
  for (const limiter of [early, createLimiter(pool)])
    await expect(limiter.take('codes', 'skewed', 5, { seconds: 300 })).rejects.toMatchObject({
      code: 41,
      data: { retry_after: expect.toSatisfy((seconds: number) => seconds > 0 && seconds <= 300) },
    });
});

it('asks the database no more for a client who is over the limit until the window ends', async () => {
  const limiter = createLimiter(pool);
  expect(await passed(limiter, 'over', 6)).toBe(5);
  expect(await passed(limiter, 'over', 20)).toBe(0);
  const { rows } = await pool.query(`select points from rate_limits where key = 'codes/300:over'`);
  expect(rows).toEqual([{ points: 6 }]);
});

it('starts at zero when the window is over, and removes what ended an hour ago', async () => {
  expect(await passed(createLimiter(pool), 'again', 6)).toBe(5);
  await pool.query('update rate_limits set expire = expire - 3900000');
  await pool.query(`insert into rate_limits (key, points, expire) select 'old', 1, min(expire) from rate_limits`);
  expect(await passed(createLimiter(pool), 'again', 6)).toBe(5);
  await expect.poll(async () => (await pool.query(`select from rate_limits where key = 'old'`)).rowCount).toBe(0);
});
