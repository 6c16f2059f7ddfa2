import { expect, it } from 'vitest';
import { createMemo } from './memo.ts';

it('asks once while fresh, for each key', async () => {
  const memo = createMemo<number>(1_000, 2);
  let now = 0;
  let asked = 0;
  const ctx = { clock: { now: () => now } };
  const ask = (key: string) => memo(ctx, key, () => Promise.resolve(++asked));
  expect(await Promise.all([ask('a'), ask('a')])).toEqual([1, 1]);
  now = 999;
  expect(await ask('a')).toBe(1);
  now = 1_000;
  expect(await ask('a')).toBe(2);
  await ask('b');
  await ask('c');
  expect(await ask('a')).toBe(5);
});

it('forgets a failure', async () => {
  const memo = createMemo<number>(1_000, 2);
  const ctx = { clock: { now: () => 0 } };
  await expect(memo(ctx, 'a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await memo(ctx, 'a', () => Promise.resolve(1))).toBe(1);
});

it('gives an answer that is not to be kept to those who wait for it', async () => {
  const memo = createMemo<number>(1_000, 2, (answer) => answer > 1);
  const ctx = { clock: { now: () => 0 } };
  let asked = 0;
  const ask = () => memo(ctx, 'a', () => Promise.resolve(++asked));
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
  expect([await ask(), await ask()]).toEqual([2, 2]);
});

it('asks the database once for an answer that is a query yet to be run', async () => {
  const memo = createMemo<unknown>(60_000, 10);
  const ctx = { clock: { now: () => 0 } };
  let runs = 0;
  // As Drizzle's builders: every `then` is another run.
  // oxlint-disable-next-line unicorn/no-thenable -- that is the point
  const lazy = () => ({ then: (answer: (value: number) => void) => answer(++runs) });
  // Safe: the memo asks of a promise no more than that it can be awaited.
  const make = () => lazy() as unknown as Promise<number>;
  expect(await memo(ctx, 'key', make)).toBe(1);
  expect(await memo(ctx, 'key', make)).toBe(1);
});
