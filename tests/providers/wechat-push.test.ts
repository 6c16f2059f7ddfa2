import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  OFFIACCOUNT_EVENTS_PATH,
  getMiniLoginScene,
  miniLoginChecking,
  offiaccountLogin,
} from '../../src/accounts/contract-scans.ts';
import type { OfficialAccountLogin } from '../../src/accounts/ports.ts';
import { openConnectedApp, type ConnectedApp } from '../outside.ts';
import { openVisitor } from '../visitor.ts';

let world: ConnectedApp;
beforeAll(async () => {
  world = await openConnectedApp();
});
afterEach(() => world.control('DELETE', 'faults'));
afterAll(() => world.close());

const account = (): OfficialAccountLogin => {
  const { officialAccount } = world.app.ctx.providers;
  if (!officialAccount) throw new Error('not configured');
  return officialAccount;
};
const keys = () => world.outside.world.accounts.official;
const sha1 = (...parts: string[]) => createHash('sha1').update(parts.toSorted().join('')).digest('hex');
const now = () => String(Math.floor(Date.now() / 1000));

type Change = Partial<{
  appId: string;
  aesKey: string;
  token: string;
  timestamp: string;
  padding: number;
  length: number;
  message: string;
}>;
const SCAN =
  '<xml><FromUserName><![CDATA[oPerson]]></FromUserName><CreateTime>1700000000</CreateTime>' +
  '<MsgType><![CDATA[event]]></MsgType><Event><![CDATA[SCAN]]></Event><EventKey><![CDATA[0042]]></EventKey></xml>';

/** A push as WeChat seals and signs it, with one thing changed. */
function pushed(change: Change = {}) {
  const { appId, aesKey, token } = { ...keys(), ...change };
  const message = Buffer.from(change.message ?? SCAN);
  const key = Buffer.from(`${aesKey}=`, 'base64');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(change.length ?? message.length);
  const plain = Buffer.concat([randomBytes(16), length, message, Buffer.from(appId)]);
  const missing = 32 - (plain.length % 32);
  const padding = Buffer.alloc(missing, change.padding ?? missing);
  const cipher = createCipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false);
  const sealed = Buffer.concat([cipher.update(plain), cipher.update(padding), cipher.final()]).toString('base64');
  const timestamp = change.timestamp ?? now();
  const query = new URLSearchParams({
    signature: sha1(token, timestamp, '77'),
    timestamp,
    nonce: '77',
    encrypt_type: 'aes',
    msg_signature: sha1(token, timestamp, '77', sealed),
  });
  return { query, body: `<xml><ToUserName><![CDATA[gh]]></ToUserName><Encrypt><![CDATA[${sealed}]]></Encrypt></xml>` };
}

describe('reading a push', () => {
  test('a scan by a follower, and the first scan of a new one', () => {
    expect(account().readPush(pushed())).toEqual({
      kind: 'scan',
      scene: '0042',
      openid: 'oPerson',
      event: 'SCAN',
      at: 1_700_000_000,
    });
    const message = SCAN.replace('[SCAN]', '[subscribe]').replace('[0042]', '[qrscene_0042]');
    expect(account().readPush(pushed({ message }))).toMatchObject({ scene: '0042', event: 'subscribe' });
  });

  test.each([
    ['a text message', SCAN.replace('[event]', '[text]')],
    ['following without a scan', SCAN.replace('[SCAN]', '[subscribe]').replace('[0042]', '[]')],
    ['leaving', SCAN.replace('[SCAN]', '[unsubscribe]')],
  ])('%s is genuine and no scan', (_what, message) => {
    expect(account().readPush(pushed({ message }))).toEqual({ kind: 'other' });
  });

  test.each<[string, Change]>([
    ['signed with another token', { token: 'another' }],
    ['sealed with another key', { aesKey: 'A'.repeat(43) }],
    ['for another account', { appId: 'wx0000000000000000' }],
    ['six minutes old', { timestamp: String(Number(now()) - 360) }],
    ['from six minutes ahead', { timestamp: String(Number(now()) + 360) }],
    ['of no time', { timestamp: 'NaN' }],
    ['with a length past its end', { length: 1_000_000 }],
    ['with odd padding', { padding: 200 }],
    ['of no XML', { message: 'hello' }],
    ['with a document type', { message: `<!DOCTYPE x [<!ENTITY a "b">]>${SCAN}` }],
  ])('%s: not genuine', (_what, change) => {
    expect(account().readPush(pushed(change))).toMatchObject({ kind: 'not-genuine' });
  });

  test('with any one character of it changed: not genuine', () => {
    const { query, body } = pushed();
    const start = body.indexOf('<Encrypt>') + 18;
    for (let at = start; at < start + 120; at += 17) {
      const changed = `${body.slice(0, at)}${body[at] === 'A' ? 'B' : 'A'}${body.slice(at + 1)}`;
      expect(account().readPush({ query, body: changed }), `at ${at}`).toMatchObject({ kind: 'not-genuine' });
    }
    for (const name of ['timestamp', 'nonce', 'msg_signature']) {
      const altered = new URLSearchParams(query);
      altered.set(name, `${query.get(name)?.slice(0, -1)}x`);
      expect(account().readPush({ query: altered, body }), name).toMatchObject({ kind: 'not-genuine' });
      altered.delete(name);
      expect(account().readPush({ query: altered, body }), name).toMatchObject({ kind: 'not-genuine' });
    }
  });

  test('in plain mode, which does not sign the body: not genuine', () => {
    const { query } = pushed();
    query.delete('encrypt_type');
    query.delete('msg_signature');
    expect(account().readPush({ query, body: SCAN })).toMatchObject({ kind: 'not-genuine', why: 'not in safe mode' });
  });

  test.each([
    '',
    '<',
    '<xml>',
    '<xml><Encrypt></Encrypt></xml>',
    '<xml><Encrypt><b/></Encrypt></xml>',
    '{}',
    'x'.repeat(70_000),
  ])('an odd body: not genuine (%#)', (body) => {
    expect(account().readPush({ query: pushed().query, body })).toMatchObject({ kind: 'not-genuine' });
  });

  test('of a stranger: its body is not even parsed', () => {
    const { query } = pushed();
    const body = `<xml>${'<a/>'.repeat(10_000)}</xml>`;
    expect(account().readPush({ query, body })).toMatchObject({ why: 'no sealed text' });
    for (const signature of ['', 'x', sha1('another', String(query.get('timestamp')), '77')]) {
      query.set('signature', signature);
      expect(account().readPush({ query, body })).toMatchObject({ why: 'wrong signature' });
    }
    const late = pushed({ timestamp: String(Number(now()) - 360) });
    expect(account().readPush({ query: late.query, body })).toMatchObject({ why: 'too old' });
  });

  test('the check of the server URL', () => {
    const timestamp = now();
    const ask = (signature: string) => new URLSearchParams({ signature, timestamp, nonce: '7', echostr: '4711' });
    expect(account().echo(ask(sha1(keys().token, timestamp, '7')))).toBe('4711');
    expect(account().echo(ask(sha1('another', timestamp, '7')))).toBeNull();
    expect(account().echo(new URLSearchParams())).toBeNull();
  });
});

describe('the whole way', () => {
  const openScene = async () => {
    const browser = openVisitor(world.app);
    const { data } = await browser.call(offiaccountLogin, { channel: 'web' });
    return { browser, scene: String(data?.scene) };
  };

  test('the official account: scanned on the phone, logged in at the desk; the second time as the same person', async () => {
    const first = await openScene();
    expect(await world.control('POST', 'scan', { scene: first.scene, openid: 'lili' })).toMatchObject({
      scanned: { ok: true, pushed: { status: 200, tries: 1 } },
    });
    const login = await first.browser.call(miniLoginChecking, { scene: first.scene });
    expect(login.code).toBe(0);
    const second = await openScene();
    await world.control('POST', 'scan', { scene: second.scene, openid: 'lili' });
    const again = await second.browser.call(miniLoginChecking, { scene: second.scene });
    expect(again.data?.openid).toBe(login.data?.openid);
  });

  test('pushed twice: one login', async () => {
    const { browser, scene } = await openScene();
    await world.control('POST', 'faults', { target: 'push', fault: 'twice' });
    await world.control('POST', 'scan', { scene });
    expect((await browser.call(miniLoginChecking, { scene })).code).toBe(0);
    expect((await browser.call(miniLoginChecking, { scene })).code).toBe(6);
  });

  test.each(['wrong-sign', 'unsigned', 'stale'])('pushed %s: 403, and nobody is logged in', async (fault) => {
    const { browser, scene } = await openScene();
    await world.control('POST', 'faults', { target: 'push', fault });
    expect(await world.control('POST', 'scan', { scene })).toMatchObject({
      scanned: { ok: false, pushed: { status: 403 } },
    });
    expect((await browser.call(miniLoginChecking, { scene })).code).toBe(1);
  });

  test('the mini program: scanned, confirmed, logged in; what the phone is shown is where the browser is', async () => {
    const browser = openVisitor(world.app);
    const { data } = await browser.call(getMiniLoginScene, {});
    const scene = String(data?.scene);
    expect((await browser.fetch(`/api/user/getMiniQrCode?scene=${scene}`)).headers.get('content-type')).toBe(
      'image/png',
    );
    const scanned = await world.control('POST', 'scan', { scene, openid: 'wangqiang', confirm: false });
    expect(scanned).toMatchObject({ scanned: { reply: { data: { site: '策库' } } } });
    expect((await browser.call(miniLoginChecking, { scene })).code).toBe(3);
    expect(await world.control('POST', 'confirm', { scene })).toMatchObject({ decided: { ok: true } });
    expect((await browser.call(miniLoginChecking, { scene })).code).toBe(0);
  });

  test('a server URL that is not ours is not accepted', async () => {
    const { url } = world.outside;
    await expect(world.control('PUT', 'site', { url: `${url}/nowhere` })).rejects.toThrow('502');
    expect((await world.app.fetch(`${OFFIACCOUNT_EVENTS_PATH}?echostr=1`)).status).toBe(403);
  });
});
