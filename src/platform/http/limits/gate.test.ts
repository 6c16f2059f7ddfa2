import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createGate, within } from './gate.ts';

const LIMITS = { atOnce: 3, atOncePerClient: 2, maxWaiting: 4, maxWaitingPerClient: 2, maxWaitMs: 5_000 };

/** Work that ends when told to. */
function openWork() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = vi.fn<() => Promise<void>>(() => promise);
  return { work, end: resolve };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

it('leaves a place to others while one client floods, and lets each in when its turn comes', async () => {
  const gate = createGate(LIMITS);
  const flood = [openWork(), openWork(), openWork()];
  const runs = flood.map(({ work }) => gate.run('flood', work));
  const other = openWork();
  const otherRun = gate.run('other', other.work);
  expect(flood.map(({ work }) => work.mock.calls.length)).toEqual([1, 1, 0]);
  expect(other.work).toHaveBeenCalledOnce();
  other.end();
  await otherRun;
  await settle();
  // The place that became free is not for the flood, which has two already.
  expect(flood[2]?.work).not.toHaveBeenCalled();
  flood[0]?.end();
  await runs[0];
  await settle();
  expect(flood[2]?.work).toHaveBeenCalledOnce();
  for (const { end } of flood) end();
  await Promise.all(runs);
});

it('refuses with 503 what would make the queue too long, for one client and in all', async () => {
  const gate = createGate(LIMITS);
  const works = Array.from({ length: 9 }, openWork);
  const clients = ['a', 'a', 'a', 'a', 'b', 'c', 'd', 'd', 'd'];
  const runs = works.map(({ work }, index) => gate.run(clients[index] ?? '', work).then(() => 'done', refusalOf));
  const refusedAtOnce = gate.run('a', openWork().work).then(() => 'done', refusalOf);
  expect(await refusedAtOnce).toBe(503);
  for (const { end } of works) end();
  const outcomes = await Promise.all(runs);
  expect(outcomes).toEqual(['done', 'done', 'done', 'done', 'done', 'done', 'done', 503, 503]);
});

it('gives up a wait that is too long, and the place goes to the next', async () => {
  const gate = createGate({ ...LIMITS, atOnce: 1, maxWaitMs: 20 });
  const long = openWork();
  const run = gate.run('a', long.work);
  const never = openWork();
  expect(await gate.run('b', never.work).then(() => 'done', refusalOf)).toBe(503);
  long.end();
  await run;
  expect(never.work).not.toHaveBeenCalled();
  expect(await gate.run('c', () => Promise.resolve('in'))).toBe('in');
});

it('refuses work that takes too long, and gives its place to the next', async () => {
  const gate = createGate({ ...LIMITS, atOnce: 1, maxWorkMs: 20 });
  const hanging = openWork();
  const refused = gate.run('a', hanging.work).then(() => 'done', refusalOf);
  expect(await gate.run('b', () => Promise.resolve('in'))).toBe('in');
  expect(await refused).toBe(503);
  hanging.end();
});

it('frees the place of work that fails', async () => {
  const gate = createGate({ ...LIMITS, atOnce: 1 });
  await expect(gate.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await gate.run('b', () => Promise.resolve('in'))).toBe('in');
});

const refusalOf = (error: unknown): unknown => (error instanceof Error && 'status' in error ? error.status : error);

it('leaves the processor to others after the work of a client, for as long as the work took', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const gate = createGate({ ...LIMITS, atOncePerClient: 1, maxRestMs: 10_000 });
  const long = openWork();
  const run = gate.run('a', long.work);
  await vi.advanceTimersByTimeAsync(60);
  long.end();
  await run;
  const began: string[] = [];
  const again = gate.run('a', async () => void began.push('a'));
  await gate.run('b', async () => void began.push('b'));
  await vi.advanceTimersByTimeAsync(59);
  expect(began).toEqual(['b']);
  await vi.advanceTimersByTimeAsync(1);
  await again;
  expect(began).toEqual(['b', 'a']);
});

it('closes the file of an answer that comes after its time', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  expect(await within(5, promise).then(() => 'done', refusalOf)).toBe(503);
  // Longer than what a stream reads ahead.
  const file = createReadStream(process.execPath);
  const closed = new Promise<void>((isClosed) => file.once('close', () => isClosed()));
  // Safe: a web stream of Node is what Response reads.
  resolve(new Response(Readable.toWeb(file) as ReadableStream));
  await closed;
});
