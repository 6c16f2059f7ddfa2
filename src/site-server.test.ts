import { randomBytes } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { exportStatus, listSessions, usernameLogin } from './accounts/contract.ts';
import { accountExports } from './accounts/server/tables.ts';
import { groupUploads } from './groups/server/tables.ts';
import { originalKeyOf } from './groups/server/uploads/upload-files.ts';
import { EVENTS_PATH } from './payment/contract.ts';
import { newToken } from './accounts/server/session-cookies.ts';
import { listDocuments, listThemes } from './library/contract.ts';
import { createCaches } from './caches.ts';
import { openDatabase, type Database } from './platform/db/client.ts';
import { listenTo } from './platform/db/listen.ts';
import { createLog, type Log } from './platform/log.ts';
import { createAnswerCache, type AnswerCache } from './platform/http/answers/answer-cache.ts';
import { listen } from './platform/http/listen.ts';
import { createDirectCall, expectOk } from './protocol/call.ts';
import { openTestApp, type TestApp } from '../tests/test-app.ts';
import { addPerson, encoded, PASSWORD } from '../tests/people.ts';
import { addPublished } from '../tests/published-document.ts';
import { DOCUMENT_QR_PATH } from './library/addresses.ts';
import { drawQr } from './platform/draw-qr.ts';
import { createHealth } from './site/server/health.ts';
import type { Render } from './render.ts';
import { searchDocuments } from './search/contract.ts';
import { indexPages } from './search/server/indexing/index-documents.ts';
import { DAY_MS } from './protocol/durations.ts';
import { createSiteHandler } from './site-server.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const NO_SESSION_COOKIE = 'scene_bind=x; token=y';

/** A page that says what it was rendered from, and runs a script under its nonce. */
const render = vi.fn<Render>(async (request, { nonce, origin }) => {
  const url = new URL(request.url);
  const headers = { 'content-type': 'text/html; charset=utf-8' };
  const status = url.pathname === '/not-found' ? 404 : 200;
  const html = `<html><body>${origin} ${url.pathname}${url.search}<script nonce="${nonce}">go("${nonce}")</script></body></html>`;
  return new Response(html, { status, headers });
});
beforeEach(() => {
  render.mockClear();
});

const PAGES = /^\/(index|report|detail.*|aboutVip|user.*|s\/.*)$/i;

function openSite(
  options: {
    isRateLimited?: boolean;
    publicUrl?: string;
    companyEmail?: string;
    render?: Render;
    log?: Log;
    database?: Database;
    cache?: AnswerCache;
  } = {},
) {
  const { isRateLimited = false, publicUrl = null, companyEmail = app.ctx.config.site.companyEmail } = options;
  const site = { ...app.ctx.config.site, companyEmail };
  const state = { isWatched: true };
  const cache = options.cache ?? createAnswerCache({ isWatched: () => state.isWatched });
  const ctx = {
    ...app.ctx,
    log: options.log ?? app.ctx.log,
    db: options.database?.db ?? app.ctx.db,
    readDb: options.database?.readDb ?? app.ctx.readDb,
    caches: createCaches(),
    config: { ...app.ctx.config, isRateLimited, publicUrl, site },
  };
  const { handler, answerAtSocket } = createSiteHandler({
    ctx,
    health: createHealth(ctx),
    clientDir: null,
    render: options.render ?? render,
    hasPage: (pathname) => PAGES.test(pathname),
    cache,
    outside: null,
  });
  const ask = (path: string, headers: Record<string, string> = {}, ip = '203.0.113.7', init: RequestInit = {}) =>
    handler(new Request(new URL(path, 'http://site'), { headers, ...init }), { ip, isHttps: false });
  return { ask, cache, state, handler, answerAtSocket };
}

/** Asks a listening server with this site behind it, as a proxy would for the visitor at `ip`. */
async function listenOn(site: Pick<ReturnType<typeof openSite>, 'handler' | 'answerAtSocket'>) {
  const handler = vi.fn<typeof site.handler>(site.handler);
  const config = { ...app.ctx.config, host: '127.0.0.1', port: 0, trustedProxies: 1 };
  const server = await listen({ config, handler, middleware: null, answerAtSocket: site.answerAtSocket });
  onTestFinished(() => server.close(0));
  const ask = (path: string, ip: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${server.port}${path}`, { ...init, headers: { ...init.headers, 'x-forwarded-for': ip } });
  return { ask, handler, port: server.port };
}

it('answers another method than GET and HEAD with 405 where there is nothing to send to', async () => {
  const { ask } = openSite();
  for (const path of ['/livez', '/readyz', '/robots.txt', '/sitemap.xml', '/index', '/detail/9']) {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND']) {
      const { status, headers } = await ask(path, {}, '203.0.113.7', { method });
      expect([path, method, status, headers.get('allow')]).toEqual([path, method, 405, 'GET, HEAD']);
    }
    expect([path, (await ask(path, {}, '203.0.113.7', { method: 'HEAD' })).status]).toEqual([path, 200]);
  }
  for (const path of ['/dl/x', '/media/cover/x', '/media/upload/x']) {
    const { status, headers } = await ask(path, {}, '203.0.113.7', { method: 'PUT' });
    expect([path, status, headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
  }
  const { status, headers } = await ask('/api/upload', {}, '203.0.113.7', { method: 'PUT' });
  expect([status, headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
});

it.each([
  ['the token header', (token: string) => ({ token })],
  ['Authorization: Bearer', (token: string) => ({ authorization: `Bearer ${token}` })],
])('takes the token from %s on paths that answer without the envelope (C-02)', async (_name, headersOf) => {
  const { ask } = openSite();
  const person = await addPerson(app);
  const [own, none] = [headersOf(person.token), headersOf(newToken())];
  const at = new Date(app.ctx.clock.now());
  const key = randomBytes(16).toString('hex');
  const source = join(app.folder, key);
  await writeFile(source, 'bytes');
  await app.ctx.files.put(originalKeyOf(key), source);
  const upload = { key, userId: person.id, name: '方案', sizeBytes: 5, createdAt: at };
  await app.ctx.db.insert(groupUploads).values({ ...upload, state: 'ready', fileType: 'pdf', sha256: 'a'.repeat(64) });
  const { rows } = await app.ctx.db.execute(sql`select id from group_uploads where key = ${key}`);
  const expiresAt = new Date(at.getTime() + DAY_MS);
  await app.ctx.db.insert(accountExports).values({ userId: person.id, state: 'ready', createdAt: at, expiresAt });
  const { url } = expectOk(await app.call(exportStatus, {}, person.token));
  const cases: [string, RequestInit, number, number][] = [
    [EVENTS_PATH, {}, 200, 401],
    [`/media/upload/${String(rows[0]?.['id'])}/original`, {}, 200, 404],
    // The copy's file is gone.
    [url, {}, 410, 403],
    // A member of no group.
    ['/api/upload', { method: 'POST', headers: { 'tus-resumable': '1.0.0', 'upload-length': '9' } }, 403, 401],
  ];
  for (const [path, init, asOwner, asVisitor] of cases) {
    for (const [headers, status] of [
      [own, asOwner],
      [none, asVisitor],
    ] as const) {
      const answer = await ask(path, {}, '203.0.113.7', { ...init, headers: { ...init.headers, ...headers } });
      expect([path, answer.status]).toEqual([path, status]);
      await answer.body?.cancel();
    }
  }
});

it('says where weaknesses are reported, once the operator has set an address (RFC 9116)', async () => {
  const path = '/.well-known/security.txt';
  const { ask } = openSite({ publicUrl: 'https://ceku.test', companyEmail: 'safe@ceku.test' });
  const answer = await ask(path);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const lines = (await answer.text()).split('\n');
  expect(lines).toEqual([
    'Contact: mailto:safe@ceku.test',
    expect.stringMatching(/^Expires: \d{4}-\d\d-\d\dT[\d:.]+Z$/),
    'Preferred-Languages: zh, en',
    `Canonical: https://ceku.test${path}`,
    '',
  ]);
  const daysLeft = (Date.parse(lines[1]?.slice('Expires: '.length) ?? '') - app.ctx.clock.now()) / DAY_MS;
  expect(daysLeft).toBeGreaterThan(200);
  expect(daysLeft).toBeLessThan(365);
  expect((await openSite().ask(path)).status).toBe(404);
  expect((await openSite({ companyEmail: '见网站' }).ask(path)).status).toBe(404);
});

it('asks no page for a path that is no text', async () => {
  const { ask } = openSite();
  for (const path of ['/%', '/detail/1%', '/detail/%E0%A4%A']) expect((await ask(path)).status).toBe(404);
  expect(render).not.toHaveBeenCalled();
});

it('renders a page once for all visitors, whose script runs by its hash and no other does', async () => {
  const { ask } = openSite();
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask('/index?page=2')));
  const later = await ask('/index?page=2', {
    cookie: NO_SESSION_COOKIE,
    'user-agent': 'another',
    'x-forwarded-host': 'evil',
  });
  expect(render).toHaveBeenCalledOnce();
  const texts = await Promise.all([...answers, later].map((answer) => answer.text()));
  expect(new Set(texts)).toEqual(
    new Set(['<html><body>http://site /index?page=2<script>go("")</script></body></html>']),
  );
  const policy = later.headers.get('content-security-policy');
  expect(policy).toMatch(/script-src 'self' 'sha256-[^']+';/);
  expect(policy).not.toContain('nonce');
  expect(later.headers.get('cache-control')).toBe('private, no-cache');
  const again = await ask('/index?page=2', { 'if-none-match': later.headers.get('etag') ?? '' });
  expect(again.status).toBe(304);
  // The page was rendered without facts of the first visitor.
  expect([...(render.mock.calls[0]?.[0].headers ?? [])]).toEqual([]);
});

it.each([
  ['another page', '/index?page=3', {}],
  ['a parameter that the page does not read', '/index?page=2&utm_source=x', {}],
  ['a very long address', `/report?search_key=${'x'.repeat(700)}`, {}],
  ["React Router's own request", '/index.data', {}],
  ['another Host', 'http://evil.test/index?page=2', {}],
  ['a page of the members', '/user/index', {}],
])('does not answer %s with the kept page', async (_what, path, headers) => {
  const { ask } = openSite();
  await ask('/index?page=2');
  const answer = await ask(path, headers);
  expect(render).toHaveBeenCalledTimes(2);
  const url = new URL(path, 'http://site');
  expect(await answer.text()).toContain(`${url.origin} ${url.pathname}${url.search}<script`);
});

it('answers every address that no page has with one rendering', async () => {
  const { ask } = openSite();
  for (const path of ['/zz', '/zz?x=1', '/a/b/c', '/wp-login.php', '/%69ndex']) {
    const answer = await ask(path);
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain('zz');
  }
  expect(render).toHaveBeenCalledOnce();
});

it('drops a kept page when a published document changes, and only then', async () => {
  const { ask, cache } = openSite();
  const clear = vi.spyOn(cache, 'clear');
  const changes = listenTo(app.databaseUrl, 'page_change', { log: app.ctx.log, onNotice: () => cache.clear() });
  await vi.waitFor(() => expect(changes.isConnected()).toBe(true), 15_000);
  const { id } = await addPublished(app, { name: '周年庆典策划' });
  await vi.waitFor(() => expect(clear.mock.calls.length).toBeGreaterThan(1), 15_000);
  await untilQuiet(clear);
  clear.mockClear();
  await ask('/index');
  // A download counts itself; a member logs in; a file that nobody sees is ingested.
  await app.ctx.db.execute(sql`update documents set download_count = download_count + 1 where id = ${id}`);
  await app.ctx.db.execute(sql`update documents set keyword = 'x' where id = ${id} and state = 'processing'`);
  await wait(200);
  expect(clear).not.toHaveBeenCalled();
  await app.ctx.db.execute(sql`update documents set state = 'hidden', hidden_reason = 'illegal' where id = ${id}`);
  await vi.waitFor(() => expect(clear).toHaveBeenCalledOnce(), 15_000);
  await ask('/index');
  expect(render).toHaveBeenCalledTimes(2);
  await changes.close();
});

/** Waits until `clear` is not called for half a second: notices of what went before have all arrived. */
async function untilQuiet(clear: { mock: { calls: unknown[] } }): Promise<void> {
  for (let seen = -1; seen !== clear.mock.calls.length;) {
    seen = clear.mock.calls.length;
    await wait(500);
  }
}

it('shows a change on the pages of every node, also those that are not kept', async () => {
  /** Renders what the loader of the home page lists. */
  const listing: Render = async (_request, facts) => {
    const reply = await createDirectCall(facts.api)(listDocuments, {});
    return new Response(`<html>${JSON.stringify(reply.data)}</html>`, { headers: { 'content-type': 'text/html' } });
  };
  const nodes = [openSite({ render: listing }), openSite({ render: listing })];
  const listeners = nodes.map(({ cache }) =>
    listenTo(app.databaseUrl, 'page_change', { log: app.ctx.log, onNotice: () => cache.clear() }),
  );
  await vi.waitFor(() => expect(listeners.every((each) => each.isConnected())).toBe(true), 15_000);
  const { id } = await addPublished(app, { name: '两个节点的方案' });
  const show = () => Promise.all(nodes.map(async ({ ask }) => (await ask('/index?utm_source=x')).text()));
  await vi.waitFor(
    async () => expect((await show()).every((page) => page.includes('两个节点的方案'))).toBe(true),
    15_000,
  );
  // The answer is kept by then: no page asks the database for the list again.
  await wait(2_100);
  await show();
  await app.ctx.db.execute(sql`alter table documents disable trigger page_change_documents`);
  await app.ctx.db.execute(sql`update documents set name = '改名而不通知' where id = ${id}`);
  expect((await show()).every((page) => page.includes('两个节点的方案'))).toBe(true);
  await app.ctx.db.execute(sql`alter table documents enable trigger page_change_documents`);
  await app.ctx.db.execute(sql`update documents set state = 'hidden', hidden_reason = 'illegal' where id = ${id}`);
  await vi.waitFor(
    async () => expect((await show()).some((page) => /两个节点的方案|改名而不通知/.test(page))).toBe(false),
    15_000,
  );
  await Promise.all(listeners.map((each) => each.close()));
});

it('takes sess from a browser whose page has no session, and from no other', async () => {
  const { ask } = openSite();
  const { username } = await addPerson(app);
  const answer = await app.fetch('/api/v2/user/usernameLogin', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: encoded(PASSWORD) }),
  });
  const login = Object.fromEntries(
    answer.headers.getSetCookie().map((line) => [line.split('=')[0], /=([^;]*)/.exec(line)?.[1]]),
  );
  const clearedBy = async (path: string, cookie: string) => (await ask(path, { cookie })).headers.getSetCookie();
  // A page that is kept for all visitors, and one that is rendered for each.
  for (const path of ['/index?page=2', '/index?page=3', '/index?page=2&utm_source=x']) {
    expect(await clearedBy(path, `sess=${login.sess}; token=${login.token}`)).toEqual([]);
    expect(await clearedBy(path, `token=${login.token}`)).toEqual([]);
    expect(await clearedBy(path, `sess=${login.sess}`)).toEqual(['sess=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax']);
    expect(await clearedBy(path, `sess=${login.sess}; token=${newToken()}`)).toHaveLength(1);
    expect(await clearedBy(path, '')).toEqual([]);
  }
});

it('answers 503 to members, and for images, when the database hangs', async () => {
  const { ask } = openSite();
  const locker = new pg.Client({ connectionString: app.databaseUrl });
  await locker.connect();
  await locker.query('begin; lock table sessions in access exclusive mode');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const secret = newToken();
  const cookie = `sess=${secret}; token=${secret}`;
  const asked = [ask('/index', { cookie }), ask(`/media/${'k'.repeat(22)}/p1.webp`, { cookie })];
  await vi.advanceTimersByTimeAsync(20_000);
  const answers = await Promise.all(asked);
  vi.useRealTimers();
  await locker.end();
  expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  expect(answers.map(({ headers }) => headers.get('retry-after'))).toEqual(['5', '5']);
});

it('shows a page on the machine itself what the API answers there about a demo account', async () => {
  const { username, token } = await addPerson(app);
  await app.ctx.db.execute(sql`update users set is_demo = true where username = ${username}`);
  const loading: Render = async (_request, { api }) => Response.json((await api(listSessions.path, {})).body);
  const { handler } = openSite({ render: loading });
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    handler(
      new Request(new URL(path, 'http://localhost:3000'), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
      { ip: '127.0.0.1', isHttps: false },
    );
  const login = await post(usernameLogin.path, { username, password: encoded(PASSWORD) });
  const cookie = login.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ');
  const load = async (origin: string, ip: string) =>
    (await handler(new Request(`${origin}/user/index`, { headers: { cookie } }), { ip, isHttps: false })).json();
  const here = await load('http://localhost:3000', '127.0.0.1');
  expect(here).toMatchObject({ code: 0, data: { count: 2 } });
  const answer: unknown = await (await post(listSessions.path, {}, { token })).json();
  expect(answer).toMatchObject({ data: { count: 2 } });
  expect(await load('http://site', '203.0.113.7')).toMatchObject({ code: 0, data: { count: 1 } });
});

it('answers 503 with Retry-After for a cover while the folder of the files is away, which no cache keeps', async () => {
  const { ask } = openSite();
  const { mediaKey } = await addPublished(app, { name: '有封面的方案' });
  const path = `/media/${mediaKey}/cover.webp`;
  await app.ctx.files.put(`media/${mediaKey}/cover.webp`, fileURLToPath(import.meta.url));
  expect((await ask(path)).status).toBe(200);
  const files = join(app.dataDir, 'files');
  await rename(files, `${files}-away`);
  const away = await ask(path);
  await rename(`${files}-away`, files);
  expect([away.status, away.headers.get('retry-after'), away.headers.get('cache-control')]).toEqual([
    503,
    '5',
    'no-store',
  ]);
  await app.ctx.files.remove(`media/${mediaKey}/cover.webp`);
  expect((await ask(path)).status).toBe(404);
});

it('answers 503 with Retry-After while the database is away, or shows the page as it was, with a banner', async () => {
  // Nothing listens there: every query fails as it does while PostgreSQL is down.
  const away = openDatabase('postgres://nobody@127.0.0.1:1/none', { max: 4, log: app.ctx.log });
  const asking: Render = async (request, facts) => {
    const call = createDirectCall(facts.api);
    const isThere = await call(listThemes, {}).then(
      () => true,
      () => false,
    );
    // As the router answers what a loader throws.
    const headers = { 'content-type': request.url.endsWith('.data') ? 'text/x-script' : 'text/html' };
    return isThere ? render(request, facts) : new Response('<html>broken</html>', { status: 500, headers });
  };
  const { ask, cache, state } = openSite({ render: asking });
  expect((await ask('/index')).status).toBe(200);
  state.isWatched = false;
  const { ask: askAway } = openSite({ render: asking, database: away, cache });
  const refused = await askAway('/report');
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('5');
  expect(await refused.text()).toContain('服务暂时不可用');
  const data = await askAway('/report.data');
  expect([data.status, data.headers.get('retry-after')]).toEqual([503, '5']);
  const stale = await askAway('/index');
  expect(stale.status).toBe(200);
  expect(stale.headers.get('cache-control')).toBe('no-store');
  expect(await stale.text()).toContain('<html data-stale="">');
  // A visitor's page is never shown to a request that carries a session.
  expect((await askAway('/index', { cookie: `sess=${'x'.repeat(43)}; token=${'x'.repeat(43)}` })).status).toBe(503);
  await away.close();
});

it('keeps no page of a search whose decks could not be read', async () => {
  const { id } = await addPublished(app, { name: '通信讲稿', texts: ['封面', '邀请运营商出席', '尾页'] });
  await indexPages(app.ctx, [id]);
  // The first search that finds nothing loads dictionaries, which a busy machine may take longer for than a page may take.
  expectOk(await app.call(searchDocuments, { search_key: '没有人写过' }));
  const searching: Render = async (_request, { api }) => {
    const { total_count } = expectOk(await createDirectCall(api)(searchDocuments, { search_key: '运营商出席' }));
    return new Response(`<html>${total_count}</html>`, { headers: { 'content-type': 'text/html' } });
  };
  const { ask } = openSite({ render: searching });
  const look = async (path: string) => {
    const answer = await ask(path);
    return [await answer.text(), answer.headers.get('cache-control')];
  };
  await app.ctx.db.execute(sql`alter table page_entries rename to page_entries_away`);
  try {
    expect(await look('/report')).toEqual(['<html>0</html>', 'private, no-store']);
  } finally {
    await app.ctx.db.execute(sql`alter table page_entries_away rename to page_entries`);
  }
  expect(await look('/report')).toEqual(['<html>1</html>', 'private, no-cache']);
  // Another page asks for the same search, which is kept.
  expect(await look('/index')).toEqual(['<html>1</html>', 'private, no-cache']);
});

it('limits what one address has rendered, and nobody else', async () => {
  const site = openSite({ isRateLimited: true });
  const { ask } = site;
  const statuses: number[] = [];
  for (let number = 0; number < 605; number++) statuses.push((await ask(`/index?x=${number}`)).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(600);
  const refused = await ask('/index?x=y');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.text()).toContain('操作过于频繁');
  expect((await ask('/index?x=y', {}, '203.0.113.8')).status).toBe(200);
  // One who waits for the rendering of a refused one makes his own, and then it is there for both.
  const [first, second] = await Promise.all([ask('/index'), ask('/index', {}, '203.0.113.8')]);
  expect([first.status, second.status]).toEqual([429, 200]);
  expect((await ask('/index')).status).toBe(200);

  const { ask: askSocket, handler } = await listenOn(site);
  for (const path of ['/index?x=z', '/nowhere', '/index.data?x=1', '/robots.txt', '/api']) {
    const answer = await askSocket(path, '203.0.113.7');
    expect([path, answer.status]).toEqual([path, 429]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await answer.text()).toContain('操作过于频繁');
  }
  expect(await (await askSocket('/index?x=z', '203.0.113.7', { method: 'HEAD' })).text()).toBe('');
  // Nothing was made for them: neither a Request nor a page.
  expect(handler).not.toHaveBeenCalled();
  // A kept page, other limits and other visitors are not concerned; nor are members at this address.
  expect((await askSocket('/api/none', '203.0.113.7', { method: 'POST' })).status).toBe(404);
  expect((await askSocket('/livez', '203.0.113.7')).status).toBe(200);
  expect((await askSocket('/index?x=z', '203.0.113.9')).status).toBe(200);
  const calls = handler.mock.calls.length;
  await askSocket('/index?x=z', '203.0.113.7', { headers: { cookie: `sess=${'x'.repeat(43)}` } });
  expect(handler.mock.calls.length).toBe(calls + 1);
});

it('limits the API calls of one address, in the envelope', async () => {
  const site = openSite({ isRateLimited: true });
  const { ask } = site;
  for (let number = 0; number < 3_000; number++) await ask('/api/none');
  const refused = await ask('/api/none');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ code: 41, data: { retry_after: expect.any(Number) } });
  expect((await ask('/api/none', {}, '203.0.113.8')).status).toBe(404);
  expect((await ask('/livez')).status).toBe(200);

  const { ask: askSocket, handler } = await listenOn(site);
  const body = JSON.stringify({ search_key: 'x'.repeat(100_000) });
  const answer = await askSocket('/api/doc/search', '203.0.113.7', { method: 'POST', body });
  expect(answer.status).toBe(429);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await answer.json()).toMatchObject({ code: 41, data: { retry_after: expect.any(Number) } });
  expect(handler).not.toHaveBeenCalled();
  // Requests with a session from the flooding address are counted separately.
  const colleague = { method: 'POST', headers: { token: 'x'.repeat(43) } };
  expect((await askSocket('/api/user/mine', '203.0.113.7', colleague)).status).toBe(200);
  expect((await askSocket('/index', '203.0.113.7')).status).toBe(200);
}, 60_000);

it('is not kept busy by bodies that are sent slowly', async () => {
  const { ask, handler, port } = await listenOn(openSite());
  const path = listDocuments.path;
  for (let number = 0; number < 240; number++) {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    const from = `X-Forwarded-For: 203.0.113.${number % 40}`;
    socket.write(`POST ${path} HTTP/1.1\r\nHost: site\r\n${from}\r\nContent-Length: 60000\r\n\r\n{`);
  }
  await expect.poll(() => handler.mock.calls.length).toBe(240);
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  expect((await ask(path, '198.51.100.7', init)).status).toBe(200);
});

it('shows a foreign Host nowhere when the public address is configured', async () => {
  const { ask } = openSite({ publicUrl: 'https://ceku.test' });
  for (const path of ['/robots.txt', '/sitemap.xml', '/sitemap-0.xml', '/api', '/index']) {
    const answer = await ask(`http://evil.test${path}`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).not.toContain('evil.test');
  }
  // Made-up Hosts neither push kept pages out of memory nor force renderings.
  render.mockClear();
  for (const host of ['a', 'b', 'c']) expect((await ask(`http://${host}.test/index?page=4`)).status).toBe(200);
  expect(render).toHaveBeenCalledOnce();
  const asked = openSite();
  for (const path of ['/robots.txt', '/sitemap.xml', '/api']) {
    expect((await asked.ask(path)).headers.get('cache-control')).toBe('private, no-cache');
  }
});

it('begins links with https where a proxy ended TLS, also without PUBLIC_URL, and keeps both pages apart', async () => {
  const { handler } = openSite();
  const textOf = async (path: string, isHttps: boolean) =>
    (await handler(new Request(`http://ceku.cn${path}`), { ip: '203.0.113.7', isHttps })).text();
  for (const path of ['/index', '/robots.txt']) {
    expect(await textOf(path, true)).toContain('https://ceku.cn');
    expect(await textOf(path, false)).not.toContain('https://ceku.cn');
    expect(await textOf(path, true)).toContain('https://ceku.cn');
  }
});

it('leads with https from the QR code of a document where a proxy ended TLS, also without PUBLIC_URL', async () => {
  const { id } = await addPublished(app);
  const { handler } = openSite();
  const qrBehind = async (isHttps: boolean) => {
    const request = new Request(`http://ceku.cn${DOCUMENT_QR_PATH}?scene=${id}`);
    return Buffer.from(await (await handler(request, { ip: '203.0.113.7', isHttps })).arrayBuffer());
  };
  for (const isHttps of [true, false]) {
    const expected = await drawQr(`${isHttps ? 'https' : 'http'}://ceku.cn/detail/${id}`, 430);
    expect((await qrBehind(isHttps)).equals(expected)).toBe(true);
  }
});

it('names each request in its answer, and in the page of a failure the same', async () => {
  const failing: Render = async () =>
    new Response('<html><body><p data-request-id=""></p></body></html>', {
      status: 500,
      headers: { 'content-type': 'text/html; charset=utf-8' },
    });
  const { ask } = openSite({ render: failing });
  const failed = await ask('/index');
  const id = failed.headers.get('x-request-id') ?? '';
  expect(failed.status).toBe(500);
  expect(id).toMatch(/^[\da-f-]{36}$/);
  expect(await failed.text()).toContain(`<p data-request-id="">请求编号 ${id}</p>`);
  const [one, other] = await Promise.all(['/livez', '/api/no-such-call'].map((path) => ask(path)));
  expect(one?.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  expect(other?.headers.get('x-request-id')).not.toBe(one?.headers.get('x-request-id'));
});

it('keeps the keys of download links and shared lists out of the log, whose level counts for pages as well', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = (level: string) => createLog(level, { write: (line) => void lines.push(JSON.parse(line)) });
  const failing: Render = async (request, { reportFailure }) => {
    reportFailure('a loader failed');
    if (request.url.includes('thrown')) throw new Error('no page');
    return new Response('no page', { status: 500 });
  };
  const site = openSite({ render: failing, log: log('warn') });
  for (const path of ['/s/key-of-a-list', '/S/key-of-a-list.data', '/s/key-thrown', '/index']) await site.ask(path);
  expect(lines.filter(({ msg }) => msg === 'page failed').map(({ path, level }) => [path, level])).toEqual([
    ['/s/…', 40],
    ['/S/…', 40],
    ['/s/…', 40],
    ['/index', 40],
  ]);
  expect(lines.find(({ msg }) => msg === 'request failed')).toMatchObject({ path: '/s/…', level: 50 });
  expect(JSON.stringify(lines)).not.toContain('key');
  lines.length = 0;
  await openSite({ render: failing, log: log('fatal') }).ask('/index');
  expect(lines).toEqual([]);
});

it('sends sitemaps compressed, whole, and with no other length than their own', async () => {
  const { ask } = openSite();
  const headers = { 'accept-encoding': 'gzip' };
  const plain = await ask('/sitemap.xml', headers);
  const index = Buffer.from(await plain.arrayBuffer());
  expect(Number(plain.headers.get('content-length') ?? index.length)).toBe(index.length);
  expect(await (await ask('/sitemap-pages.xml')).text()).toContain('/aboutVip</loc>');
  const part = await ask('/sitemap-0.xml', headers);
  expect(part.headers.get('content-encoding')).toBe('gzip');
  expect(part.headers.get('content-length')).toBeNull();
  expect(gunzipSync(Buffer.from(await part.arrayBuffer())).toString()).toMatch(/^<\?xml .*<\/urlset>$/);
});
