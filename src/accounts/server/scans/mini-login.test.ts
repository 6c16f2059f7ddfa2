import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { newOpenid, OVER, WAITING } from '../../../../tests/coming-by-scan.ts';
import { openAccountsApp } from '../../../../tests/accounts-app.ts';
import { openTestApp } from '../../../../tests/test-app.ts';
import { newAddress, openVisitor } from '../../../../tests/visitor.ts';
import { getMine } from '../../../membership/contract.ts';
import { expectOk } from '../../../protocol/call.ts';
import {
  getMiniLoginScene,
  miniLoginCancel,
  miniLoginChecking,
  miniLoginConfirm,
  miniLoginScanned,
  offiaccountLogin,
} from '../../contract-scans.ts';
import { MINI_HOME_QR_PATH } from '../../addresses.ts';
import { ProviderRefused, ProviderUnavailable } from '../../ports.ts';
import { banUser } from '../account-admin.ts';
import { vendorCalls } from '../tables.ts';
import { VENDOR_QUOTAS } from './wechat-calls.ts';

const CANCELLED = { code: 5, message: '用户取消', data: {} };
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

const { app, outside, byScan } = await openAccountsApp();
const { startMini, check, confirm, comeIn } = byScan;

const scanned = (scene: string, openid: string) =>
  openVisitor(app).call(miniLoginScanned, { scene, code: outside.wxCode(openid) });
const cancel = (scene: string, openid: string) =>
  openVisitor(app).call(miniLoginCancel, { scene, code: outside.wxCode(openid) });

describe('the mini program’s code', () => {
  it('logs a new person in, step by step, and tells the token once', async () => {
    const browser = openVisitor(app);
    const response = await browser.fetch('/api/user/getMiniLoginScene', {
      method: 'POST',
      headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36' },
    });
    expect(response.headers.get('set-cookie')).toMatch(
      /^scene_bind=[A-Za-z0-9_-]{43}\.[A-Za-z0-9_-]{24}; Max-Age=240; Path=\/api; HttpOnly; SameSite=Lax$/,
    );
    const { code, data }: { code: number; data: { scene: string; expire_seconds: number } } = await response.json();
    expect(code).toBe(0);
    expect(data).toEqual({ scene: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/), expire_seconds: 120 });

    const image = await browser.fetch(`/api/user/getMiniQrCode?scene=${data.scene}`);
    expect(image.headers.get('content-type')).toBe('image/png');
    expect(
      Buffer.from(await image.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');

    expect(await check(browser, data.scene)).toEqual(WAITING);
    const openid = newOpenid();
    expect(await scanned(data.scene, openid)).toMatchObject({
      code: 0,
      data: {
        site: '策库',
        browser: 'Chrome · Windows',
        place: expect.stringMatching(/^203\./),
        time: expect.any(Number),
      },
    });
    expect(await check(browser, data.scene)).toEqual({ code: 3, message: '已扫码，请在手机上确认', data: {} });
    expect(await confirm(data.scene, openid)).toMatchObject({ code: 0 });
    expect(await check(browser, data.scene)).toEqual({
      code: 0,
      message: 'success',
      data: { token: expect.stringMatching(TOKEN), sid: expect.any(String), openid },
    });
    expect(await check(browser, data.scene)).toEqual(OVER);
    expect(['token', 'sid', 'openid', 'sess'].every((name) => browser.cookies.has(name))).toBe(true);
    expect(await browser.call(getMine, { sid: browser.cookies.get('sid') ?? '' })).toMatchObject({
      code: 0,
      data: {
        nickname: expect.stringMatching(/^策库用户\d{6}$/),
        balance: 0,
        is_vip: 0,
        openid,
        phone: '',
        has_password: 0,
      },
    });
  });

  it('is confirmed again after the login, by the same phone alone: the first answer was lost', async () => {
    const browser = openVisitor(app);
    const scene = await startMini(browser);
    const openid = newOpenid();
    await confirm(scene, openid);
    expect(await check(browser, scene)).toMatchObject({ code: 0 });
    expect(await confirm(scene, openid)).toMatchObject({ code: 0, data: {} });
    expect(await confirm(scene, newOpenid())).toMatchObject({ code: 6 });
    expect(await check(browser, scene)).toEqual(OVER);
  });

  it.each([false, true])(
    'is confirmed by two taps of one phone at once, delivered in between: %s',
    async (isDelivered) => {
      const browser = openVisitor(app);
      const scene = await startMini(browser);
      const openid = newOpenid();
      const tap = async (by: string) => {
        const held = outside.holdNextCode();
        const answer = confirm(scene, by);
        await held.asked;
        return { answer, release: held.release };
      };
      const [second, other] = [await tap(openid), await tap(newOpenid())];
      expect(await confirm(scene, openid)).toMatchObject({ code: 0 });
      if (isDelivered) expect(await check(browser, scene)).toMatchObject({ code: 0 });
      for (const { release } of [second, other]) release();
      expect(await second.answer).toMatchObject({ code: 0, data: {} });
      expect(await other.answer).toMatchObject({ code: 6 });
      expect(await check(browser, scene)).toMatchObject({ code: isDelivered ? 6 : 0 });
    },
  );

  it('logs the same person into the same account the next time, under the name they chose', async () => {
    const openid = newOpenid();
    const [first, second] = [openVisitor(app), openVisitor(app)];
    for (const browser of [first, second]) {
      const scene = await startMini(browser);
      await confirm(scene, openid, null, ' 小策 ');
      expect(await check(browser, scene)).toMatchObject({ code: 0 });
    }
    const [one, other] = [await first.call(getMine, {}), await second.call(getMine, {})];
    expect(one.data).toMatchObject({ nickname: '小策', uid: other.data?.uid });
    const odd = openVisitor(app);
    const scene = await startMini(odd);
    await confirm(scene, newOpenid(), null, '<script>');
    await check(odd, scene);
    expect((await odd.call(getMine, {})).data?.nickname).toMatch(/^策库用户/);
  });

  it('delivers to one of many polls, however they come together', async () => {
    for (let round = 0; round < 5; round += 1) {
      const browser = openVisitor(app);
      const scene = await startMini(browser);
      await confirm(scene, newOpenid());
      const answers = await Promise.all(Array.from({ length: 12 }, () => check(browser, scene)));
      expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
      expect(answers.filter(({ code }) => code === 6)).toHaveLength(11);
    }
  });

  it('is not used up by HEAD, which brings no token', async () => {
    const browser = openVisitor(app);
    const scene = await startMini(browser);
    await confirm(scene, newOpenid());
    const head = await browser.fetch(`${miniLoginChecking.path}?scene=${scene}`, { method: 'HEAD' });
    expect([head.status, head.headers.getSetCookie()]).toEqual([405, []]);
    expect(await check(browser, scene)).toMatchObject({ code: 0 });
  });

  it('tells only the browser that asked', async () => {
    const [browser, thief] = [openVisitor(app), openVisitor(app)];
    const scene = await startMini(browser);
    await startMini(thief);
    expect(await check(thief, scene)).toEqual(OVER);
    await confirm(scene, newOpenid());
    expect(await check(thief, scene)).toEqual(OVER);
    expect(await check(openVisitor(app), scene)).toEqual(OVER);
    thief.cookies.set('scene_bind', 'A'.repeat(43));
    expect(await check(thief, scene)).toEqual(OVER);
    expect(await check(browser, scene)).toMatchObject({ code: 0 });
  });

  it('keeps the newest two scenes of a browser alive, and a scan at second 119', async () => {
    const browser = openVisitor(app);
    const older = await startMini(browser);
    app.clock.offsetMs = 20_000;
    const newer = await startMini(browser);
    expect(await check(browser, newer)).toEqual(WAITING);
    app.clock.offsetMs = 118_000;
    await confirm(older, newOpenid());
    expect(await check(browser, older)).toMatchObject({ code: 0 });
  });

  it('is over after two minutes, for both sides', async () => {
    const browser = openVisitor(app);
    const scene = await startMini(browser);
    const agreed = await startMini(browser);
    await confirm(agreed, newOpenid());
    app.clock.offsetMs = 121_000;
    expect(await check(browser, scene)).toEqual(OVER);
    expect(await check(browser, agreed)).toEqual(OVER);
    expect(await scanned(scene, newOpenid())).toMatchObject({ code: 6 });
    expect(await confirm(scene, newOpenid())).toMatchObject({ code: 6 });
    expect((await browser.fetch(`/api/user/getMiniQrCode?scene=${scene}`)).status).toBe(404);
  });

  it('belongs to the phone that scanned first', async () => {
    const browser = openVisitor(app);
    const scene = await startMini(browser);
    const [owner, other] = [newOpenid(), newOpenid()];
    await scanned(scene, owner);
    expect(await scanned(scene, other)).toMatchObject({ code: 6 });
    expect(await confirm(scene, other)).toMatchObject({ code: 6 });
    expect(await cancel(scene, other)).toMatchObject({ code: 6 });
    await confirm(scene, owner);
    expect(await check(browser, scene)).toMatchObject({ code: 0, data: { openid: owner } });
  });

  it('can be declined, and then not agreed to', async () => {
    const browser = openVisitor(app);
    const scene = await startMini(browser);
    const openid = newOpenid();
    await scanned(scene, openid);
    expect(await cancel(scene, openid)).toMatchObject({ code: 0 });
    expect(await check(browser, scene)).toEqual(CANCELLED);
    expect(await confirm(scene, openid)).toMatchObject({ code: 6 });
    expect(await check(browser, scene)).toEqual(CANCELLED);
    const agreed = await startMini(browser);
    await confirm(agreed, openid);
    expect(await cancel(agreed, openid)).toMatchObject({ code: 6 });
    expect(await check(browser, agreed)).toMatchObject({ code: 0 });
  });

  it('refuses a banned person, on the phone and in the browser', async () => {
    const openid = newOpenid();
    await banUser(app.ctx, await comeIn(openid));
    const browser = openVisitor(app);
    const scene = await startMini(browser);
    expect(await confirm(scene, openid)).toMatchObject({ code: 1, message: '该账号已被停用，请联系客服' });
    expect(await check(browser, scene)).toEqual({ code: 5, message: '该账号已被停用，请联系客服', data: {} });
  });

  it('refuses a user who is banned between the confirmation and the poll', async () => {
    const openid = newOpenid();
    const id = await comeIn(openid);
    const browser = openVisitor(app);
    const scene = await startMini(browser);
    await confirm(scene, openid);
    await banUser(app.ctx, id);
    expect(await check(browser, scene)).toMatchObject({ code: 5 });
    expect(browser.cookies.has('token')).toBe(false);
  });

  it('answers odd scenes like unknown ones, and takes a js code once', async () => {
    const browser = openVisitor(app);
    const scene = await startMini(browser);
    for (const odd of ['', 'x', 'A'.repeat(22), 'A'.repeat(9999), "' or 1=1 --", '../x', ['a'], null, 7]) {
      expect(await browser.call(miniLoginChecking, { scene: odd })).toEqual(OVER);
      expect(await browser.call(miniLoginScanned, { scene: odd, code: outside.wxCode('x') })).toMatchObject({
        code: 6,
      });
      expect((await browser.fetch(`/api/user/getMiniQrCode?scene=${encodeURIComponent(String(odd))}`)).status).toBe(
        404,
      );
    }
    expect((await browser.fetch('/api/user/getMiniQrCode')).status).toBe(404);
    const code = outside.wxCode(newOpenid());
    expect(await browser.call(miniLoginScanned, { scene, code })).toMatchObject({ code: 0 });
    for (const used of [code, '', 'made-up', 'x'.repeat(300)]) {
      expect(await browser.call(miniLoginConfirm, { scene, code: used })).toMatchObject({ code: 40 });
    }
  });

  it('makes one account when one person confirms two scenes at once', async () => {
    const openid = newOpenid();
    const browsers = Array.from({ length: 5 }, () => openVisitor(app));
    const scenes = await Promise.all(browsers.map(startMini));
    const answers = await Promise.all(scenes.map((scene) => confirm(scene, openid, `u-${openid}`)));
    expect(answers.every(({ code }) => code === 0)).toBe(true);
    await Promise.all(browsers.map((browser, at) => check(browser, scenes[at] ?? '')));
    const ids = await Promise.all(browsers.map(async (browser) => (await browser.call(getMine, {})).data?.uid));
    expect(new Set(ids).size).toBe(1);
  });

  it('is 503 while WeChat does not answer', async () => {
    const browser = openVisitor(app);
    const scene = await startMini(browser);
    for (const error of [
      new ProviderUnavailable('stand-in', 'HTTP 500', true),
      new ProviderRefused('stand-in', 'not-authorised', '40001'),
    ]) {
      outside.failing.image = error;
      expect((await browser.fetch(`/api/user/getMiniQrCode?scene=${scene}`)).status).toBe(503);
    }
    outside.failing.image = null;
    expect((await browser.fetch(`/api/user/getMiniQrCode?scene=${scene}`)).status).toBe(200);
  });
});

describe('the code that opens the mini program', () => {
  const fetchCode = () => openVisitor(app).fetch(MINI_HOME_QR_PATH);

  it('is a picture that everybody may keep, drawn by WeChat once a day; 503 while WeChat does not answer', async () => {
    outside.failing.image = new ProviderUnavailable('stand-in', 'HTTP 500', true);
    expect((await fetchCode()).status).toBe(503);
    outside.failing.image = null;
    const asked = outside.pictures();
    const answers = await Promise.all(Array.from({ length: 20 }, fetchCode));
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('image/png');
      expect(answer.headers.get('cache-control')).toBe('public, max-age=86400');
    }
    expect(outside.pictures()).toBe(asked + 1);
    app.clock.offsetMs = 86_400_000;
    expect((await fetchCode()).status).toBe(200);
    expect(outside.pictures()).toBe(asked + 2);
    app.clock.offsetMs = 0;
  });

  it('is 404 where no mini program is configured', async () => {
    const bare = await openTestApp();
    try {
      expect((await bare.fetch(MINI_HOME_QR_PATH)).status).toBe(404);
    } finally {
      await bare.close();
    }
  });
});

describe('what a stranger can use up', () => {
  it('is no picture of another browser’s scene, and WeChat draws each scene once', async () => {
    const browser = openVisitor(app);
    const scenes = [await startMini(browser), await startMini(browser)];
    const path = (scene: string) => `/api/user/getMiniQrCode?scene=${scene}`;
    const asked = outside.pictures();
    expect((await openVisitor(app).fetch(path(scenes[0] ?? ''))).status).toBe(404);
    const stranger = openVisitor(app);
    await startMini(stranger);
    expect((await stranger.fetch(path(scenes[0] ?? ''))).status).toBe(404);
    expect(outside.pictures()).toBe(asked);
    for (let round = 0; round < 3; round += 1) {
      // Long after the answer to requests at the same moment is forgotten: the picture is kept with its scene.
      app.clock.offsetMs = round * 15_000;
      const answers = await Promise.all(scenes.map((scene) => browser.fetch(path(scene))));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    }
    expect(outside.pictures()).toBe(asked + 2);
  });

  it('is sixty scenes a minute from one address, told with the wait', async () => {
    const limited = await openTestApp({ isRateLimited: true, providers: outside.providers });
    try {
      const ip = newAddress();
      const ask = () => openVisitor(limited, ip).call(getMiniLoginScene, {});
      const answers = await Promise.all(Array.from({ length: 70 }, ask));
      expect(answers.filter(({ code }) => code === 0)).toHaveLength(60);
      expect(await openVisitor(limited, ip).call(offiaccountLogin, {})).toMatchObject({ code: 41 });
      const refused = answers.find(({ code }) => code === 41);
      expect(refused?.message).toMatch(/^操作过于频繁，请 \d+ 秒后再试$/);
    } finally {
      await limited.close();
    }
  });

  it('is a thousand scenes a day from one address, and four thousand from one IPv6 /48', async () => {
    const limited = await openTestApp({ isRateLimited: true, providers: outside.providers });
    try {
      const codeFrom = async (ip: string) => (await openVisitor(limited, ip).call(getMiniLoginScene, {})).code;
      const use = (kind: string, who: string, points: number) =>
        limited.ctx.db.execute(sql`update rate_limits set points = ${points} where key = ${`${kind}/86400:${who}`}`);
      const ip = newAddress();
      expect(await codeFrom(ip)).toBe(0);
      await use('scenes', ip, 999);
      expect([await codeFrom(ip), await codeFrom(ip)]).toEqual([0, 41]);
      expect(await codeFrom(newAddress())).toBe(0);

      expect(await codeFrom('2001:db8:66:1::1')).toBe(0);
      await use('scenes-network', '2001:db8:66', 3_999);
      expect([await codeFrom('2001:db8:66:2::1'), await codeFrom('2001:db8:66:3::1')]).toEqual([0, 41]);
      expect(await codeFrom('2001:db8:67:3::1')).toBe(0);
    } finally {
      await limited.close();
    }
  });

  it('is 120 requests for pictures a minute from one address', async () => {
    const limited = await openTestApp({ isRateLimited: true, providers: outside.providers });
    try {
      const browser = openVisitor(limited);
      const ask = async () => (await browser.fetch(`/api/user/getMiniQrCode?scene=${'A'.repeat(22)}`)).json();
      const codes: number[] = [];
      for (let count = 0; count < 121; count += 1) codes.push((await ask()).code);
      expect(codes.slice(119)).toEqual([4, 41]);
    } finally {
      await limited.close();
    }
  });

  it('is not the site’s quota: beyond it people are sent to the phone login, and the log says so once', async () => {
    let log = '';
    const watched = await openTestApp({ providers: outside.providers, logTo: { write: (line) => void (log += line) } });
    try {
      const { perMinute } = VENDOR_QUOTAS['wechat-official-qr'];
      // The clock starts just after a full minute, so that all calls fall into one minute of the limit.
      watched.clock.offsetMs = 60_000 - (Date.now() % 60_000) + 1_000;
      const minute = new Date(Math.floor((Date.now() + watched.clock.offsetMs) / 60_000) * 60_000);
      await watched.ctx.db.insert(vendorCalls).values({ vendor: 'wechat-official-qr', minute, calls: perMinute / 2 });
      expect((await openVisitor(watched).call(offiaccountLogin, {})).code).toBe(0);
      expect(log.match(/half of the quota/g)).toHaveLength(1);
      await watched.ctx.db.update(vendorCalls).set({ calls: perMinute });
      const answers = await Promise.all(
        Array.from({ length: 3 }, () => openVisitor(watched).call(offiaccountLogin, {})),
      );
      for (const { code, message } of answers) {
        expect(code).toBe(41);
        expect(message).toMatch(/^扫码登录的人太多，请改用手机号登录，或 \d+ 秒后再试$/);
      }
      expect(log.match(/quota of calls to WeChat is used up/g)).toHaveLength(1);
      watched.clock.offsetMs += 60_000;
      expect((await openVisitor(watched).call(offiaccountLogin, {})).code).toBe(0);
      // Half of the day's calls, a quarter in each of two earlier minutes.
      const { perDay } = VENDOR_QUOTAS['wechat-official-qr'];
      watched.clock.offsetMs += 3_600_000;
      await watched.ctx.db.update(vendorCalls).set({ calls: perDay / 4 });
      expect((await openVisitor(watched).call(offiaccountLogin, {})).code).toBe(0);
      expect(log.match(/half of the quota/g)).toHaveLength(2);
    } finally {
      await watched.close();
    }
  });

  it('is ten codes of one scene: the rest of the site’s quota is for others', async () => {
    const limited = await openTestApp({ isRateLimited: true, providers: outside.providers });
    try {
      const scene = async () => expectOk(await openVisitor(limited).call(getMiniLoginScene, {})).scene;
      const [spoiled, other] = [await scene(), await scene()];
      const guess = (code: string, endpoint: typeof miniLoginScanned | typeof miniLoginConfirm) =>
        openVisitor(limited).call(endpoint, { scene: spoiled, code });
      const codes: number[] = [];
      for (let at = 0; at < 12; at += 1)
        codes.push((await guess(`junk-${at}`, at % 2 ? miniLoginScanned : miniLoginConfirm)).code);
      expect(codes).toEqual([...Array.from({ length: 10 }, () => 40), 41, 41]);
      const input = { scene: other, code: outside.wxCode(newOpenid()) };
      expect((await openVisitor(limited).call(miniLoginScanned, input)).code).toBe(0);
    } finally {
      await limited.close();
    }
  });

  it.each(['wechat-mini-qr', 'wechat-mini-openid'] as const)('is not the site’s quota of %s calls', async (vendor) => {
    // A day that no other test asks in.
    app.clock.offsetMs = 3 * 86_400_000;
    const browser = openVisitor(app);
    const scene = await startMini(browser);
    const { perDay } = VENDOR_QUOTAS[vendor];
    const minute = new Date(Date.now() + app.clock.offsetMs - 3_600_000);
    await app.ctx.db.insert(vendorCalls).values({ vendor, minute, calls: perDay });
    const answer =
      vendor === 'wechat-mini-qr'
        ? await (await browser.fetch(`/api/user/getMiniQrCode?scene=${scene}`)).json()
        : await scanned(scene, newOpenid());
    expect(answer).toMatchObject({ code: 41, message: expect.stringContaining('请改用手机号登录') });
    await app.ctx.db.delete(vendorCalls);
  });

  it('binds scenes to a cookie of this site’s making, and by https to one that no other host can set', async () => {
    const chosen = openVisitor(app);
    chosen.cookies.set('scene_bind', 'A'.repeat(43));
    await startMini(chosen);
    const made = chosen.cookies.get('scene_bind') ?? '';
    expect(made).not.toContain('AAAA');
    chosen.cookies.set('scene_bind', `${'B'.repeat(43)}${made.slice(43)}`);
    await startMini(chosen);
    expect(chosen.cookies.get('scene_bind')).not.toContain('BBBB');
    const secure = await app.fetch('https://ceku.test/api/user/getMiniLoginScene', { method: 'POST' });
    expect(secure.headers.get('set-cookie')).toMatch(
      /^__Host-scene_bind=[^;]+; Max-Age=240; Path=\/; HttpOnly; Secure/,
    );
  });
});
