import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAlive, openBrowser, openPage } from './browser.ts';
import {
  addMembers,
  codeOf,
  dialogOf,
  enterAs,
  logInByName,
  logInByPhone,
  openLogin,
  openMenu,
  outsideOf,
  PASSWORD,
  whenLoggedIn,
} from './login.ts';
import { openDemoSite, type Site } from './site.ts';

let site: Site;
let browser: Browser;
let outside: string;

beforeAll(async () => {
  [site, browser] = await Promise.all([openDemoSite({ RATE_LIMITS: 'off' }), openBrowser()]);
  await addMembers(site, [
    ['--username', 'planner', '--nickname', '会场总控'],
    ['--username', 'caller', '--phone', '13800000011', '--nickname', '来电的人'],
    ['--username', 'leaver', '--phone', '13800000012', '--nickname', '要走的人'],
  ]);
  outside = await outsideOf(site, browser);
  newcomer = await comeByPhone('13800000021');
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

/** Somebody without a password, logged in by a code; early, for their phone gets the next code a minute later. */
let newcomer: Awaited<ReturnType<typeof comeByPhone>>;

async function comeByPhone(phone: string) {
  const post = (path: string, body: object) =>
    fetch(site.origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await post('/api/user/sendPhoneCode', { phone });
  const code = await codeOf(outside, phone);
  const answer = await post('/api/user/phoneCodeLogin', { phone, code });
  const cookies = answer.headers.getSetCookie().map((line) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    return { name, value, url: site.origin };
  });
  return { code, cookies };
}

/** A member's page at `path`, logged in without the dialog: how one logs in is another journey. */
async function enter(username: string, path: string): Promise<{ page: Page; errors: string[] }> {
  const opened = await openPage(browser);
  await enterAs(site, opened.page, username, PASSWORD);
  await opened.page.goto(site.origin + path);
  await expect.poll(() => isAlive(opened.page), { timeout: 60_000 }).toBe(true);
  return opened;
}

const tokenOf = async (page: Page) =>
  (await page.context().cookies()).find((cookie) => cookie.name === 'token')?.value ?? '';

async function mineOf(token: string): Promise<number> {
  const answer = await fetch(`${site.origin}/api/user/mine`, {
    method: 'POST',
    headers: { token, 'content-type': 'application/json' },
    body: '{}',
  });
  // Safe: every answer of the API is the envelope.
  return ((await answer.json()) as { code: number }).code;
}

test('a visitor finds 请先登录 and the dialog, HTTP 200 without an index entry; after the login the page is there', async () => {
  for (const path of ['/user', '/user/index', '/user/userinfo']) {
    const answer = await fetch(site.origin + path, { redirect: 'manual' });
    const body = await answer.text();
    expect([answer.status, body.includes('noindex'), body.includes('请先登录')], path).toEqual([200, true, true]);
  }
  const { page, errors } = await openPage(browser);
  await page.goto(`${site.origin}/user/userinfo`);
  await dialogOf(page).waitFor();
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'hidden' });
  await page.getByRole('heading', { name: '请先登录' }).waitFor();
  await page.getByRole('main').getByRole('button', { name: '登录' }).click();
  await logInByName(page, 'planner', PASSWORD);
  await page.getByRole('heading', { name: '个人信息' }).waitFor();
  expect(page.url()).toBe(`${site.origin}/user/userinfo`);
  await page.getByRole('link', { name: '我的会员' }).first().click();
  await page.getByRole('heading', { name: '喵币明细' }).waitFor();
  expect(errors).toEqual([]);
  await page.context().close();
});

test('/user is the page of /user/index: membership, coupons, coins and where they came from', async () => {
  for (const grant of [
    ['grant-coins', '--coins', '30', '--reason', '内部备注'],
    ['grant-vip', '--tier', '2', '--days', '90', '--reason', 'test'],
  ]) {
    const done = await site.ceku('user', ...grant, '--username', 'caller');
    expect(done.code, done.stderr).toBe(0);
  }
  const { page } = await enter('caller', '/user');
  const standing = page.getByRole('region', { name: '会员与余额' });
  await standing.getByText('剩 90 天').waitFor();
  await standing.getByText('/ 20 张').waitFor();
  await page.getByRole('cell', { name: '客服发放' }).waitFor();
  await page.getByRole('cell', { name: '+30' }).waitFor();
  await expect.poll(() => page.getByText('内部备注').count()).toBe(0);
  await page.getByRole('complementary', { name: '我的账号' }).getByRole('link', { name: '续费' }).click();
  await page.waitForURL(`${site.origin}/aboutVip`);
  await page.context().close();
});

test('the nickname is changed in place; a bad one is refused beside the field', async () => {
  const { page, errors } = await enter('planner', '/user/userinfo');
  await page.getByRole('button', { name: '修改昵称' }).click();
  const field = page.getByRole('textbox', { name: '昵称' });
  await field.fill('总');
  await page.getByRole('button', { name: '保存' }).click();
  await page.getByText('昵称长度为2-20个字符').waitFor();
  await field.fill('一二三四五六七八九十一二三四五六七八九十');
  await page.keyboard.press('Enter');
  await page.getByText('保存成功').waitFor();
  await page.getByRole('banner').getByText('一二三四五六七八九十一二三四五六七八九十').first().waitFor();
  expect(errors).toEqual([]);
  await page.context().close();
});

test('a phone is bound by a code; another’s is refused', async () => {
  const { page } = await enter('planner', '/user/userinfo');
  await page.getByText('未绑定').waitFor();
  await page.getByRole('button', { name: '绑定手机号' }).click();
  const dialog = dialogOf(page);
  await dialog.getByLabel('手机号').fill('13800000011');
  await dialog.getByRole('button', { name: '获取验证码' }).click();
  await page.getByText('验证码已发送').waitFor();
  await dialog.getByLabel('验证码', { exact: true }).fill(await codeOf(outside, '13800000011'));
  await dialog.getByLabel('当前密码').fill(PASSWORD);
  await dialog.getByRole('button', { name: '绑定', exact: true }).click();
  await dialog.getByText('该手机号已被其他账号绑定').waitFor();
  await page.context().close();

  // The wait of 60 s belongs to the browser: another one binds a free number.
  const second = await enter('planner', '/user/userinfo');
  await second.page.getByRole('button', { name: '绑定手机号' }).click();
  const form = dialogOf(second.page);
  await form.getByLabel('手机号').fill('13800000013');
  await form.getByRole('button', { name: '获取验证码' }).click();
  await second.page.getByText('验证码已发送').waitFor();
  await form.getByLabel('验证码', { exact: true }).fill(await codeOf(outside, '13800000013'));
  await form.getByLabel('当前密码').fill(PASSWORD);
  await form.getByRole('button', { name: '绑定', exact: true }).click();
  await second.page.getByText('绑定成功').waitFor();
  await second.page.getByText('138****0013').waitFor();
  await second.page.context().close();

  const byPhone = await openPage(browser);
  await byPhone.page.goto(`${site.origin}/index`);
  await openLogin(byPhone.page);
  await logInByPhone(byPhone.page, '13800000013', PASSWORD);
  await whenLoggedIn(byPhone.page);
  await byPhone.page.context().close();
});

test('a logout that the server never heard of is said, and nothing is forgotten; the next try ends it', async () => {
  const { page } = await enter('planner', '/user/userinfo');
  const token = await tokenOf(page);
  await page.route('**/api/user/webLogout', (route) =>
    route.fulfill({ status: 503, json: { code: 503, message: '服务暂时不可用，请稍后再试', data: null } }),
  );
  await openMenu(page);
  await page.getByRole('button', { name: '退出登录' }).click();
  await page.getByText('退出失败，请重试').waitFor();
  await expect.poll(() => page.getByText('退出登录成功').count()).toBe(0);
  expect([await tokenOf(page), await mineOf(token)]).toEqual([token, 0]);
  await page.reload();
  await page.getByRole('heading', { name: '个人信息' }).waitFor();

  await openMenu(page);
  await page.getByRole('button', { name: '退出登录' }).click();
  await page.getByText('退出失败，请重试').waitFor();
  await page.unroute('**/api/user/webLogout');
  await page.getByRole('button', { name: '重试' }).click();
  await page.getByText('退出登录成功').waitFor();
  await page.waitForURL(`${site.origin}/index`);
  expect([2, 10000]).toContain(await mineOf(token));
  await page.context().close();
});

test('a browser that has lost one of the two cookies of a login shows a visitor’s page', async () => {
  const { page } = await enter('planner', '/user/userinfo');
  await page.context().clearCookies({ name: 'token' });
  const answer = await page.goto(`${site.origin}/user/userinfo`);
  expect(await answer?.text()).not.toContain('登录设备');
  await page.getByRole('heading', { name: '请先登录' }).waitFor();
  await page.context().close();
});

test('the other logins are listed and ended; who was ended finds out at the next call', async () => {
  const other = await enter('caller', '/user/userinfo');
  const otherToken = await tokenOf(other.page);
  const third = await enter('caller', '/user/userinfo');
  const { page } = await enter('caller', '/user/userinfo');
  const devices = page.getByRole('region', { name: '登录设备' });
  await devices.getByText('当前设备').waitFor();
  await devices.getByRole('button', { name: '退出其他全部登录' }).click();
  await page.getByText('已退出').waitFor();
  await expect.poll(() => devices.getByRole('listitem').count()).toBe(1);
  expect(await mineOf(otherToken)).toBe(2);

  await other.page.getByRole('button', { name: '修改昵称' }).click();
  await other.page.getByRole('textbox', { name: '昵称' }).fill('不该成功');
  await other.page.getByRole('button', { name: '保存' }).click();
  await other.page.getByRole('heading', { name: '请先登录' }).waitFor();
  expect(await tokenOf(other.page)).toBe('');
  await third.page.getByRole('link', { name: '我的会员' }).first().click();
  await third.page.getByRole('heading', { name: '请先登录' }).waitFor();
  await Promise.all([page, other.page, third.page].map((one) => one.context().close()));
});

test('logout: said, a visitor at once, at /index after 3 s, the token worth nothing', async () => {
  const { page, errors } = await enter('planner', '/user/userinfo');
  const token = await tokenOf(page);
  await openMenu(page);
  await page.getByRole('button', { name: '退出登录' }).click();
  await page.getByText('退出登录成功').waitFor();
  await page.getByRole('banner').getByRole('button', { name: '登录', exact: true }).waitFor();
  // Nobody who has just left is asked to come in again.
  await expect.poll(() => dialogOf(page).count()).toBe(0);
  await page.waitForURL(`${site.origin}/index`);
  await expect.poll(() => dialogOf(page).count()).toBe(0);
  expect([2, 10000]).toContain(await mineOf(token));
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('token');
  expect(errors).toEqual([]);
  await page.context().close();
});

test('my data can be taken along, and the account be given up: seven days, and a login takes it back', async () => {
  const { page, errors } = await enter('leaver', '/user/userinfo');
  await page.getByRole('button', { name: '导出我的数据' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: '下载 ZIP' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/\.zip$/);

  await page.getByRole('button', { name: '注销账号' }).click();
  const dialog = dialogOf(page);
  const send = dialog.getByRole('button', { name: '提交注销申请' });
  expect(await send.isDisabled()).toBe(true);
  await dialog.getByRole('button', { name: '获取验证码' }).click();
  await page.getByText('验证码已发送').waitFor();
  await dialog.getByLabel('验证码', { exact: true }).fill(await codeOf(outside, '13800000012'));
  await dialog.getByLabel('我已了解注销的后果').check();
  await send.click();
  await page.getByText('注销申请已提交').waitFor();
  await page.waitForURL(`${site.origin}/index`);
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('token');
  const before = await site.ceku('user', 'show', '--username', 'leaver');

  await openLogin(page);
  await logInByName(page, 'leaver', PASSWORD);
  await whenLoggedIn(page, '要走的人');
  const after = await site.ceku('user', 'show', '--username', 'leaver');
  expect(before.stdout, before.stderr).not.toBe(after.stdout);
  expect(errors).toEqual([]);
  await page.context().close();
});

test('a phone is replaced by a code to the old one, which is told; a session alone changes nothing', async () => {
  const { page, errors } = await openPage(browser);
  await page.context().addCookies(newcomer.cookies);
  await page.goto(`${site.origin}/user/userinfo`);
  await page.getByRole('button', { name: '更换手机号' }).click();
  const dialog = dialogOf(page);
  await dialog.getByText('1. 验证原手机号 138****0021').waitFor();
  await dialog.getByText('请联系客服处理').waitFor();
  const [old, fresh] = [dialog.getByLabel('原手机号的验证码'), dialog.getByLabel('新手机号的验证码')];
  await dialog.getByLabel('新手机号', { exact: true }).fill('13800000022');
  await dialog.getByRole('button', { name: '获取验证码' }).last().click();
  await page.getByText('验证码已发送').waitFor();
  await fresh.fill(await codeOf(outside, '13800000022'));
  await dialog.getByRole('button', { name: '更换', exact: true }).click();
  await dialog.getByText('请输入原手机号收到的6位验证码').waitFor();
  // The code of the login, a minute ago, is no proof.
  await old.fill(newcomer.code);
  await dialog.getByRole('button', { name: '更换', exact: true }).click();
  await dialog.getByText('原手机号的验证码错误或已过期').waitFor();
  expect(await old.getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => old.evaluate((field) => field === document.activeElement)).toBe(true);

  // One message a minute goes to a phone: the wait since its login runs out.
  const toOld = dialog.getByRole('group', { name: /验证原手机号/ }).getByRole('button', { name: '获取验证码' });
  await expect
    .poll(
      async () => {
        await toOld.click({ timeout: 2_000 }).catch(() => null);
        return codeOf(outside, '13800000021');
      },
      { timeout: 90_000, interval: 3_000 },
    )
    .not.toBe(newcomer.code);
  await old.fill(await codeOf(outside, '13800000021'));
  await dialog.getByRole('button', { name: '更换', exact: true }).click();
  await page.getByText('绑定成功').waitFor();
  await page.getByText('138****0022').waitFor();
  const told = await (await fetch(`${outside}/control/sms?phone=13800000021`)).text();
  expect(told).toContain('尾号为 0022');
  expect(errors).toEqual([]);
  await page.context().close();
}, 150_000);
