import { describe, expect, it } from 'vitest';
import { newOpenid, OVER, WAITING } from '../../../../tests/coming-by-scan.ts';
import { openAccountsApp } from '../../../../tests/accounts-app.ts';
import { openTestApp } from '../../../../tests/test-app.ts';
import { openVisitor, type Visitor } from '../../../../tests/visitor.ts';
import { getMine } from '../../../membership/contract.ts';
import { expectOk } from '../../../protocol/call.ts';
import { FOLLOW_QR_PATH } from '../../addresses.ts';
import { getWxQrCode, loginMethods } from '../../contract.ts';
import {
  getMiniLoginScene,
  miniLoginChecking,
  offiaccountLogin,
  OFFIACCOUNT_EVENTS_PATH,
} from '../../contract-scans.ts';
import { ProviderRefused, ProviderUnavailable } from '../../ports.ts';
import { banUser } from '../account-admin.ts';

const { app, outside, byScan } = await openAccountsApp();
const { startMini, check, confirm, comeIn } = byScan;

const startOffi = async (browser: Visitor) => expectOk(await browser.call(offiaccountLogin, { channel: 'web' })).scene;
const push = (body: string, signature = 'genuine', ip?: string) =>
  app.fetch(`${OFFIACCOUNT_EVENTS_PATH}?signature=${signature}`, { method: 'POST', body }, ip);

describe('the official account’s code', () => {
  it('logs in the person who scans it, and draws its code here', async () => {
    const browser = openVisitor(app);
    const start = expectOk(await browser.call(offiaccountLogin, { channel: 'poster-7' }));
    expect(start).toEqual({
      scene: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
      qr_url: `/api/v2/user/offiaccountQrCode?scene=${start.scene}`,
      expire_seconds: 120,
    });
    const image = await browser.fetch(start.qr_url);
    expect(image.headers.get('content-type')).toBe('image/svg+xml');
    expect(await image.text()).toMatch(/^<svg/);
    expect(await check(browser, start.scene)).toEqual(WAITING);
    const openid = newOpenid();
    const answer = await push(`${start.scene} ${openid}`);
    expect([answer.status, await answer.text()]).toEqual([200, 'success']);
    expect(await check(browser, start.scene)).toMatchObject({ code: 0, data: { openid } });
    expect(await check(browser, start.scene)).toEqual(OVER);
    // Its scene is no mini program's, and the other way round.
    expect((await browser.fetch(`/api/user/getMiniQrCode?scene=${start.scene}`)).status).toBe(404);
    const other = await startOffi(browser);
    expect(await confirm(other, openid)).toMatchObject({ code: 6 });
    const mini = await startMini(browser);
    await push(`${mini} ${openid}`);
    expect(await check(browser, mini)).toEqual(WAITING);
  });

  it('keeps a channel it can read, and calls anything else web', async () => {
    const browser = openVisitor(app);
    for (const [channel, kept] of [
      ['poster-7', 'poster-7'],
      ['', 'web'],
      ['x'.repeat(33), 'web'],
      ['<b>', 'web'],
    ] as const) {
      const { scene } = expectOk(await browser.call(offiaccountLogin, { channel }));
      const { rows } = await app.ctx.db.execute(`select channel from login_scenes where scene = '${scene}'`);
      expect(rows).toEqual([{ channel: kept }]);
    }
    expect(await (await browser.fetch('/api/v2/user/offiaccountLogin')).json()).toMatchObject({ code: 0 });
  });

  it('ignores repeats, replays and a second person’s scan', async () => {
    const browser = openVisitor(app);
    const scene = await startOffi(browser);
    const [openid, late] = [newOpenid(), newOpenid()];
    const pushed = await Promise.all(Array.from({ length: 8 }, () => push(`${scene} ${openid}`)));
    expect(await Promise.all(pushed.map((response) => response.text()))).toEqual(
      Array.from({ length: 8 }, () => 'success'),
    );
    await push(`${scene} ${late}`);
    expect(await check(browser, scene)).toMatchObject({ code: 0, data: { openid } });
    await push(`${scene} ${openid}`);
    expect(await check(browser, scene)).toEqual(OVER);
    const { rows } = await app.ctx.db.execute(
      `select openid from user_identities where openid in ('${openid}', '${late}')`,
    );
    expect(rows).toEqual([{ openid }]);
  });

  it('changes nothing for what is not WeChat’s, stale or about nothing', async () => {
    const browser = openVisitor(app);
    const scene = await startOffi(browser);
    const forged = await push(`${scene} ${newOpenid()}`, 'forged');
    expect([forged.status, await forged.text()]).toEqual([403, 'forbidden']);
    expect(await check(browser, scene)).toEqual(WAITING);
    for (const body of ['', 'hello', `${'A'.repeat(22)} o1`, `nope o1`]) {
      expect(await (await push(body)).text()).toBe('success');
    }
    expect((await push('x'.repeat(70_000))).status).toBe(413);
    app.clock.offsetMs = 121_000;
    await push(`${scene} ${newOpenid()}`);
    expect(await check(browser, scene)).toEqual(OVER);
  });

  it('writes one line of the log about a flood of forged pushes', async () => {
    let log = '';
    const watched = await openTestApp({ providers: outside.providers, logTo: { write: (line) => void (log += line) } });
    try {
      const path = `${OFFIACCOUNT_EVENTS_PATH}?signature=forged`;
      const pushes = Array.from({ length: 30 }, () => watched.fetch(path, { method: 'POST', body: '<a/>' }));
      expect((await Promise.all(pushes)).map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 403));
      // None at all where another test of this minute has had the line.
      expect(log.split('not from WeChat').length - 1).toBeLessThanOrEqual(1);
    } finally {
      await watched.close();
    }
  });

  it('echoes to WeChat’s check of the address alone', async () => {
    const echo = (signature: string) => app.fetch(`${OFFIACCOUNT_EVENTS_PATH}?signature=${signature}&echostr=4711`);
    expect(await (await echo('genuine')).text()).toBe('4711');
    expect((await echo('forged')).status).toBe(403);
    expect((await app.fetch(OFFIACCOUNT_EVENTS_PATH, { method: 'PUT' })).status).toBe(405);
  });

  it('refuses a banned person', async () => {
    const openid = newOpenid();
    const browser = openVisitor(app);
    const first = await startOffi(browser);
    await push(`${first} ${openid}`);
    await check(browser, first);
    await banUser(app.ctx, expectOk(await browser.call(getMine, {})).uid);
    const again = openVisitor(app);
    const scene = await startOffi(again);
    expect((await push(`${scene} ${openid}`)).status).toBe(200);
    expect(await check(again, scene)).toMatchObject({ code: 5, message: '该账号已被停用，请联系客服' });
  });

  it('is one account with the mini program’s where the unionid says so', async () => {
    const [mini, offi, unionid] = [newOpenid(), newOpenid(), `union-${newOpenid()}`];
    const id = await comeIn(mini, unionid);
    outside.unionids.set(offi, unionid);
    const browser = openVisitor(app);
    const scene = await startOffi(browser);
    await push(`${scene} ${offi}`);
    await check(browser, scene);
    expect(expectOk(await browser.call(getMine, {})).uid).toBe(id);
  });

  it('asks WeChat to repeat the push while the user cannot be identified', async () => {
    const browser = openVisitor(app);
    const scene = await startOffi(browser);
    const openid = newOpenid();
    outside.failing.unionid = new ProviderUnavailable('stand-in', 'no answer', true);
    expect((await push(`${scene} ${openid}`)).status).toBe(503);
    expect(await check(browser, scene)).toEqual(WAITING);
    outside.failing.unionid = new ProviderRefused('stand-in', 'not-authorised', '48001');
    expect((await push(`${scene} ${openid}`)).status).toBe(200);
    expect(await check(browser, scene)).toMatchObject({ code: 0 });
  });

  it('is 503 while WeChat does not make a code', async () => {
    outside.failing.qr = new ProviderUnavailable('stand-in', 'HTTP 500', true);
    const start = openVisitor(app).call(offiaccountLogin, { channel: '' });
    await expect(start).rejects.toMatchObject({ status: 503 });
  });
});

describe('without WeChat and a carrier', () => {
  it('says so, and offers none of it', async () => {
    const bare = await openTestApp();
    try {
      const browser = openVisitor(bare);
      expect(await browser.call(loginMethods, {})).toMatchObject({ data: { mini: 0, offiaccount: 0, sms: 0 } });
      await expect(browser.call(getMiniLoginScene, {})).rejects.toMatchObject({ status: 503 });
      await expect(browser.call(offiaccountLogin, { channel: '' })).rejects.toMatchObject({ status: 503 });
      expect((await bare.fetch(OFFIACCOUNT_EVENTS_PATH)).status).toBe(503);
      expect(await browser.call(miniLoginChecking, { scene: 'A'.repeat(22) })).toEqual(OVER);
    } finally {
      await bare.close();
    }
    expect(await openVisitor(app).call(loginMethods, {})).toMatchObject({ data: { mini: 1, offiaccount: 1, sms: 1 } });
  });
});

describe('the code that leads to the official account (C-93)', () => {
  it('is one picture for all channels, and a scan of it logs nobody in', async () => {
    const visitor = openVisitor(app);
    for (const input of [{}, { code: 'poster-7' }])
      expect(expectOk(await visitor.call(getWxQrCode, input))).toEqual({ url: FOLLOW_QR_PATH });
    expect((await visitor.call(getWxQrCode, { code: 'x'.repeat(33) })).code).toBe(40);
    const image = await visitor.fetch(FOLLOW_QR_PATH);
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    const answer = await push(`follow ${newOpenid()}`);
    expect([answer.status, await answer.text()]).toEqual([200, 'success']);
    expect((await visitor.call(getMine, {})).code).toBe(10000);
  });

  it('leads to the site where there is no official account, and is 503 while WeChat does not answer', async () => {
    const bare = await openTestApp();
    try {
      expect((await bare.fetch(FOLLOW_QR_PATH)).status).toBe(200);
    } finally {
      await bare.close();
    }
    // The answer of the last day is forgotten.
    app.clock.offsetMs = 2 * 86_400_000;
    outside.failing.qr = new ProviderUnavailable('stand-in', 'HTTP 500', true);
    expect((await openVisitor(app).fetch(FOLLOW_QR_PATH)).status).toBe(503);
    outside.failing.qr = null;
    app.clock.offsetMs = 0;
  });
});
