import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../tests/test-database.ts';
import { createIngestPool } from './converter-pool.ts';
import { openConverterSlots } from './converter-slots.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Waits for the slot: the server may not have heard yet that the test before gave it back. */
const takeOnlySlot = () => openConverterSlots(database.url, 1).take(() => false);

test('processes share the slots of a library, and a slot that is given back goes to the process that waits', async () => {
  const [site, command] = [openConverterSlots(database.url, 1), openConverterSlots(database.url, 2)];
  const first = await site.tryTake();
  const second = await command.tryTake();
  expect([first, second].map((held) => held !== null)).toEqual([true, true]);
  expect(await site.tryTake()).toBeNull();
  expect(await command.tryTake()).toBeNull();
  expect(await first?.isWanted()).toBe(false);
  const waiting = site.take(() => false);
  await expect.poll(() => first?.isWanted()).toBe(true);
  expect(await second?.isWanted()).toBe(false);
  first?.release();
  const third = await waiting;
  expect(await command.tryTake()).toBeNull();
  third?.release();
  second?.release();
});

test('aborted work does not wait for other processes', async () => {
  const held = await takeOnlySlot();
  const pool = createIngestPool(1, { slots: openConverterSlots(database.url, 1) });
  const stopping = new AbortController();
  const ended: string[] = [];
  const works = ['first', 'second'].map((name) =>
    pool.run(() => Promise.resolve(void ended.push(name)), stopping.signal),
  );
  await expect.poll(() => held?.isWanted()).toBe(true);
  expect(ended).toEqual([]);
  stopping.abort();
  await Promise.all(works);
  expect(ended).toEqual(['first', 'second']);
  held?.release();
});

test('a slot whose connection is lost is wanted, so that it is taken again', async () => {
  const held = await takeOnlySlot();
  held?.release();
  expect(await held?.isWanted()).toBe(true);
});

test('two processes with work never run more children at once than the larger of them alone', async () => {
  let atWork = 0;
  let most = 0;
  const done: string[] = [];
  const tasksOf = (name: string, size: number) => {
    const pool = createIngestPool(size, { slots: openConverterSlots(database.url, size) });
    return Array.from({ length: 6 }, () =>
      pool.run(async () => {
        most = Math.max(most, ++atWork);
        await new Promise((resolve) => setTimeout(resolve, 20));
        atWork--;
        done.push(name);
      }),
    );
  };
  await Promise.all([...tasksOf('site', 2), ...tasksOf('command', 2)]);
  expect(most).toBe(2);
  expect(done.toSorted()).toEqual([...Array<string>(6).fill('command'), ...Array<string>(6).fill('site')]);
});

test('while the database does not answer, work goes on without a slot', async () => {
  const gone = new URL(database.url);
  gone.pathname = '/no-such-database';
  const pool = createIngestPool(1, { slots: openConverterSlots(gone.href, 1) });
  expect(await pool.run(() => Promise.resolve('done'))).toBe('done');
});
