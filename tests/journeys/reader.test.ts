import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { smallPdf } from '../small-pdf.ts';
import { hold, leave, openBrowser, openPage, visit, whenReady } from './browser.ts';
import { addMembers, enterAs, PASSWORD } from './login.ts';
import { openSite, type Site } from './site.ts';
import { pinch, touch } from './touch.ts';
import { typeAtSite } from './type-at-site.ts';

const SPRING = '春季新品上市方案';
const AUTUMN = '秋季新品上市方案';
/** A document of one page, much higher than wide. */
const LONG = '长图流程表';
const PAGES = 14;
const WHEEL_PAUSE_MS = 250;

let site: Site;
let browser: Browser;
let folder: string;
/** The documents' ids by name. */
let ids: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ceku-reader-'));
  await Promise.all(
    [SPRING, AUTUMN].map((name, at) => writeFile(join(folder, `${name}.pdf`), smallPdf(`plan ${at} page`, PAGES))),
  );
  const long = smallPdf('long', 1).toString('latin1').replace('[0 0 720 405]', '[0 0 200 900]');
  await writeFile(join(folder, `${LONG}.pdf`), long, 'latin1');
  [site, browser] = await Promise.all([openSite({ RATE_LIMITS: 'off', OUTSIDE: 'off', DEMO: 'off' }), openBrowser()]);
  const ingest = await site.ceku('ingest', folder, '--json');
  expect(ingest.code, ingest.stdout + ingest.stderr).toBe(0);
  const listed = await typeAtSite(site, 'document', 'list', '--json');
  ids = Object.fromEntries(
    [...listed.out.matchAll(/"id":(\d+),"name":"([^"]+)"/g)].map(([, id = '', name = '']) => [name, id]),
  );
  await addMembers(site, [
    ['--username', 'ordinary'],
    ['--username', 'member'],
    ['--username', 'owner'],
    ['--username', 'returning'],
  ]);
  for (const username of ['member', 'owner', 'returning']) {
    const membership = ['--username', username, '--tier', '1', '--days', '30', '--reason', 'test'];
    expect((await typeAtSite(site, 'user', 'grant-vip', ...membership)).code).toBe(0);
  }
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  await rm(folder, { recursive: true, force: true });
});

/** A page of a browser that is logged in, and the token of its session. */
async function openAs(username: string, options: BrowserContextOptions = {}) {
  const { page, errors } = await openPage(browser, options);
  const token = await enterAs(site, page, username, PASSWORD);
  return { page, errors, token };
}

/** Opens the viewer of a document at a page. */
async function openViewer(page: Page, name: string, number = 1): Promise<Locator> {
  await page.goto(`${site.origin}/detail/${ids[name]}#p=${number}`);
  // A page after the preview opens the viewer by itself.
  if (number <= 10) await page.getByRole('button', { name: '全屏预览', exact: true }).click();
  const viewer = page.getByRole('dialog', { name: `${name} 全屏预览` });
  await viewer.getByText(`${number} / ${PAGES}`, { exact: true }).waitFor();
  return viewer;
}

/** A movement of the wheel of its own: one that follows another at once belongs to it (wheel-turns.ts). */
async function turnWheel(page: Page, pixels: number): Promise<void> {
  await page.waitForTimeout(WHEEL_PAUSE_MS);
  await page.mouse.wheel(0, pixels);
}

const boxOf = async (image: Locator) => (await image.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };

test('the zoom shows its value and goes by keys, choice and wheel around the pointer; a zoomed page is sharp and is moved', async () => {
  const { page, errors } = await openAs('member');
  const viewer = await openViewer(page, SPRING);
  const zoom = viewer.getByRole('combobox', { name: '缩放比例' });
  const shown = () => zoom.evaluate((list: HTMLSelectElement) => list.selectedOptions[0]?.text);
  const image = viewer.getByRole('img', { name: /^第 1 页/ });
  await expect.poll(shown).toBe('适合页面');
  const whole = await boxOf(image);

  await page.keyboard.press('w');
  await expect.poll(async () => Math.round((await boxOf(image)).width)).toBe(1440);
  await expect.poll(shown).toBe('适合宽度 110%');
  await page.keyboard.press('0');
  await expect.poll(async () => boxOf(image)).toEqual(whole);
  await page.keyboard.press('+');
  await expect.poll(shown).toBe('150%');
  await page.keyboard.press('-');
  await expect.poll(shown).toBe('适合页面');

  await zoom.selectOption('400%');
  await expect.poll(async () => Math.round((await boxOf(image)).width / whole.width)).toBe(4);
  await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.currentSrc)).toMatch(/\/p1-2x\.webp/);
  // At rest nothing keeps the browser from drawing the page in its new size.
  await expect
    .poll(() => image.locator('xpath=../..').evaluate((sheet) => getComputedStyle(sheet).willChange))
    .toBe('auto');
  // The wheel moves the page up to its edge, and turns it from there.
  await page.mouse.move(400, 400);
  const before = await boxOf(image);
  await page.mouse.wheel(0, 200);
  await expect.poll(async () => Math.round(before.y - (await boxOf(image)).y)).toBe(200);
  await viewer.getByText(`1 / ${PAGES}`, { exact: true }).waitFor();

  // The spot below the pointer stays there.
  await page.keyboard.press('0');
  await expect.poll(async () => boxOf(image)).toEqual(whole);
  const at = { x: 500, y: 300 };
  const spot = (box: typeof whole) => [(at.x - box.x) / box.width, (at.y - box.y) / box.height];
  const spotBefore = spot(await boxOf(image));
  await page.mouse.move(at.x, at.y);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -240);
  await page.keyboard.up('Control');
  await expect.poll(async () => (await boxOf(image)).width).toBeGreaterThan(whole.width * 1.8);
  const spotAfter = spot(await boxOf(image));
  expect(spotAfter[0]).toBeCloseTo(spotBefore[0] ?? 0, 2);
  expect(spotAfter[1]).toBeCloseTo(spotBefore[1] ?? 0, 2);

  // A whole page turns by the wheel, and the next page at the width of the window begins at its top.
  await page.keyboard.press('w');
  await page.keyboard.press('PageDown');
  await viewer.getByText(`2 / ${PAGES}`, { exact: true }).waitFor();
  await expect.poll(shown).toBe('适合宽度 110%');
  const stageTop = 56;
  await expect
    .poll(async () => Math.round((await boxOf(viewer.getByRole('img', { name: /^第 2 页/ }))).y))
    .toBe(stageTop);
  // Back by the wheel, one comes to the end of the page before.
  await turnWheel(page, -120);
  await viewer.getByText(`1 / ${PAGES}`, { exact: true }).waitFor();
  const strip = await boxOf(viewer.getByRole('navigation', { name: '页面缩略图' }));
  await expect
    .poll(async () => {
      const { y, height } = await boxOf(image);
      return Math.round(y + height);
    })
    .toBe(Math.round(strip.y));
  await page.keyboard.press('PageDown');
  await viewer.getByText(`2 / ${PAGES}`, { exact: true }).waitFor();
  await page.keyboard.press('0');
  await turnWheel(page, 120);
  await viewer.getByText(`3 / ${PAGES}`, { exact: true }).waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('two fingers on a page that is much higher than wide zoom on from the width of the window', async () => {
  const { page, errors } = await openAs('member', { hasTouch: true });
  await page.goto(`${site.origin}/detail/${ids[LONG]}`);
  await page.getByRole('button', { name: '全屏预览', exact: true }).click();
  const image = page.getByRole('dialog', { name: `${LONG} 全屏预览` }).getByRole('img', { name: /^第 1 页/ });
  await image.waitFor();
  await page.keyboard.press('w');
  await expect.poll(async () => (await boxOf(image)).width).toBeGreaterThan(1430);
  await pinch(page, { x: 720, y: 400 }, 300, 270);
  // 400 % is half of that width.
  await expect.poll(async () => Math.round((await boxOf(image)).width / 14.4)).toBe(90);
  expect(errors).toEqual([]);
  await leave(page);
});

test('a focus on a tool that a narrow window does not have goes to the pages, and the keys go on', async () => {
  const { page, errors } = await openAs('member');
  const viewer = await openViewer(page, SPRING);
  for (const name of ['放大', '演示']) {
    await page.setViewportSize({ width: 1440, height: 900 });
    const tool = viewer.getByRole('button', { name });
    await tool.focus();
    await page.setViewportSize({ width: 390, height: 844 });
    await tool.waitFor({ state: 'hidden' });
    // Between the tool and the pages the browser gives the focus to the body for a moment.
    const isOnPages = () =>
      document.activeElement?.matches('dialog *') && document.querySelector('dialog *:focus img') !== null;
    await expect.poll(() => page.evaluate(isOnPages)).toBe(true);
  }
  await page.keyboard.press('ArrowRight');
  await viewer.getByText(`2 / ${PAGES}`, { exact: true }).waitFor();
  // A focus that stays in sight stays where it is.
  const more = viewer.getByRole('button', { name: '更多' });
  await more.focus();
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(() => more.evaluate((button) => button === document.activeElement)).toBe(true);
  expect(errors).toEqual([]);
  await leave(page);
});

test('outline, help and menu open by keys, and Esc closes what is open before the viewer', async () => {
  const { page, errors } = await openAs('member');
  const viewer = await openViewer(page, SPRING);
  await viewer.getByRole('status').filter({ hasText: `第 1 页` }).waitFor({ state: 'attached' });
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: '操作方法' });
  await help.getByText('适合宽度').waitFor();
  // On its white ground the gold ring of the viewer could not be seen.
  const close = help.getByRole('button', { name: '关闭' });
  await close.focus();
  expect(await close.evaluate((button) => getComputedStyle(button).outline)).toBe('rgb(200, 55, 31) solid 2px');
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  await viewer.getByText(`1 / ${PAGES}`, { exact: true }).waitFor();

  await page.keyboard.press('o');
  const outline = viewer.getByRole('navigation', { name: '目录' });
  await outline.getByRole('button', { name: /^plan 0 page 1\s*1$/ }).waitFor();
  for (let press = 0; press < 4; press++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await viewer.getByText(`5 / ${PAGES}`, { exact: true }).waitFor();
  await expect.poll(() => outline.locator('[aria-current]').textContent()).toContain('plan 0 page 5');
  await page.keyboard.press('Escape');
  await outline.waitFor({ state: 'detached' });
  // The key that opens the outline closes it as well, and the next key turns the page.
  await page.keyboard.press('o');
  await outline.waitFor();
  await page.keyboard.press('o');
  await outline.waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowRight');
  await viewer.getByText(`6 / ${PAGES}`, { exact: true }).waitFor();
  await viewer.getByRole('status').filter({ hasText: `第 6 页` }).waitFor({ state: 'attached' });
  // The words of the page can be read without its picture.
  await viewer.getByRole('group', { name: '第 6 页文字' }).getByText('plan').waitFor({ state: 'attached' });
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
  expect(errors).toEqual([]);
  await leave(page);
});

test('the viewer opens at the page of the address, though its button was pressed before the scripts arrived', async () => {
  const { page } = await openAs('member');
  const release = await hold(page, /\/assets\/.*\.js$/);
  await page.goto(`${site.origin}/detail/${ids[SPRING]}#p=3`, { waitUntil: 'commit' });
  await page.getByRole('button', { name: '全屏预览', exact: true }).click();
  // On a busy machine the browser has not gone to the hash yet.
  await page.evaluate(() => window.scrollTo(0, 0));
  release();
  const viewer = page.getByRole('dialog', { name: `${SPRING} 全屏预览` });
  await expect.poll(() => viewer.getByText(`3 / ${PAGES}`, { exact: true }).count()).toBe(1);
  await leave(page);
});

test('on a phone the line with the page read last is there from the start: nothing moves, also around the viewer', async () => {
  const { page: first, token } = await openAs('returning', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  // The page of openPage paints one pixel of its window, and what moves outside the painted part is not counted.
  const page = await first.context().newPage();
  const address = `${site.origin}/detail/${ids[SPRING]}`;
  const shifts = () =>
    page.evaluate(
      () =>
        new Promise<number[]>((resolve) => {
          const seen: number[] = [];
          // Playwright cannot know of the observer's own entry type.
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries())
              if ('value' in entry && 'hadRecentInput' in entry && !entry.hadRecentInput)
                seen.push(Number(entry.value));
          }).observe({ type: 'layout-shift', buffered: true });
          // The observer stays silent where nothing moved.
          setTimeout(() => resolve(seen), 50);
        }),
    );
  const recorded = () =>
    page.waitForResponse(
      (reply) => reply.url().endsWith('getFileRecord') && /"page"/.test(reply.request().postData() ?? ''),
    );
  await page.request.post(`${site.origin}/api/doc/getFileRecord`, {
    headers: { token },
    data: { fid: ids[SPRING], page: 7 },
  });
  await page.goto(address, { waitUntil: 'networkidle' });
  await page.getByText('上次读到第 7 页').waitFor();
  expect(await shifts()).toEqual([]);

  // The viewer lies over the line, which stays in its place and tells the page of this visit afterwards.
  const recording = recorded();
  await page.getByRole('button', { name: '继续阅读', exact: true }).click();
  const viewer = page.getByRole('dialog', { name: `${SPRING} 全屏预览` });
  await viewer.getByText(`7 / ${PAGES}`, { exact: true }).waitFor();
  await page.keyboard.press('ArrowRight');
  await viewer.getByText(`8 / ${PAGES}`, { exact: true }).waitFor();
  await recording;
  await page.reload({ waitUntil: 'networkidle' });
  await viewer.getByText(`8 / ${PAGES}`, { exact: true }).waitFor();
  const recordingNext = recorded();
  await page.keyboard.press('ArrowRight');
  await viewer.getByText(`9 / ${PAGES}`, { exact: true }).waitFor();
  await recordingNext;
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
  await page.getByText('上次读到第 9 页').waitFor();
  expect(await shifts()).toEqual([]);
  await leave(first);
});

test('the end of the preview goes on at the page read last: of this visit at once, and of an earlier one', async () => {
  const { page, errors, token } = await openAs('member');
  const address = `${site.origin}/detail/${ids[AUTUMN]}`;
  const goOn = (number: number) => page.getByRole('button', { name: `继续阅读第 ${number} 页`, exact: true });
  await page.goto(address);
  await goOn(11).click();
  const viewer = page.getByRole('dialog', { name: `${AUTUMN} 全屏预览` });
  await viewer.getByText(`11 / ${PAGES}`, { exact: true }).waitFor();
  await page.keyboard.press('ArrowRight');
  await viewer.getByText(`12 / ${PAGES}`, { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
  await goOn(12).click();
  await viewer.getByText(`12 / ${PAGES}`, { exact: true }).waitFor();

  await page.request.post(`${site.origin}/api/doc/getFileRecord`, {
    headers: { token },
    data: { fid: ids[AUTUMN], page: 13 },
  });
  await page.goto(`${site.origin}/index`);
  await page.goto(address);
  await goOn(13).click();
  await viewer.getByText(`13 / ${PAGES}`, { exact: true }).waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('words are found within what the reader may see, and the find bar says so', async () => {
  const { page: ordinary } = await openAs('ordinary', { viewport: { width: 390, height: 844 } });
  const theirs = await openViewer(ordinary, SPRING);
  await ordinary.keyboard.press('/');
  const bar = theirs.getByRole('search');
  const field = bar.getByRole('searchbox', { name: '在方案内查找' });
  const says = (text: string) => bar.getByText(text, { exact: true }).waitFor();
  await field.fill('page 10');
  await says('预览的 10 页内 1 处');
  await field.fill('plan 0');
  await says('预览的 10 页内 10 处');
  // The words stand on a page after the preview.
  await field.fill('page 14');
  await says('预览的 10 页内没有找到');
  const { width, needed } = await bar
    .getByRole('status')
    .evaluate((line) => ({ width: line.clientWidth, needed: line.scrollWidth }));
  expect(needed).toBeLessThanOrEqual(width);
  await leave(ordinary);

  const { page: member } = await openAs('member');
  const whole = await openViewer(member, SPRING);
  await member.keyboard.press('/');
  const wholeField = whole.getByRole('searchbox', { name: '在方案内查找' });
  await wholeField.fill('page 14');
  await whole.getByText('1 页 · 1 处', { exact: true }).waitFor();
  await wholeField.fill('page 15');
  await whole.getByText('没有找到', { exact: true }).waitFor();
  await leave(member);
});

test('a link to another page, pasted while the viewer is open, shows that page', async () => {
  const { page } = await openAs('member');
  const viewer = await openViewer(page, SPRING, 2);
  await page.keyboard.press('PageDown');
  await expect.poll(() => new URL(page.url()).hash).toBe('#p=3');
  await page.evaluate(() => {
    window.location.hash = '#p=7';
  });
  await viewer.waitFor({ state: 'detached' });
  await expect
    .poll(() => page.locator('[id="p=7"]').evaluate((shown) => shown.getBoundingClientRect().top))
    .toBeLessThan(300);
  expect(new URL(page.url()).hash).toBe('#p=7');
  await leave(page);
});

test('pages turn at once while the data of the page are loaded again', async () => {
  const { page } = await openAs('member');
  const viewer = await openViewer(page, SPRING, 2);
  const release = await hold(page, /\.data(\?|$)/);
  const asked = page.waitForRequest(/\.data(\?|$)/);
  // A login in another tab makes the page load its data again.
  await enterAs(site, page, 'member', PASSWORD);
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await asked;
  for (const number of [3, 4]) {
    await page.keyboard.press('ArrowRight');
    await viewer.getByText(`${number} / ${PAGES}`, { exact: true }).waitFor();
  }
  release();
  await expect.poll(() => new URL(page.url()).hash).toBe('#p=4');
  await viewer.getByText(`4 / ${PAGES}`, { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
  await leave(page);
});

test('the viewer opens, turns and closes while the data of the page are loaded again, and never leaves the page', async () => {
  const { page } = await openAs('member');
  await visit(page, `${site.origin}/detail/${ids[SPRING]}`);
  const viewer = page.getByRole('dialog', { name: `${SPRING} 全屏预览` });
  const open = page.getByRole('button', { name: '全屏预览', exact: true });
  const pageOf = (number: number) => viewer.getByText(`${number} / ${PAGES}`, { exact: true }).waitFor();
  const release = await hold(page, /\.data(\?|$)/);
  const asked = page.waitForRequest(/\.data(\?|$)/);
  await enterAs(site, page, 'member', PASSWORD);
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await asked;
  await open.click();
  await pageOf(1);
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
  await open.click();
  await page.keyboard.press('ArrowRight');
  await pageOf(2);
  release();
  await expect.poll(() => new URL(page.url()).hash).toBe('#p=2');
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
  expect(new URL(page.url()).pathname).toBe(`/detail/${ids[SPRING]}`);
  await leave(page);
});

test('a viewer that was opened while the data of the page are loaded again closes without loading them once more', async () => {
  const { page } = await openAs('member');
  await visit(page, `${site.origin}/detail/${ids[SPRING]}`);
  const viewer = page.getByRole('dialog', { name: `${SPRING} 全屏预览` });
  const release = await hold(page, /\.data(\?|$)/);
  const asked = page.waitForRequest(/\.data(\?|$)/);
  await enterAs(site, page, 'member', PASSWORD);
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await asked;
  await page.getByRole('button', { name: '全屏预览', exact: true }).click();
  await viewer.getByText(`1 / ${PAGES}`, { exact: true }).waitFor();
  release();
  await expect.poll(() => page.evaluate<unknown>('history.state.usr')).toEqual({ viewer: true });
  const loaded: string[] = [];
  page.on('request', (request) => void (/\.data(\?|$)/.test(request.url()) && loaded.push(request.url())));
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
  expect([new URL(page.url()).hash, loaded]).toEqual(['#p=1', []]);
  await leave(page);
});

test('a viewer that cannot be loaded leaves the page as it is, and opens by 重试 or by another press', async () => {
  const { page } = await openAs('member');
  const files = /\/assets\/page-viewer-[^/]*\.(js|css)$/;
  const opener = page.getByRole('button', { name: '全屏预览', exact: true });
  const viewer = page.getByRole('dialog', { name: `${SPRING} 全屏预览` });
  for (const again of [page.getByRole('button', { name: '重试' }), opener]) {
    await page.route(files, (route) => route.abort());
    await page.goto(`${site.origin}/detail/${ids[SPRING]}`);
    await whenReady(page);
    await opener.click();
    await page.getByText('加载失败，请检查网络').waitFor();
    await page.getByRole('heading', { name: SPRING, level: 1 }).waitFor();
    await page.unroute(files);
    await again.click();
    await viewer.getByText(`1 / ${PAGES}`, { exact: true }).waitFor();
    // With its style sheet, which had not arrived either.
    expect(await viewer.evaluate(({ clientWidth }) => clientWidth)).toBe(page.viewportSize()?.width);
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'hidden' });
  }
  await leave(page);
});

test('重试 keeps the focus while another message comes and goes', async () => {
  const { page } = await openAs('member');
  await page.route(/\/assets\/page-viewer-[^/]*\.(js|css)$/, (route) => route.abort());
  await page.goto(`${site.origin}/detail/${ids[SPRING]}`);
  await whenReady(page);
  await page.getByRole('button', { name: '全屏预览', exact: true }).click();
  const retry = page.getByRole('button', { name: '重试' });
  await retry.focus();
  // The message stays below the pointer.
  await page.getByText('加载失败，请检查网络').hover();
  for (const [name, message] of [
    ['添加到收藏', '收藏成功'],
    ['已收藏', '取消收藏成功'],
  ] as const) {
    await page
      .getByRole('button', { name, exact: true })
      .first()
      .evaluate((star: HTMLElement) => star.click());
    const other = page.getByRole('alert').getByText(message, { exact: true });
    await other.waitFor();
    await other.waitFor({ state: 'detached' });
    expect(await retry.evaluate((button) => button === document.activeElement)).toBe(true);
  }
  await leave(page);
});

test('a panel in a dialog that cannot be loaded is loaded by 重试 above the dialog, and the message outlives the dialog', async () => {
  const { page } = await openAs('member');
  const files = /\/assets\/share-panel-[^/]*\.(js|css)$/;
  const message = page.getByText('加载失败，请检查网络');
  const panel = page.getByRole('dialog', { name: '分享这份方案' });
  await page.route(files, (route) => route.abort());
  await page.goto(`${site.origin}/detail/${ids[SPRING]}`);
  await whenReady(page);
  await page.getByRole('button', { name: '分享', exact: true }).first().click();
  await message.waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await message.waitFor();

  // A second failure in one page would load it again.
  await page.goto(`${site.origin}/index`);
  const viewer = await openViewer(page, SPRING);
  await viewer.getByRole('button', { name: '分享', exact: true }).click();
  await panel.waitFor();
  await message.waitFor();
  await page.unroute(files);
  await panel.getByRole('button', { name: '重试' }).click();
  await panel.getByRole('button', { name: '复制标题和链接' }).waitFor();
  // The message is gone with the press.
  await expect.poll(() => message.count()).toBe(0);
  await leave(page);
});

test('pages after the preview that could not be listed or loaded are offered again, and every turn asks for them', async () => {
  const { page, errors } = await openAs('member');
  let asked = 0;
  let answer: 'none' | 'too many' | 'pages' = 'none';
  await page.route('**/api/doc/readPages', async (route) => {
    asked += 1;
    if (answer === 'none') await route.abort();
    else if (answer === 'too many') await route.fulfill({ json: { code: 41, message: '操作太频繁', data: null } });
    else await route.continue();
  });
  await page.route('**/api/doc/pageText', (route) => route.abort());
  const viewer = await openViewer(page, SPRING);
  const failed = (number: number) => viewer.getByText(`第 ${number} 页没有加载出来`);
  const isDrawn = (number: number) =>
    viewer
      .getByRole('img', { name: new RegExp(`^第 ${number} 页`) })
      .evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)
      .catch(() => false);
  // Near the end of the preview the rest is listed, and again at the next turn.
  await expect.poll(() => asked).toBe(1);
  await page.keyboard.press('End');
  await failed(PAGES).waitFor();
  await expect.poll(() => asked).toBe(2);
  answer = 'too many';
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => asked).toBe(3);
  await failed(13).waitFor();
  answer = 'pages';
  await viewer.getByRole('button', { name: '重试' }).click();
  await expect.poll(() => isDrawn(13), { timeout: 60_000 }).toBe(true);

  // A link that has expired: 重试 takes fresh links.
  const image = /\/p11\.webp\?/;
  await page.route(image, (route) => route.fulfill({ status: 403 }));
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await failed(11).waitFor();
  await page.unroute(image);
  const before = asked;
  await viewer.getByRole('button', { name: '重试' }).click();
  await expect.poll(() => isDrawn(11), { timeout: 60_000 }).toBe(true);
  expect(asked).toBe(before + 1);
  expect(errors.filter((error) => !error.startsWith('Failed to load resource'))).toEqual([]);
  await leave(page);
});

test('after 重试 in a presentation its keys go on', async () => {
  const { page } = await openAs('member');
  const image = /\/p11\.webp\?/;
  await page.route(image, (route) => route.fulfill({ status: 403 }));
  const viewer = await openViewer(page, SPRING, 11);
  await viewer.getByText('第 11 页没有加载出来').waitFor();
  await page.keyboard.press('p');
  const show = page.getByRole('dialog', { name: `${SPRING} 演示` });
  const retry = show.getByRole('button', { name: '重试' });
  await retry.waitFor();
  await page.unroute(image);
  await retry.click();
  await show.locator('img[alt^="第 11 页"]').waitFor();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => show.getByRole('status').textContent()).toMatch(/^第 12 页/);
  await leave(page);
});

test('a presentation goes by keys and clicks, hides the pointer at rest, has the next page ready, and ends by Esc', async () => {
  const { page, errors } = await openAs('member');
  await page.clock.install();
  const viewer = await openViewer(page, SPRING, 3);
  await page.keyboard.press('p');
  const show = page.getByRole('dialog', { name: `${SPRING} 演示` });
  const image = (number: number) => show.locator(`img[alt^="第 ${number} 页"]`);
  await image(3).waitFor();
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
  await expect
    .poll(() => image(4).evaluate((one: HTMLImageElement) => one.complete && one.naturalWidth > 0))
    .toBe(true);
  const screen = show.locator('> div');
  const cursor = () => screen.evaluate((element) => getComputedStyle(element).cursor);
  await page.clock.fastForward(3_000);
  await expect.poll(cursor).toBe('none');
  // The pointer stays as long as the clock stands still.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000);
  await page.mouse.move(300, 300);
  await page.mouse.move(320, 300);
  await expect.poll(cursor).not.toBe('none');
  await page.clock.resume();

  for (const key of ['ArrowRight', ' ', 'PageDown']) await page.keyboard.press(key);
  await image(6).waitFor();
  await page.keyboard.press('ArrowLeft');
  await image(5).waitFor();
  await page.mouse.click(900, 400);
  await image(6).waitFor();
  await page.keyboard.press('End');
  await image(PAGES).waitFor();
  await page.keyboard.press('ArrowRight');
  await show.getByText('再按一次退出').waitFor();
  await page.keyboard.press('ArrowLeft');
  await image(PAGES).waitFor();
  await page.keyboard.press('Escape');
  await show.waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull();
  await viewer.getByText(`${PAGES} / ${PAGES}`, { exact: true }).waitFor();
  await page.keyboard.press('ArrowLeft');
  await viewer.getByText(`${PAGES - 1} / ${PAGES}`, { exact: true }).waitFor();
  // The keys work on after the button to the next page was pressed on the last page but one, which disables it.
  await viewer.getByRole('button', { name: '下一页' }).click();
  await viewer.getByText(`${PAGES} / ${PAGES}`, { exact: true }).waitFor();
  await page.keyboard.press('ArrowLeft');
  await viewer.getByText(`${PAGES - 1} / ${PAGES}`, { exact: true }).waitFor();
  // The viewer itself fills the screen as well.
  await page.keyboard.press('f');
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
  expect(errors).toEqual([]);
  await leave(page);
});

test('where a page cannot fill the screen, a presentation fills the window; taps and swipes turn, a button ends it', async () => {
  const { page, errors } = await openAs('member', {
    viewport: { width: 844, height: 390 },
    hasTouch: true,
    isMobile: true,
  });
  // As on an iPhone.
  await page.addInitScript(() => {
    Object.defineProperty(Element.prototype, 'requestFullscreen', { value: undefined });
    Object.defineProperty(Document.prototype, 'fullscreenEnabled', { value: false });
  });
  const viewer = await openViewer(page, SPRING);
  await viewer.getByRole('button', { name: '更多' }).tap();
  const menu = page.getByRole('dialog', { name: '更多' });
  await expect.poll(() => menu.getByRole('button', { name: '全屏', exact: true }).count()).toBe(0);
  await menu.getByRole('button', { name: '演示' }).tap();
  const show = page.getByRole('dialog', { name: `${SPRING} 演示` });
  const image = (number: number) => show.locator(`img[alt^="第 ${number} 页"]`);
  await image(1).waitFor();
  expect(await boxOf(show)).toEqual({ x: 0, y: 0, width: 844, height: 390 });
  await page.touchscreen.tap(600, 200);
  await image(2).waitFor();
  await touch(page, { from: { x: 600, y: 200 }, to: { x: 300, y: 210 } });
  await image(3).waitFor();
  await page.touchscreen.tap(60, 200);
  await image(2).waitFor();
  const end = show.getByRole('button', { name: '结束演示' });
  // With the focus it does not go away again while the machine is busy.
  await end.focus();
  await end.tap();
  await show.waitFor({ state: 'detached' });
  await viewer.getByText(`2 / ${PAGES}`, { exact: true }).waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('the original opens as PDF in a tab of its own for a member, and an ordinary user is led to the membership', async () => {
  const { page, errors } = await openAs('member');
  await openViewer(page, SPRING);
  await page.getByRole('button', { name: '更多' }).click();
  const asking = page.context().waitForEvent('request', (request) => request.url().includes('/whole.pdf?'));
  await page.getByRole('button', { name: '打开原文（PDF）' }).click();
  const answer = await (await asking).response();
  expect([answer?.status(), answer?.headers()['content-type']]).toEqual([200, 'application/pdf']);
  await page.getByText('原文已在新标签页打开').waitFor();
  expect(errors).toEqual([]);
  await leave(page);

  const { page: ordinary } = await openAs('ordinary');
  await openViewer(ordinary, SPRING);
  await ordinary.getByRole('button', { name: '更多' }).click();
  const tabs = ordinary.context().pages().length;
  await ordinary.getByRole('button', { name: '打开原文（PDF）' }).click();
  const menu = ordinary.getByRole('dialog', { name: '更多' });
  await menu.getByText('开通VIP即可无广告阅读原文').waitFor();
  await expect.poll(() => ordinary.context().pages().length).toBe(tabs);
  await menu.getByRole('button', { name: '开通会员' }).click();
  await ordinary.getByRole('dialog', { name: '联系客服开通' }).waitFor();
  await leave(ordinary);
});

test('an owner saves a page as an image; a member who does not own the document is told what is missing', async () => {
  const { page: stranger } = await openAs('member');
  await openViewer(stranger, AUTUMN, 2);
  await stranger.getByRole('button', { name: '更多' }).click();
  await stranger.getByRole('button', { name: '保存第 2 页为图片' }).click();
  await stranger.getByText('下载过的方案才能保存页面图片，请先下载这份方案').waitFor();
  await leave(stranger);

  const { page, errors, token } = await openAs('owner');
  const bought = await page.request.post(`${site.origin}/api/doc/download`, {
    headers: { token },
    data: { fid: ids[AUTUMN] },
  });
  expect(await bought.json()).toMatchObject({ code: 0 });
  await openViewer(page, AUTUMN, 12);
  await page.getByRole('button', { name: '更多' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: '保存第 12 页为图片' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe(`${AUTUMN} 第12页.jpg`);
  const saved = join(folder, 'page.jpg');
  await download.saveAs(saved);
  expect(await sharp(await readFile(saved)).metadata()).toMatchObject({ format: 'jpeg', width: 2560 });
  expect(errors).toEqual([]);
  await leave(page);
});

test('two plans are read side by side: chosen by title, turned alone or together, reloaded and sent; a narrow window says why not', async () => {
  const { page, errors } = await openAs('member');
  await page.goto(`${site.origin}/detail/${ids[SPRING]}`);
  await page.getByRole('link', { name: '对比阅读' }).click();
  await page.getByRole('heading', { name: '选择要对比的方案' }).waitFor();
  await page.getByRole('searchbox', { name: '按标题找方案' }).fill('秋季新品');
  await page.getByRole('button', { name: '查找' }).click();
  await page.getByRole('region', { name: '搜索结果' }).getByRole('link', { name: AUTUMN }).click();

  const left = page.getByRole('region', { name: `左侧：${SPRING}` });
  const right = page.getByRole('region', { name: `右侧：${AUTUMN}` });
  const show = async (leftPage: number, rightPage: number) => {
    await left.getByText(`${leftPage} / ${PAGES}`, { exact: true }).waitFor();
    await right.getByText(`${rightPage} / ${PAGES}`, { exact: true }).waitFor();
  };
  await show(1, 1);
  await page.keyboard.press('ArrowRight');
  await show(2, 1);
  await right.getByRole('button', { name: '右侧下一页' }).click();
  await show(2, 2);
  // The keys go to the side that was used last.
  await page.keyboard.press('End');
  await show(2, PAGES);
  await page.keyboard.press('ArrowLeft');
  await show(2, PAGES - 1);
  const { pathname, hash } = new URL(page.url());
  expect(pathname + hash).toBe(`/compare/${ids[SPRING]}/${ids[AUTUMN]}#p=2,13`);
  await page.reload();
  await show(2, 13);
  await page.getByRole('button', { name: '同步翻页' }).click();
  await left.getByRole('button', { name: '左侧下一页' }).click();
  await show(3, 14);

  await page.setViewportSize({ width: 1024, height: 768 });
  await page.getByRole('heading', { name: '对比阅读需要更宽的屏幕' }).waitFor();
  await left.waitFor({ state: 'detached' });
  expect(await page.getByRole('link', { name: AUTUMN }).getAttribute('href')).toBe(`/detail/${ids[AUTUMN]}#p=14`);

  // Rights are those of who reads: an ordinary user sees the preview of both, a visitor is asked to log in.
  const { page: other } = await openAs('ordinary');
  await other.goto(`${site.origin}${pathname}#p=3,11`);
  const theirs = other.getByRole('region', { name: `右侧：${AUTUMN}` });
  await theirs.getByText(`预览到此为止，共 ${PAGES} 页`).last().waitFor();
  expect(await other.locator('img[src*="/p11.webp"]').count()).toBe(0);
  await leave(other);
  const { page: visitor } = await openPage(browser);
  await visitor.goto(site.origin + pathname);
  await visitor
    .getByRole('region', { name: `左侧：${SPRING}` })
    .getByRole('button', { name: '登录' })
    .waitFor();
  expect((await visitor.goto(`${site.origin}/compare/${ids[SPRING]}/999999`))?.status()).toBe(404);
  await leave(visitor);
  expect(errors).toEqual([]);
  await leave(page);
});
