import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { listen } from './listen.ts';

const STALLED_MS = 300;
const LONG = Buffer.alloc(60 * 1024 * 1024, 'x');
const closers: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function openServer(stalledMs: number) {
  const config = readConfig({ PORT: '0', HOST: '127.0.0.1', NODE_ENV: 'test' });
  const handler = () => Promise.resolve(new Response(LONG));
  const server = await listen({ config, handler, middleware: null, stalledMs });
  closers.push(() => server.close(0));
  return server.port;
}

async function ask(port: number, request: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  closers.push(() => void socket.destroy());
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  socket.write(request);
  return socket;
}

const GET = 'GET / HTTP/1.1\r\nHost: site\r\n\r\n';

it('ends a client that stops reading its answer', async () => {
  const socket = await ask(await openServer(STALLED_MS), GET);
  socket.pause();
  await wait(STALLED_MS * 10);
  socket.resume();
  let taken = 0;
  socket.on('data', (part: Buffer) => (taken += part.length));
  await once(socket, 'close');
  expect(taken).toBeLessThan(LONG.length);
});

it('lets a client that reads slowly have the whole answer', async () => {
  // A busy machine keeps even a swift client waiting for longer than the limit of the tests above.
  const stalledMs = STALLED_MS * 10;
  const socket = await ask(await openServer(stalledMs), GET);
  const cut = once(socket, 'close').then(() => expect.fail('the answer was cut'));
  cut.catch(() => undefined);
  let taken = 0;
  let body = -1;
  // Pauses in all far longer than the limit, none of them nearly as long.
  socket.on('data', (part: Buffer) => {
    if (body < 0) body = part.indexOf('\r\n\r\n') + 4;
    const before = Math.floor(taken / (LONG.length / 8));
    taken += part.length;
    if (Math.floor(taken / (LONG.length / 8)) === before) return;
    socket.pause();
    setTimeout(() => socket.resume(), stalledMs / 3);
  });
  while (body < 0 || taken < body + LONG.length) await Promise.race([once(socket, 'data'), cut]);
  expect(taken - body).toBe(LONG.length);
});

it('refuses a request with two Host headers', async () => {
  const socket = await ask(await openServer(10_000), 'GET / HTTP/1.1\r\nHost: site\r\nhost: other\r\n\r\n');
  const [answer]: unknown[] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
});

it.each(['a&b', "$'", 'a"b', "a'b", 'a,b', 'user@site', 'site:port', '[::1', `${'h'.repeat(300)}.cn`])(
  'refuses a Host that is no name and no address: %s',
  async (host) => {
    const socket = await ask(await openServer(10_000), `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    const [answer]: unknown[] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
  },
);

it.each(['site', 'ceku.cn:8443', 'a_b.xn--0ov19d.cn.', '127.0.0.1:3000', '[::1]:3000'])(
  'takes the Host %s',
  async (host) => {
    const socket = await ask(await openServer(10_000), `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    const [answer]: unknown[] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
  },
);
