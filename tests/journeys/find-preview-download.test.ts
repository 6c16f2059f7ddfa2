import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { openBrowser, openPage } from './browser.ts';
import { writeDeck } from './decks.ts';
import { addMembers, logInByName, PASSWORD } from './login.ts';
import { openSite, type Site } from './site.ts';

const TITLE = '青柚茶饮2026春季小红书种草传播方案';

let site: Site;
let browser: Browser;
let folder: string;
let deck: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ceku-journey-'));
  deck = join(folder, `${TITLE}.pptx`);
  [site, browser] = await Promise.all([openSite({ RATE_LIMITS: 'off' }), openBrowser(), writeDeck(deck, TITLE, 12)]);
  const ingest = await site.ceku('ingest', deck, '--json');
  expect(ingest.stdout, ingest.stderr).toContain('"state":"published"');
  await addMembers(site, [['--username', 'planner']]);
  const granted = await site.ceku('user', 'grant-coins', '--username', 'planner', '--coins', '20', '--reason', 'test');
  expect(granted.code, granted.stderr).toBe(0);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  await rm(folder, { recursive: true, force: true });
});

test('a planner finds a deck by 小红书, looks through its pages, logs in and downloads the original', async () => {
  const { page, errors } = await openPage(browser);
  await page.goto(`${site.origin}/index`);

  const results = page.waitForEvent('popup');
  await page.getByRole('combobox').first().fill('小红书');
  await page.getByRole('combobox').first().press('Enter');
  const report = await results;
  await report.getByRole('link', { name: TITLE }).first().waitFor();
  await expect.poll(() => report.locator('em', { hasText: '小红书' }).count()).toBeGreaterThan(0);

  const opening = report.waitForEvent('popup');
  await report.getByRole('link', { name: TITLE }).first().click();
  const detail = await opening;
  await detail.getByRole('heading', { level: 1, name: TITLE }).waitFor();

  // A visitor is asked to log in, once, and sees no page image.
  const dialog = detail.getByRole('dialog');
  await dialog.waitFor();
  expect(await detail.locator('img[src*="/p1.webp"]').count()).toBe(0);
  await logInByName(detail, 'planner', PASSWORD);

  const first = detail.locator('img[src*="/p1.webp"]').first();
  await first.waitFor();
  // Not naturalWidth: with a srcset it is the width in the layout.
  const widthOf = (image: HTMLImageElement) =>
    fetch(image.currentSrc)
      .then((reply) => reply.blob())
      .then(createImageBitmap)
      .then((bitmap) => bitmap.width);
  expect(await first.evaluate(widthOf)).toBe(1280);
  // The full-screen viewer takes the large image where the window has the pixels for it.
  expect(await first.evaluate((image: HTMLImageElement) => image.srcset)).toMatch(/\/p1-2x\.webp\?\S+ 2560w$/);
  await detail.setViewportSize({ width: 2560, height: 1440 });
  await detail.getByRole('button', { name: '全屏预览' }).click();
  const large = detail.getByRole('dialog').locator('img[src*="/p1.webp"]');
  await large.waitFor();
  expect(await large.evaluate(widthOf)).toBe(2560);
  await detail.keyboard.press('Escape');
  await detail.setViewportSize({ width: 1440, height: 900 });
  // Thumbnails are cells of one image: none is a picture that could break.
  const rail = detail.getByRole('navigation', { name: '页面缩略图' });
  expect(await rail.getByRole('link').count()).toBe(10);
  expect(await rail.locator('img').count()).toBe(0);
  const sources = await detail
    .locator('img[src*="/media/"][src*="/p"]')
    .evaluateAll((images) => [...new Set(images.map((image) => image.getAttribute('src')?.split('?')[0]))]);
  expect(sources.filter((source) => /\/p\d+\.webp$/.test(source ?? ''))).toHaveLength(10);

  // The words of a page are selected as lines, not word by word.
  const words = detail.getByRole('group', { name: '第 1 页文字' });
  await words.getByText('主题创意与执行').waitFor({ state: 'attached' });
  const selected = await words.evaluate((layer) => {
    getSelection()?.selectAllChildren(layer);
    return String(getSelection())
      .trim()
      .split(/\s*\n\s*/);
  });
  // LibreOffice sets figures a little apart from Chinese, which readers take for spaces.
  expect(selected.map((line) => line.replace(/ ?2026 ?/, '2026'))).toEqual([TITLE, '第 1 页 · 主题创意与执行']);

  const downloading = detail.waitForEvent('download');
  await detail.getByRole('button', { name: /下载/ }).first().click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe(`${TITLE}.pptx`);
  const saved = join(folder, 'saved');
  await download.saveAs(saved);
  const hash = async (path: string) =>
    createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  expect(await hash(saved)).toBe(await hash(deck));
  expect(errors).toEqual([]);
  await page.context().close();
});

test('a wrong password is said, and the form keeps what was typed', async () => {
  const { page } = await openPage(browser);
  await page.goto(`${site.origin}/index`);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await logInByName(page, 'planner', 'wrong');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('账号或密码错误').waitFor();
  expect(await dialog.getByLabel('用户名').inputValue()).toBe('planner');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await page.context().close();
});

test('an empty search warns and opens nothing; a visitor’s hot word asks for a login', async () => {
  const { page } = await openPage(browser);
  let popups = 0;
  page.on('popup', () => (popups += 1));
  await page.goto(`${site.origin}/index`);
  await page.getByRole('combobox').first().press('Enter');
  await page.getByText('请输入搜索内容').first().waitFor();
  await page.getByRole('main').getByText('房地产', { exact: true }).first().click();
  await page.getByText('请先登录后再操作').first().waitFor();
  await page.getByRole('dialog').waitFor();
  expect(popups).toBe(0);
  await page.context().close();
});

test('without JavaScript the three pages hold names, covers and links', async () => {
  const { page } = await openPage(browser, { javaScriptEnabled: false });
  for (const path of ['/index', `/report?search_key=${encodeURIComponent('餐饮')}`]) {
    await page.goto(site.origin + path);
    const cards = page.locator('a[href^="/detail/"]');
    expect(await cards.count(), path).toBeGreaterThan(3);
    expect(await page.locator('a[href^="/detail/"] img[src*="/cover.webp"]').count(), path).toBeGreaterThan(3);
    expect((await cards.first().textContent())?.length, path).toBeGreaterThan(4);
  }
  const address = await page.locator('a[href^="/detail/"]').first().getAttribute('href');
  await page.goto(site.origin + address);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(/[\u4e00-\u9fff]{2}/);
  expect(await page.locator('img[src*="/cover.webp"]').count()).toBeGreaterThan(0);
  expect(await page.locator('script[type="application/ld+json"]').textContent()).toContain('"@type"');
  await page.context().close();
});

test('on a phone the way to the top covers nothing: it goes while one reads on, and a page ends above it', async () => {
  const { page } = await openPage(browser, { viewport: { width: 390, height: 844 } });
  const toTop = page.getByRole('button', { name: '回到顶部' });
  const covered = () =>
    toTop.evaluate((button) => {
      const own = button.getBoundingClientRect();
      return [...document.querySelectorAll('main a, main p, footer a, footer p, footer span')].flatMap((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const isApart = right <= own.left || left >= own.right || bottom <= own.top || top >= own.bottom;
        return isApart ? [] : [one.textContent];
      });
    });
  const isAtEnd = () => page.evaluate(() => scrollY + innerHeight >= document.documentElement.scrollHeight - 1);
  await page.goto(`${site.origin}/index`);
  await page.mouse.wheel(0, 900);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(800);
  await toTop.waitFor({ state: 'hidden' });
  await page.mouse.wheel(0, -60);
  await toTop.waitFor();
  await page.mouse.wheel(0, 100_000);
  await expect.poll(isAtEnd).toBe(true);
  await toTop.waitFor();
  expect(await covered()).toEqual([]);

  await page.goto(site.origin + (await page.locator('a[href^="/detail/"]').first().getAttribute('href')));
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.mouse.wheel(0, 100_000);
  await expect.poll(isAtEnd).toBe(true);
  await toTop.waitFor();
  expect(await page.getByRole('heading', { name: '相似方案' }).count()).toBe(1);
  expect(await covered()).toEqual([]);
  await page.context().close();
});

test('pages that do not exist answer 404, / goes to /index, an unknown call answers in the envelope', async () => {
  expect((await fetch(`${site.origin}/nope`)).status).toBe(404);
  expect((await fetch(`${site.origin}/detail/999999`)).status).toBe(404);
  const home = await fetch(`${site.origin}/?a=1`, { redirect: 'manual' });
  expect([home.status, home.headers.get('location')]).toEqual([302, '/index?a=1']);
  const call = await fetch(`${site.origin}/api/nothing`, { method: 'POST' });
  expect([call.status, await call.json()]).toMatchObject([404, { code: 4 }]);
});
