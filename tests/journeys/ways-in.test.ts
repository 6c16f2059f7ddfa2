import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closePages, leave, openPage, visit, whenReady, wordsAt } from './browser.ts';
import {
  addMembers,
  codeOf,
  control,
  dialogOf,
  logInByName,
  logInByPhone,
  openLogin,
  openMenu,
  openPhone,
  outsideOf,
  PASSWORD,
  scenesOf,
  whenLoggedIn,
} from './login.ts';
import { shareDemoSite, type SharedSite } from './shared-site.ts';

const SECOND_MS = 1000;

let site: SharedSite;
let browser: Browser;
let outside: string;

beforeAll(async () => {
  ({ site, browser } = await shareDemoSite());
  await addMembers(site, [
    ['--username', 'waysplanner', '--nickname', '会场总控'],
    ['--username', 'wayscaller', '--phone', '13800000001', '--nickname', '来电的人'],
    ['--username', 'waysforgetful', '--phone', '13800000002', '--nickname', '健忘的人'],
  ]);
  outside = await outsideOf(site, browser);
});
afterAll(() => closePages(browser));

/** A visitor's home page with the login dialog open. */
async function visitLogin(page: Page): Promise<void> {
  await visit(page, `${site.origin}/index`);
  await openLogin(page);
}

/** The picture, not only its place. */
async function whenCodeIsThere(page: Page): Promise<void> {
  const picture = dialogOf(page).locator('img');
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth), { timeout: 30_000 })
    .toBeGreaterThan(0);
}

/** Stops the clock of a page, and moves it on until the code that is shown is replaced in the next second. */
async function waitOutCode(page: Page): Promise<void> {
  const countdown = dialogOf(page).getByText('秒后刷新');
  await countdown.waitFor();
  // WeChat knows a scene once its code is drawn.
  await whenCodeIsThere(page);
  await page.clock.pauseAt(new Date((await page.evaluate(() => Date.now())) + SECOND_MS));
  for (
    let shown = await countdown.textContent();
    !shown?.endsWith('· 1 秒后刷新');
    shown = await countdown.textContent()
  ) {
    await page.clock.runFor(SECOND_MS);
    await expect.poll(() => countdown.textContent()).not.toBe(shown);
  }
}

const opacityOf = (place: Locator) => place.evaluate((element) => getComputedStyle(element).opacity);

const credentialsOf = async (page: Page) =>
  Object.fromEntries((await page.context().cookies()).map((cookie) => [cookie.name, cookie]));

test('小程序码: scanned and confirmed on a phone, a new account, one reload', async () => {
  const { page, errors } = await openPage(browser);
  let loads = 0;
  page.on('load', () => (loads += 1));
  await visitLogin(page);
  expect(loads).toBe(1);
  // WeChat knows the scene once it has drawn the code.
  await whenCodeIsThere(page);
  await dialogOf(page).getByText('已用手机号注册的，请用手机登录').waitFor();
  const phone = await openPhone(page);
  await phone.getByLabel('或用一个新的微信号').fill('扫码的策划');
  await phone.getByRole('button', { name: '扫一扫' }).click();
  await phone.getByRole('heading', { name: /确认登录/ }).waitFor();
  await dialogOf(page).getByText('已扫码').waitFor();
  await phone.getByRole('button', { name: '确认登录' }).click();
  await phone.getByText('请回到电脑上继续').waitFor();

  await whenLoggedIn(page);
  // The page is there before its last picture.
  await expect.poll(() => loads).toBe(2);
  const cookies = await credentialsOf(page);
  for (const name of ['token', 'sid', 'openid']) {
    expect(cookies[name], name).toBeDefined();
    expect((cookies[name]?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(2_592_000 - 600);
  }
  expect(cookies['sess']?.httpOnly).toBe(true);
  await openMenu(page);
  await page.getByText('用户ID').waitFor();
  await page.getByText('剩余天数').waitFor();
  expect(loads).toBe(2);
  expect(errors).toEqual([]);
  await leave(page);
});

test('公众号码: the scan alone logs in', async () => {
  const { page, errors } = await openPage(browser);
  await visitLogin(page);
  await dialogOf(page).getByRole('tab', { name: '公众号码' }).click();
  await dialogOf(page)
    .getByRole('img', { name: /公众号登录二维码/ })
    .waitFor();
  const phone = await openPhone(page);
  await phone.getByLabel('或用一个新的微信号').fill('关注的人');
  await phone.getByRole('button', { name: '扫一扫' }).click();
  await whenLoggedIn(page);
  expect(errors).toEqual([]);
  await leave(page);
});

test('a login whose page cannot load what comes next reloads, and is logged in', async () => {
  const { page } = await openPage(browser);
  const scenes = scenesOf(page);
  await visitLogin(page);
  await page.route(/\/assets\/ask-mine-[^/]*\.js$/, (route) => route.abort(), { times: 1 });
  await whenCodeIsThere(page);
  await expect.poll(() => scenes.length).toBeGreaterThan(0);
  await control(outside, 'scan', { scene: scenes.at(-1), openid: 'interrupted', nickname: '断网的人' });
  await whenLoggedIn(page, '断网的人');
  await leave(page);
});

test('a copy of personal data after a scan: what was lost or refused is said, and asked for again', async () => {
  const { page } = await openPage(browser);
  const scenes = scenesOf(page);
  const scan = async () => {
    await whenCodeIsThere(page);
    await expect.poll(() => scenes.length).toBeGreaterThan(0);
    await control(outside, 'scan', { scene: scenes.at(-1), openid: 'exporter', nickname: '要副本的人' });
  };
  await visitLogin(page);
  await scan();
  await whenLoggedIn(page);
  await visit(page, `${site.origin}/user/userinfo`);
  // As some time after the login, when the owner is asked for a proof.
  const wanted = { code: 43, message: '请先用微信扫码验证', data: { proof: 'scan' } };
  await page.route('**/api/user/export', (route) => route.fulfill({ json: wanted }), { times: 1 });
  scenes.length = 0;
  await page.getByRole('button', { name: '导出我的数据' }).click();
  await page.route('**/api/user/export', (route) => route.abort(), { times: 1 });
  await scan();
  const dialog = dialogOf(page);
  await dialog.getByText('网络异常，请稍后再试').waitFor();
  const refusal = { code: 41, message: '操作太频繁，请稍后再试', data: null };
  await page.route('**/api/user/export', (route) => route.fulfill({ json: refusal }), { times: 1 });
  await dialog.getByRole('button', { name: '重试' }).click();
  await dialog.getByText('操作太频繁，请稍后再试').waitFor();
  await dialog.getByRole('button', { name: '重试' }).click();
  await page.getByRole('link', { name: '下载 ZIP' }).waitFor();
  expect(await dialog.count()).toBe(0);
  await leave(page);
});

test('手机验证码: read on the phone page, makes the account; the button waits 60 s, also behind a closed dialog', async () => {
  const { page, errors } = await openPage(browser);
  await page.clock.install();
  await visit(page, `${site.origin}/index`);
  await page.getByRole('button', { name: '注册' }).click();
  const dialog = dialogOf(page);
  await dialog.getByRole('tab').first().waitFor();
  expect(await dialog.getByRole('tab').allTextContents()).toEqual(['微信', '手机号', '账号']);
  const number = dialog.getByRole('textbox', { name: '手机号' });
  await number.fill('138-0000');
  await dialog.getByRole('button', { name: '获取验证码' }).click();
  await dialog.getByText('请输入正确的手机号').waitFor();
  await number.fill('+86 138 0000 0003');
  await dialog.getByRole('button', { name: '获取验证码' }).click();
  await page.getByText('验证码已发送, 有效时间5分钟').waitFor();
  const waiting = dialog.getByRole('button', { name: /^\d+s后重新获取$/ });
  expect(await waiting.isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: '注册' }).click();
  expect(await waiting.isDisabled()).toBe(true);

  await number.fill('13800000003');
  const phone = await openPhone(page);
  await phone.locator('.code').first().waitFor();
  const code = (await phone.locator('.code').first().textContent()) ?? '';
  await dialog.getByLabel('验证码', { exact: true }).fill(code === '000000' ? '000001' : '000000');
  await dialog.getByRole('button', { name: '登录 / 注册' }).click();
  // The words stand at the field, are tied to it, and stay until somebody types.
  const codeField = dialog.getByLabel('验证码', { exact: true });
  await expect.poll(() => wordsAt(codeField)).toBe('验证码错误或已过期');
  await expect.poll(() => codeField.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await codeField.getAttribute('aria-invalid')).toBe('true');
  // Longer than any message that comes and goes.
  await page.clock.runFor(10_000);
  expect(await wordsAt(codeField)).toBe('验证码错误或已过期');
  await codeField.press('Backspace');
  await expect.poll(() => wordsAt(codeField)).toBe('');
  expect(await codeField.getAttribute('aria-invalid')).not.toBe('true');
  await codeField.fill(code);
  await dialog.getByRole('button', { name: '登录 / 注册' }).click();
  await whenLoggedIn(page);
  await visit(page, `${site.origin}/user/userinfo`);
  await page.getByText('138****0003').waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('手机密码: a wrong password warns, keeps the input and gets the focus', async () => {
  const { page } = await openPage(browser);
  await visitLogin(page);
  await logInByPhone(page, '13800000001', 'wrong2026');
  const password = dialogOf(page).getByLabel('密码', { exact: true });
  await expect.poll(() => wordsAt(password)).toBe('手机号或密码错误');
  await expect.poll(() => password.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await password.inputValue()).toBe('wrong2026');
  // The password can be made visible by keyboard, to find the slip.
  await password.press('Tab');
  const show = dialogOf(page).getByRole('button', { name: '显示密码' });
  expect(await show.evaluate((button) => button === document.activeElement)).toBe(true);
  await show.press('Space');
  expect(await password.getAttribute('type')).toBe('text');
  expect(await show.getAttribute('aria-pressed')).toBe('true');
  await show.press('Enter');
  expect(await password.getAttribute('type')).toBe('password');
  expect(await wordsAt(password)).toBe('手机号或密码错误');
  await password.fill('');
  await expect.poll(() => wordsAt(password)).toBe('');
  await logInByPhone(page, '13800000001', PASSWORD);
  await whenLoggedIn(page, '来电的人');
  await leave(page);
});

test('账号登录 by keyboard alone; Esc closes the dialog and gives the focus back', async () => {
  const { page, errors } = await openPage(browser);
  await visit(page, `${site.origin}/index`);
  const opener = page.getByRole('banner').getByRole('button', { name: '登录', exact: true });
  await opener.focus();
  await page.keyboard.press('Enter');
  const dialog = dialogOf(page);
  await dialog.waitFor();
  // A shorter form does not move the tabs away from under the pointer.
  const tabs = dialog.getByRole('tablist', { name: '登录方式' });
  await tabs.waitFor();
  await expect.poll(() => opacityOf(dialog)).toBe('1');
  const above = (await tabs.boundingBox())?.y;
  await dialog.getByRole('tab', { name: '账号登录' }).click();
  await dialog.getByLabel('用户名').waitFor();
  expect((await tabs.boundingBox())?.y).toBe(above);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true);

  await page.keyboard.press('Enter');
  await dialog.getByRole('tab', { name: '微信扫码' }).waitFor();
  // The dialog takes the focus, before its first field; Tab goes on to the tabs, and the arrows to the last.
  const focused = () =>
    dialog.evaluate((element) => element.contains(document.activeElement) && document.activeElement?.tagName);
  await expect.poll(focused).toBe('SPAN');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await dialog.getByLabel('用户名').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.type('waysplanner');
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await whenLoggedIn(page, '会场总控');
  expect(errors).toEqual([]);
  await leave(page);
});

test('after the login the interrupted action continues: the hot word that a visitor clicked', async () => {
  const { page } = await openPage(browser);
  await page.clock.install();
  await visit(page, `${site.origin}/index`);
  await page.getByRole('main').getByText('小红书', { exact: true }).first().click();
  await dialogOf(page).waitFor();
  await logInByName(page, 'waysplanner', PASSWORD);
  await page.waitForURL(`${site.origin}/report?search_key=${encodeURIComponent('小红书')}`);
  // Once: the home page does not lead there again.
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await visit(page, `${site.origin}/index`);
  await page.clock.runFor(5_000);
  await page.waitForLoadState('networkidle');
  expect(asked.filter((path) => path.startsWith('/report'))).toEqual([]);
  expect(page.url()).toBe(`${site.origin}/index`);
  await leave(page);
});

test('a scan at second 19, and of the code before, still logs in; another browser with the same scene gets nothing', async () => {
  const [late, stale, thief] = await Promise.all([openPage(browser), openPage(browser), openPage(browser)]);
  await Promise.all([late.page.clock.install(), stale.page.clock.install()]);
  const lateScenes = scenesOf(late.page);
  const staleScenes = scenesOf(stale.page);
  await Promise.all([visitLogin(late.page), visitLogin(stale.page), thief.page.goto(`${site.origin}/index`)]);
  const poll = (scene: string) =>
    thief.page.evaluate(
      (path) => fetch(path).then((answer) => answer.json() as Promise<{ code: number; data: unknown }>),
      `/api/user/miniLoginChecking?scene=${scene}`,
    );

  let asked = 0;
  late.page.on('request', (request) => void (asked += Number(request.url().endsWith('/getMiniLoginScene'))));
  await waitOutCode(late.page);
  const scene = lateScenes.at(-1) ?? '';
  await control(outside, 'scan', { scene, openid: 'late', nickname: '踩点的人', confirm: false });
  // In the next second the page asks for the next code, and learns of the scan.
  await late.page.clock.runFor(SECOND_MS);
  await dialogOf(late.page).getByText('已扫码').waitFor();
  expect((await poll(scene)).code).toBe(6);
  const askedBeforeScan = asked;

  // The other page shows its second code by now; the first is scanned all the same.
  await waitOutCode(stale.page);
  const staleScene = staleScenes.at(-1);
  await stale.page.clock.runFor(SECOND_MS);
  await expect.poll(() => staleScenes.at(-1)).not.toBe(staleScene);
  await control(outside, 'scan', { scene: staleScene, openid: 'stale', nickname: '慢一步的人' });
  await stale.page.clock.resume();
  await whenLoggedIn(stale.page);

  // Once scanned the countdown stands still: no new code took its place within a minute.
  await late.page.clock.runFor(60 * SECOND_MS);
  await dialogOf(late.page).getByText('已扫码').waitFor();
  expect(asked).toBe(askedBeforeScan);
  await control(outside, 'confirm', { scene });
  expect(await poll(scene)).toMatchObject({ code: 6 });
  await late.page.clock.resume();
  await whenLoggedIn(late.page);
  expect(await poll(scene)).toMatchObject({ code: 6 });
  expect(await credentialsOf(thief.page)).not.toHaveProperty('token');
  await Promise.all([late, stale, thief].map(({ page }) => leave(page)));
});

test('cancelled on the phone: shown, with a new code on request; a closed dialog does not poll', async () => {
  const { page } = await openPage(browser);
  await page.clock.install();
  const scenes = scenesOf(page);
  await visitLogin(page);
  await whenCodeIsThere(page);
  await expect.poll(() => scenes.length).toBeGreaterThan(0);
  const scene = scenes.at(-1);
  await control(outside, 'scan', { scene, openid: 'doubtful', confirm: false });
  await control(outside, 'cancel', { scene });
  await dialogOf(page).getByText('已取消登录').waitFor();
  await dialogOf(page).getByText('请重新扫码').waitFor();
  // A slow machine may have shown a second code before the scan; from here on no time passes.
  await page.clock.pauseAt(new Date((await page.evaluate(() => Date.now())) + SECOND_MS));
  const shown = scenes.length;
  await dialogOf(page).getByRole('button', { name: '重新扫码' }).click();
  await dialogOf(page).getByText('秒后刷新').waitFor();
  await expect.poll(() => scenes.length).toBe(shown + 1);

  // The browser hides the dialog a moment before React ends the polling: no time passes in between.
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'hidden' });
  let polls = 0;
  page.on('request', (request) => (polls += request.url().includes('miniLoginChecking') ? 1 : 0));
  await page.clock.runFor(30_000);
  await page.waitForLoadState('networkidle');
  expect(polls).toBe(0);
  await leave(page);
});

test('忘记密码: an unknown phone hides the password and turns the action off; a known one gets a new password', async () => {
  const elsewhere = await openPage(browser);
  await visitLogin(elsewhere.page);
  await logInByName(elsewhere.page, 'waysforgetful', PASSWORD);
  await whenLoggedIn(elsewhere.page, '健忘的人');

  const { page } = await openPage(browser);
  await visitLogin(page);
  const dialog = dialogOf(page);
  await dialog.getByRole('tab', { name: '手机登录' }).click();
  await dialog.getByRole('tab', { name: '密码登录' }).click();
  await dialog.getByRole('button', { name: '忘记密码？' }).click();
  const action = dialog.getByRole('button', { name: '重置密码' });
  expect(await action.isDisabled()).toBe(true);
  await dialog.getByLabel('新密码').waitFor();
  await dialog.getByLabel('已注册的手机号').fill('13899999999');
  await dialog.getByText('该手机号未注册').waitFor();
  await expect.poll(() => dialog.getByLabel('新密码').count()).toBe(0);
  expect(await action.isDisabled()).toBe(true);

  await dialog.getByLabel('已注册的手机号').fill('13800000002');
  await dialog.getByLabel('新密码').waitFor();
  await dialog.getByRole('button', { name: '获取验证码' }).click();
  await page.getByText('验证码已发送').waitFor();
  await dialog.getByLabel('验证码', { exact: true }).fill(await codeOf(outside, '13800000002'));
  await dialog.getByLabel('新密码').fill('short1');
  await action.click();
  await dialog.getByText('密码需为8-20位字母和数字组合').waitFor();
  await dialog.getByLabel('新密码').fill('renewed2026');
  await action.click();
  await page.getByText('重置密码成功').waitFor();

  // Back at the form, the number is there already.
  await expect.poll(() => dialog.getByLabel('手机号').inputValue()).toBe('13800000002');
  await dialog.getByLabel('密码', { exact: true }).fill('renewed2026');
  await dialog.getByRole('button', { name: '登录', exact: true }).click();
  await whenLoggedIn(page, '健忘的人');

  // The login elsewhere is over.
  await elsewhere.page.reload();
  await elsewhere.page.getByRole('banner').getByRole('button', { name: '登录', exact: true }).waitFor();
  await Promise.all([leave(page), leave(elsewhere.page)]);
});

test('the dialog that opens by itself: a short note, the focus inside, one banner; never while somebody reads', async () => {
  const { page, errors } = await openPage(browser);
  await page.clock.install();
  await visit(page, `${site.origin}/detail/1`);
  const dialog = dialogOf(page);
  await dialog.waitFor();
  await dialog.getByText('登录后可预览').waitFor();
  const focus = () =>
    page.evaluate(() => {
      const { activeElement } = document;
      return { isInside: activeElement?.closest('dialog') !== null, name: activeElement?.tagName };
    });
  await expect.poll(focus).toEqual({ isInside: true, name: 'SPAN' });
  await expect.poll(() => page.getByRole('banner').count()).toBe(1);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  // Away and back: it came once.
  await page.getByRole('banner').getByRole('link', { name: '搜方案' }).click();
  await page.waitForURL(`${site.origin}/report`);
  await page.goBack();
  await page.waitForURL(`${site.origin}/detail/1`);
  await page.getByRole('heading', { name: '相似方案' }).waitFor();
  await page.clock.runFor(5_000);
  expect(await dialog.count()).toBe(0);
  await leave(page);

  for (const act of ['scroll', 'wheel', 'key', 'touch'] as const) {
    const reader = await openPage(browser, { hasTouch: true });
    // The page's own clock stands still until the visitor has done something.
    await reader.page.clock.install({ time: '2026-01-01T00:00:00Z' });
    await reader.page.clock.pauseAt('2026-01-01T00:00:01Z');
    await reader.page.goto(`${site.origin}/detail/1`);
    await whenReady(reader.page);
    if (act === 'scroll') await reader.page.evaluate(() => window.scrollTo(0, 300));
    if (act === 'wheel') {
      await reader.page.mouse.wheel(0, 200);
      // The page hears of a wheel later than of a key.
      await expect.poll(() => reader.page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
    }
    if (act === 'key') await reader.page.keyboard.press('PageDown');
    if (act === 'touch') await reader.page.touchscreen.tap(30, 400);
    await reader.page.clock.runFor(5_000);
    expect(await dialogOf(reader.page).count(), act).toBe(0);
    await leave(reader.page);
  }
  expect(errors).toEqual([]);
});

test('on a phone the dialog opens on the number, without a keyboard; in WeChat the code says how it is read there', async () => {
  const { page, errors } = await openPage(browser, {
    viewport: { width: 390, height: 844 },
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 MicroMessenger/8.0.50',
  });
  await visit(page, `${site.origin}/index`);
  await openLogin(page);
  const dialog = dialogOf(page);
  await dialog.getByRole('tab', { name: '手机登录', selected: true }).waitFor();
  const field = dialog.getByRole('textbox', { name: '手机号' });
  await field.waitFor();
  expect(await field.evaluate((input) => input === document.activeElement)).toBe(false);
  await dialog.getByRole('tab', { name: '微信扫码' }).click();
  await dialog.getByText(/^长按识别二维码 · \d+ 秒后刷新$/).waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('when too many scan, the dialog says what to do instead, and leads there', async () => {
  const { page } = await openPage(browser);
  const message = '扫码登录的人太多，请改用手机号登录，或 42 秒后再试';
  await page.route('**/api/user/getMiniLoginScene', (route) =>
    route.fulfill({ json: { code: 41, message, data: { retry_after: 42 } } }),
  );
  await visitLogin(page);
  await dialogOf(page).getByText(message).waitFor();
  await dialogOf(page).getByRole('status').getByRole('button', { name: '改用手机号登录' }).click();
  const tab = dialogOf(page).getByRole('tab', { name: '手机登录' });
  await expect.poll(() => tab.getAttribute('aria-selected')).toBe('true');
  await leave(page);
});
