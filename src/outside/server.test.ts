import { createServer } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountsOf, openOutside, type OutsideServer } from './server.ts';

let outside: OutsideServer;
beforeAll(async () => {
  outside = await openOutside({ host: '127.0.0.1', port: 0 });
});
afterAll(() => outside.close());

const call = async (path: string, body?: object) => {
  const answer = await fetch(`${outside.url}${path}`, {
    ...(body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return answer.json();
};
const form = (path: string, values: Record<string, string>) =>
  fetch(`${outside.url}${path}`, { method: 'POST', body: new URLSearchParams(values) }).then((page) => page.text());

describe('stable_token', () => {
  const ask = (change: object = {}) => {
    const { appId: appid, secret } = outside.world.accounts.official;
    return call('/cgi-bin/stable_token', { grant_type: 'client_credential', appid, secret, ...change });
  };

  test('gives the same token again, until it is forced to make another; that not twice in half a minute', async () => {
    const first = await ask();
    expect(first.expires_in).toBe(7_200);
    expect((await ask()).access_token).toBe(first.access_token);
    const forced = await ask({ force_refresh: true });
    expect(forced.access_token).not.toBe(first.access_token);
    expect(await ask({ force_refresh: true })).toMatchObject({ errcode: 45011 });
    const old = await call(`/cgi-bin/qrcode/create?access_token=${first.access_token}`, {});
    expect(old).toMatchObject({ errcode: 40001 });
  });

  test('refuses what is wrong by its number', async () => {
    expect(await ask({ secret: 'x' })).toMatchObject({ errcode: 40125 });
    expect(await ask({ appid: 'x' })).toMatchObject({ errcode: 40013 });
    expect(await ask({ grant_type: 'x' })).toMatchObject({ errcode: 40002 });
    expect(await call('/cgi-bin/qrcode/create', {})).toMatchObject({ errcode: 41001 });
  });
});

test('it hands out complete accounts with addresses of its own', () => {
  const accounts = accountsOf(outside.world);
  expect(JSON.stringify(accounts)).not.toContain('undefined');
  for (const { apiUrl } of Object.values(accounts)) expect(apiUrl).toContain(outside.url);
});

test('a push that the site does not take is tried three times', async () => {
  let pushes = 0;
  const site = createServer((request, response) => {
    if (request.method === 'GET') {
      return void response.end(new URL(request.url ?? '', 'http://site').searchParams.get('echostr'));
    }
    pushes += 1;
    response.statusCode = pushes < 3 ? 500 : 200;
    response.end('success');
  });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  const address = site.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const answer = await fetch(`${outside.url}/control/site`, {
    method: 'PUT',
    body: JSON.stringify({ url: `http://127.0.0.1:${address.port}` }),
  });
  expect(answer.status).toBe(200);
  const { access_token: token } = await call('/cgi-bin/stable_token', {
    grant_type: 'client_credential',
    appid: outside.world.accounts.official.appId,
    secret: outside.world.accounts.official.secret,
  });
  await call(`/cgi-bin/qrcode/create?access_token=${token}`, {
    action_name: 'QR_STR_SCENE',
    action_info: { scene: { scene_str: 'thrice' } },
  });
  const scanned = await call('/control/scan', { scene: 'thrice' });
  expect(scanned).toMatchObject({ scanned: { ok: true, pushed: { tries: 3 } } });
  site.closeAllConnections();
  site.close();
});

describe('control calls', () => {
  test('what they do not understand is refused, and what is not there is not found', async () => {
    for (const body of [{}, { target: 'moon', fault: '500' }, { target: 'sms', fault: 'flood' }]) {
      const answer = await fetch(`${outside.url}/control/faults`, { method: 'POST', body: JSON.stringify(body) });
      expect(answer.status).toBe(400);
    }
    expect((await fetch(`${outside.url}/control/scan`, { method: 'POST', body: '{' })).status).toBe(400);
    expect((await fetch(`${outside.url}/control/sms?phone=13800000000`)).status).toBe(404);
    expect(await call('/control/scan', { scene: 'never-made' })).toMatchObject({ error: expect.any(String) });
  });
});

describe('the phone', () => {
  const openScene = (scene: string) =>
    outside.world.scenes.set(scene, {
      kind: 'mini',
      scene,
      ticket: '',
      createdAt: Date.now(),
      expiresAt: Date.now() + 60_000,
      person: null,
      state: 'waiting',
      asks: {},
      note: '',
    });

  test('shows a site that does not answer, and lets one try again', async () => {
    openScene('unanswered');
    outside.world.siteUrl = 'http://127.0.0.1:1';
    const page = await form('/phone/scan', { scene: 'unanswered', person: 'lili' });
    expect(page).toContain('网站没有回应');
    expect(page).toContain('扫一扫</button>');
  });

  test.each([
    ['prove', '已取消验证'],
    ['login', '已取消登录'],
  ])('says what was cancelled: %s', async (purpose, title) => {
    openScene(purpose);
    Object.assign(outside.world.scenes.get(purpose) ?? {}, { state: 'cancelled', asks: { purpose } });
    const page = await (await fetch(`${outside.url}/phone?scene=${purpose}`)).text();
    expect(page).toContain(title);
  });

  test('escapes all texts that it shows', async () => {
    openScene('odd"><script>alert(1)</script>');
    const nickname = '<script>x</script>';
    const pages = [
      await form('/phone/scan', { scene: 'odd"><script>alert(1)</script>', newcomer: nickname }),
      await (await fetch(`${outside.url}/phone?sms=${encodeURIComponent('"><script>')}`)).text(),
      await (await fetch(`${outside.url}/phone`)).text(),
    ];
    for (const page of pages) {
      expect(page).not.toContain('<script>x');
      expect(page).not.toContain('"><script>');
    }
    expect(pages[0]).toContain('&lt;script&gt;x');
  });

  test('is shown in no frame of another page', async () => {
    const policy = (await fetch(`${outside.url}/phone`)).headers.get('content-security-policy');
    expect(policy).toBe("frame-ancestors 'none'");
  });

  test('a code that is over or unknown says so', async () => {
    openScene('over');
    const over = outside.world.scenes.get('over');
    if (over) over.expiresAt = 0;
    for (const scene of ['over', 'unknown']) {
      expect(await (await fetch(`${outside.url}/phone?scene=${scene}`)).text()).toContain('二维码已失效');
    }
  });
});
