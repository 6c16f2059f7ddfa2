import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Locator, Page } from 'playwright-core';
import { closePages, leave, openPage, visit, whenReady, wordsAt } from './browser.ts';
import { writeDeck } from './decks.ts';
import { addMembers, enterAs, logInByName, PASSWORD } from './login.ts';
import { shareDemoSite, type SharedSite } from './shared-site.ts';
import { doubleTap, pinch, touch } from './touch.ts';
import { typeAtSite } from './type-at-site.ts';

const TITLE = '青柚茶饮2026春季小红书种草传播方案';

let site: SharedSite;
let browser: Browser;
let folder: string;
let deck: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ceku-journey-'));
  deck = join(folder, `${TITLE}.pptx`);
  [{ site, browser }] = await Promise.all([shareDemoSite(), writeDeck(deck, TITLE, 12)]);
  const ingest = await site.ceku('ingest', deck, '--json');
  expect(ingest.stdout, ingest.stderr).toContain('"state":"published"');
  await addMembers(site, [
    ['--username', 'planner'],
    ['--username', 'colleague'],
    ['--username', 'deckmember'],
  ]);
  const membership = ['--username', 'deckmember', '--tier', '1', '--days', '30', '--reason', 'test'];
  expect((await typeAtSite(site, 'user', 'grant-vip', ...membership)).code).toBe(0);
  const grant = ['user', 'grant-coins', '--username', 'planner', '--coins', '20', '--reason', 'test'];
  const granted = await typeAtSite(site, ...grant);
  expect(granted.code, granted.err).toBe(0);
});
afterAll(async () => {
  await closePages(browser);
  await rm(folder, { recursive: true, force: true });
});

test('a planner finds a deck by 小红书, looks through its pages, logs in and downloads the original', async () => {
  const { page, errors } = await openPage(browser);
  await visit(page, `${site.origin}/index`);

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
  await expect.poll(() => detail.locator('img[src*="/p1.webp"]').count()).toBe(0);
  await logInByName(detail, 'planner', PASSWORD);

  const first = detail.locator('img[src*="/p1.webp"]').first();
  await first.waitFor();
  // Not naturalWidth: with a srcset it is the width in the layout.
  const widthOf = (image: HTMLImageElement) =>
    fetch(image.currentSrc)
      .then((reply) => reply.blob())
      .then(createImageBitmap)
      .then((bitmap) => bitmap.width);
  // A browser that has not chosen yet has no address to ask.
  const loadedWidth = (image: Locator) => image.evaluate(widthOf).catch(() => 0);
  await expect.poll(() => loadedWidth(first)).toBe(1280);
  // The full-screen viewer takes the large image where the window has the pixels for it.
  await expect
    .poll(() => first.evaluate((image: HTMLImageElement) => image.srcset))
    .toMatch(/\/p1-2x\.webp\?\S+ 2560w$/);
  // The second page has a large image that cannot be had, which leaves the normal one in its place.
  let refused = 0;
  await detail.route('**/p2-2x.webp*', (route) => {
    refused += 1;
    return route.fulfill({ status: 503 });
  });
  await detail.setViewportSize({ width: 2560, height: 1440 });
  await detail.getByRole('button', { name: '全屏预览' }).click();
  const large = detail.getByRole('dialog').locator('img[src*="/p1.webp"]');
  await large.waitFor();
  await expect.poll(() => loadedWidth(large)).toBe(2560);
  await detail.keyboard.press('ArrowRight');
  const second = detail.getByRole('dialog').locator('img[src*="/p2.webp"]');
  await expect.poll(() => refused).toBeGreaterThan(0);
  await expect.poll(() => second.evaluate((image: HTMLImageElement) => image.srcset)).toBe('');
  expect(await loadedWidth(second)).toBe(1280);
  await detail.keyboard.press('Escape');
  await detail.setViewportSize({ width: 1440, height: 900 });
  // Thumbnails are cells of one image: none is a picture that could break.
  const rail = detail.getByRole('navigation', { name: '页面缩略图' });
  await expect.poll(() => rail.getByRole('link').count()).toBe(10);
  await expect.poll(() => rail.locator('img').count()).toBe(0);
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
  await leave(page);
});

/** The page may ask for a login by itself, now or in a moment; where it does not, the header does. */
async function logInOnDetail(page: Page, username = 'planner'): Promise<void> {
  const dialog = page.getByRole('dialog');
  const button = page.getByRole('banner').getByRole('button', { name: '登录', exact: true });
  for (let attempt = 0; attempt < 20 && !(await dialog.isVisible()); attempt++) {
    // In the way of this press may be the very dialog that is wanted.
    await button.click({ timeout: 1_000 }).catch(() => undefined);
  }
  await logInByName(page, username, PASSWORD);
}

/** The deck of this file, open on a phone with a touch panel, by a member. */
async function openDeckOnPhone(): Promise<{ page: Page; errors: string[]; id: string }> {
  const { page, errors } = await openPage(browser, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    // Swipes and sheets move here, as they do for most people.
    reducedMotion: 'no-preference',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await visit(page, `${site.origin}/report?search_key=${encodeURIComponent(TITLE)}`);
  const address = await page.getByRole('link', { name: TITLE }).first().getAttribute('href');
  await visit(page, site.origin + address);
  await logInOnDetail(page);
  await page.locator('img[src*="/p1.webp"]').first().waitFor();
  return { page, errors, id: address?.split('/').at(-1) ?? '' };
}

test('on a phone two fingers zoom a page, one finger swipes pages, and Back closes the viewer at the page read last', async () => {
  const { page, errors } = await openDeckOnPhone();
  const viewer = page.getByRole('dialog', { name: `${TITLE} 全屏预览` });
  const shows = (number: number) => viewer.getByText(`${number} / 12`, { exact: true }).waitFor();
  const image = (number: number) => viewer.getByRole('img', { name: new RegExp(`^第 ${number} 页`) });
  const widthOf = async (number: number) => (await image(number).boundingBox())?.width ?? 0;
  const middle = { x: 195, y: 400 };

  await page
    .getByRole('button', { name: /第 3 页/ })
    .first()
    .tap();
  await shows(3);
  await expect.poll(() => new URL(page.url()).hash).toBe('#p=3');

  await pinch(page, middle, 80, 240);
  await shows(3);
  await expect.poll(() => widthOf(3)).toBeGreaterThan(900);
  // A zoomed page is moved, and its edges stay outside.
  await touch(page, { from: { x: 300, y: 400 }, to: { x: 20, y: 420 } });
  await touch(page, { from: { x: 300, y: 400 }, to: { x: 20, y: 420 } });
  await expect.poll(async () => Math.round((await image(3).boundingBox())?.x ?? 0)).toBeLessThan(-400);
  const { x = 0, width = 0 } = (await image(3).boundingBox()) ?? {};
  expect(Math.round(x + width)).toBeGreaterThanOrEqual(390);
  await shows(3);
  // The words lie where they stand in the picture, also in a zoomed page.
  const words = viewer.getByRole('group', { name: '第 3 页文字' });
  await words.getByText('主题创意与执行').waitFor({ state: 'attached' });
  const layer = await words.boundingBox();
  expect(Math.round(layer?.width ?? 0)).toBe(Math.round(width));
  expect(Math.round(layer?.x ?? 0)).toBe(Math.round(x));

  // Together again it is whole, and what drifts sideways on its way down turns nothing.
  await pinch(page, middle, 300, 40);
  await expect.poll(() => widthOf(3)).toBeLessThan(391);
  await touch(page, { from: { x: 230, y: 560 }, to: { x: 150, y: 250 } });
  await shows(3);
  await touch(page, { from: { x: 320, y: 400 }, to: { x: 120, y: 415 } });
  await shows(4);
  await doubleTap(page, { x: 120, y: 400 });
  await expect.poll(() => widthOf(4)).toBeGreaterThan(900);
  await doubleTap(page, { x: 120, y: 400 });
  await expect.poll(() => widthOf(4)).toBeLessThan(391);
  await viewer
    .getByRole('navigation', { name: '页面缩略图' })
    .getByRole('button', { name: /第 6 页/ })
    .tap();
  await shows(6);
  await expect.poll(() => new URL(page.url()).hash).toBe('#p=6');
  // One tap takes the bars away, another brings them back.
  await page.touchscreen.tap(195, 200);
  await viewer.getByRole('button', { name: '关闭全屏预览' }).waitFor({ state: 'hidden' });
  await page.touchscreen.tap(195, 200);
  await viewer.getByRole('button', { name: '关闭全屏预览' }).waitFor();

  await page.goBack();
  await viewer.waitFor({ state: 'detached' });
  await page.getByText('第 6 / 12 页').waitFor();
  await expect.poll(() => new URL(page.url()).hash).toBe('#p=6');
  await page.goForward();
  await shows(6);
  await page.reload();
  await whenReady(page);
  await shows(6);
  await viewer.getByRole('button', { name: '关闭全屏预览' }).tap();
  await viewer.waitFor({ state: 'detached' });
  await page.getByText('第 6 / 12 页').waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('a deck is sent with its title and its page; a person who opens the link sees that page, or the cover until the login', async () => {
  const { page, errors, id } = await openDeckOnPhone();
  await page.evaluate(() => (location.hash = '#p=5'));
  await page.getByText('第 5 / 12 页').waitFor();
  await page.getByRole('button', { name: '分享' }).last().tap();
  const sheet = page.getByRole('dialog', { name: '分享这份方案' });
  await sheet.getByRole('button', { name: '复制标题和链接' }).tap();
  await sheet.getByRole('button', { name: '已复制' }).waitFor();
  const line = await page.evaluate(() => navigator.clipboard.readText());
  expect(line).toMatch(new RegExp(`^《${TITLE}》 ${site.origin}/detail/${id}\\?invite=\\d+$`));
  await sheet.getByRole('button', { name: '复制第 5 页的链接' }).tap();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/\?invite=\d+#p=5$/);
  const link = /http.*$/.exec(await page.evaluate(() => navigator.clipboard.readText()))?.[0] ?? '';
  await sheet.getByRole('img', { name: '方案页面的二维码' }).waitFor();
  await sheet.getByRole('button', { name: '生成海报' }).tap();
  const poster = sheet.getByRole('img', { name: `《${TITLE}》的海报` });
  await expect
    .poll(() => poster.evaluate((image: HTMLImageElement) => image.naturalWidth), { timeout: 60_000 })
    .toBe(1080);
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });

  await visit(page, `${site.origin}/index`);
  await visit(page, link);
  await page.getByText('第 5 / 12 页').waitFor();
  await expect.poll(() => page.locator('link[rel=canonical]').getAttribute('href')).toBe(`${site.origin}/detail/${id}`);
  const { page: colleague } = await openPage(browser);
  await visit(colleague, link);
  await colleague.getByRole('heading', { level: 1, name: TITLE }).waitFor();
  await colleague.getByRole('img', { name: `${TITLE} 封面` }).waitFor();
  await expect.poll(() => colleague.locator('img[src*="/p5.webp"]').count()).toBe(0);
  expect(errors).toEqual([]);
  await leave(colleague);
  await leave(page);
});

test('the pages after the preview look locked and say how to see them; keys zoom and turn pages', async () => {
  const { page, errors } = await openPage(browser);
  await visit(page, `${site.origin}/report?search_key=${encodeURIComponent(TITLE)}`);
  const address = await page.getByRole('link', { name: TITLE }).first().getAttribute('href');
  await visit(page, site.origin + address);
  await logInOnDetail(page, 'colleague');
  await page.locator('img[src*="/p1.webp"]').first().waitFor();
  const outline = page.getByRole('region', { name: '全文目录' });
  await outline
    .getByRole('link', { name: /下载后可看/ })
    .first()
    .click();
  await page.getByText(/您要找的内容在 第 1[12] 页/).waitFor();

  await page.getByRole('button', { name: '全屏预览', exact: true }).click();
  const viewer = page.getByRole('dialog', { name: `${TITLE} 全屏预览` });
  await viewer.waitFor();
  await page.keyboard.press('Home');
  await viewer.getByText('1 / 12', { exact: true }).waitFor();
  const width = async () => (await viewer.getByRole('img', { name: /^第 1 页/ }).boundingBox())?.width ?? 0;
  const whole = await width();
  await page.keyboard.press('+');
  await expect.poll(width).toBeGreaterThan(whole * 1.4);
  await page.keyboard.press('ArrowRight');
  await viewer.getByText('1 / 12', { exact: true }).waitFor();
  await page.keyboard.press('0');
  await expect.poll(width).toBe(whole);
  await page.mouse.move(720, 400);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -60);
  await page.keyboard.up('Control');
  await expect.poll(width).toBeGreaterThan(whole * 1.3);
  await page.keyboard.press('PageDown');
  await viewer.getByText('2 / 12', { exact: true }).waitFor();
  await page.keyboard.press('End');
  await viewer.getByText('预览到此为止，共 12 页').waitFor();
  const wayOn = viewer.getByRole('button', { name: '开通会员', exact: true });
  // The red of other links has a contrast of 3.4 on the dark stage.
  expect(await wayOn.evaluate((element) => getComputedStyle(element).color)).toBe('rgb(233, 215, 168)');
  await page.keyboard.press('ArrowLeft');
  await viewer.getByText('10 / 12', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
  expect(errors).toEqual([]);
  await leave(page);
});

test('a member reads the whole deck: from a link to its page, by keys, by words; the next visit goes on there', async () => {
  const { page, errors } = await openPage(browser);
  await visit(page, `${site.origin}/report?search_key=${encodeURIComponent(TITLE)}`);
  const address = await page.getByRole('link', { name: TITLE }).first().getAttribute('href');
  await visit(page, `${site.origin}${address}#p=11`);
  await logInOnDetail(page, 'deckmember');
  const viewer = page.getByRole('dialog', { name: `${TITLE} 全屏预览` });
  const shows = (number: number) => viewer.getByText(`${number} / 12`, { exact: true }).waitFor();
  const isDrawn = (number: number) =>
    viewer
      .getByRole('img', { name: new RegExp(`^第 ${number} 页`) })
      .evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)
      .catch(() => false);
  // A page after the preview is drawn when it is first asked for.
  await shows(11);
  await expect.poll(() => isDrawn(11), { timeout: 60_000 }).toBe(true);
  await page.keyboard.press('ArrowRight');
  await shows(12);
  await expect.poll(() => isDrawn(12), { timeout: 60_000 }).toBe(true);
  expect(await viewer.getByRole('button', { name: '下一页' }).isDisabled()).toBe(true);

  await page.keyboard.press('/');
  const field = viewer.getByRole('searchbox', { name: '在方案内查找' });
  await field.fill('第11页');
  await viewer.getByText('1 页 · 1 处').waitFor();
  await field.press('Enter');
  await shows(11);
  await expect.poll(() => viewer.locator('svg rect').count(), { timeout: 60_000 }).toBeGreaterThan(0);
  await field.press('Escape');
  await field.waitFor({ state: 'detached' });
  await shows(11);
  // The place is recorded once the reader has stayed on a page.
  await expect
    .poll(async () => {
      const answer = await page.request.post(`${site.origin}/api/doc/getFileRecord`, {
        headers: { token: (await page.context().cookies()).find(({ name }) => name === 'token')?.value ?? '' },
        data: { fid: address?.split('/').at(-1) },
      });
      return JSON.stringify(await answer.json());
    })
    .toContain('"last_page":11');
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });

  const later = await page.context().newPage();
  await visit(later, site.origin + address);
  await later.getByText('上次读到第 11 页').waitFor();
  await later.getByRole('button', { name: '继续阅读', exact: true }).click();
  const again = later.getByRole('dialog', { name: `${TITLE} 全屏预览` });
  await again.getByText('11 / 12', { exact: true }).waitFor();
  await later.goBack();
  await again.waitFor({ state: 'detached' });
  await later.getByRole('button', { name: '继续阅读第 11 页' }).click();
  await again.getByText('11 / 12', { exact: true }).waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('a wrong password is reported, and the form keeps the input', async () => {
  const { page } = await openPage(browser);
  await visit(page, `${site.origin}/index`);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await logInByName(page, 'planner', 'wrong');
  const dialog = page.getByRole('dialog');
  await expect.poll(() => wordsAt(dialog.getByLabel('密码', { exact: true }))).toBe('账号或密码错误');
  await expect.poll(() => dialog.getByLabel('用户名').inputValue()).toBe('planner');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await leave(page);
});

test('an empty search warns and opens nothing; a visitor’s hot word asks for a login', async () => {
  const { page } = await openPage(browser);
  let popups = 0;
  page.on('popup', () => (popups += 1));
  await visit(page, `${site.origin}/index`);
  await page.getByRole('combobox').first().press('Enter');
  await page.getByText('请输入搜索内容').first().waitFor();
  await page.getByRole('main').getByText('房地产', { exact: true }).first().click();
  await page.getByText('请先登录后再操作').first().waitFor();
  await page.getByRole('dialog').waitFor();
  expect(popups).toBe(0);
  await leave(page);
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
  await leave(page);
});

test('on a phone the back-to-top button covers nothing: it hides while one scrolls down, and the page ends above it', async () => {
  const { page } = await openPage(browser, { viewport: { width: 390, height: 844 } });
  const toTop = page.getByRole('button', { name: '回到顶部' });
  const covered = () =>
    toTop.evaluate((button) => {
      const own = button.getBoundingClientRect();
      return [...document.querySelectorAll('main a, main p, footer a, footer p, footer span')].flatMap((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const isInThread = right <= own.left || left >= own.right || bottom <= own.top || top >= own.bottom;
        return isInThread ? [] : [one.textContent];
      });
    });
  // Once may be too early: a dialog that has just closed still locks the page, or images make it longer.
  const scrollToEnd = async () => {
    await page.mouse.wheel(0, 100_000);
    return page.evaluate(() => scrollY + innerHeight >= document.documentElement.scrollHeight - 1);
  };
  await visit(page, `${site.origin}/index`);
  await page.mouse.wheel(0, 900);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(800);
  await toTop.waitFor({ state: 'hidden' });
  await page.mouse.wheel(0, -60);
  await toTop.waitFor();
  await expect.poll(scrollToEnd).toBe(true);
  await toTop.waitFor();
  expect(await covered()).toEqual([]);

  await visit(page, site.origin + (await page.locator('a[href^="/detail/"]').first().getAttribute('href')));
  await page.getByRole('dialog').waitFor();
  await whenReady(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await expect.poll(scrollToEnd).toBe(true);
  await toTop.waitFor();
  await expect.poll(() => page.getByRole('heading', { name: '相似方案' }).count()).toBe(1);
  expect(await covered()).toEqual([]);
  await leave(page);
});

test('pages that do not exist answer 404, / goes to /index, an unknown call answers in the envelope', async () => {
  expect((await fetch(`${site.origin}/nope`)).status).toBe(404);
  expect((await fetch(`${site.origin}/detail/999999`)).status).toBe(404);
  const home = await fetch(`${site.origin}/?a=1`, { redirect: 'manual' });
  expect([home.status, home.headers.get('location')]).toEqual([302, '/index?a=1']);
  const call = await fetch(`${site.origin}/api/nothing`, { method: 'POST' });
  expect([call.status, await call.json()]).toMatchObject([404, { code: 4 }]);
});

test('on paper stand heading, pages, facts and outline, every page with its picture, and nothing that asks to buy', async () => {
  const { page } = await openPage(browser);
  await enterAs(site, page, 'deckmember', PASSWORD);
  await visit(page, `${site.origin}/detail/1`);
  const pictures = page.getByRole('region', { name: '方案预览' }).locator('ol img');
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await expect
    .poll(() => pictures.evaluateAll((all) => all.map((each) => each instanceof HTMLImageElement && each.complete)))
    .toEqual(Array.from({ length: 10 }, () => true));
  const text = await page.locator('body').innerText();
  for (const kept of ['月满江岸', '收录时间', '全文目录', '内容摘录']) expect(text).toContain(kept);
  for (const prompt of ['开通会员', '充值', '下载', '相似方案', '本页图表']) expect(text).not.toContain(prompt);
  // Whatever is folded is printed; a closed filter would lie over the results.
  await visit(page, `${site.origin}/report`);
  await page.emulateMedia({ media: 'print' });
  await page.getByRole('navigation', { name: '筛选' }).waitFor({ state: 'hidden' });
  await leave(page);
});
