import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { ListenError } from './bind.ts';
import { serveMetrics } from './metrics-server.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function open(
  text: Metrics['text'] = async () => ({ contentType: 'text/plain; version=0.0.4', body: 'one 1\n' }),
) {
  const metrics: Metrics = { observe: () => undefined, close: () => undefined, text };
  const server = await serveMetrics({ port: 0, metrics, log: createLog('silent') });
  closers.push(() => server.close());
  return server.port;
}

/** fetch sends no Host of our choice. */
const statusUnder = (port: number, host: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/metrics', headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });

test('GET and HEAD of /metrics are answered, and nothing else is', async () => {
  const at = `http://127.0.0.1:${await open()}`;
  const got = await fetch(`${at}/metrics?x=1`);
  expect([got.status, got.headers.get('content-type'), got.headers.get('cache-control'), await got.text()]).toEqual([
    200,
    'text/plain; version=0.0.4',
    'no-store',
    'one 1\n',
  ]);
  const head = await fetch(`${at}/metrics`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect((await fetch(`${at}/metrics`, { method: 'POST' })).status).toBe(405);
  for (const path of ['/', '/metrics/', '/index', '//metrics']) expect((await fetch(at + path)).status, path).toBe(404);
});

test('a host that is not this machine is refused', async () => {
  const port = await open();
  for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1.evil.example', '%'])
    expect(await statusUnder(port, host), host).toBe(421);
  for (const host of ['localhost', `localhost:${port}`, `[::1]:${port}`, '127.0.0.1'])
    expect(await statusUnder(port, host), host).toBe(200);
});

test('of requests that were sent ahead on one connection the first is answered, and the connection is closed', async () => {
  const port = await open();
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  socket.write('GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(500));
  await once(socket, 'close');
  expect(
    Buffer.concat(chunks)
      .toString()
      .match(/HTTP\/1\.1 200/g),
  ).toHaveLength(1);
});

test('metrics that fail are a 500 without the reason', async () => {
  const answer = await fetch(`http://127.0.0.1:${await open(() => Promise.reject(new Error('secret')))}/metrics`);
  expect([answer.status, await answer.text()]).toEqual([500, 'The metrics failed; the log says why.\n']);
});

test('a port that is taken is named by its variable', async () => {
  const port = await open();
  const metrics: Metrics = {
    observe: () => undefined,
    close: () => undefined,
    text: () => Promise.reject(new Error()),
  };
  const second = serveMetrics({ port, metrics, log: createLog('silent') });
  await expect(second).rejects.toThrow(new ListenError(`Port ${port} is in use. Set METRICS_PORT to another one.`));
});
