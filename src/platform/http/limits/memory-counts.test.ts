import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { openDatabase } from '../../db/client.ts';
import { createMemoryCounts, type MemoryCounts } from './memory-counts.ts';

let app: TestApp;
let pool: pg.Pool;
let closePool: () => Promise<void>;
const clock = { now: Date.now() };
beforeAll(async () => {
  app = await openTestApp();
  // Its connections outlive the drop of the database by a moment, and are told so: openDatabase listens for that.
  ({ pool, close: closePool } = openDatabase(app.databaseUrl, { max: 8, log: app.ctx.log }));
});
afterAll(async () => {
  await closePool();
  await app.close();
});

const openNode = () => createMemoryCounts(pool, () => clock.now);
/** Lets time pass for the nodes and for the database. */
const pass = async (ms: number) => {
  clock.now += ms;
  await pool.query('update rate_limits set expire = expire - $1', [ms]);
};
const passed = async (node: MemoryCounts, key: string, times: number, limit: number) =>
  (await Promise.all(Array.from({ length: times }, () => node.take(key, limit)))).filter((waitMs) => waitMs === 0)
    .length;

it('lets through exactly the limit on one node, all at once or one after the other, and says how long to wait', async () => {
  const node = openNode();
  expect(await passed(node, 'at once', 100, 30)).toBe(30);
  for (let time = 0; time < 30; time++) expect(await node.take('in turn', 30)).toBe(0);
  const waitMs = await node.take('in turn', 30);
  expect(waitMs).toBeGreaterThan(50_000);
  expect(waitMs).toBeLessThanOrEqual(60_000);
});

it('counts a limit of one, and every visitor for himself', async () => {
  const node = openNode();
  expect(await passed(node, 'once', 10, 1)).toBe(1);
  expect(await passed(node, 'another', 10, 1)).toBe(1);
});

it('starts at zero when the minute is over', async () => {
  const node = openNode();
  expect(await passed(node, 'again', 40, 30)).toBe(30);
  await pass(59_000);
  expect(await node.take('again', 30)).toBeGreaterThan(0);
  await pass(1_001);
  expect(await passed(node, 'again', 40, 30)).toBe(30);
});

it('starts at zero when the minute is over also where the clock was set back meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  try {
    const node = createMemoryCounts(pool);
    expect(await passed(node, 'set back', 2, 1)).toBe(1);
    vi.setSystemTime(Date.now() - 600_000);
    vi.advanceTimersByTime(60_001);
    expect(await passed(node, 'set back', 2, 1)).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

it('on three nodes at once lets through the limit and a sixth of it for each other node, at most', async () => {
  const nodes = [openNode(), openNode(), openNode()];
  const counts = await Promise.all(nodes.map((node) => passed(node, 'everywhere', 100, 60)));
  const all = counts.reduce((sum, each) => sum + each, 0);
  expect(all).toBeGreaterThanOrEqual(60);
  expect(all).toBeLessThanOrEqual(60 + 2 * 10);
});

it('knows from their next exchange on what the others counted', async () => {
  const [here, there] = [openNode(), openNode()];
  expect(await passed(here, 'elsewhere', 5, 30)).toBe(5);
  await expect
    .poll(async () => (await pool.query(`select points from rate_limits where key = 'elsewhere'`)).rows)
    .toEqual([{ points: 5 }]);
  expect(await passed(there, 'elsewhere', 60, 30)).toBe(25);
});

it('keeps one limit on nodes whose clocks differ by minutes', async () => {
  const early = openNode();
  const late = createMemoryCounts(pool, () => clock.now + 300_000);
  expect(await passed(early, 'skewed', 40, 30)).toBe(30);
  expect(await passed(late, 'skewed', 40, 30)).toBeLessThanOrEqual(5);
  expect(await late.take('skewed', 30)).toBeLessThanOrEqual(60_000);
  expect(await passed(openNode(), 'skewed', 40, 30)).toBeLessThanOrEqual(5);
});

it('keeps what it counted while the database is away, and lets nobody get further ahead', async () => {
  const away = new pg.Pool({ connectionString: 'postgres://nobody@127.0.0.1:1/none', max: 1 });
  const node = createMemoryCounts(away, () => clock.now);
  for (let time = 0; time < 5; time++) expect(await node.take('away', 30)).toBe(0);
  await expect(node.take('away', 30)).rejects.toThrow();
  await away.end();
});
