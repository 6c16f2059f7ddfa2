import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import {
  DEMO_USERS,
  demoPasswordOf,
  describeDemoLogins,
  listDemoUsers,
  renewDemoPasswords,
  seedDemoUsers,
} from '../../../demo/users.ts';
import { encoded } from '../../../tests/people.ts';
import { standInProviders } from '../../../tests/stand-in-providers.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { newPhone } from '../../../tests/visitor.ts';
import { readConfig, type Config } from '../../config.ts';
import { createSigner } from '../../platform/signer.ts';
import { createUser, findUserBy } from './users.ts';
import { ensureDemoPassword } from './demo-accounts.ts';
import { setPassword } from './account-admin.ts';

const outside = standInProviders();
let app: TestApp;
let demoPassword: string;
beforeAll(async () => {
  app = await openTestApp({ providers: outside.providers });
  demoPassword = demoPasswordOf(app.ctx);
  await seedDemoUsers(app.ctx);
});
afterEach(() => configure({}));
afterAll(() => app.close());

/** As a site started with these keys. */
function configure(env: NodeJS.ProcessEnv): Config {
  const { demoLogins, publicBecause } = readConfig(env);
  return Object.assign(app.ctx.config, { demoLogins, publicBecause });
}

const MINI = { WECHAT_MINI_APPID: 'wx123', WECHAT_MINI_SECRET: 'd41d8cd98f00b204e9800998ecf8427e' };
const HERE = 'http://127.0.0.1:3000';

type Data = { authToken?: string; sessions?: { id: number; is_current: 0 | 1 }[] };
type Way = { origin?: string; ip?: string; headers?: Record<string, string> };

async function post(path: string, body: object, { origin = HERE, ip = '127.0.0.1', headers = {} }: Way = {}) {
  const response = await app.fetch(
    `${origin}${path}`,
    { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) },
    ip,
  );
  // Safe: every API answer is an envelope.
  return (await response.json()) as { code: number; message: string; data: Data | null };
}

const login = (username: string, way?: Way, password = demoPassword) =>
  post('/api/v2/user/usernameLogin', { username, password: encoded(password) }, way);

async function tokenOf(username: string): Promise<string> {
  const { data } = await login(username);
  return data?.authToken ?? expect.unreachable('the login was refused');
}

describe('with nothing configured', () => {
  it.each(DEMO_USERS.map(({ username }) => username))('%s logs in on the machine itself', async (username) => {
    for (const origin of [HERE, 'http://localhost:3000', 'http://[::1]:3000'])
      expect(await login(username, { origin, headers: { origin } })).toMatchObject({ code: 0 });
    expect(await login(username, { ip: '::1' })).toMatchObject({ code: 0 });
  });

  test.each<[string, Way]>([
    ['another machine of the network', { ip: '192.168.1.20', origin: 'http://192.168.1.5:3000' }],
    ['another machine that names itself localhost', { ip: '192.168.1.20' }],
    ['a published port of a container', { ip: '172.17.0.1', origin: 'http://localhost:3000' }],
    ['a TLS proxy on this machine', { headers: { 'x-forwarded-proto': 'https' } }],
    ['a proxy that tells the address alone', { headers: { 'x-forwarded-for': '203.0.113.9' } }],
    ['a proxy that tells a loopback address', { headers: { 'x-forwarded-for': '127.0.0.1' } }],
    ['a proxy of RFC 7239', { headers: { forwarded: 'for=203.0.113.9;proto=https' } }],
    ['a proxy that keeps the host', { origin: 'http://ceku.example.com' }],
    ['a tunnel that keeps the host of a subdomain', { origin: 'https://localhost.ceku.example.com' }],
    ['a bare proxy, by browser', { headers: { origin: 'https://ceku.example.com' } }],
    ['a page of nobody', { headers: { origin: 'null' } }],
    ['a page of another site', { headers: { 'sec-fetch-site': 'cross-site' } }],
    ['Traefik', { headers: { 'x-forwarded-server': 'edge' } }],
    ['Azure', { headers: { 'x-original-host': 'ceku.example.com' } }],
    ['Alibaba Cloud', { headers: { 'ali-cdn-real-ip': '203.0.113.9' } }],
    ['Google Cloud', { headers: { 'x-cluster-client-ip': '203.0.113.9' } }],
    ['Fastly', { headers: { 'fastly-client-ip': '203.0.113.9' } }],
    ['Fly', { headers: { 'fly-client-ip': '203.0.113.9' } }],
    ['a target in absolute form', { headers: { host: 'ceku.example.com' } }],
    ['an old proxy', { headers: { 'x-forwarded': 'for=203.0.113.9' } }],
    ['an older proxy', { headers: { 'forwarded-for': '203.0.113.9' } }],
    ['Apache mod_remoteip', { headers: { 'client-ip': '203.0.113.9' } }],
    ['WebLogic', { headers: { 'wl-proxy-client-ip': '203.0.113.9', 'proxy-client-ip': '203.0.113.9' } }],
    ['Azure Front Door', { headers: { 'x-azure-clientip': '203.0.113.9' } }],
    ['Vercel', { headers: { 'x-vercel-id': 'hkg1::1' } }],
    ['App Engine', { headers: { 'x-appengine-user-ip': '203.0.113.9' } }],
    ['Tailscale', { headers: { 'tailscale-user-login': 'guest@example.com' } }],
    ['Cloudflare', { headers: { 'cf-ray': '0-HKG', 'cdn-loop': 'cloudflare' } }],
  ])('%s is told where the login works', async (_way, way) => {
    for (const { username } of DEMO_USERS)
      expect(await login(username, way)).toMatchObject({ code: 1, message: '演示账号只能在运行本站的电脑上登录' });
  });

  it.each(DEMO_USERS.map(({ username }) => username))(
    '%s has no password that anybody could know',
    async (username) => {
      expect(await login(username, {}, 'ceku2026')).toMatchObject({ code: 1, message: '账号或密码错误' });
      expect(demoPassword).toMatch(/^([a-z]{3}[2-9]){3}$/);
      const elsewhere = demoPasswordOf({ signer: createSigner(Buffer.alloc(32, 7)) });
      expect(elsewhere).not.toBe(demoPassword);
    },
  );

  it('gives logins with a published password the one that the start prints, and ends their sessions', async () => {
    const token = await tokenOf('vip');
    await renewDemoPasswords(app.ctx);
    expect(await post('/api/user/mine', {}, { headers: { token } })).toMatchObject({ code: 0 });
    await ensureDemoPassword(app.ctx, 'vip', 'ceku2026');
    expect(await login('vip', {}, 'ceku2026')).toMatchObject({ code: 0 });
    await renewDemoPasswords(app.ctx);
    expect(await login('vip', {}, 'ceku2026')).toMatchObject({ code: 1 });
    expect(await login('vip')).toMatchObject({ code: 0 });
    expect(await post('/api/user/mine', {}, { headers: { token } })).toMatchObject({ code: 2 });
    expect(await findUserBy(app.ctx, { username: 'vip' })).toMatchObject({ isDemo: true });
    expect((await describeDemoLogins(app.ctx)).join('\n')).toContain(`vip   / ${demoPassword}`);
  });

  it('does not say so without the right password', async () => {
    expect(await login('pro', { ip: '192.168.1.20' }, 'wrong-1234')).toMatchObject({ message: '账号或密码错误' });
    expect(await login('pro', {})).toMatchObject({ code: 0 });
  });
});

describe('on a public site', () => {
  test.each<[string, NodeJS.ProcessEnv]>([
    ['keys of WeChat alone', MINI],
    ['a proxy in front', { TRUST_PROXY: '1' }],
    ['a public address', { PUBLIC_URL: 'https://ceku.example.com' }],
    ['a public address and a database of its own', { PUBLIC_URL: 'https://a.cn', DATABASE_URL: 'postgres://x/y' }],
    ['DEMO=off', { DEMO: 'off' }],
  ])('%s: no demo login works, whenever it was made', async (_what, env) => {
    const token = await tokenOf('pro');
    configure(env);
    for (const { username } of DEMO_USERS) {
      expect(await login(username)).toMatchObject({ code: 1, message: '账号或密码错误' });
      expect(await login(username, { origin: 'https://ceku.example.com' })).toMatchObject({ code: 1 });
    }
    // A session from before the site was public is over as well.
    expect(await post('/api/user/mine', {}, { headers: { token } })).toMatchObject({ code: 2 });
    expect((await describeDemoLogins(app.ctx)).join('\n')).toMatch(/^The demo logins \(demo, vip, pro\).* refused: /);
    expect((await describeDemoLogins(app.ctx)).join()).not.toContain(demoPassword);
  });

  it('refuses a demo account by the code of a phone that was bound to it before', async () => {
    const [phone, token] = [newPhone(), await tokenOf('demo')];
    await post('/api/user/sendPhoneCode', { phone, scene: 'bind' }, { headers: { token } });
    const code = outside.codeTo(phone);
    const bound = await post('/api/user/bindPhone', { phone, pwd: demoPassword, code }, { headers: { token } });
    expect(bound.code).toBe(0);
    app.clock.offsetMs += 61_000;
    configure(MINI);
    await post('/api/user/sendPhoneCode', { phone, scene: 'login' });
    expect(await post('/api/user/phoneCodeLogin', { phone, code: outside.codeTo(phone) })).toMatchObject({ code: 1 });
    expect(await post('/api/user/phoneLogin', { phone, pwd: demoPassword })).toMatchObject({ code: 1 });
  });

  it("leaves an operator's own account of such a name alone", async () => {
    const vip = await findUserBy(app.ctx, { username: 'vip' });
    await setPassword(app.ctx, vip?.id ?? 0, 'operator-secret-1');
    await createUser(app.ctx, { username: 'demo2', password: 'operator-secret-2', phone: null, nickname: '自己人' });
    configure(MINI);
    expect(await login('vip', {}, 'operator-secret-1')).toMatchObject({ code: 0 });
    expect(await login('demo2', {}, 'operator-secret-2')).toMatchObject({ code: 0 });
    expect((await listDemoUsers(app.ctx)).map(({ username }) => username)).toEqual(['demo', 'pro']);
  });
});

describe('DEMO=on lets everybody in', () => {
  it('and no one learns about the others or throws them out', async () => {
    // The operator has a copy of the data from the machine itself.
    const own = { headers: { token: await tokenOf('pro') } };
    expect(await post('/api/user/export', {}, own)).toMatchObject({ code: 0, data: { status: 'pending' } });
    configure({ DEMO: 'on', PUBLIC_URL: 'https://ceku.example.com' });
    const { data } = await login('pro', stranger);
    const way = { ...stranger, headers: { token: data?.authToken ?? '' } };
    const refused = { code: 1, message: '演示账号由多人共用，不支持此操作' };
    expect(await post('/api/user/export', { pwd: demoPassword }, way)).toMatchObject(refused);
    expect(await post('/api/user/exportStatus', {}, way)).toMatchObject({ code: 0, data: { status: 'none' } });
    const { data: shown } = await post('/api/user/sessions', {}, way);
    expect(shown).toMatchObject({ count: 1, sessions: [{ is_current: 1 }] });
    const { data: all } = await post('/api/user/sessions', {}, own);
    const other = all?.sessions?.find(({ is_current: isCurrent }) => isCurrent === 1)?.id;
    expect(await post('/api/user/sessionRevoke', { id: other }, way)).toMatchObject(refused);
    expect(await post('/api/user/sessionRevoke', { others: 1 }, way)).toMatchObject(refused);
    const invoice = {
      out_trade_no: 'M20260101000000ABCDEFGHJK',
      title_type: 'person',
      title: '王小明',
      tax_no: '',
      email: 'a@b.cn',
    };
    expect(await post('/api/order/invoice', invoice, way)).toMatchObject(refused);
    expect(await post('/api/user/mine', {}, own)).toMatchObject({ code: 0 });
    expect(await post('/api/user/sessionRevoke', { id: shown?.sessions?.[0]?.id }, way)).toMatchObject({ code: 0 });
  });

  const stranger: Way = { ip: '203.0.113.9', origin: 'https://ceku.example.com' };

  it('and no one can take the account over', async () => {
    configure({ DEMO: 'on', PUBLIC_URL: 'https://ceku.example.com' });
    const { data } = await login('pro', stranger);
    const way = { ...stranger, headers: { token: data?.authToken ?? '' } };
    const refused = { code: 1, message: '演示账号由多人共用，不支持此操作' };
    const phone = newPhone();
    await post('/api/user/sendPhoneCode', { phone, scene: 'bind' }, way);
    const code = outside.codeTo(phone);
    expect(await post('/api/user/bindPhone', { phone, pwd: demoPassword, code }, way)).toMatchObject(refused);
    expect(await post('/api/user/cancelAccount', { pwd: demoPassword }, way)).toMatchObject(refused);
    expect(await post('/api/user/updateInfo', { nickname: '到此一游' }, way)).toMatchObject(refused);
    expect(await login('pro', stranger)).toMatchObject({ code: 0 });
    expect(await findUserBy(app.ctx, { username: 'pro' })).toMatchObject({ phone: '', nickname: '资深策划' });
  });
});
