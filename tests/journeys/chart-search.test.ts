import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closePages, hold, leave, openPage, visit, whenReady } from './browser.ts';
import { addMembers, enterAs, logInByName, PASSWORD } from './login.ts';
import { shareDemoSite, type SharedSite } from './shared-site.ts';
import { typeAtSite } from './type-at-site.ts';

let site: SharedSite;
let browser: Browser;

beforeAll(async () => {
  ({ site, browser } = await shareDemoSite());
  await addMembers(site, [
    ['--username', 'analyst'],
    ['--username', 'reader'],
  ]);
  const membership = ['--username', 'analyst', '--tier', '2', '--days', '30', '--reason', 'test'];
  expect((await typeAtSite(site, 'user', 'grant-vip', ...membership)).code).toBe(0);
});
afterAll(() => closePages(browser));

const paramsOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
const filter = (page: Page, label: string) =>
  page.getByRole('navigation', { name: '筛选' }).locator('summary', { hasText: label });
const chips = (page: Page) => page.getByRole('list', { name: '已选筛选条件' }).getByRole('link');
const cards = (page: Page) => page.locator('main li').filter({ has: page.locator('button[aria-haspopup=dialog]') });
const total = async (page: Page) =>
  Number(/共 ([\d,]+) 张/.exec(await page.getByRole('status').innerText())?.[1]?.replaceAll(',', ''));

test('a visitor browses, filters by address alone, and takes filters back one by one', async () => {
  const { page, errors } = await openPage(browser);
  await visit(page, `${site.origin}/chart`);
  expect(await page.title()).toBe('搜图表 - 策库');
  expect(await page.locator('link[rel=canonical]').getAttribute('href')).toMatch(/\/chart$/);
  expect(await cards(page).count()).toBe(20);
  const all = await total(page);
  expect(all).toBeGreaterThan(150);

  // By keyboard: open the filter, choose, and the address says it.
  await filter(page, '类型').press('Enter');
  const lines = page.getByRole('list', { name: '类型' }).getByRole('link', { name: /^折线图/ });
  const counted = Number((await lines.getByLabel(/张$/).innerText()).replaceAll(',', ''));
  await lines.press('Enter');
  await expect.poll(() => paramsOf(page)).toEqual({ typeId: '3' });
  await expect.poll(() => total(page)).toBe(counted);
  expect(await chips(page).allInnerTexts()).toEqual(['折线图', '清除筛选']);

  // A preset goes off when it is pressed once more (C-111).
  await filter(page, '时间').click();
  await page.getByRole('link', { name: '近 7 天' }).click();
  await expect.poll(() => paramsOf(page)).toEqual({ typeId: '3', dateRange: '2' });
  await filter(page, '近 7 天').click();
  await page.getByRole('list', { name: '时间' }).getByRole('link', { name: '近 7 天' }).click();
  await expect.poll(() => paramsOf(page)).toEqual({ typeId: '3' });

  // A custom range of dates is refused while its end is before its start.
  await filter(page, '时间').click();
  const range = page.getByRole('form', { name: '自定义时间' });
  await range.getByLabel('开始日期').fill('2026-11-30');
  await range.getByLabel('结束日期').fill('2020-01-01');
  await range.getByRole('button', { name: '按日期筛选' }).click();
  await range.getByText('开始时间不能晚于结束时间').waitFor();
  expect(paramsOf(page)).toEqual({ typeId: '3' });
  await range.getByLabel('开始日期').fill('2020-01-01');
  await range.getByLabel('结束日期').fill('2026-11-30');
  await range.getByRole('button', { name: '按日期筛选' }).click();
  await expect.poll(() => paramsOf(page)).toEqual({ typeId: '3', start: '2020-01-01', end: '2026-11-30' });
  await expect.poll(() => chips(page).allInnerTexts()).toEqual(['折线图', '2020-01-01 至 2026-11-30', '清除筛选']);

  await chips(page).first().press('Enter');
  await expect.poll(() => paramsOf(page)).toEqual({ start: '2020-01-01', end: '2026-11-30' });
  await chips(page).last().press('Enter');
  await expect.poll(() => page.url()).toBe(`${site.origin}/chart`);
  await expect.poll(() => total(page)).toBe(all);

  // The address alone, refused by the server; an industry that the filter no longer offers keeps its chip.
  const answer = await page.request.get(`${site.origin}/chart?start=2026-01-02&end=2026-01-01`);
  expect(answer.status()).toBe(400);
  expect(await answer.text()).toContain('开始时间不能晚于结束时间');
  expect(errors).toEqual([]);
  await leave(page);
});

test('keeps what was typed before the scripts arrived, and takes the keyword of another address', async () => {
  const { page } = await openPage(browser);
  const release = await hold(page, /\/assets\/.*\.js$/);
  await page.goto(`${site.origin}/chart?keyword=预算`, { waitUntil: 'commit' });
  const field = page.getByRole('searchbox', { name: '搜索图表' });
  await field.fill('咖啡');
  release();
  await whenReady(page);
  expect(await field.inputValue()).toBe('咖啡');
  await field.press('Enter');
  await expect.poll(() => paramsOf(page)).toEqual({ keyword: '咖啡' });
  await page.goBack();
  await expect.poll(() => field.inputValue()).toBe('预算');
  await leave(page);
});

test('a filter that is chosen while another one is loading adds to it', async () => {
  const { page } = await openPage(browser);
  await visit(page, `${site.origin}/chart`);
  const release = await hold(page, /chart\.data/);
  const choose = async (label: string) => {
    await filter(page, label).click();
    await page.getByRole('list', { name: label }).getByRole('link').nth(1).click();
  };
  await choose('类型');
  await page.getByText('正在加载…').waitFor();
  await choose('行业');
  release();
  await expect.poll(() => Object.keys(paramsOf(page)).toSorted()).toEqual(['industryId', 'typeId']);
  await leave(page);
});

test('filters that are cleared while a keyword is on its way are cleared from its list', async () => {
  const { page } = await openPage(browser);
  await visit(page, `${site.origin}/chart?dateRange=3`);
  const release = await hold(page, /chart\.data/);
  const field = page.getByRole('searchbox', { name: '搜索图表' });
  await field.fill('预算');
  await field.press('Enter');
  await page.getByText('正在加载…').waitFor();
  await page.getByRole('list', { name: '已选筛选条件' }).getByRole('link', { name: '清除筛选' }).click();
  release();
  await expect.poll(() => paramsOf(page)).toEqual({ keyword: '预算' });
  await leave(page);
});

test('a keyword is forgiven, shows ten to a visitor, and leads to membership and login', async () => {
  const { page, errors } = await openPage(browser);
  await visit(page, `${site.origin}/chart`);
  await page.getByRole('searchbox', { name: '搜索图表' }).fill('fantailv');
  await page.keyboard.press('Enter');
  await page.getByText('没有找到“fantailv”').waitFor();
  expect(await cards(page).first().innerText()).toContain('首月日营收与翻台');

  await visit(page, `${site.origin}/chart?keyword=预算构成`);
  expect(await cards(page).count()).toBe(10);
  await page.getByText(/^共 \d+ 张，已显示 10 张$/).waitFor();
  expect(await page.getByRole('link', { name: /^开通高级会员，查看全部/ }).getAttribute('href')).toBe('/aboutVip');
  await visit(page, `${site.origin}/chart?keyword=预算构成&page=2`);
  expect(await cards(page).count()).toBe(0);
  await page.getByRole('link', { name: '回到前 10 张' }).click();
  await expect.poll(() => paramsOf(page)).toEqual({ keyword: '预算构成' });

  // Pictures are for members: the viewer says so, and opens by itself after the login.
  expect(await page.locator('main li img').count()).toBe(0);
  await cards(page).first().getByRole('button').press('Enter');
  const viewer = page.getByRole('dialog', { name: '预算构成' });
  await viewer.getByRole('button', { name: '登录后查看' }).click();
  await logInByName(page, 'reader', PASSWORD);
  await viewer.getByRole('img', { name: '预算构成' }).waitFor();
  await viewer.getByText('高级会员可查看').first().waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('an advanced member walks all results in the viewer, over the border of a page, and opens the original position', async () => {
  const { page, errors } = await openPage(browser);
  await enterAs(site, page, 'analyst', PASSWORD);
  await visit(page, `${site.origin}/chart?keyword=预算构成`);
  // The frame of a card has the colour of its picture, which is not always white.
  await expect
    .poll(() =>
      cards(page)
        .locator('span:has(> img)')
        .evaluateAll((frames) => new Set(frames.map((frame) => getComputedStyle(frame).backgroundColor)).size),
    )
    .toBeGreaterThan(1);
  const found = await total(page);
  expect(found).toBeGreaterThan(40);
  expect(await cards(page).count()).toBe(20);
  await cards(page).nth(18).getByRole('button').press('Enter');
  const viewer = page.getByRole('dialog');
  const place = (number: number) => viewer.getByText(`${number} / ${found}`, { exact: true }).waitFor();
  await place(19);
  await viewer.getByRole('table').waitFor();
  // The page below stays where it is; a press that begins in the viewer and ends beside it leaves the viewer open.
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).overflowY)).toBe('hidden');
  await viewer.getByRole('heading').hover();
  await page.mouse.down();
  await page.mouse.move(5, 5);
  await page.mouse.up();
  await page.keyboard.press('ArrowRight');
  await place(20);
  await viewer.getByRole('button', { name: '下一张图表' }).press('Enter');
  await place(21);
  await expect.poll(() => paramsOf(page)).toEqual({ keyword: '预算构成', page: '2' });
  await viewer.getByRole('button', { name: '上一张图表' }).press('Enter');
  await place(20);
  await expect.poll(() => paramsOf(page)).toEqual({ keyword: '预算构成' });

  for (const fact of ['类型', '行业', '方案编号', '发布时间', '来源方案', '原文位置'])
    await viewer.getByText(fact, { exact: true }).waitFor();
  await viewer.getByRole('link', { name: '下载 XLSX' }).waitFor();
  await viewer.getByRole('link', { name: '保存原图' }).waitFor();
  const position = viewer.getByRole('link', { name: /^第 \d+ 页$/ });
  const address = (await position.getAttribute('href')) ?? '';
  expect(address).toMatch(/^\/detail\/\d+#p=\d+$/);
  const opened = page.waitForEvent('popup');
  await position.press('Enter');
  expect((await opened).url()).toBe(`${site.origin}${address}`);
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'hidden' });
  expect(errors).toEqual([]);
  await leave(page);
});

test('Back closes the viewer, also after a turn over the border of a page', async () => {
  const { page } = await openPage(browser);
  await enterAs(site, page, 'analyst', PASSWORD);
  await visit(page, `${site.origin}/chart?keyword=预算构成`);
  await page.getByRole('navigation', { name: '图表分页' }).getByRole('link', { name: '下一页' }).click();
  await expect.poll(() => paramsOf(page)).toEqual({ keyword: '预算构成', page: '2' });
  await expect.poll(() => page.getByText('正在加载…').count()).toBe(0);
  await cards(page).nth(19).getByRole('button').press('Enter');
  const viewer = page.getByRole('dialog');
  await viewer.getByText(/^40 \//).waitFor();
  await page.keyboard.press('ArrowRight');
  await viewer.getByText(/^41 \//).waitFor();
  expect(paramsOf(page)).toEqual({ keyword: '预算构成', page: '3' });
  await page.goBack();
  await expect.poll(() => paramsOf(page)).toEqual({ keyword: '预算构成' });
  await viewer.waitFor({ state: 'hidden' });
  await page.goForward();
  await expect.poll(() => paramsOf(page)).toEqual({ keyword: '预算构成', page: '3' });
  expect(await viewer.count()).toBe(0);
  await leave(page);
});
