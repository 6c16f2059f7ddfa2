import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { usernameLogin } from './accounts/contract.ts';
import { createAnswerCache } from './platform/http/answers/answer-cache.ts';
import { listen } from './platform/http/listen.ts';
import { addPerson, encoded, PASSWORD } from '../tests/people.ts';
import { openTestApp, type TestApp } from '../tests/test-app.ts';
import { createHealth } from './site/server/health.ts';
import type { Render } from './render.ts';
import { createSiteHandler } from './site-server.ts';

/** A page that says what it was rendered from, and for whom. */
const render: Render = async (request, { nonce, origin, api }) => {
  const url = new URL(request.url);
  const { body } = await api('/api/user/mine', {});
  const who = body.code === 0 ? 'member' : 'visitor';
  const html = `<html><body>${who} ${origin} ${url.pathname}${url.search} <script nonce="${nonce}">go()</script>${'x'.repeat(2_000)}</body></html>`;
  const status = url.pathname === '/not-found' ? 404 : 200;
  return new Response(html, { status, headers: { 'content-type': 'text/html; charset=utf-8' } });
};

let app: TestApp;
let port: number;
let memberCookies: string;
let cache: ReturnType<typeof createAnswerCache>;
let close: () => Promise<void>;

beforeAll(async () => {
  app = await openTestApp();
  const clientDir = join(app.dataDir, 'client');
  await mkdir(join(clientDir, 'assets'), { recursive: true });
  for (const name of ['assets/entry-1.js', 'favicon.ico', 'sw.js'])
    await writeFile(join(clientDir, name), `file ${name}`);
  const { username } = await addPerson(app);
  const login = await app.fetch(usernameLogin.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: encoded(PASSWORD) }),
  });
  memberCookies = login.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  cache = createAnswerCache({ isWatched: () => true });
  const { handler, answerAtSocket } = createSiteHandler({
    ctx: app.ctx,
    health: createHealth(app.ctx),
    clientDir,
    render,
    hasPage: (pathname) => /^\/(index|report|user.*)$/i.test(pathname),
    cache,
    outside: null,
  });
  const config = { ...app.ctx.config, host: '127.0.0.1', port: 0 };
  const server = await listen({ config, handler, middleware: null, answerAtSocket });
  port = server.port;
  close = () => server.close(0);
});
afterAll(async () => {
  await close();
  await app.close();
});
beforeEach(() => cache.clear());

/** Sends the lines as they are, on a connection of their own, and reads until the server closes it. */
async function send(line: string, ...headers: string[]): Promise<{ status: number; head: string; body: string }> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  socket.write([line, ...headers, 'Connection: close', '', ''].join('\r\n'));
  await once(socket, 'close');
  const [head = '', ...rest] = text.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body: rest.join('\r\n\r\n') };
}

const get = (path: string, ...headers: string[]) => send(`GET ${path} HTTP/1.1`, 'Host: site.test', ...headers);
const INDEX = 'visitor http://site.test /index <script>';

describe('while the 404 page is kept', () => {
  beforeEach(async () => {
    // Twice: the second answer comes from memory, also where the first one filled it.
    for (const path of ['/nix', '/nix']) expect((await get(path)).body).toContain('/not-found');
  });

  test.each([
    ['/assets/entry-1.js', 200, 'file assets/entry-1.js'],
    ['/favicon.ico', 200, 'file favicon.ico'],
    ['/sw.js', 200, 'file sw.js'],
    ['/livez', 200, ''],
    ['/readyz', 200, ''],
    ['/robots.txt', 200, 'User-agent'],
    ['/api', 200, '<html'],
    ['/api/openapi.json', 200, '"openapi"'],
    ['/api/nix', 404, '"code":'],
    ['/media/nix/cover.webp', 404, ''],
    ['/dl/nix', 403, '链接已失效'],
    ['/index', 200, INDEX],
  ])('%s answers itself', async (path, status, body) => {
    for (const answer of [await get(path), await get(path)]) {
      expect(answer.status).toBe(status);
      expect(answer.body).toContain(body);
      expect(answer.body).not.toContain('/not-found');
    }
  });

  test.each(['/nix.php', '/assets/nix.js', '/nix/index', '/.env', '/apix', '/mediax/y', '/%61pi', '/assets/../nix'])(
    '%s gets it',
    async (path) => {
      const answer = await get(path);
      expect(answer.status).toBe(404);
      expect(answer.body).toContain('visitor http://site.test /not-found');
    },
  );
});

describe('a page kept for visitors', () => {
  test.each<[string, () => Promise<{ body: string }>, string]>([
    ['another Host', () => send('GET /index HTTP/1.1', 'Host: evil.test'), 'http://evil.test /index'],
    ['another port', () => send('GET /index HTTP/1.1', 'Host: site.test:81'), 'http://site.test:81 /index'],
    ['an absolute target', () => send('GET http://evil.test/index HTTP/1.1', 'Host: site.test'), 'evil.test /index'],
    ['a target of another path', () => get('//evil.test/index'), '/not-found'],
    ['an encoded slash', () => get('/%2e%2e%2findex'), '/not-found'],
    ['an encoded slash after the page', () => get('/index%2f..%2f..'), '/not-found'],
    ['another case', () => get('/INDEX'), ' /INDEX'],
    ['X-Forwarded-Host', () => get('/index', 'X-Forwarded-Host: evil.test'), INDEX],
    ['X-Original-URL', () => get('/index', 'X-Original-URL: /user/index', 'X-Rewrite-URL: /user'), INDEX],
    ['another method', () => get('/index', 'X-HTTP-Method-Override: POST'), INDEX],
    ['an invitation', () => get('/index?invite=9'), INDEX],
    ['a parameter', () => get('/index?evil=1'), '/index?evil=1'],
    ['an empty session', () => get('/index', 'Cookie: sess='), INDEX],
    ['a session of nobody', () => get('/index', 'Cookie: sess=x; token=x'), INDEX],
    ['a session that is no text', () => get('/index', 'Cookie: sess=%E0%A4%A; token=%'), INDEX],
    ['two Cookie headers', () => get('/index', 'Cookie: sess=x', 'Cookie: token=y'), INDEX],
    ['a range', () => get('/index', 'Range: bytes=0-9'), INDEX],
    ['HTTP/1.0', () => send('GET /index HTTP/1.0', 'Host: site.test'), INDEX],
  ])('is not changed by %s, before or after it is kept', async (_what, ask, shown) => {
    expect((await ask()).body).toContain(shown);
    expect((await get('/index')).body).toContain(INDEX);
    expect((await ask()).body).toContain(shown);
    expect((await get('/index')).body).toContain(INDEX);
  });

  it('is never shown to a member, nor a page of a member to a visitor', async () => {
    const member = () => get('/index', `Cookie: ${memberCookies}`);
    for (const ask of [member, () => get('/index'), member, () => get('/index')]) {
      const { body, head } = await ask();
      expect(body).toContain(ask === member ? 'member http://site.test /index' : INDEX);
      expect(head).toContain(ask === member ? 'cache-control: private, no-store' : 'cache-control: private, no-cache');
      expect(head).toContain('vary: cookie');
    }
    // Both cookies of one login, in any order and beside others of the same name.
    const [, token = ''] = /token=([^;]+)/.exec(memberCookies) ?? [];
    expect((await get('/index', `Cookie: ${memberCookies}; sess=`)).body).toContain('member');
    expect((await get('/index', `Cookie: token=${token}`)).body).toContain(INDEX);
  });

  it('is answered without its body to HEAD and to who has it, and whole to a query in another order', async () => {
    const whole = await get('/index');
    const head = await send('HEAD /index HTTP/1.1', 'Host: site.test');
    expect([head.status, head.body]).toEqual([200, '']);
    expect(head.head).toContain(`content-length: ${Buffer.byteLength(whole.body)}`);
    const [, etag = ''] = /^etag: (.*)$/im.exec((await get('/index')).head) ?? [];
    const known = await get('/index', `If-None-Match: "other", ${etag}`);
    expect([known.status, known.body]).toEqual([304, '']);
    expect((await get('/index', 'If-None-Match: "other"')).status).toBe(200);
    for (const query of ['sort=new&page=2', 'page=2&sort=new'])
      for (const answer of [await get(`/report?${query}`), await get(`/report?${query}`)])
        expect(answer.body).toContain(`/report?${query} <script>`);
  });

  test.each([
    ['no Host', ['GET /index HTTP/1.1'], 400],
    ['two Hosts', ['GET /index HTTP/1.1', 'Host: site.test', 'Host: evil.test'], 400],
    ['a Host with a path', ['GET /index HTTP/1.1', 'Host: site.test/evil'], 400],
    ['a Host with a user', ['GET /index HTTP/1.1', 'Host: a@site.test'], 400],
    ['no target', ['GET * HTTP/1.1', 'Host: site.test'], 400],
  ])('is not given for %s', async (_what, [line = '', ...headers], status) => {
    for (const visits of [1, 2]) {
      expect([visits, (await send(line, ...headers)).status]).toEqual([visits, status]);
      expect((await get('/index')).body).toContain(INDEX);
    }
  });
});
