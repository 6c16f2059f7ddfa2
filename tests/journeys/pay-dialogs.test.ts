import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closePages, leave, openPage, visit, whenReady } from './browser.ts';
import { addMembers, control, enterAs, logInByName, openMenu, outsideOf, PASSWORD } from './login.ts';
import { agree, codesOf, payDialogOf, payOnPhone, payOpened, type IssuedCode } from './paying.ts';
import { shareDemoSite, type SharedSite } from './shared-site.ts';
import { openSite, type Site } from './site.ts';
import { typeAtSite, workAtSite } from './type-at-site.ts';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
const PHONE = { userAgent: IPHONE, isMobile: true, hasTouch: true, viewport: { width: 390, height: 844 } };

let site: SharedSite;
let browser: Browser;
let outside: string;
/** A site that takes no payments. */
let unpaid: Site;

beforeAll(async () => {
  [{ site, browser }, unpaid] = await Promise.all([
    shareDemoSite(),
    openSite({ OUTSIDE: 'off', DEMO: 'off', RATE_LIMITS: 'off' }),
  ]);
  const names = [
    'year',
    'coins',
    'late',
    'patient',
    'paywishing',
    'paywalker',
    'sender',
    'unlucky',
    'comer',
    'polling',
    'lifer',
    'hasty',
    'closer',
    'aside',
    'payoffline',
    'twofold',
    'unpriced',
    'payended',
    'standard',
    'ticked',
    'doubled',
    'linked',
    'payleaving',
    'offsale',
  ];
  await addMembers(
    site,
    names.map((name) => ['--username', name]),
  );
  await addMembers(unpaid, [['--username', 'caller']]);
  outside = await outsideOf(site, browser);
});
afterAll(async () => {
  await closePages(browser);
  await unpaid?.close();
});

async function enter(name: string, path: string, options: Parameters<typeof openPage>[1] = {}) {
  const opened = await openPage(browser, options);
  await enterAs(site, opened.page, name, PASSWORD);
  await visit(opened.page, site.origin + path);
  return opened;
}

const badgeOf = (page: Page) => page.getByRole('banner').getByText('方案会员', { exact: true });

const frameOf = (dialog: Locator) => dialog.getByRole('group', { name: '付款二维码区域' });
const isFocused = (control: Locator) => control.evaluate((element) => element === document.activeElement);

/** Pays the order of a code without the phone, as the provider sees it. */
async function pay(codes: readonly IssuedCode[], index: number): Promise<void> {
  await expect.poll(() => codes[index]).toBeDefined();
  await control(outside, 'wechat-pay/pay', { no: codes[index]?.out_trade_no ?? '' });
}

test('a year by WeChat: veiled until the agreement is ticked, paid on the phone, and the badge changes by itself', async () => {
  const { page, errors } = await enter('year', '/aboutVip');
  const codes = codesOf(page);
  await page.getByRole('button', { name: '开通年度会员' }).first().click();
  const dialog = payDialogOf(page);
  await dialog.getByText('请先勾选上方协议').waitFor();
  expect(await dialog.getByRole('radio', { name: /年度会员/ }).isChecked()).toBe(true);
  await dialog.getByText(/重复支付、未到账或文件损坏可申请退款/).waitFor();
  await dialog.getByText(/^高级会员 20\d\d-\d\d-\d\d 到期$/).waitFor();
  await dialog.getByText('每天 20 张下载券，每月免费下载 600 份').waitFor();
  expect(await dialog.getByRole('link', { name: '用模拟手机操作' }).isVisible()).toBe(false);
  await expect.poll(() => codes).toMatchObject([{ total_fee: 29_800, pay_platform: 0 }]);
  expect(await dialog.getByText(/后失效/).count()).toBe(0);
  await agree(dialog);
  await dialog.getByText(/后失效/).waitFor();
  await payOnPhone(page);
  await page.getByText('支付成功', { exact: true }).first().waitFor();
  await dialog.waitFor({ state: 'detached' });
  await badgeOf(page).waitFor();
  await page
    .getByRole('region', { name: '我的会员' })
    .getByText(/^高级会员 20\d\d-\d\d-\d\d 到期/)
    .waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('the user centre: the second plan and WeChat first, each choice another order; coins by Alipay change the balance', async () => {
  const { page, errors } = await enter('coins', '/user/userinfo');
  const codes = codesOf(page);
  await openMenu(page);
  await page.getByRole('dialog', { name: '账号' }).getByRole('button', { name: '开通' }).click();
  const dialog = payDialogOf(page);
  await expect.poll(() => codes.length).toBe(1);
  expect(await dialog.getByRole('radio', { name: /^高级会员/ }).isChecked()).toBe(true);
  expect(codes).toMatchObject([{ total_fee: 29_800, pay_platform: 0 }]);
  await dialog.getByText(/^标准会员$/).click();
  await expect.poll(() => codes.length).toBe(2);
  await dialog.getByRole('tab', { name: '喵币充值' }).click();
  await expect.poll(() => codes.length).toBe(3);
  await dialog.getByText('支付宝', { exact: true }).click();
  await expect.poll(() => codes.length).toBe(4);
  expect(new Set(codes.map((code) => code.out_trade_no)).size).toBe(4);
  expect(codes.at(-1)).toMatchObject({ total_fee: 1_000, pay_platform: 1 });
  await agree(dialog);
  // The page loads again by itself; a menu that was open before would close.
  const loaded = page.waitForEvent('load');
  await payOnPhone(page);
  await page.getByText('支付成功', { exact: true }).first().waitFor();
  await loaded;
  await whenReady(page);
  await openMenu(page);
  await page
    .getByRole('dialog', { name: '账号' })
    .getByText(/^100\s*充值$/)
    .waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('a QR code that another choice has replaced is paid: the dialog says what has come', async () => {
  const { page, errors } = await enter('late', '/aboutVip');
  const codes = codesOf(page);
  await page.getByRole('button', { name: '开通年度会员' }).first().click();
  const dialog = payDialogOf(page);
  await agree(dialog);
  await dialog.getByText('季度会员', { exact: true }).click();
  await expect.poll(() => codes.length).toBe(2);
  await dialog.getByText('¥98', { exact: true }).waitFor();
  await pay(codes, 0);
  await page.getByText('支付成功，到账的是「年度会员」').first().waitFor();
  await badgeOf(page).waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('after a payment the dialog closes, the member is shown as paid for, and the page reloads and says what there is now', async () => {
  const { page, errors } = await openPage(browser);
  await page.clock.install();
  await enterAs(site, page, 'ticked', PASSWORD);
  await visit(page, `${site.origin}/aboutVip`);
  const codes = codesOf(page);
  await page.getByRole('button', { name: '开通年度会员' }).first().click();
  const dialog = payDialogOf(page);
  await agree(dialog);
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
  await pay(codes, 0);
  await page.getByText('支付成功', { exact: true }).first().waitFor();
  await dialog.waitFor({ state: 'detached' });
  await badgeOf(page).waitFor();
  const loaded = page.waitForEvent('load');
  await page.clock.runFor(500);
  await loaded;
  await page.clock.resume();
  await page
    .getByText(/^支付成功 · 高级会员 20\d\d-\d\d-\d\d 到期$/)
    .first()
    .waitFor();
  expect(await dialog.count()).toBe(0);
  expect(errors).toEqual([]);
  await leave(page);
});

test('a dialog that was closed hears of its payment, and nobody pays twice by not knowing it', async () => {
  const { page, errors } = await enter('closer', '/aboutVip');
  const codes = codesOf(page);
  await page.getByRole('button', { name: '开通年度会员' }).first().click();
  const dialog = payDialogOf(page);
  await agree(dialog);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await pay(codes, 0);
  await page
    .getByText(/^支付成功( · |$)/)
    .first()
    .waitFor();
  await badgeOf(page).waitFor();

  // A dialog that is opened now asks before it sells the same again.
  const other = await page.context().newPage();
  const there = codesOf(other);
  await visit(other, `${site.origin}/aboutVip`);
  await other
    .getByRole('button', { name: /(开通|续费)年度会员$/ })
    .first()
    .click();
  await payDialogOf(other)
    .getByText(/^刚刚已支付：.*年度/)
    .waitFor();
  expect(there).toEqual([]);
  await payDialogOf(other).getByRole('button', { name: '继续购买' }).click();
  await expect.poll(() => there.length).toBe(1);
  await payDialogOf(other)
    .getByRole('img', { name: /二维码$/ })
    .waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('money that is put aside: the code is covered, the contact is open, and nothing else is said', async () => {
  const { page, errors } = await enter('aside', '/aboutVip');
  const codes = codesOf(page);
  await page.getByRole('button', { name: '开通年度会员' }).first().click();
  const dialog = payDialogOf(page);
  await agree(dialog);
  await control(outside, 'wechat-pay/pay', { no: codes[0]?.out_trade_no ?? '', amountFen: 100 });
  await dialog.getByText('已收到付款，正在核实').waitFor();
  await dialog.getByText(/^客服电话/).waitFor();
  const asked = page.waitForResponse(/\/checkOrder$/);
  await dialog.getByRole('button', { name: '我已付款，立即查询' }).click();
  await asked;
  await dialog.getByRole('button', { name: '我已付款，立即查询' }).waitFor();
  await dialog.getByText('已收到付款，正在核实').waitFor();
  expect(await dialog.getByText(/没有查到/).count()).toBe(0);

  // Another plan, and another dialog, tell of it before there is a code.
  await dialog.getByText('季度会员', { exact: true }).click();
  await dialog.getByText('¥98', { exact: true }).waitFor();
  await dialog.getByText('已收到付款，正在核实').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: '开通季度会员' }).first().click();
  await dialog.getByText('已收到付款，正在核实').waitFor();
  await dialog.getByText(`订单号 ${codes[0]?.out_trade_no}`).waitFor();
  expect(codes).toHaveLength(1);
  await dialog.getByRole('button', { name: '仍要购买' }).click();
  // Money that is put aside was no purchase: the agreement is asked for again.
  await agree(dialog);
  // The body of the answer may be read a moment after the page shows the code.
  await expect.poll(() => codes.length).toBe(2);

  // The money stands against deleting the account, and nothing is wrong with the password.
  await visit(page, `${site.origin}/user/userinfo`);
  await page.getByRole('button', { name: '注销账号' }).click();
  const leaving = page.getByRole('dialog', { name: '注销账号' });
  await leaving.getByLabel('密码', { exact: true }).fill(PASSWORD);
  await leaving.getByLabel('我已了解注销的后果').check();
  await leaving.getByRole('button', { name: '提交注销申请' }).click();
  await leaving.getByRole('alert').getByText('处理完成后才能注销账号').waitFor();
  expect(await leaving.getByLabel('密码', { exact: true }).getAttribute('aria-invalid')).toBeNull();
  expect(errors).toEqual([]);
  await leave(page);
});

test('without the network nobody is told that nothing was paid', async () => {
  const { page } = await enter('payoffline', '/aboutVip');
  await page.getByRole('button', { name: '开通年度会员' }).first().click();
  const dialog = payDialogOf(page);
  await agree(dialog);
  await page.route(/\/checkOrder$/, (route) => route.abort());
  await dialog.getByRole('button', { name: '我已付款，立即查询' }).click();
  await dialog.getByText('网络不通，没有查到结果，请稍后再试').waitFor();
  expect(await dialog.getByText(/没有查到付款/).count()).toBe(0);
  await leave(page);
});

test('two tabs: what the other one pays ends nothing here, and changes what this one says of the member', async () => {
  const { page, errors } = await enter('twofold', '/aboutVip');
  await page.getByRole('button', { name: '开通年度会员' }).first().click();
  const dialog = payDialogOf(page);
  await agree(dialog);
  await dialog.getByText('非会员', { exact: true }).waitFor();
  const other = await page.context().newPage();
  const there = codesOf(other);
  await visit(other, `${site.origin}/user/userinfo`);
  await openMenu(other);
  await other.getByRole('dialog', { name: '账号' }).getByRole('button', { name: '充值' }).click();
  await payDialogOf(other).getByText('支付宝', { exact: true }).click();
  await expect.poll(() => there.at(-1)?.pay_platform).toBe(1);
  await control(outside, 'alipay/pay', { no: there.at(-1)?.out_trade_no ?? '' });
  await page.getByText('另一页的订单已支付').first().waitFor();
  await dialog.getByRole('img', { name: /二维码$/ }).waitFor();
  expect(await page.getByText('支付成功', { exact: true }).count()).toBe(0);
  await dialog.getByRole('tab', { name: '喵币充值' }).click();
  await dialog.getByText('余额 100 喵币', { exact: true }).waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('two tabs, one plan: what the other one pays takes the code away here, and who wants more has a new order', async () => {
  const { page, errors } = await enter('doubled', '/aboutVip');
  const codes = codesOf(page);
  await page.getByRole('button', { name: '开通年度会员' }).first().click();
  const dialog = payDialogOf(page);
  await agree(dialog);
  const other = await page.context().newPage();
  const there = codesOf(other);
  await visit(other, `${site.origin}/aboutVip`);
  await other.getByRole('button', { name: '开通年度会员' }).first().click();
  await payDialogOf(other).getByText('支付宝', { exact: true }).click();
  await expect.poll(() => there.at(-1)?.pay_platform).toBe(1);
  await control(outside, 'alipay/pay', { no: there.at(-1)?.out_trade_no ?? '' });
  await dialog.getByText('刚刚已支付：年度会员').waitFor();
  expect(await dialog.getByRole('img', { name: /二维码$/ }).count()).toBe(0);
  await dialog.getByText('续费后').waitFor();
  const before = codes.map((code) => code.out_trade_no);
  await dialog.getByRole('button', { name: '继续购买' }).click();
  await dialog.getByRole('img', { name: /二维码$/ }).waitFor();
  await expect.poll(() => codes.length).toBe(before.length + 1);
  expect(before).not.toContain(codes.at(-1)?.out_trade_no);
  expect(errors).toEqual([]);
  await leave(page);
});

test('the link for a computer opens a plan of the user centre as well, and says when the item is off sale', async () => {
  const { page, errors } = await enter('linked', '/aboutVip');
  const { items } = await page.evaluate(async () => {
    const reply = await fetch('/api/payItem/getList', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    // Safe: the contract of the price list.
    const answer = (await reply.json()) as { data: { items: { id: number }[] } };
    return answer.data;
  });
  await visit(page, `${site.origin}/index`);
  await visit(page, `${site.origin}/aboutVip#buy=${items[0]?.id}`);
  await expect
    .poll(() =>
      payDialogOf(page)
        .getByRole('radio', { name: /^标准会员/ })
        .isChecked(),
    )
    .toBe(true);
  expect(page.url()).toBe(`${site.origin}/aboutVip`);
  await visit(page, `${site.origin}/index`);
  await visit(page, `${site.origin}/aboutVip#buy=99999`);
  await page.getByText('该商品已下架').first().waitFor();
  await page.waitForURL(`${site.origin}/aboutVip`);
  expect(await payDialogOf(page).count()).toBe(0);
  expect(errors).toEqual([]);
  await leave(page);
});

test('the Back button leaves the dialog with its page, and its order is still heard of', async () => {
  const { page, errors } = await enter('payleaving', '/index');
  const codes = codesOf(page);
  await page.getByRole('complementary', { name: '快捷工具' }).getByRole('link', { name: '开通会员' }).click();
  await page.getByRole('button', { name: '开通年度会员' }).first().click();
  const dialog = payDialogOf(page);
  await agree(dialog);
  await page.goBack();
  await page.waitForURL(`${site.origin}/index`);
  await dialog.waitFor({ state: 'detached' });
  await pay(codes, 0);
  await page
    .getByText(/^支付成功( · |$)/)
    .first()
    .waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('choices in quick succession: one request at a time, and the last choice is the last that the server hears of', async () => {
  const { page, errors } = await enter('hasty', '/aboutVip');
  const codes = codesOf(page);
  const asked: string[] = [];
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/(wxpay|alipay)Qrcode$/, async (route) => {
    asked.push(route.request().url());
    if (asked.length === 1) await held;
    await route.continue();
  });
  await page.getByRole('button', { name: '开通年度会员' }).first().click();
  const dialog = payDialogOf(page);
  await expect.poll(() => asked.length).toBe(1);
  await dialog.getByText('季度会员', { exact: true }).click();
  await dialog.getByText('支付宝', { exact: true }).click();
  release();
  await agree(dialog);
  await expect.poll(() => codes).toMatchObject([{ pay_platform: 0 }, { total_fee: 9_800, pay_platform: 1 }]);
  expect(asked).toHaveLength(2);
  expect(errors).toEqual([]);
  await leave(page);
});

test('without the event stream the polls find the payment, also of a QR code that was replaced', async () => {
  const { page } = await openPage(browser);
  await enterAs(site, page, 'polling', PASSWORD);
  await page.route('**/api/pay/events', (route) => route.abort());
  await visit(page, `${site.origin}/user/userinfo`);
  const codes = codesOf(page);
  await openMenu(page);
  await page.getByRole('dialog', { name: '账号' }).getByRole('button', { name: '充值' }).click();
  const dialog = payDialogOf(page);
  await agree(dialog);
  await dialog.getByText('330 喵币', { exact: true }).first().click();
  await expect.poll(() => codes.length).toBe(2);
  await pay(codes, 0);
  await page.getByText('支付成功，到账的是「100 喵币」').first().waitFor();
  expect(codes.map((code) => code.total_fee)).toEqual([1_000, 3_000]);
  await leave(page);
});

test('a member for life is offered no membership again, and coins as everybody', async () => {
  const life = ['--username', 'lifer', '--tier', '2', '--days', '36500', '--reason', 'test'];
  expect((await typeAtSite(site, 'user', 'grant-vip', ...life)).code).toBe(0);
  const { page, errors } = await enter('lifer', '/aboutVip');
  const codes = codesOf(page);
  await page.getByRole('button', { name: '充值 100 喵币' }).click();
  const dialog = payDialogOf(page);
  await expect.poll(() => codes.length).toBe(1);
  await dialog.getByRole('tab', { name: '开通会员' }).click();
  await dialog.getByText('您已是终身会员，无需再购买').waitFor();
  await dialog.getByText('无需支付').waitFor();
  expect(await dialog.getByRole('checkbox').count()).toBe(0);
  expect(codes.length).toBe(1);
  expect(errors).toEqual([]);
  await leave(page);
});

test('to a standard member the dialog of the advanced tier says 升级, and 续费 leads to both tiers', async () => {
  const terms = ['--username', 'standard', '--tier', '1', '--days', '30', '--reason', 'test'];
  expect((await typeAtSite(site, 'user', 'grant-vip', ...terms)).code).toBe(0);
  const { page, errors } = await enter('standard', '/aboutVip');
  await page.getByRole('button', { name: '升级年度会员' }).first().click();
  await payDialogOf(page).getByText('升级后').waitFor();
  await visit(page, `${site.origin}/user/index`);
  await page.getByRole('complementary', { name: '快捷工具' }).getByRole('link', { name: '升级会员' }).waitFor();
  await visit(page, `${site.origin}/user/order`);
  await page.getByRole('complementary', { name: '我的账号' }).getByRole('link', { name: '续费', exact: true }).click();
  const offers = page.getByRole('region', { name: '续费与升级' });
  await offers.getByRole('button', { name: '升级高级会员' }).waitFor();
  await offers.getByRole('button', { name: '续费标准会员' }).waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('after its polls the QR code is invalid; a refresh starts again, and a closed dialog asks nothing', async () => {
  const { page, errors } = await openPage(browser);
  await page.clock.install();
  await enterAs(site, page, 'patient', PASSWORD);
  await visit(page, `${site.origin}/aboutVip`);
  const codes = codesOf(page);
  const platforms: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/getLastOrderPayStatus')) platforms.push(request.postDataJSON());
  });
  await page.getByRole('button', { name: '开通年度会员' }).first().click();
  const dialog = payDialogOf(page);
  await agree(dialog);
  /** Lets polls pass until `count` were sent; one at a time is under way. */
  const untilPolled = (count: number) =>
    expect
      .poll(async () => {
        await page.clock.runFor(1_500);
        return platforms.length;
      })
      .toBeGreaterThanOrEqual(count);
  await untilPolled(2);
  expect(platforms.slice(0, 2)).toMatchObject([
    { payPlatform: 0, out_trade_no: codes[0]?.out_trade_no },
    { payPlatform: 1 },
  ]);
  await page.clock.fastForward(300_000);
  await dialog.getByText('二维码已失效').waitFor();
  await dialog.getByText('若已付款请勿重复支付').waitFor();
  const asked = platforms.length;
  await page.clock.runFor(10_000);
  expect(platforms.length).toBe(asked);

  await dialog.getByRole('button', { name: '刷新二维码' }).press('Enter');
  expect(await isFocused(frameOf(dialog))).toBe(true);
  await expect.poll(() => codes.length).toBe(2);
  await dialog.getByText(/后失效/).waitFor();
  await untilPolled(asked + 1);

  await dialog.getByRole('button', { name: '我已付款，立即查询' }).click();
  await dialog.getByText(/还没有查到付款/).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  const before = platforms.length;
  await page.clock.runFor(10_000);
  expect(platforms.length).toBe(before);
  expect(errors).toEqual([]);
  await leave(page);
});

test('a download that needs coins goes on after the payment', async () => {
  const fid = await workAtSite(site, async ({ db }) => {
    const { rows } = await db.execute<{ id: number }>(
      "select id from documents where state = 'published' and price_coins between 1 and 100 order by id limit 1",
    );
    return rows[0]?.id ?? 0;
  });
  const { page, errors } = await enter('paywishing', `/detail/${fid}`);
  const codes = codesOf(page);
  await page
    .getByRole('complementary', { name: '下载与信息' })
    .getByRole('button', { name: /^充值后下载/ })
    .click();
  await page.getByRole('dialog', { name: '温馨提示' }).getByRole('button', { name: '去充值' }).click();
  const dialog = payDialogOf(page);
  await agree(dialog);
  expect(await dialog.getByRole('radio', { name: /^100 喵币/ }).isChecked()).toBe(true);
  await pay(codes, 0);
  const question = page.getByRole('dialog', { name: '确认下载' });
  await question.getByText(/当前余额 100/).waitFor();
  const downloading = page.waitForEvent('download');
  await question.getByRole('button', { name: '确认下载' }).click();
  expect(await (await downloading).failure()).toBeNull();
  expect(errors).toEqual([]);
  await leave(page);
});

test("in a phone's browser Alipay comes first and opens its app", async () => {
  const { page, errors } = await enter('paywalker', '/aboutVip', PHONE);
  await page.getByRole('button', { name: '开通季度会员' }).first().click();
  const dialog = payDialogOf(page);
  expect(await dialog.getByRole('radio', { name: '支付宝' }).isChecked()).toBe(true);
  await dialog.getByRole('link', { name: '勾选上方协议后付款' }).waitFor();
  await dialog.getByRole('checkbox').check();
  const way = dialog.getByRole('link', { name: '打开支付宝付款' });
  await way.waitFor();
  // On the smallest phones as well, the way to pay and the cross are in sight, wherever the content is scrolled to.
  await page.setViewportSize({ width: 390, height: 664 });
  const cross = dialog.getByRole('button', { name: '关闭' });
  const edgesOf = async (control: Locator) => {
    const box = await control.boundingBox();
    return { top: box?.y ?? -1, bottom: (box?.y ?? 0) + (box?.height ?? 1_000) };
  };
  await expect.poll(async () => (await edgesOf(way)).bottom).toBeLessThanOrEqual(664);
  // So is the choice of the channel, which the foot does not cover.
  for (const name of ['支付宝', '微信支付']) {
    const channel = dialog.getByText(name, { exact: true });
    const isCovered = await channel.evaluate((label) => {
      const { left, top, width, height } = label.getBoundingClientRect();
      const found = document.elementFromPoint(left + width / 2, top + height / 2);
      return !label.closest('label')?.contains(found);
    });
    expect(isCovered, name).toBe(false);
  }
  const { top } = await edgesOf(cross);
  await dialog.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  expect((await edgesOf(cross)).top).toBe(top);
  await dialog.evaluate((element) => element.scrollTo(0, 0));
  const opening = page.waitForEvent('popup');
  await way.click();
  await payOpened(await opening);
  await badgeOf(page).waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('inside WeChat the link goes to a computer, which pays the same order, and the phone hears of it', async () => {
  const inWechat = { ...PHONE, userAgent: `${IPHONE} MicroMessenger/8.0.50` };
  const { page, errors } = await enter('sender', '/aboutVip', inWechat);
  const codes = codesOf(page);
  await page.getByRole('button', { name: '开通季度会员' }).first().click();
  const dialog = payDialogOf(page);
  await dialog.getByText('微信支付只能扫码，不能在这台手机上直接付').waitFor();
  await expect.poll(() => codes.length).toBe(1);
  await dialog.getByText('支付宝', { exact: true }).click();
  await dialog.getByText('在浏览器打开').waitFor();
  await expect.poll(() => codes.length).toBe(2);
  expect(await dialog.getByRole('link', { name: '打开支付宝付款' }).count()).toBe(0);
  await dialog.getByText('微信支付', { exact: true }).click();
  await expect.poll(() => codes.length).toBe(3);
  // Returning to a choice returns its order.
  expect(new Set(codes.map((code) => code.out_trade_no)).size).toBe(2);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog.getByRole('button', { name: '复制付款链接' }).click();
  await dialog.getByRole('button', { name: '已复制，发到电脑上打开' }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/\/aboutVip#buy=\d+$/);

  const computer = await openPage(browser);
  await enterAs(site, computer.page, 'sender', PASSWORD);
  const there = codesOf(computer.page);
  await visit(computer.page, link);
  await agree(payDialogOf(computer.page));
  await expect.poll(() => there.at(-1)?.out_trade_no).toBe(codes.find((code) => code.pay_platform === 0)?.out_trade_no);
  const loaded = computer.page.waitForEvent('load');
  await payOnPhone(computer.page);
  await loaded;
  await whenReady(computer.page);
  await badgeOf(computer.page).waitFor();
  await badgeOf(page).waitFor();
  // The page that was loaded again opens no second dialog.
  expect(await payDialogOf(computer.page).count()).toBe(0);
  expect([...errors, ...computer.errors]).toEqual([]);
  await Promise.all([leave(page), leave(computer.page)]);
});

test('a provider that is away: the dialog says so, and a retry or the other provider brings a code', async () => {
  await control(outside, 'wechat-pay/faults', { call: 'native', fault: '500', times: 2 });
  const { page } = await enter('unlucky', '/aboutVip');
  await page.getByRole('button', { name: '开通年度会员' }).first().click();
  const dialog = payDialogOf(page);
  await dialog.getByText('支付服务繁忙，请刷新二维码重试').waitFor();
  expect(await dialog.getByRole('img', { name: /二维码$/ }).count()).toBe(0);
  await dialog.getByRole('button', { name: '改用支付宝' }).press('Enter');
  expect(await isFocused(frameOf(dialog))).toBe(true);
  await agree(dialog);
  await dialog.getByRole('img', { name: '支付宝二维码' }).waitFor();
  await dialog.getByText('微信支付', { exact: true }).click();
  await dialog.getByRole('button', { name: '重试' }).press('Enter');
  expect(await isFocused(frameOf(dialog))).toBe(true);
  await dialog.getByRole('img', { name: '微信支付二维码' }).waitFor();
  await leave(page);
});

test('prices that cannot be loaded: only a retry, which has the focus; then nothing moves while the first purchase is found out', async () => {
  const { page } = await enter('unpriced', '/aboutVip');
  let isAway = true;
  await page.route('**/api/payItem/getList', (route) => (isAway ? route.abort() : route.continue()));
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/order/list', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('button', { name: '开通年度会员' }).first().click();
  const dialog = payDialogOf(page);
  const retry = dialog.getByRole('button', { name: '重试' });
  await retry.waitFor();
  await expect.poll(() => isFocused(retry)).toBe(true);
  expect(await frameOf(dialog).count()).toBe(0);
  expect(await dialog.getByRole('checkbox').count()).toBe(0);
  isAway = false;
  await retry.press('Enter');
  await frameOf(dialog).waitFor();
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
  const before = await frameOf(dialog).boundingBox();
  release();
  await dialog.getByText('请先勾选上方协议').waitFor();
  expect(await frameOf(dialog).boundingBox()).toEqual(before);
  await expect.poll(() => isFocused(dialog.getByRole('radio', { name: /^年度会员/ }))).toBe(true);
  await leave(page);
});

test('an item that goes off sale under the open dialog is said, and the others are sold on', async () => {
  const { page, errors } = await enter('offsale', '/aboutVip');
  let isOnSale = true;
  let lifetime = 0;
  await page.route('**/api/payItem/getList', async (route) => {
    const response = await route.fetch();
    // Safe: the contract of the price list.
    const reply = (await response.json()) as { data: { vip: { id: number }[] } };
    const { vip } = reply.data;
    lifetime = vip[2]?.id ?? 0;
    await route.fulfill({
      response,
      json: { ...reply, data: { ...reply.data, vip: isOnSale ? vip : vip.slice(0, 2) } },
    });
  });
  await page.route('**/api/pay/wxpayQrcode', (route) =>
    !isOnSale && Number(route.request().postDataJSON().item_id) === lifetime
      ? route.fulfill({ json: { code: 60, message: '该商品已下架', data: null } })
      : route.continue(),
  );
  await page.getByRole('button', { name: '开通年度会员' }).first().click();
  const dialog = payDialogOf(page);
  await agree(dialog);
  isOnSale = false;
  await dialog.getByText('终身会员', { exact: true }).click();
  await page.getByText('该商品已下架').first().waitFor();
  await dialog.getByRole('img', { name: /二维码$/ }).waitFor();
  const byDefault = dialog.getByRole('radio', { name: /^年度会员/ });
  expect(await byDefault.isChecked()).toBe(true);
  // The focused choice has gone.
  await expect.poll(() => isFocused(byDefault)).toBe(true);
  expect(await dialog.getByRole('radio', { name: /^终身会员/ }).count()).toBe(0);
  expect(errors).toEqual([]);
  await leave(page);
});

test('a visitor who wants a plan logs in first, and the dialog opens with that plan', async () => {
  const { page, errors } = await openPage(browser);
  await visit(page, `${site.origin}/aboutVip`);
  await page.getByRole('button', { name: '开通终身会员' }).first().click();
  const login = page.getByRole('dialog', { name: /^登录/ });
  await login.getByText('登录后开通会员').waitFor();
  await login.getByRole('tab', { name: '账号登录' }).click();
  await login.getByLabel('用户名').fill('comer');
  await login.getByLabel('密码', { exact: true }).fill(PASSWORD);
  await login.getByRole('button', { name: '登录', exact: true }).click();
  const dialog = payDialogOf(page);
  await dialog.waitFor();
  await expect.poll(() => dialog.getByRole('radio', { name: /^终身会员/ }).isChecked()).toBe(true);
  expect(errors).toEqual([]);
  await leave(page);
});

test('a session that ends before a dialog or under it leads to the login and back to the choice of that dialog', async () => {
  const { page } = await openPage(browser);
  await enterAs(site, page, 'payended', PASSWORD);
  // Neither the stream nor an order tells the page that its session ends while no dialog is open.
  const events = '**/api/pay/events';
  await page.route(events, (route) => route.abort());
  await visit(page, `${site.origin}/aboutVip`);
  const endSession = async () => {
    const cookies = await page.context().cookies(site.origin);
    const token = cookies.find(({ name }) => name === 'token')?.value ?? '';
    await fetch(`${site.origin}/api/user/webLogout`, { method: 'POST', headers: { token } });
  };
  const dialog = payDialogOf(page);
  const login = page.getByRole('dialog', { name: /^登录/ });
  // What an earlier dialog was closed with is no choice of the next one.
  await page.getByRole('button', { name: '充值 100 喵币' }).click();
  await dialog.getByText('请先勾选上方协议').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await endSession();
  await page.getByRole('button', { name: '开通终身会员' }).first().click();
  await login.getByText('登录后开通会员').waitFor();
  await page.unroute(events);
  await logInByName(page, 'payended', PASSWORD);
  await expect.poll(() => dialog.getByRole('radio', { name: /^终身会员/ }).isChecked()).toBe(true);
  await dialog.getByText('请先勾选上方协议').waitFor();

  // Not what the dialog was opened with.
  await dialog.getByRole('tab', { name: '喵币充值' }).click();
  await dialog.getByText('330 喵币', { exact: true }).first().click();
  await dialog.getByText('支付宝', { exact: true }).click();
  await dialog.getByText('请先勾选上方协议').waitFor();
  await endSession();
  await login.getByText('登录后充值').waitFor();
  expect(await dialog.count()).toBe(0);
  await logInByName(page, 'payended', PASSWORD);
  await dialog.waitFor();
  await expect.poll(() => dialog.getByRole('radio', { name: /^330 喵币/ }).isChecked()).toBe(true);
  expect(await dialog.getByRole('radio', { name: '支付宝' }).isChecked()).toBe(true);
  await agree(dialog);
  await leave(page);
});

test('without a payment provider the buttons name customer service, as does the dialog', async () => {
  const { page, errors } = await openPage(browser);
  await enterAs(unpaid, page, 'caller', PASSWORD);
  await visit(page, `${unpaid.origin}/aboutVip`);
  await page.getByRole('button', { name: '联系客服开通年度会员' }).first().click();
  const dialog = page.getByRole('dialog', { name: '联系客服开通' });
  await dialog.getByText(/年度会员（¥298）/).waitFor();
  await dialog.getByText(/不支持退款；重复支付、未到账或文件损坏可申请退款/).waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});
