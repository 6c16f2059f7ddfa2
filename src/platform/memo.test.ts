import { expect, it } from 'vitest';
import type { Db } from './db/client.ts';
import { createMemo } from './memo.ts';

// Only its identity matters here.
const database = () => ({}) as Db;

it('asks once while fresh, for each database and key', async () => {
  const memo = createMemo<number>(1_000, 2);
  let now = 0;
  let asked = 0;
  const ctx = { db: database(), clock: { now: () => now } };
  const ask = (key: string, of = ctx) => memo(of, key, () => Promise.resolve(++asked));
  expect(await Promise.all([ask('a'), ask('a')])).toEqual([1, 1]);
  now = 999;
  expect(await ask('a')).toBe(1);
  now = 1_000;
  expect(await ask('a')).toBe(2);
  expect(await ask('a', { ...ctx, db: database() })).toBe(3);
  await ask('b');
  await ask('c');
  expect(await ask('a')).toBe(6);
});

it('forgets a failure', async () => {
  const memo = createMemo<number>(1_000, 2);
  const ctx = { db: database(), clock: { now: () => 0 } };
  await expect(memo(ctx, 'a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await memo(ctx, 'a', () => Promise.resolve(1))).toBe(1);
});
