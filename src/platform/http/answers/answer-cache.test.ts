import { expect, it, vi } from 'vitest';
import { createAnswerCache, type Made } from './answer-cache.ts';
import type { PublicAnswer } from './public-answer.ts';

const answerOf = (text: string): PublicAnswer => ({
  status: 200,
  plain: { headers: {}, body: Buffer.from(text) },
  gzip: null,
  etag: `W/"${text}"`,
});
const kept = (text: string): Made => ({ scope: 'kept', answer: answerOf(text) });
const textOf = (made: Made) => (made.scope === 'own' ? 'own' : made.answer.plain.body.toString());

function openCache() {
  const state = { now: 1_000_000, isWatched: true };
  const cache = createAnswerCache({ now: () => state.now, isWatched: () => state.isWatched, maxBytes: 10_000 });
  return { state, cache };
}

it('makes an answer once for all who wait, and keeps it for thirty seconds', async () => {
  const { state, cache } = openCache();
  const make = vi.fn<() => Promise<Made>>(() => Promise.resolve(kept('one')));
  const all = await Promise.all(Array.from({ length: 50 }, () => cache.share('/index', make)));
  expect(all.map(textOf)).toEqual(Array(50).fill('one'));
  expect(make).toHaveBeenCalledOnce();
  state.now += 29_999;
  expect(cache.find('/index')?.plain.body.toString()).toBe('one');
  state.now += 2;
  expect(cache.find('/index')).toBeNull();
  expect(cache.findStale('/index')?.plain.body.toString()).toBe('one');
  state.now += 270_000;
  expect(cache.findStale('/index')).toBeNull();
});

it('keeps an answer as long as any other when the clock of the machine is set', async () => {
  const cache = createAnswerCache({ isWatched: () => true });
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    cache.clear();
    await cache.share('/index', () => Promise.resolve(kept('one')));
    for (const hours of [-1, 1]) {
      vi.setSystemTime(Date.now() + hours * 3_600_000);
      expect(cache.find('/index')).not.toBeNull();
    }
  } finally {
    vi.useRealTimers();
  }
});

it('drops everything at a change, and does not keep what was begun before it', async () => {
  const { state, cache } = openCache();
  await cache.share('/a', () => Promise.resolve(kept('former')));
  const begun = Promise.withResolvers<Made>();
  const early = cache.share('/b', () => begun.promise);
  cache.clear();
  expect(cache.find('/a')).toBeNull();
  expect(cache.findStale('/a')).toBeNull();
  // A request after the change does not wait for an answer that was begun before the change.
  const late = cache.share('/b', () => Promise.resolve(kept('new')));
  begun.resolve(kept('former'));
  expect([textOf(await early), textOf(await late)]).toEqual(['former', 'new']);
  expect(cache.find('/b')?.plain.body.toString()).toBe('new');
  // The search index may not have followed yet.
  state.now += 201;
  expect(cache.find('/b')).toBeNull();
});

it('shows nothing as fresh while it would not hear of a change', async () => {
  const { state, cache } = openCache();
  await cache.share('/a', () => Promise.resolve(kept('one')));
  state.isWatched = false;
  expect(cache.find('/a')).toBeNull();
  expect(cache.findStale('/a')).not.toBeNull();
});

it("gives one visitor's refusal to nobody else", async () => {
  const { cache } = openCache();
  const refused = cache.share('/a', () =>
    Promise.resolve({ scope: 'own', response: new Response(null, { status: 429 }) }),
  );
  const other = cache.share('/a', () => Promise.resolve(kept('page')));
  expect([(await refused).scope, textOf(await other)]).toEqual(['own', 'page']);
});

it('shares an error with those who wait, and keeps it for nobody', async () => {
  const { cache } = openCache();
  const make = vi.fn<() => Promise<Made>>(() => Promise.resolve({ scope: 'shared', answer: answerOf('broken') }));
  await Promise.all([cache.share('/a', make), cache.share('/a', make)]);
  expect(make).toHaveBeenCalledOnce();
  expect(cache.find('/a')).toBeNull();
  await expect(cache.share('/a', () => Promise.reject(new Error('thrown')))).rejects.toThrow('thrown');
  expect(textOf(await cache.share('/a', () => Promise.resolve(kept('again'))))).toBe('again');
});

it('holds no more bytes than it may: the least recently used go first', async () => {
  const { cache } = openCache();
  for (const key of ['/a', '/b', '/c']) await cache.share(key, () => Promise.resolve(kept('x'.repeat(1_200))));
  cache.find('/a');
  await cache.share('/d', () => Promise.resolve(kept('x'.repeat(1_200))));
  expect(cache.size()).toBeLessThanOrEqual(10_000);
  expect([cache.find('/a'), cache.find('/b'), cache.find('/d')].map((each) => each !== null)).toEqual([
    true,
    false,
    true,
  ]);
});
