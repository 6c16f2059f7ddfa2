import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createFairQueue, type Begin } from './fair-queue.ts';

/** Requests of `client` that keep the processor for `ms` and say in `order` when they are begun. */
function busy(order: string[], client: string, ms: number): Begin {
  return (done) => {
    order.push(client);
    for (const end = performance.now() + ms; performance.now() < end;);
    done();
  };
}

it('begins a request at once while nothing else is in work', () => {
  const queue = createFairQueue({ sliceMs: 60_000 });
  const order: string[] = [];
  queue.take('a', 'pages', busy(order, 'a', 0));
  queue.take('b', 'pages', busy(order, 'b', 0));
  expect(order).toEqual(['a', 'b']);
});

it('puts one request of another client before the two hundred of a flood', async () => {
  const queue = createFairQueue({ sliceMs: 1 });
  const order: string[] = [];
  for (let request = 0; request < 200; request++) queue.take('flood', 'pages', busy(order, 'flood', 1.5));
  await nextTurn();
  queue.take('member', 'pages', busy(order, 'member', 0));
  const before = order.length;
  await nextTurn();
  await nextTurn();
  expect(order.slice(before)).toContain('member');
  expect(order.length).toBeLessThan(10);
  while (order.length < 201) await nextTurn();
});

it('lets the event loop look at its sockets between two slices', async () => {
  const queue = createFairQueue({ sliceMs: 1 });
  const order: string[] = [];
  for (let request = 0; request < 20; request++) queue.take('flood', 'pages', busy(order, 'flood', 1.5));
  const begun: number[] = [];
  while (order.length < 20) {
    begun.push(order.length);
    await nextTurn();
  }
  const steps = begun.map((count, turn) => count - (begun[turn - 1] ?? 0));
  expect(Math.max(...steps)).toBeLessThanOrEqual(2);
});

it('has a bounded number of unanswered requests of one client, which go on when one is answered or takes long', async () => {
  const queue = createFairQueue({ maxInWork: 2, maxWorkMs: 30 });
  const ends: (() => void)[] = [];
  const unanswered: Begin = (done) => void ends.push(done);
  for (let request = 0; request < 5; request++) queue.take('a', 'pages', unanswered);
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  expect(ends.length).toBe(2);
  // A second end of the same request frees nothing.
  ends[0]?.();
  ends[0]?.();
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  expect(ends.length).toBe(3);
  await expect.poll(() => ends.length).toBe(5);
});

it('refuses what would make the queues too long, and forgets nobody after a request that throws', async () => {
  const queue = createFairQueue({ sliceMs: 60_000, maxInWork: 1, maxWaitingPerClient: 2, maxWaiting: 3 });
  const order: string[] = [];
  const ends: (() => void)[] = [];
  queue.take('a', 'pages', (done) => void ends.push(done));
  expect(['a', 'a', 'a'].map((client) => queue.take(client, 'pages', busy(order, client, 0)))).toEqual([
    true,
    true,
    false,
  ]);
  queue.take('b', 'pages', (done) => void ends.push(done));
  expect([queue.take('b', 'pages', busy(order, 'b', 0)), queue.take('b', 'pages', busy(order, 'b', 0))]).toEqual([
    true,
    false,
  ]);
  expect(() =>
    queue.take('c', 'pages', () => {
      throw new Error('broken');
    }),
  ).toThrow('broken');
  for (const end of ends) end();
  await expect.poll(() => order.toSorted()).toEqual(['a', 'a', 'b']);
});

it('starts a call before the pages of a hundred clients, and a page of each turn before more calls', async () => {
  const queue = createFairQueue({ sliceMs: 1 });
  const order: string[] = [];
  for (let client = 0; client < 100; client++) queue.take(`flood${client}`, 'pages', busy(order, 'page', 1.5));
  queue.take('member', 'calls', busy(order, 'call', 0));
  await nextTurn();
  expect(order).toEqual(['page', 'call', 'page']);
  for (let client = 0; client < 100; client++) queue.take(`caller${client}`, 'calls', busy(order, 'call', 1.5));
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  expect(order.slice(3).filter((what) => what === 'page').length).toBeGreaterThanOrEqual(3);
  // Requests that are left over would start during the tests of another file, whose clock may stand still.
  while (order.length < 201) await nextTurn();
});

it('starts calls of known members before two hundred other callers, of whom one starts in each turn', async () => {
  const queue = createFairQueue({ sliceMs: 1 });
  const order: string[] = [];
  for (let caller = 0; caller < 200; caller++) queue.take(`caller ${caller}`, 'calls', busy(order, 'caller', 1.5));
  for (let call = 0; call < 3; call++) queue.take(`member ${call}`, 'members', busy(order, 'member', 1.5));
  while (order.length < 9) await nextTurn();
  const lastOfMembers = order.lastIndexOf('member');
  expect(order.filter((each) => each === 'member')).toHaveLength(3);
  expect(lastOfMembers).toBeLessThan(8);
  expect(order.slice(1, lastOfMembers)).toContain('caller');
  while (order.length < 203) await nextTurn();
});
