import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { listen, type AnsweredRequest } from './listen.ts';
import { answerUnreadable } from './unreadable-request.ts';

const STALLED_MS = 300;
const LONG = Buffer.alloc(60 * 1024 * 1024, 'x');
const closers: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function openServer(stalledMs: number, body: () => BodyInit = () => LONG) {
  const config = { port: 0, host: '127.0.0.1', publicUrl: null, trustedProxies: 0 };
  const handler = () => Promise.resolve(new Response(body()));
  const server = await listen({ config, handler, middleware: null, stalledMs });
  closers.push(() => server.close(0));
  return server.port;
}

/** A server whose requests are answered by hand: `begun` has the path and the answer of each request that was started. */
async function openServerByHand() {
  const begun: { path: string; answer: () => void }[] = [];
  const handler = (request: Request) =>
    new Promise<Response>((resolve) => {
      const path = new URL(request.url).pathname;
      begun.push({ path, answer: () => resolve(new Response(`answer to ${path}`)) });
    });
  const config = { port: 0, host: '127.0.0.1', publicUrl: null, trustedProxies: 0 };
  const server = await listen({ config, handler, middleware: null });
  closers.push(() => server.close(0));
  return { port: server.port, begun };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: site\r\n\r\n`;

async function ask(port: number, request: string, localAddress?: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', ...(localAddress && { localAddress }) });
  closers.push(() => void socket.destroy());
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  socket.write(request);
  return socket;
}

const GET = 'GET / HTTP/1.1\r\nHost: site\r\n\r\n';

it('ends a client that stops reading its answer', async () => {
  const gaveUp = Promise.withResolvers<void>();
  const endless = () =>
    new ReadableStream<Uint8Array>({
      pull: (stream) => stream.enqueue(LONG.subarray(0, 65_536)),
      cancel: () => gaveUp.resolve(),
    });
  const socket = await ask(await openServer(STALLED_MS, endless), GET);
  socket.pause();
  await gaveUp.promise;
  socket.resume();
  await expect(once(socket, 'close')).resolves.toBeDefined();
});

it('lets a client that reads slowly have the whole answer', async () => {
  // A busy machine keeps even a fast client waiting for longer than the limit of the tests above.
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

it.each([18_000, 300_000])('answers an address of %i bytes with a page that says so, and closes', async (bytes) => {
  const port = await openServer(10_000, () => 'short');
  const socket = await ask(port, `GET /report?search_key=${'a'.repeat(9_000)}`);
  const closed = once(socket, 'close');
  let received = '';
  socket.on('data', (part: Buffer) => (received += part.toString()));
  // The rest comes in parts, as over a network.
  for (let sent = 9_000; sent < bytes; sent += 9_000) {
    socket.write('a'.repeat(9_000));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await closed;
  expect(received).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
  expect(received).toContain('content-type: text/html; charset=utf-8\r\n');
  expect(received).toContain('请求太长');
  expect(received).toContain('</html>');
});

it('tells of each request when its answer is over, and whether the client got all of it', async () => {
  const ended: AnsweredRequest[] = [];
  const config = { port: 0, host: '127.0.0.1', publicUrl: null, trustedProxies: 0 };
  const handler = ({ url }: Request) =>
    Promise.resolve(url.endsWith('/long') ? new Response(LONG) : new Response('short', { status: 404 }));
  const server = await listen({ config, handler, middleware: null, onAnswered: (one) => ended.push(one) });
  closers.push(() => server.close(0));
  await (await fetch(`http://127.0.0.1:${server.port}/short?q=1`)).text();
  await expect.poll(() => ended.length).toBe(1);
  const socket = await ask(server.port, get('/long'));
  await once(socket, 'data');
  socket.destroy();
  await expect.poll(() => ended.length).toBe(2);
  await ask(server.port, 'GET /none HTTP/1.1\r\nHost: a b\r\n\r\n');
  await expect.poll(() => ended.length).toBe(3);
  expect(ended.map(({ path, status, isCutOff }) => [path, status, isCutOff])).toEqual([
    ['/short?q=1', 404, false],
    ['/long', 200, true],
    ['/none', 400, false],
  ]);
  for (const { seconds } of ended) expect(seconds).toBeGreaterThan(0);
});

it('closes the connection of a client that goes on after an address that is too long', async () => {
  const port = await openServer(10_000, () => 'short');
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  closers.push(() => void socket.destroy());
  socket.on('error', () => undefined);
  socket.resume();
  socket.write(`GET /${'a'.repeat(20_000)}`);
  const more = setInterval(() => socket.write('a'), 100);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(more);
  expect(socket.destroyed).toBe(true);
});

it('closes the connection of a client that was too slow, also when that goes on sending', async () => {
  const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  const accepted = Promise.withResolvers<Socket>();
  const server = createServer((socket) => accepted.resolve(socket)).listen(0, '127.0.0.1');
  closers.push(() => void server.close());
  await once(server, 'listening');
  // Safe: the server listens on TCP.
  const { port } = server.address() as AddressInfo;
  const client = await ask(port, 'GET / HTTP/1.1\r\n');
  const socket = await accepted.promise;
  socket.on('error', () => undefined);
  answerUnreadable(late, socket);
  const [answer]: unknown[] = await once(client, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(socket.destroyed).toBe(true);
});

it.each(['nonsense\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', 'GET /\0 HTTP/1.1\r\nHost: site\r\n\r\n'])(
  'answers what is no request with 400 and no word more: %j',
  async (request) => {
    const socket = await ask(await openServer(10_000), request);
    const closed = once(socket, 'close');
    const [answer]: unknown[] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n(?:[a-z-]+: [^\r]+\r\n)+\r\n$/);
    await closed;
  },
);

it('puts nothing into an answer that is under way when what follows it is no request', async () => {
  const unfinished = () =>
    new ReadableStream<Uint8Array>({ start: (stream) => stream.enqueue(Buffer.from('first part')) });
  const socket = await ask(await openServer(10_000, unfinished), GET);
  let received = '';
  socket.on('data', (part: Buffer) => (received += part.toString()));
  await expect.poll(() => received).toContain('first part');
  const closed = once(socket, 'close');
  socket.write('nonsense\r\n\r\n');
  await closed;
  expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1);
});

it('refuses a request with two Host headers', async () => {
  const socket = await ask(await openServer(10_000), 'GET / HTTP/1.1\r\nHost: site\r\nhost: other\r\n\r\n');
  const [answer]: unknown[] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
});

it.each([
  'a&b',
  "$'",
  'a"b',
  "a'b",
  'a,b',
  'user@site',
  'site:port',
  '[::1',
  '256.256.256.256',
  '1.2.3.4.5',
  'a.09',
  '999999999999',
  'site:99999',
  `${'h'.repeat(300)}.cn`,
])('refuses a Host that is no name and no address: %s', async (host) => {
  const socket = await ask(await openServer(10_000), `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  const [answer]: unknown[] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
});

it.each([
  `http://${'h'.repeat(300)}.cn/`,
  'http://user:password@site/',
  'http://a<b>/',
  'http:///',
  'ftp://site/',
  'site/',
])('refuses a target in absolute form whose host is no name and no address: %s', async (target) => {
  for (const version of ['1.1', '1.0']) {
    const socket = await ask(await openServer(10_000), `GET ${target} HTTP/${version}\r\nHost: site\r\n\r\n`);
    const [answer]: unknown[] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
  }
});

it('takes a target in absolute form', async () => {
  const socket = await ask(await openServer(10_000), 'GET http://other.cn:8443/?a HTTP/1.1\r\nHost: site\r\n\r\n');
  const [answer]: unknown[] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
});

it.each(['site', 'ceku.cn:8443', 'a_b.xn--0ov19d.cn.', '127.0.0.1:3000', '[::1]:3000'])(
  'takes the Host %s',
  async (host) => {
    const socket = await ask(await openServer(10_000), `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    const [answer]: unknown[] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
  },
);

it.each([
  [null, 'http://localhost/livez'],
  ['https://ceku.test', 'http://ceku.test/livez'],
])('takes a request of HTTP/1.0 without Host as one for PUBLIC_URL (%s)', async (publicUrl, url) => {
  const asked: string[] = [];
  const handler = (request: Request) => Promise.resolve(new Response(`${asked.push(request.url)}`));
  const config = { port: 0, host: '127.0.0.1', publicUrl, trustedProxies: 0 };
  const server = await listen({ config, handler, middleware: null });
  closers.push(() => server.close(0));
  // As HAProxy checks the health of a server, unless it is told a Host.
  const socket = await ask(server.port, 'GET /livez HTTP/1.0\r\n\r\n');
  const [answer]: unknown[] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
  expect(asked).toEqual([url]);
  const later = await ask(server.port, 'GET /livez HTTP/1.1\r\n\r\n');
  const [refused]: unknown[] = await once(later, 'data');
  expect(String(refused)).toMatch(/^HTTP\/1\.1 400 /);
});

it('starts requests that were sent ahead one after the other, each when the one before it is answered', async () => {
  const { port, begun } = await openServerByHand();
  const paths = Array.from({ length: 20 }, (_, index) => `/${index}`);
  const socket = await ask(port, paths.map(get).join(''));
  let received = '';
  socket.on('data', (part: Buffer) => (received += part.toString()));
  for (const [index, path] of paths.entries()) {
    await expect.poll(() => begun.map((request) => request.path)).toEqual(paths.slice(0, index + 1));
    // A request of another connection does not wait for them.
    if (index === 0) await ask(port, get('/other')).then(() => expect.poll(() => begun.length).toBe(2));
    if (index === 0) begun.splice(1, 1);
    begun[index]?.answer();
    await expect.poll(() => received).toContain(`answer to ${path}`);
  }
});

it('a stop ends a busy connection after its answer, and cuts off no request', async () => {
  const config = { port: 0, host: '127.0.0.1', publicUrl: null, trustedProxies: 0 };
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<Response>();
  const handler = ({ url }: Request) => {
    if (!url.endsWith('/slow')) return Promise.resolve(new Response('short'));
    asked.resolve();
    return answered.promise;
  };
  const server = await listen({ config, handler, middleware: null });
  const slow = await ask(server.port, get('/slow'));
  const busy = await ask(server.port, get('/'));
  const received = { slow: '', busy: '' };
  slow.on('data', (part: Buffer) => (received.slow += part.toString()));
  let requests = 1;
  // As a client does that asks again as soon as it has its answer.
  busy.on('data', (part: Buffer) => {
    received.busy += part.toString();
    if (!part.toString().includes('short') || /^connection: close/im.test(received.busy)) return;
    requests += 1;
    busy.write(get('/'));
  });
  await asked.promise;
  const ends = Promise.all([once(busy, 'close'), once(slow, 'close')]);
  const closed = server.close(600_000);
  await expect.poll(() => busy.closed).toBe(true);
  answered.resolve(new Response('answer to /slow'));
  await Promise.all([closed, ends]);
  expect(received.slow).toContain('answer to /slow');
  expect(received.busy.match(/short/g)).toHaveLength(requests);
});

it('closes a connection with more than 100 requests sent ahead, and after twenty accepts none from its address', async () => {
  const { port, begun } = await openServerByHand();
  for (let count = 1; count <= 20; count++) {
    const greedy = await ask(port, get('/slow') + get('/next').repeat(101), '127.0.0.2');
    if (!greedy.closed) await once(greedy, 'close');
  }
  const refused = await ask(port, get('/refused'), '127.0.0.2');
  if (!refused.closed) await once(refused, 'close');
  await ask(port, get('/other'), '127.0.0.3');
  await expect.poll(() => begun.at(-1)?.path).toBe('/other');
  expect(begun.map(({ path }) => path)).not.toContain('/refused');
});
