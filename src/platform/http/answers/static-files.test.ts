import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Hono } from 'hono';
import { compressed } from './compress.ts';
import { createStatic } from './static-files.ts';

const SCRIPT = 'export const answer = 42;'.repeat(100);
let folder: string;
let serve: (request: Request) => Promise<Response | null>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ceku-static-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'assets/entry-abc.js'), SCRIPT);
  await writeFile(join(folder, 'assets/entry-abc.js.gz'), gzipSync(SCRIPT));
  await writeFile(join(folder, 'sw.js'), 'self.skipWaiting();');
  await writeFile(join(folder, 'favicon.svg'), '<svg/>');
  const files = new Hono().get('*', createStatic(folder)).notFound(() => new Response(null, { status: 404 }));
  serve = async (request) => {
    const answer = await files.fetch(request);
    return answer.status === 404 ? null : answer;
  };
});
afterAll(() => rm(folder, { recursive: true }));

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  serve(new Request(`http://127.0.0.1${path}`, { headers, method }));

it.each([
  ['/assets/entry-abc.js', 'public, max-age=31536000, immutable'],
  ['/favicon.svg', 'public, max-age=3600'],
  ['/sw.js', 'no-cache'],
])('%s is cached as %s and never sniffed, compressed or not', async (path, caching) => {
  for (const encoding of ['identity', 'gzip']) {
    const answer = await get(path, { 'accept-encoding': encoding });
    expect(answer?.status).toBe(200);
    expect(answer?.headers.get('cache-control')).toBe(caching);
    expect(answer?.headers.get('x-content-type-options')).toBe('nosniff');
    await answer?.body?.cancel();
  }
});

it('sends the compressed copy that lies beside a file, to clients that take it', async () => {
  const answer = await get('/assets/entry-abc.js', { 'accept-encoding': 'gzip, br' });
  expect(answer?.headers.get('content-encoding')).toBe('gzip');
  expect(answer?.headers.get('vary')).toBe('Accept-Encoding');
  expect(answer?.headers.get('content-type')).toMatch(/^text\/javascript/);
  expect(Buffer.from(await (answer ?? new Response()).arrayBuffer())).toEqual(gzipSync(SCRIPT));
  expect(await (await get('/assets/entry-abc.js'))?.text()).toBe(SCRIPT);
});

it.each([
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['GZIP', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=0.001', 'gzip'],
  ['gzip;q=0', null],
  ['*;q=0', null],
  ['gzip, gzip;q=0', null],
  ['gzip;q=no', null],
  ['x-gzip-like', null],
])('%s gets the copy %s, and nothing is compressed for one request', async (accepts, coding) => {
  const request = new Request('http://127.0.0.1/assets/entry-abc.js', { headers: { 'accept-encoding': accepts } });
  const answer = await serve(request);
  const sent = await compressed(request, answer ?? new Response());
  expect(sent.headers.get('content-encoding')).toBe(coding);
  expect(sent.headers.get('vary')).toBe('Accept-Encoding');
  expect(Buffer.from(await sent.arrayBuffer())).toEqual(coding ? gzipSync(SCRIPT) : Buffer.from(SCRIPT));
});

it('sends a file whole when a part of it is asked for: a part of a compressed copy is of no use', async () => {
  const answer = await get('/assets/entry-abc.js', { 'accept-encoding': 'gzip', range: 'bytes=0-9' });
  expect([answer?.status, answer?.headers.get('content-range')]).toEqual([200, null]);
  expect(Buffer.from(await (answer ?? new Response()).arrayBuffer())).toEqual(gzipSync(SCRIPT));
});

it.each([
  '/assets/%65ntry-abc.js',
  '/assets//entry-abc.js',
  '/assets/../sw.js%00',
  '/assets/entry-abc.js.gz',
  '/none.js',
])('%s is no file', async (path) => expect(await get(path)).toBeNull());

it('answers HEAD without a body, and no other method', async () => {
  const head = await get('/sw.js', {}, 'HEAD');
  expect([head?.status, head?.headers.get('content-length'), await head?.text()]).toEqual([200, '19', '']);
  expect(await get('/sw.js', {}, 'POST')).toBeNull();
});

it('answers 304 to who has the current version, compressed or not, with the headers that a cache needs', async () => {
  const tags = new Set<string>();
  for (const encoding of ['identity', 'gzip']) {
    const accepts = { 'accept-encoding': encoding };
    const answer = await get('/assets/entry-abc.js', accepts);
    const tag = answer?.headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\/"[\da-z]+-[\da-z]+"$/);
    await answer?.body?.cancel();
    tags.add(tag);
    for (const known of [tag, `"other", ${tag}`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const again = await get('/assets/entry-abc.js', { ...accepts, 'if-none-match': known }, method);
        expect([again?.status, await again?.text()]).toEqual([304, '']);
        expect(again?.headers.get('etag')).toBe(tag);
        expect(again?.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        expect(again?.headers.get('vary')).toBe('Accept-Encoding');
      }
    }
  }
  // A cache must not take the compressed copy for the other.
  expect(tags.size).toBe(2);
});

it('answers in full to who has another version', async () => {
  const first = (await get('/sw.js'))?.headers.get('etag') ?? '';
  await writeFile(join(folder, 'sw.js'), 'self.clients.claim();');
  const answer = await get('/sw.js', { 'if-none-match': first });
  expect([answer?.status, await answer?.text()]).toEqual([200, 'self.clients.claim();']);
  expect(answer?.headers.get('etag')).not.toBe(first);
});
