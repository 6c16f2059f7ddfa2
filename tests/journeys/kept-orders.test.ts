import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closePages, leave, openPage, visit, whenReady } from './browser.ts';
import { addMembers, control, enterAs, logInByName, openMenu, outsideOf, PASSWORD } from './login.ts';
import { agree, codesOf, payDialogOf, type IssuedCode } from './paying.ts';
import { shareDemoSite, type SharedSite } from './shared-site.ts';
import { workAtSite } from './type-at-site.ts';

let site: SharedSite;
let browser: Browser;
let outside: string;

beforeAll(async () => {
  ({ site, browser } = await shareDemoSite());
  const names = [
    'reloading',
    'wishstream',
    'wishasked',
    'offline',
    'ended',
    'leaving',
    'opener',
    'menu',
    'forlife',
    'typing',
    'ontheway',
    'paidearly',
    'noted',
  ];
  await addMembers(
    site,
    names.map((name) => ['--username', name]),
  );
  outside = await outsideOf(site, browser);
});
afterAll(() => closePages(browser));

/** Opens /aboutVip as a member, asks for a plan and agrees. */
async function orderPlan(name: string, plan: string, page: Page) {
  const token = await enterAs(site, page, name, PASSWORD);
  await visit(page, `${site.origin}/aboutVip`);
  const codes = codesOf(page);
  await page
    .getByRole('button', { name: `开通${plan}` })
    .first()
    .click();
  const dialog = payDialogOf(page);
  await agree(dialog);
  return { token, codes, dialog };
}

/** Returns the id of a document that the smallest pack of coins pays for. */
const affordableId = () =>
  workAtSite(site, async ({ db }) => {
    const { rows } = await db.execute<{ id: number }>(
      "select id from documents where state = 'published' and price_coins between 1 and 100 order by id limit 1",
    );
    return rows[0]?.id ?? 0;
  });

/** Orders the coins that a member without any needs for the download of the page. */
async function orderCoinsFor(page: Page): Promise<void> {
  await page
    .getByRole('complementary', { name: '下载与信息' })
    .getByRole('button', { name: /^充值后下载/ })
    .click();
  await page.getByRole('dialog', { name: '温馨提示' }).getByRole('button', { name: '去充值' }).click();
  await agree(payDialogOf(page));
}

async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await payDialogOf(page).waitFor({ state: 'detached' });
}

async function pay(codes: readonly IssuedCode[], index = 0): Promise<void> {
  await expect.poll(() => codes[index]).toBeDefined();
  await control(outside, 'wechat-pay/pay', { no: codes[index]?.out_trade_no ?? '' });
}

const badgeOf = (page: Page) => page.getByRole('banner').getByText('方案会员', { exact: true });
const successOf = (page: Page) => page.getByText(/^支付成功( · |$)/).first();
/** The orders that a tab keeps. */
const notesOf = (page: Page) => page.evaluate(() => window.sessionStorage.getItem('ceku-orders'));

test('the dialog is closed, the page is reloaded, and the payment is heard of: without a name, as it is what was wanted', async () => {
  const { page, errors } = await openPage(browser);
  const { codes } = await orderPlan('reloading', '年度会员', page);
  await closeDialog(page);
  await page.reload();
  await whenReady(page);
  await pay(codes);
  await successOf(page).waitFor();
  await badgeOf(page).waitFor();
  expect(await page.getByText(/到账的是/).count()).toBe(0);
  await expect.poll(() => notesOf(page)).toBeNull();
  expect(errors).toEqual([]);
  await leave(page);
});

test('a payment that is heard of later leaves the page alone, with what was typed', async () => {
  const { page, errors } = await openPage(browser);
  await page.clock.install();
  const { codes } = await orderPlan('typing', '年度会员', page);
  await closeDialog(page);
  const field = page.getByRole('banner').getByRole('searchbox');
  await field.fill('周年庆');
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await pay(codes);
  await page.getByText('支付成功', { exact: true }).first().waitFor();
  await badgeOf(page).waitFor();
  // Longer than the open dialog waits before it reloads the page (C-55).
  await page.clock.runFor(4_000);
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
  expect(await field.inputValue()).toBe('周年庆');
  expect(errors).toEqual([]);
  await leave(page);
});

test('a payment that is heard of later offers what was wanted, which goes on by a press', async () => {
  const { page, errors } = await openPage(browser);
  await enterAs(site, page, 'ontheway', PASSWORD);
  const fid = await affordableId();
  await visit(page, `${site.origin}/detail/${fid}`);
  const codes = codesOf(page);
  await orderCoinsFor(page);
  await closeDialog(page);
  await page.getByRole('banner').getByRole('link').first().click();
  await page.waitForURL(/\/(index)?$/);
  await pay(codes);
  await page.getByRole('button', { name: '继续刚才的操作' }).click();
  await page.waitForURL(`**/detail/${fid}`);
  await page
    .getByRole('dialog', { name: '确认下载' })
    .getByText(/当前余额 100/)
    .waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('what was wanted before a login in the middle goes on by a press as well, once', async () => {
  const { page, errors } = await openPage(browser);
  const token = await enterAs(site, page, 'noted', PASSWORD);
  const fid = await affordableId();
  await visit(page, `${site.origin}/detail/${fid}`);
  const codes = codesOf(page);
  await orderCoinsFor(page);
  await fetch(`${site.origin}/api/user/webLogout`, { method: 'POST', headers: { token } });
  await page.getByRole('dialog', { name: /^登录/ }).getByText('登录后充值').waitFor();
  await logInByName(page, 'noted', PASSWORD);
  await payDialogOf(page).getByText('请先勾选上方协议').waitFor();
  await closeDialog(page);
  await page.getByRole('banner').getByRole('link').first().click();
  await page.waitForURL(/\/(index)?$/);
  await pay(codes);
  await page.getByRole('button', { name: '继续刚才的操作' }).click();
  await page.waitForURL(`**/detail/${fid}`);
  const question = page.getByRole('dialog', { name: '确认下载' });
  await question.getByText(/当前余额 100/).waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });

  // Another purchase, for which nothing was interrupted.
  const before = codes.length;
  await openMenu(page);
  await page.getByRole('dialog', { name: '账号' }).getByRole('button', { name: '开通' }).click();
  await payDialogOf(page)
    .getByRole('img', { name: /二维码$/ })
    .waitFor();
  await closeDialog(page);
  await pay(codes, before);
  await page.getByText('支付成功', { exact: true }).first().waitFor();
  await badgeOf(page).waitFor();
  expect(await page.getByRole('button', { name: '继续刚才的操作' }).count()).toBe(0);
  expect(errors).toEqual([]);
  await leave(page);
});

test('paid before the page has its code: the code closes the dialog as any payment does', async () => {
  const { page, errors } = await openPage(browser);
  await enterAs(site, page, 'paidearly', PASSWORD);
  await visit(page, `${site.origin}/aboutVip`);
  const codes = codesOf(page);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/pay/wxpayQrcode', async (route) => {
    const response = await route.fetch();
    // Safe: the contract of the call.
    const { data } = (await response.json()) as { data: IssuedCode };
    await control(outside, 'wechat-pay/pay', { no: data.out_trade_no });
    await held;
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: '开通年度会员' }).first().click();
  await payDialogOf(page).getByText('刚刚已支付：年度会员').waitFor();
  expect(codes).toEqual([]);
  release();
  await successOf(page).waitFor();
  await payDialogOf(page).waitFor({ state: 'detached' });
  await badgeOf(page).waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test.each([
  { first: 'the event stream', slow: '**/api/pay/checkOrder**', name: 'wishstream' },
  { first: 'the first question', slow: '**/api/pay/events', name: 'wishasked' },
])(
  'paid while no page of the site was open: $first tells the next page, where the wanted download goes on',
  async ({ slow, name }) => {
    const { page } = await openPage(browser);
    await enterAs(site, page, name, PASSWORD);
    const fid = await affordableId();
    await visit(page, `${site.origin}/detail/${fid}`);
    const codes = codesOf(page);
    await orderCoinsFor(page);
    await page.goto('about:blank');
    await pay(codes);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(slow, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${site.origin}/index`);
    await page.waitForURL(`**/detail/${fid}`);
    release();
    await page
      .getByRole('dialog', { name: '确认下载' })
      .getByText(/当前余额 100/)
      .waitFor();
    await expect.poll(() => notesOf(page)).toBeNull();
    await leave(page);
  },
);

test('without the event stream the orders of a closed dialog are asked about', async () => {
  const { page } = await openPage(browser);
  await page.clock.install();
  await page.route('**/api/pay/events', (route) => route.abort());
  const { codes } = await orderPlan('offline', '年度会员', page);
  await closeDialog(page);
  await pay(codes);
  await expect
    .poll(async () => {
      await page.clock.runFor(5_000);
      return badgeOf(page).count();
    })
    .toBe(1);
  await leave(page);
});

test('paid after the session has ended: told after the next login, which needs no other purchase', async () => {
  const { page } = await openPage(browser);
  const { token, codes, dialog } = await orderPlan('ended', '终身会员', page);
  await fetch(`${site.origin}/api/user/webLogout`, { method: 'POST', headers: { token } });
  await page.getByRole('dialog', { name: /^登录/ }).getByText('登录后开通会员').waitFor();
  await pay(codes);
  await logInByName(page, 'ended', PASSWORD);
  await successOf(page).waitFor();
  await badgeOf(page).waitFor();
  await expect.poll(() => dialog.count()).toBe(0);
  await leave(page);
});

test('a logout forgets the orders of the tab', async () => {
  const { page, errors } = await openPage(browser);
  const { codes } = await orderPlan('leaving', '季度会员', page);
  await closeDialog(page);
  expect(await notesOf(page)).toContain(codes[0]?.out_trade_no);
  await openMenu(page);
  await page.getByRole('dialog', { name: '账号' }).getByRole('button', { name: '退出' }).click();
  await page.getByText('退出登录成功').first().waitFor();
  await expect.poll(() => notesOf(page)).toBeNull();
  expect(errors).toEqual([]);
  await leave(page);
});

test('after a payment the focus returns to the opener, and to the page when the opener is gone', async () => {
  const { page } = await openPage(browser);
  await page.clock.install();
  const { codes, dialog } = await orderPlan('opener', '年度会员', page);
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName);
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
  await pay(codes);
  await dialog.waitFor({ state: 'detached' });
  expect(await focused()).toMatch(/年度会员$/);
  await leave(page);

  const other = (await openPage(browser)).page;
  await other.clock.install();
  await enterAs(site, other, 'menu', PASSWORD);
  await visit(other, `${site.origin}/index`);
  const issued = codesOf(other);
  await openMenu(other);
  await other.getByRole('dialog', { name: '账号' }).getByRole('button', { name: '开通' }).click();
  await agree(payDialogOf(other));
  await other.clock.pauseAt(await other.evaluate(() => Date.now() + 1_000));
  await pay(issued);
  await payDialogOf(other).waitFor({ state: 'detached' });
  expect(await other.evaluate(() => document.activeElement?.tagName)).toMatch(/^(MAIN|BUTTON)$/);
  await leave(other);
});

test('a member whom a payment minutes ago left nothing to buy is told of that payment', async () => {
  const { page } = await openPage(browser);
  const { codes, dialog } = await orderPlan('forlife', '终身会员', page);
  const loaded = page.waitForEvent('load');
  await pay(codes);
  await loaded;
  await whenReady(page);
  await page.getByRole('button', { name: /^充值 100 喵币/ }).click();
  await dialog.getByRole('tab', { name: '开通会员' }).click();
  await dialog.getByText('无需支付').waitFor();
  await expect.poll(() => dialog.getByText(/^刚刚已支付：终身/).count()).toBe(1);
  await leave(page);
});
