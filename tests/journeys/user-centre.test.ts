import { sql } from 'drizzle-orm';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ctx } from '../../src/context.ts';
import { grantCoins, grantMembership } from '../../src/membership/server/grants.ts';
import { closePages, leave, openPage, visit, whenReady, wordsAt } from './browser.ts';
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
import { payDialogOf } from './paying.ts';
import { shareDemoSite, type SharedSite } from './shared-site.ts';
import { typeAtSite, workAtSite } from './type-at-site.ts';

let site: SharedSite;
let browser: Browser;
let outside: string;

beforeAll(async () => {
  ({ site, browser } = await shareDemoSite());
  await addMembers(site, [
    ['--username', 'centreplanner', '--nickname', '会场总控'],
    ['--username', 'centrecaller', '--phone', '13800000011', '--nickname', '来电的人'],
    ['--username', 'leaver', '--phone', '13800000012', '--nickname', '要走的人'],
    ['--username', 'former', '--nickname', '曾经的会员'],
  ]);
  outside = await outsideOf(site, browser);
  newcomer = await comeByPhone('13800000021');
});
afterAll(() => closePages(browser));

/** Somebody without a password, logged in by a code. */
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
async function enter(username: string, path: string, password = PASSWORD): Promise<{ page: Page; errors: string[] }> {
  const opened = await openPage(browser);
  await enterAs(site, opened.page, username, password);
  await visit(opened.page, site.origin + path);
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

test('a visitor gets 请先登录 and the dialog, with status 200 and noindex; after the login the page is shown', async () => {
  for (const path of ['/user', '/user/index', '/user/order', '/user/userinfo']) {
    const answer = await fetch(site.origin + path, { redirect: 'manual' });
    const body = await answer.text();
    expect([answer.status, body.includes('noindex'), body.includes('请先登录')], path).toEqual([200, true, true]);
  }
  const { page, errors } = await openPage(browser);
  await visit(page, `${site.origin}/user/userinfo`);
  await dialogOf(page).waitFor();
  await whenReady(page);
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'hidden' });
  await page.getByRole('heading', { name: '请先登录' }).waitFor();
  await page.getByRole('main').getByRole('button', { name: '登录' }).click();
  await logInByName(page, 'centreplanner', PASSWORD);
  await page.getByRole('heading', { name: '个人信息' }).waitFor();
  expect(page.url()).toBe(`${site.origin}/user/userinfo`);
  await page.getByRole('link', { name: '我的会员' }).first().click();
  await page.getByRole('heading', { name: '喵币明细' }).waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('/user is the page of /user/index: membership, coupons, coins and their history', async () => {
  for (const grant of [
    ['grant-coins', '--coins', '30', '--reason', '内部备注'],
    ['grant-vip', '--tier', '2', '--days', '90', '--reason', 'test'],
  ]) {
    const done = await typeAtSite(site, 'user', ...grant, '--username', 'centrecaller');
    expect(done.code, done.err).toBe(0);
  }
  const { page } = await enter('centrecaller', '/user');
  const standing = page.getByRole('region', { name: '会员与余额' });
  await standing.getByText('剩 90 天').waitFor();
  await standing.getByText('剩 20 张').waitFor();
  await page.getByRole('cell', { name: '客服发放' }).waitFor();
  await page.getByRole('cell', { name: '+30' }).waitFor();
  await expect.poll(() => page.getByText('内部备注').count()).toBe(0);
  await page.getByRole('complementary', { name: '我的账号' }).getByRole('link', { name: '续费' }).click();
  await page.waitForURL(`${site.origin}/aboutVip`);
  await leave(page);
});

/** Calls the API as the person of this page, as another of their devices would. */
async function callAs(page: Page, path: string, body: object): Promise<unknown> {
  const answer = await fetch(site.origin + path, {
    method: 'POST',
    headers: { token: await tokenOf(page), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answer.json();
}

/** The cards of 会员与余额, each in one line: 今日下载券 7 / 20 张 剩 13 张. */
const cardsOf = async (page: Page) =>
  (await page.getByRole('region', { name: '会员与余额' }).locator('dl > div').allInnerTexts()).map((text) =>
    text.replaceAll(/\s+/g, ' '),
  );

/** What the buttons of the memberships on sale say. */
const plansOf = (page: Page) =>
  page
    .getByRole('region', { name: /开通会员|续费/ })
    .getByRole('button')
    .evaluateAll((buttons) => buttons.map((button) => button.ariaLabel ?? ''));

test('the meters of each tier say what is used and left, and follow what was read and downloaded elsewhere', async () => {
  const fids = await workAtSite(site, async ({ db }) => {
    const { rows } = await db.execute<{ id: number }>(
      "select id from documents where state = 'published' and price_coins between 1 and 90 order by id limit 2",
    );
    return rows.map(({ id }) => id);
  });
  const password = await site.demoPassword();
  const ordinary = await enter('demo', '/user/index', password);
  expect(await cardsOf(ordinary.page)).toEqual([
    '搜索结果 每次前 10 条',
    '在线阅读 每份前 10 页',
    '方案下载 使用喵币',
    '喵币余额 100 充值',
  ]);
  expect(await plansOf(ordinary.page)).toEqual(['开通标准会员', '开通高级会员']);
  await ordinary.page.getByRole('button', { name: '开通标准会员' }).click();
  const chosen = dialogOf(ordinary.page).getByRole('radio', { name: /^标准会员/ });
  await expect.poll(() => chosen.isChecked()).toBe(true);
  for (const [username, limits, plans] of [
    ['vip', ['300', '1,500'], ['续费标准会员', '升级高级会员']],
    ['pro', ['600', '3,000'], ['续费高级会员']],
  ] as const) {
    const { page, errors } = await enter(username, '/user/index', password);
    expect(await plansOf(page)).toEqual(plans);
    expect((await cardsOf(page)).slice(0, 3)).toEqual([
      '今日下载券 已用 0 / 20 张 剩 20 张',
      `本月免费下载 已用 0 / ${limits[0]} 份 剩 ${limits[0]} 份`,
      `本月阅读 已用 0 / ${limits[1]} 份 剩 ${limits[1]} 份`,
    ]);
    await page.getByRole('link', { name: '个人信息' }).first().click();
    await page.getByRole('heading', { name: '个人信息' }).waitFor();
    for (const fid of fids) {
      expect(await callAs(page, '/api/doc/getDetail', { fid })).toMatchObject({ code: 0 });
      expect(await callAs(page, '/api/doc/download', { fid })).toMatchObject({ code: 0, data: { method: 'coupon' } });
    }
    await page.getByRole('link', { name: '我的会员' }).first().click();
    await page.getByText('剩 18 张').waitFor();
    expect((await cardsOf(page)).map((text) => /已用 ([\d,]+ \/ [\d,]+)/.exec(text)?.[1] ?? '')).toEqual([
      '2 / 20',
      `2 / ${limits[0]}`,
      `2 / ${limits[1]}`,
      '',
    ]);
    expect(errors).toEqual([]);
    await leave(page);
  }
  await leave(ordinary.page);
});

test('an expired member is told since when, keeps the coins, and has the way to renew', async () => {
  await workAtSite(site, async (ctx) => {
    const { rows } = await ctx.db.execute<{ id: number }>("select id from users where username = 'former'");
    const userId = rows[0]?.id ?? 0;
    const then: Ctx = { ...ctx, clock: { now: () => Date.parse('2026-01-01T12:00:00+08:00') } };
    await grantMembership(then, { userId, tier: 2, days: 30, reason: 'test' });
    await grantCoins(then, { userId, coins: 30, reason: 'test' });
  });
  const { page, errors } = await enter('former', '/user/index');
  const standing = page.getByRole('region', { name: '会员与余额' });
  await standing.getByText('高级会员已于 2026-01-31 到期').waitFor();
  await standing.getByText('已下载的方案仍可再次下载').waitFor();
  expect((await cardsOf(page)).at(-1)).toBe('喵币余额 30 充值');
  await page.getByRole('region', { name: '续费会员' }).getByRole('button', { name: '续费高级会员' }).waitFor();
  await page.getByRole('complementary', { name: '我的账号' }).getByRole('link', { name: '续费会员' }).click();
  await page.waitForURL(`${site.origin}/aboutVip`);
  await page.getByRole('button', { name: '开通年度会员' }).first().click();
  const dialog = payDialogOf(page);
  await expect.poll(() => dialog.getByRole('radio', { name: /^年度会员.*¥298/ }).isChecked()).toBe(true);
  await dialog.getByText(/不支持退款；重复支付、未到账或文件损坏可申请退款/).waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('every movement of coins stands in the ledger with its balance; pages turn, and a failure offers to try again', async () => {
  await workAtSite(site, async (ctx) => {
    const { rows } = await ctx.db.execute<{ id: number }>("select id from users where username = 'leaver'");
    for (let count = 0; count < 12; count += 1)
      await grantCoins(ctx, { userId: rows[0]?.id ?? 0, coins: 5, reason: 'test' });
  });
  const { page } = await enter('leaver', '/user/index');
  const ledger = page.getByRole('region', { name: '喵币明细' });
  const rowsOf = async () =>
    (await ledger.locator('tbody tr').allInnerTexts()).map((text) => text.split('\t').slice(1).join(' '));
  const rowOf = (balance: number) => `客服发放 +5 ${balance}`;
  expect(await rowsOf()).toEqual([60, 55, 50, 45, 40, 35, 30, 25, 20, 15].map(rowOf));
  await ledger.getByRole('link', { name: '第 2 页' }).click();
  await expect.poll(rowsOf).toEqual([10, 5].map(rowOf));
  expect(new URL(page.url()).search).toBe('?page=2');

  await visit(page, `${site.origin}/user/index?page=9`);
  await ledger.getByText('一共 12 条，请回到第一页看看').waitFor();
  await ledger.getByRole('link', { name: '回到第一页' }).click();
  await expect.poll(async () => (await rowsOf()).length).toBe(10);

  await workAtSite(site, ({ db }) => db.execute('alter table ledger_entries rename to ledger_entries_away'));
  try {
    await page.reload();
    await whenReady(page);
    await ledger.getByText('暂时无法读取喵币明细').waitFor();
    // The other parts of the page are still shown.
    expect((await cardsOf(page)).at(-1)).toBe('喵币余额 60 充值');
  } finally {
    await workAtSite(site, ({ db }) => db.execute('alter table ledger_entries_away rename to ledger_entries'));
  }
  await ledger.getByRole('button', { name: '重试' }).click();
  await expect.poll(async () => (await rowsOf()).length).toBe(10);
  await leave(page);
});

test('the sixth login ends the oldest, which the list of devices says before and the next click there after', async () => {
  const { page } = await enter('former', '/user/userinfo');
  const devices = page.getByRole('region', { name: '登录设备' });
  await devices.getByText(/最多同时登录 5 处/).waitFor();
  const token = await tokenOf(page);
  const others: Page[] = [];
  for (let count = 0; count < 4; count += 1) others.push((await enter('former', '/user/userinfo')).page);
  expect(await mineOf(token)).toBe(0);
  const last = await enter('former', '/user/userinfo');
  await last.page.getByText('已登录 5 处').waitFor();
  expect(await mineOf(token)).toBe(2);
  await page.getByRole('link', { name: '我的会员' }).first().click();
  await page.getByRole('heading', { name: '请先登录' }).waitFor();
  await Promise.all([page, last.page, ...others].map(leave));
});

test('the nickname is edited in place; an invalid nickname is refused at the field', async () => {
  const { page, errors } = await enter('centreplanner', '/user/userinfo');
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
  await leave(page);
});

test('a nickname whose editing was cancelled while it was being saved neither closes the next editing nor tells it its error', async () => {
  const { page } = await enter('centrecaller', '/user/userinfo');
  const edit = page.getByRole('button', { name: '修改昵称' });
  const field = page.getByRole('textbox', { name: '昵称' });
  const save = page.getByRole('button', { name: '保存', exact: true });
  for (const answer of [
    { code: 1, message: '没有存上', data: null },
    { code: 0, message: '存上了', data: { nickname: '慢吞吞' } },
  ]) {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/user/updateInfo', async (route) => {
      await released;
      await route.fulfill({ json: answer });
    });
    const asked = page.waitForRequest('**/api/user/updateInfo');
    await edit.click();
    await field.fill('慢吞吞');
    await save.click();
    await asked;
    await page.getByRole('button', { name: '取消', exact: true }).click();
    await edit.click();
    await field.fill('另起一个');
    release();
    await save.waitFor();
    if (answer.code === 0) await page.getByText(answer.message).waitFor();
    expect([await field.inputValue(), await wordsAt(field)]).toEqual(['另起一个', '']);
    await page.getByRole('button', { name: '取消', exact: true }).click();
    await page.unroute('**/api/user/updateInfo');
  }
  await leave(page);
});

test('a phone is bound with a code; the phone of another account is refused', async () => {
  const { page } = await enter('centreplanner', '/user/userinfo');
  await page.getByText('未绑定').waitFor();
  await page.getByRole('button', { name: '绑定手机号' }).click();
  const dialog = dialogOf(page);
  await dialog.getByLabel('手机号').fill('13800000011');
  await dialog.getByRole('button', { name: '获取验证码' }).click();
  await page.getByText('验证码已发送').waitFor();
  await dialog.getByLabel('验证码', { exact: true }).fill(await codeOf(outside, '13800000011'));
  await dialog.getByLabel('当前密码').fill(PASSWORD);
  await dialog.getByRole('button', { name: '绑定', exact: true }).click();
  await expect.poll(() => wordsAt(dialog.getByLabel('手机号'))).toBe('该手机号已被其他账号绑定');
  await leave(page);

  // The wait of 60 s belongs to the browser: another one binds a free number.
  const second = await enter('centreplanner', '/user/userinfo');
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
  await leave(second.page);

  const byPhone = await openPage(browser);
  await visit(byPhone.page, `${site.origin}/index`);
  await openLogin(byPhone.page);
  await logInByPhone(byPhone.page, '13800000013', PASSWORD);
  await whenLoggedIn(byPhone.page);
  expect(await mineOf(await tokenOf(byPhone.page))).toBe(0);
  await leave(byPhone.page);
});

test('a login in another tab shows in this tab when the reader comes back to it, and so does the end of the session', async () => {
  const { page, errors } = await openPage(browser);
  await visit(page, `${site.origin}/report`);
  const comeBack = () => page.evaluate(() => window.dispatchEvent(new Event('focus')));
  const login = page.getByRole('banner').getByRole('button', { name: '登录', exact: true });
  await login.click();
  await dialogOf(page).waitFor();
  await enterAs(site, page, 'centrecaller', PASSWORD);
  await comeBack();
  await page.getByRole('banner').getByText('来电的人').first().waitFor();
  await dialogOf(page).waitFor({ state: 'hidden' });
  await page.context().clearCookies();
  await comeBack();
  await login.waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('a logout that the server does not hear of ends the session for this browser at once, and at the server later', async () => {
  const { page } = await enter('centreplanner', '/user/userinfo');
  const token = await tokenOf(page);
  const entry = page.getByRole('banner').getByRole('button', { name: '登录', exact: true });
  await openMenu(page);
  await page.context().setOffline(true);
  await page.getByRole('button', { name: '退出登录' }).click();
  await page.getByText('退出登录成功').waitFor();
  await entry.waitFor();
  expect([await tokenOf(page), await mineOf(token)]).toEqual(['', 0]);

  // A refusal by a limit arrives as an answer.
  const refused = page.waitForResponse('**/api/user/webLogout');
  await page.route('**/api/user/webLogout', (route) =>
    route.fulfill({ status: 429, json: { code: 41, message: '操作太频繁，请稍后再试', data: null } }),
  );
  await page.context().setOffline(false);
  await refused;
  await page.waitForURL(`${site.origin}/index`);
  await entry.waitFor();
  await visit(page, `${site.origin}/user/userinfo`);
  await page.getByRole('heading', { name: '请先登录' }).waitFor();
  const names = (await page.context().cookies()).map(({ name }) => name);
  expect(names.filter((name) => ['token', 'sid', 'openid', 'sess'].includes(name))).toEqual([]);
  expect(await mineOf(token)).toBe(0);

  // The browser has logged in again by the time that the server hears of it.
  const later = await enterAs(site, page, 'centreplanner', PASSWORD);
  await page.unroute('**/api/user/webLogout');
  await visit(page, `${site.origin}/user/userinfo`);
  await expect.poll(() => mineOf(token)).toBe(2);
  await page.reload();
  await page.getByRole('heading', { name: '个人信息' }).waitFor();
  expect([await tokenOf(page), await mineOf(later)]).toEqual([later, 0]);
  expect(await page.evaluate(() => localStorage.getItem('ceku-logouts'))).toBe(null);
  await leave(page);
});

test('a browser that lost one of the two session cookies gets the page of a visitor', async () => {
  const { page } = await enter('centreplanner', '/user/userinfo');
  await page.context().clearCookies({ name: 'token' });
  const answer = await page.goto(`${site.origin}/user/userinfo`);
  expect(await answer?.text()).not.toContain('登录设备');
  await page.getByRole('heading', { name: '请先登录' }).waitFor();
  await leave(page);
});

test('the other sessions are listed and ended; an ended session is refused at its next call', async () => {
  const other = await enter('centrecaller', '/user/userinfo');
  const otherToken = await tokenOf(other.page);
  const third = await enter('centrecaller', '/user/userinfo');
  const { page } = await enter('centrecaller', '/user/userinfo');
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
  await Promise.all([page, other.page, third.page].map(leave));
});

test('logout is confirmed: a visitor at once, at /index after 3 s, the token revoked', async () => {
  const { page, errors } = await enter('centreplanner', '/user/userinfo');
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
  await leave(page);
});

test('personal data is exported, and the deletion of the account requested: a login within seven days cancels it', async () => {
  const { page, errors } = await enter('leaver', '/user/userinfo');
  await page.getByRole('button', { name: '导出我的数据' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: '下载 ZIP' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/\.zip$/);

  await page.getByRole('button', { name: '注销账号' }).click();
  const dialog = dialogOf(page);
  const send = dialog.getByRole('button', { name: '提交注销申请' });
  expect(await send.isDisabled()).toBe(true);
  await page.setViewportSize({ width: 390, height: 700 });
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await dialog.getByRole('button', { name: '获取验证码' }).click();
  await page.getByText('验证码已发送').waitFor();
  await dialog.getByLabel('验证码', { exact: true }).fill(await codeOf(outside, '13800000012'));
  await dialog.getByLabel('我已了解注销的后果').check();
  await send.click();
  await page.getByText('注销申请已提交').waitFor();
  // The way back is said, but a login, which would take the deletion back, is not offered.
  const farewell = page.getByRole('heading', { name: /^账号将于 \d{4}-\d\d-\d\d \d\d:\d\d 删除$/ });
  await farewell.waitFor();
  // The button that was pressed stands at the end of a page that is longer than the window.
  await expect.poll(() => farewell.evaluate((element) => element.getBoundingClientRect().top)).toBeGreaterThan(64);
  await page.getByText('在此之前重新登录，即撤销注销申请').waitFor();
  expect(await page.getByRole('main').getByRole('button', { name: '登录' }).count()).toBe(0);
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('main').getByRole('link', { name: '返回首页' }).click();
  await page.waitForURL(`${site.origin}/index`);
  await whenReady(page);
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('token');
  const before = await typeAtSite(site, 'user', 'show', '--username', 'leaver');

  await openLogin(page);
  await logInByName(page, 'leaver', PASSWORD);
  await page.getByText('登录成功，注销申请已撤销').waitFor();
  await page.getByRole('banner').getByRole('button').filter({ hasText: '要走的人' }).waitFor();
  const after = await typeAtSite(site, 'user', 'show', '--username', 'leaver');
  expect(before.out, before.err).not.toBe(after.out);
  expect(errors).toEqual([]);
  await leave(page);
});

test('a phone is replaced with a code sent to the old phone, which is notified; a session alone is not enough', async () => {
  const { page, errors } = await openPage(browser);
  await page.context().addCookies(newcomer.cookies);
  await visit(page, `${site.origin}/user/userinfo`);
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
  await expect.poll(() => wordsAt(old)).toBe('原手机号的验证码错误或已过期');
  expect(await old.getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => old.evaluate((field) => field === document.activeElement)).toBe(true);

  // One message a minute goes to a phone: its login was two minutes ago.
  await workAtSite(site, ({ db }) =>
    db.execute(sql`update sms_codes set created_at = created_at - interval '2 minutes'`),
  );
  const toOld = dialog.getByRole('group', { name: /验证原手机号/ }).getByRole('button', { name: '获取验证码' });
  await toOld.click();
  await expect.poll(() => codeOf(outside, '13800000021')).not.toBe(newcomer.code);
  await old.fill(await codeOf(outside, '13800000021'));
  await dialog.getByRole('button', { name: '更换', exact: true }).click();
  await page.getByText('绑定成功').waitFor();
  await page.getByText('138****0022').waitFor();
  const told = await (await fetch(`${outside}/control/sms?phone=13800000021`)).text();
  expect(told).toContain('尾号为 0022');
  expect(errors).toEqual([]);
  await leave(page);
});
