import { sql } from 'drizzle-orm';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closePages, hold, leave, openPage, visit, whenReady } from './browser.ts';
import { addMembers, control, dialogOf, enterAs, outsideOf, PASSWORD } from './login.ts';
import { shareDemoSite, type SharedSite } from './shared-site.ts';
import { typeAtSite, workAtSite } from './type-at-site.ts';

let site: SharedSite;
let browser: Browser;
let outside: string;
let items: { year: number; pack: number };

beforeAll(async () => {
  ({ site, browser } = await shareDemoSite());
  await addMembers(
    site,
    ['newcomer', 'buyer', 'typist', 'walker', 'collector', 'centre', 'closing', 'repriced'].map((name) => [
      '--username',
      name,
    ]),
  );
  outside = await outsideOf(site, browser);
  const { vip, miao } = await ask<{ vip: { id: number }[]; miao: { id: number }[] }>('', '/api/payItem/getList', {});
  items = { year: vip[1]?.id ?? 0, pack: miao[0]?.id ?? 0 };
});
afterAll(() => closePages(browser));

type Channel = 'wechat' | 'alipay';
type Person = { page: Page; errors: string[]; token: string };

async function enter(username: string, phone = false): Promise<Person> {
  const opened = await openPage(
    browser,
    phone ? { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } : {},
  );
  return { ...opened, token: await enterAs(site, opened.page, username, PASSWORD) };
}

/** Calls the API as another of the person's devices would. Resolves to the data of the answer. */
async function ask<T>(token: string, path: string, body: object): Promise<T> {
  const answer = await fetch(site.origin + path, {
    method: 'POST',
    headers: { token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  // Safe: every answer of the API is the envelope.
  const reply = (await answer.json()) as { message: string; data: T | null };
  if (!reply.data) throw new Error(reply.message);
  return reply.data;
}

/** Orders an item as the dialog does, without the dialog. Resolves to the number. */
async function order({ token }: Person, itemId: number, channel: Channel = 'wechat'): Promise<string> {
  const path = channel === 'wechat' ? '/api/pay/wxpayQrcode' : '/api/pay/alipayQrcode';
  return (await ask<{ out_trade_no: string }>(token, path, { item_id: itemId })).out_trade_no;
}

/** Pays with the pretend phone's purse; the site has been told when this resolves. */
const pay = (no: string, channel: Channel = 'wechat') =>
  control(outside, channel === 'wechat' ? 'wechat-pay/pay' : 'alipay/pay', { no });

async function paid(person: Person, itemId: number, channel: Channel = 'wechat'): Promise<string> {
  const no = await order(person, itemId, channel);
  await pay(no, channel);
  await expect.poll(() => statusOf(person, no)).toBe('fulfilled');
  return no;
}

const statusOf = async ({ token }: Person, no: string) =>
  (await ask<{ status: string }>(token, '/api/pay/checkOrder', { out_trade_no: no })).status;

async function ceku(...words: string[]): Promise<void> {
  const done = await typeAtSite(site, ...words);
  expect(done.code, done.err).toBe(0);
}

const rowOf = (page: Page, no: string) => page.getByRole('row').filter({ hasText: no });
const cardOf = (page: Page, no: string) => page.getByRole('listitem').filter({ hasText: no });

test('a visitor is asked to log in; a member without orders reads so and finds the way to the plans', async () => {
  const answer = await fetch(`${site.origin}/user/order`);
  const body = await answer.text();
  expect([answer.status, body.includes('noindex'), body.includes('请先登录')]).toEqual([200, true, true]);
  const { page, errors } = await enter('newcomer');
  await visit(page, `${site.origin}/user/index`);
  expect(await page.getByRole('heading', { name: '最近订单' }).count()).toBe(0);
  await page.getByRole('navigation', { name: '用户中心' }).getByRole('link', { name: '我的订单' }).click();
  await page.getByText('您还没有支付过任何订单~').waitFor();
  expect(page.url()).toBe(`${site.origin}/user/order`);
  await page.getByRole('link', { name: '看看会员与喵币' }).click();
  await page.waitForURL(`${site.origin}/aboutVip`);
  expect(errors).toEqual([]);
  await leave(page);
});

test('the table says what was bought, how it was paid and how it stands; a payment shows without a reload', async () => {
  const person = await enter('buyer');
  const { page, errors } = person;
  const year = await paid(person, items.year, 'alipay');
  const pending = await order(person, items.pack, 'alipay');
  await visit(page, `${site.origin}/user/order`);
  expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
    '订单号',
    '开始日期',
    '会员类型',
    '有效期(月)',
    '实付金额(元)',
    '支付方式',
    '状态',
    '操作',
  ]);
  const cells = (await rowOf(page, year).getByRole('cell').allInnerTexts()).map((text) => text.split('\n')[0]);
  expect(cells).toEqual([
    year,
    expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    '年度会员',
    expect.stringMatching(/^(3|12|1200)$/),
    expect.stringMatching(/^¥\d+\.\d\d$/),
    '支付宝',
    '已支付',
    '申请发票',
  ]);
  const row = rowOf(page, pending);
  await row.getByText('待支付').waitFor();
  await row.getByText(/请在 \d\d:\d\d 前支付/).waitFor();
  // Nothing was paid yet: the price is what is due.
  expect((await row.getByRole('cell').nth(4).innerText()).split('\n')).toEqual([
    '-',
    expect.stringMatching(/^应付 ¥\d+\.\d\d$/),
  ]);
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  // The dialog opens with the item and the channel of the order.
  await row.getByRole('button', { name: /^继续支付/ }).click();
  const dialog = dialogOf(page);
  await dialog.getByRole('radio', { name: /基础包/, checked: true }).waitFor();
  await dialog.getByRole('radio', { name: '支付宝', checked: true }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await pay(pending, 'alipay');
  await row.getByText('已支付').waitFor();
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
  expect(await row.getByRole('button', { name: /^继续支付/ }).count()).toBe(0);

  await ceku('order', 'refund', pending, '--note', 'wish');
  await expect.poll(() => statusOf(person, pending)).toBe('refunded');
  await page.reload();
  await row.getByText('已退款').waitFor();
  await row.getByText(/^\d{4}-\d{2}-\d{2}\s原路退回$/).waitFor();
  expect(await row.getByRole('button', { name: /发票/ }).count()).toBe(0);

  // An order that nobody paid leaves the list when it is closed.
  const left = await order(person, items.pack, 'wechat');
  await page.reload();
  await rowOf(page, left).getByText('待支付').waitFor();
  await workAtSite(site, ({ db }) =>
    db.execute(sql`update orders set status = 'closed', closed_at = now() where out_trade_no = ${left}`),
  );
  await page.reload();
  await row.getByText('已退款').waitFor();
  expect(await rowOf(page, left).count()).toBe(0);
  expect(errors).toEqual([]);
  await leave(page);
});

test('an order is paid on at the price of now, which is said; what went off sale opens no dialog', async () => {
  const person = await enter('repriced');
  const { page, errors } = person;
  const no = await order(person, items.year);
  await visit(page, `${site.origin}/user/order`);
  let year: { price: number } | null = { price: 398 };
  await page.route('**/api/payItem/getList', async (route) => {
    const response = await route.fetch();
    // Safe: the contract of the price list.
    const reply = (await response.json()) as { data: { vip: { id: number }[] } };
    const vip = reply.data.vip.flatMap((item) =>
      item.id === items.year ? (year ? [{ ...item, ...year }] : []) : [item],
    );
    await route.fulfill({ response, json: { ...reply, data: { ...reply.data, vip } } });
  });
  const payOn = rowOf(page, no).getByRole('button', { name: /^继续支付/ });
  const dialog = dialogOf(page);
  await payOn.click();
  await page.getByText('价格已变化，现在为 ¥398').waitFor();
  await dialog.getByRole('radio', { name: /^年度会员.*¥398/, checked: true }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  year = null;
  await page.reload();
  await whenReady(page);
  await page
    .getByRole('button', { name: /^继续支付/ })
    .first()
    .click();
  await page.getByText('该商品已下架').waitFor();
  expect(await dialog.count()).toBe(0);
  expect(errors).toEqual([]);
  await leave(page);
});

test('an invoice by keyboard alone: what is wrong is said at its field, and the answer of the operator shows', async () => {
  const person = await enter('typist');
  const { page, errors } = person;
  const no = await paid(person, items.pack);
  await visit(page, `${site.origin}/user/order`);
  const button = rowOf(page, no).getByRole('button', { name: /发票|开票/ });
  await button.focus();
  await page.keyboard.press('Enter');
  const dialog = dialogOf(page);
  const title = dialog.getByLabel('发票抬头');
  await expect.poll(() => title.evaluate((field) => field === document.activeElement)).toBe(true);
  // Red around a field would say that something is wrong with it.
  expect(await title.evaluate((field) => getComputedStyle(field).outline)).toContain('rgb(28, 27, 25)');
  await page.keyboard.press('Enter');
  for (const message of ['请输入发票抬头', '请输入纳税人识别号', '请输入接收发票的邮箱'])
    await dialog.getByText(message).waitFor();
  await page.keyboard.type('上海策划有限公司');
  await page.keyboard.press('Tab');
  // As it is pasted from a document.
  await page.keyboard.insertText('\u202d9131 0000 ma1f l000\u200b');
  await page.keyboard.press('Tab');
  await page.keyboard.type('finance@example');
  await page.keyboard.press('Enter');
  await dialog.getByText('请输入正确的邮箱地址').waitFor();
  const email = dialog.getByLabel('接收邮箱');
  await expect.poll(() => email.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.type('.com');
  await page.keyboard.press('Enter');
  await page.getByText('发票申请已提交').waitFor();
  await dialog.waitFor({ state: 'hidden' });
  // The button stays, with the new state, and has the focus again.
  await expect.poll(() => button.innerText()).toBe('开票中');
  await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);

  await ceku('order', 'invoice', 'refuse', no, '--reason', '税号与抬头不符，请核对后重新申请。');
  await page.reload();
  await whenReady(page);
  expect(await button.innerText()).toBe('发票未通过');
  await button.click();
  await dialog.getByText('上次申请未通过：税号与抬头不符，请核对后重新申请。', { exact: true }).waitFor();
  expect(await dialog.getByLabel('纳税人识别号').inputValue()).toBe('91310000MA1FL000');
  expect(await dialog.getByLabel('接收邮箱').inputValue()).toBe('f***@example.com');
  // The mask of the address is kept or typed over as a whole.
  await dialog.getByLabel('接收邮箱').focus();
  await page.keyboard.type('w***@qq.com');
  await dialog.getByRole('button', { name: '提交申请' }).click();
  await dialog.getByText('请重新填写完整的邮箱').waitFor();
  await dialog.getByRole('radio', { name: '个人' }).check();
  // What was typed of the other kind is there again.
  await dialog.getByRole('radio', { name: '企业或单位' }).check();
  expect(await dialog.getByLabel('纳税人识别号').inputValue()).toBe('91310000MA1FL000');
  await dialog.getByRole('radio', { name: '个人' }).check();
  await dialog.getByLabel('姓名').fill('王小明');
  await dialog.getByLabel('接收邮箱').fill('wang@example.com');
  await dialog.getByRole('button', { name: '提交申请' }).click();
  await expect.poll(() => button.innerText()).toBe('开票中');

  await ceku('order', 'invoice', 'answer', no, '--number', '26312000000012345678');
  await page.reload();
  await whenReady(page);
  expect(await button.innerText()).toBe('查看发票');
  await button.click();
  await dialog.getByText('26312000000012345678').waitFor();
  await dialog.getByText('w***@example.com').waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('a request that another tab has sent already is said, and the list shows it', async () => {
  const person = await enter('walker');
  const { page } = person;
  const no = await paid(person, items.pack);
  await visit(page, `${site.origin}/user/order`);
  await rowOf(page, no)
    .getByRole('button', { name: /^申请发票/ })
    .click();
  await ask(person.token, '/api/order/invoice', {
    out_trade_no: no,
    title: '另一页的公司',
    tax_no: '91310000MA1FL00001',
    email: 'a@example.com',
  });
  const dialog = dialogOf(page);
  await dialog.getByLabel('发票抬头').fill('这一页的公司');
  await dialog.getByLabel('纳税人识别号').fill('91310000MA1FL00002');
  await dialog.getByLabel('接收邮箱').fill('b@example.com');
  await dialog.getByRole('button', { name: '提交申请' }).click();
  await page.getByText('该订单已申请过发票，请勿重复提交').waitFor();
  await dialog.waitFor({ state: 'hidden' });
  await rowOf(page, no)
    .getByRole('button', { name: /^开票中/ })
    .click();
  await dialog.getByText('另一页的公司').waitFor();
  expect(await dialog.getByText('这一页的公司').count()).toBe(0);
  await leave(page);
});

test('a form of an invoice that was closed while it was sent leaves the form of another order open', async () => {
  const person = await enter('walker');
  const { page } = person;
  const first = await paid(person, items.pack);
  const second = await paid(person, items.pack, 'alipay');
  await visit(page, `${site.origin}/user/order`);
  const openForm = (no: string) =>
    rowOf(page, no)
      .getByRole('button', { name: /^申请发票/ })
      .click();
  const dialog = dialogOf(page);
  await openForm(first);
  await dialog.getByText('个人', { exact: true }).click();
  await dialog.getByLabel('姓名').fill('张三');
  await dialog.getByLabel('接收邮箱').fill('a@example.com');
  const release = await hold(page, '**/api/order/invoice');
  await dialog.getByRole('button', { name: '提交申请' }).click();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await openForm(second);
  await dialog.getByLabel('发票抬头').fill('某某文化公司');
  release();
  await rowOf(page, first)
    .getByRole('button', { name: /^开票中/ })
    .waitFor({ state: 'attached' });
  await page.getByRole('alert').waitFor();
  expect(await dialog.getByLabel('发票抬头').inputValue()).toBe('某某文化公司');
  await leave(page);
});

test('on a phone orders are cards, nothing is wider than the screen, and pages turn', async () => {
  const person = await enter('collector', true);
  const { page, errors } = person;
  const numbers: string[] = [];
  for (let count = 0; count < 11; count += 1) {
    numbers.push(await order(person, items.pack));
    await pay(numbers.at(-1) ?? '');
    await expect.poll(() => statusOf(person, numbers.at(-1) ?? '')).toBe('fulfilled');
  }
  await visit(page, `${site.origin}/user/order`);
  const newest = cardOf(page, numbers.at(-1) ?? '');
  await newest.getByRole('heading', { name: '100 喵币' }).waitFor();
  await newest.getByText('微信支付').waitFor();
  expect(await page.getByRole('table').count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await newest.getByRole('button', { name: /^申请发票/ }).tap();
  const box = await dialogOf(page).getByRole('button', { name: '提交申请' }).boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  expect(box?.height).toBeGreaterThanOrEqual(44);
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'hidden' });
  // The second page is held back until the skeleton has been seen.
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/user/order.data*', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('navigation', { name: '订单分页' }).getByRole('link', { name: '第 2 页' }).tap();
  await page.locator('section[aria-busy=true] [data-waiting]').waitFor();
  release();
  await cardOf(page, numbers[0] ?? '').waitFor();
  expect(new URL(page.url()).search).toBe('?page=2');
  await visit(page, `${site.origin}/user/order?page=9`);
  await page.getByText('一共 11 笔，请回到第一页看看').waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('orders that cannot be read offer to try again, and the rest of the page stands', async () => {
  const { page } = await enter('collector');
  await workAtSite(site, ({ db }) => db.execute('alter table order_invoices rename to order_invoices_away'));
  try {
    await visit(page, `${site.origin}/user/order`);
    await page.getByText('暂时无法读取订单').waitFor();
    await page.getByRole('heading', { name: '我的订单' }).waitFor();
  } finally {
    await workAtSite(site, ({ db }) => db.execute('alter table order_invoices_away rename to order_invoices'));
  }
  await page.getByRole('button', { name: '重试' }).click();
  await page.getByRole('table').waitFor();
  expect(await page.getByRole('row').count()).toBe(11);
  await leave(page);
});

test('in the user centre coins and a membership are bought, and balance, expiry and last orders follow by themselves', async () => {
  const person = await enter('centre');
  const { page, errors } = person;
  await visit(page, `${site.origin}/user/index`);
  const standing = page.getByRole('region', { name: '会员与余额' });
  const orders = page.getByRole('region', { name: '最近订单' });
  for (const [button, seen] of [
    ['充值喵币', '100 充值'],
    ['开通高级会员', '高级会员'],
  ] as const) {
    expect((await standing.innerText()).replaceAll(/\s+/g, ' ')).not.toContain(seen);
    await page.getByRole('button', { name: button, exact: true }).click();
    const dialog = dialogOf(page);
    const agreement = dialog.getByRole('checkbox');
    await dialog.getByRole('radio', { checked: true }).first().waitFor();
    if (button === '充值喵币') await agreement.check();
    // The page must know the order before it is paid: an unknown payment counts as one from another tab.
    await dialog.getByRole('img', { name: /二维码$/ }).waitFor();
    const no = await newestOrder(person);
    await page.evaluate(() => Object.assign(window, { isPageOfPurchase: true }));
    await pay(no);
    await page
      .getByText(/支付成功/)
      .first()
      .waitFor();
    await expect.poll(async () => (await standing.innerText()).replaceAll(/\s+/g, ' ')).toContain(seen);
    await expect.poll(() => orders.getByText('已支付').count()).toBe(button === '充值喵币' ? 1 : 2);
    // C-55: the page loads itself again half a second later. A page that is being left cannot be asked.
    await expect.poll(() => page.evaluate(() => 'isPageOfPurchase' in window).catch(() => true)).toBe(false);
    await whenReady(page);
  }
  // Closed and paid by the phone all the same: the page hears of it.
  await standing.getByRole('button', { name: '充值喵币' }).click();
  await dialogOf(page)
    .getByText(/^刚刚已支付：/)
    .waitFor();
  await dialogOf(page).getByRole('button', { name: '继续购买' }).click();
  const late = await newestOrder(person);
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'hidden' });
  await visit(page, `${site.origin}/user/index`);
  await orders.getByText('待支付').waitFor();
  await orders.getByText('应付 ¥10.00', { exact: true }).waitFor();
  await pay(late);
  await expect.poll(() => orders.getByText('已支付').count()).toBe(3);
  await standing.getByText('200', { exact: true }).waitFor();
  await standing.getByText(/剩 365 天/).waitFor();
  await orders.getByRole('link', { name: '全部订单' }).click();
  await page.getByRole('table').waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

/** Resolves to the number of the newest order that waits for its payment, once there is one. */
async function newestOrder({ token }: Person): Promise<string> {
  let no = '';
  await expect
    .poll(async () => {
      const { items: orders } = await ask<{ items: { trade_no: string; status: string }[] }>(token, '/api/order/list', {
        status: 'chosen',
      });
      no = orders.find(({ status }) => status === 'pending')?.trade_no ?? '';
      return no;
    })
    .not.toBe('');
  return no;
}

test('commands beside the site reach the providers that the site pretends: an unpaid order is closed there', async () => {
  const person = await enter('closing');
  const closed = await site.ceku('order', 'close', await order(person, items.pack));
  expect([closed.code, closed.stdout], closed.stderr).toEqual([0, expect.stringContaining('closed\nIt was pending.')]);
  // Alipay does not know an order before its code is scanned.
  const unscanned = await site.ceku('order', 'close', await order(person, items.year, 'alipay'));
  expect([unscanned.code, unscanned.stdout], unscanned.stderr).toEqual([
    0,
    expect.stringMatching(/pending\nNothing changed\. .+nobody has scanned/),
  ]);
  await leave(person.page);
});
