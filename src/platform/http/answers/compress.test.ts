import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compressed } from './compress.ts';

const LONG = '策划方案'.repeat(1_000);
const ask = (accepts: string, path = '/index', init: RequestInit = {}) =>
  new Request(`http://ceku.test${path}`, { headers: { 'accept-encoding': accepts }, ...init });
const answer = (headers: Record<string, string>, body: string | null = LONG, status = 200) =>
  new Response(body, { status, headers });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

test('a page is gzipped for who takes gzip, and says so', async () => {
  const response = await compressed(ask('br, gzip'), answer({ 'content-type': 'text/html', vary: 'cookie' }));
  expect(response.headers.get('content-encoding')).toBe('gzip');
  expect(response.headers.get('vary')).toBe('cookie, accept-encoding');
  expect(gunzipSync(await bytesOf(response)).toString()).toBe(LONG);
});

test.each([
  ['a client that refuses gzip', ask('gzip;q=0, br'), answer({ 'content-type': 'text/html' })],
  ['a client that takes none', ask(''), answer({ 'content-type': 'text/html' })],
  ['an image', ask('gzip'), answer({ 'content-type': 'image/webp' })],
  ['a short answer', ask('gzip'), answer({ 'content-type': 'application/json' }, '{}')],
  ['a part of a file', ask('gzip'), answer({ 'content-type': 'text/plain' }, LONG, 206)],
  ['a HEAD', ask('gzip', '/index', { method: 'HEAD' }), answer({ 'content-type': 'text/html' }, null)],
  ['a download', ask('gzip'), answer({ 'content-type': 'application/pdf' })],
])('%s is left as it is', async (_what, request, response) => {
  const before = response.clone();
  const after = await compressed(request, response);
  expect(after.headers.get('content-encoding')).toBeNull();
  expect(await bytesOf(after)).toEqual(await bytesOf(before));
});
