import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Locator, Page } from 'playwright-core';
import { closePages, hold, leave, openPage, whenReady } from './browser.ts';
import { addMembers, enterAs, PASSWORD } from './login.ts';
import { shareDemoSite, type SharedSite } from './shared-site.ts';
import { typeAtSite } from './type-at-site.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true } as const;

let site: SharedSite;
let browser: Browser;

beforeAll(async () => {
  // The demo library: decks of many themes, industries, sizes and prices.
  ({ site, browser } = await shareDemoSite());
  await addMembers(site, [['--username', 'filterer']]);
  const granted = await typeAtSite(
    site,
    'user',
    'grant-coins',
    '--username',
    'filterer',
    '--coins',
    '100',
    '--reason',
    'test',
  );
  expect(granted.code, granted.err).toBe(0);
});
afterAll(() => closePages(browser));

/** Opens a page of the site, and waits for its pictures and calls as well. */
async function visit(page: Page, path: string): Promise<void> {
  await page.goto(`${site.origin}${path}`, { waitUntil: 'networkidle' });
  await whenReady(page);
}

const paramsOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
const button = (page: Page, label: string) => page.locator('summary:visible', { hasText: label }).first();
const numberIn = async (place: Locator) => Number((await place.innerText()).replaceAll(/\D/g, ''));
const total = (page: Page) => numberIn(page.getByRole('status'));
const chips = (page: Page) => page.getByRole('list', { name: '已选筛选条件' }).getByRole('link');
const isFocused = (place: Locator) => place.evaluate((element) => element === document.activeElement);

/**
 * Runs in the page: closes the dialog, by its button or as Esc does, and jumps to a page before the browser does anything
 * else; with `isSeen` after React has taken the dialog away.
 */
async function closeAndJumpAtOnce({ way, isSeen }: { way: 'button' | 'Esc'; isSeen: boolean }): Promise<void> {
  const dialog = document.querySelector('dialog');
  if (way === 'Esc') dialog?.requestClose();
  else dialog?.querySelector<HTMLButtonElement>('[aria-label="关闭"]')?.click();
  if (isSeen) await Promise.resolve();
  document.querySelector<HTMLInputElement>('input[name=page]')?.form?.requestSubmit();
}

test('what the server loads at its first use comes in its place in the HTML, not behind the page', async () => {
  // The first page without results of this site: its words and its drawing are scripts of their own.
  const html = await (await fetch(`${site.origin}/report?search_key=zzqqxx`)).text();
  expect(html).toContain('没有找到相关方案');
  expect(html).not.toContain('<div hidden id="S:');
});

test('keeps what was typed before the scripts arrived, and takes the keyword of another address', async () => {
  const { page } = await openPage(browser);
  const release = await hold(page, /\/assets\/.*\.js$/);
  await page.goto(`${site.origin}/report?search_key=年会`, { waitUntil: 'commit' });
  const field = page.getByRole('combobox').first();
  await field.fill('咖啡');
  release();
  await whenReady(page);
  expect(await field.inputValue()).toBe('咖啡');
  await field.press('Enter');
  await page.waitForURL(/search_key=%E5%92%96%E5%95%A1/);
  await page.goBack();
  await expect.poll(() => field.inputValue()).toBe('年会');
  await leave(page);
});

test('a button that is pressed before the scripts arrived does its work when they are there', async () => {
  const { page } = await openPage(browser);
  const release = await hold(page, /\/assets\/.*\.js$/);
  await page.goto(`${site.origin}/report?search_key=年会`, { waitUntil: 'commit' });
  await page.getByRole('button', { name: '登录', exact: true }).click();
  expect(await page.getByRole('dialog').count()).toBe(0);
  release();
  await page.getByRole('dialog').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(1);
  await leave(page);
});

test('a button is forgotten when something else is pressed before the scripts arrived', async () => {
  const { page } = await openPage(browser);
  const release = await hold(page, /\/assets\/.*\.js$/);
  await page.goto(`${site.origin}/report?search_key=年会`, { waitUntil: 'commit' });
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await page.getByRole('heading', { level: 1 }).click();
  release();
  await whenReady(page);
  expect(await page.getByRole('dialog').count()).toBe(0);
  await leave(page);
});

test('the footer stays below the window while the page without results is loaded', async () => {
  const { page } = await openPage(browser, PHONE);
  await visit(page, '/report');
  const release = await hold(page, /\/assets\/no-results-[^/]*\.js$/);
  const field = page.getByRole('combobox').first();
  await field.fill('zzqqxx');
  await field.press('Enter');
  await expect.poll(() => total(page)).toBe(0);
  expect(await page.locator('footer').evaluate((footer) => footer.getBoundingClientRect().top)).toBeGreaterThan(844);
  release();
  await expect.poll(() => page.getByText('没有找到相关方案').count()).toBeGreaterThan(0);
  await leave(page);
});

test.each([900, 1024, 1280, 1440])('filters and sorts stand in one line at %i px', async (width) => {
  const { page } = await openPage(browser, { viewport: { width, height: 900 } });
  // Without a keyword there are plans that state a budget, people and days, so all filters and sorts are offered.
  await visit(page, '/report');
  const filters = await page.getByRole('navigation', { name: '筛选' }).boundingBox();
  const first = await page.getByRole('navigation', { name: '筛选' }).locator('summary').first().boundingBox();
  const end = await page.getByRole('group', { name: '显示方式' }).boundingBox();
  expect(filters?.height).toBeLessThan(2 * (first?.height ?? 0));
  expect(Math.abs((end?.y ?? 0) - (first?.y ?? 0))).toBeLessThan(first?.height ?? 0);
  await leave(page);
});

test('filters live in the address: counted, shared, taken back, and Back undoes them one by one', async () => {
  const { page, errors } = await openPage(browser);
  await visit(page, '/report?page=2');

  // A panel never stays open over what the focus goes on to.
  await button(page, '格式').focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('details[open]').count()).toBe(1);
  await page.keyboard.press('Tab');
  await expect.poll(() => page.locator('details[open]').count()).toBe(1);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await expect.poll(() => page.locator('details[open]').count()).toBe(0);

  // By keyboard alone: open, choose, and the focus is where it was.
  await button(page, '格式').focus();
  await page.keyboard.press('Enter');
  const pdf = page.getByRole('link', { name: /^PDF/ });
  const promised = await numberIn(pdf.locator('span').last());
  await pdf.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/filetype=2/);
  // Page 2 was of another list.
  expect(paramsOf(page)).toEqual({ filetype: '2' });
  await expect.poll(() => total(page)).toBe(promised);
  await expect.poll(() => isFocused(button(page, 'PDF'))).toBe(true);
  await expect.poll(() => page.locator('details[open]').count()).toBe(0);

  await button(page, '活动类型').click();
  const themes = page.getByRole('list', { name: '活动类型', exact: true });
  const theme = themes.getByRole('link').nth(1);
  const name = await theme.locator('span').first().innerText();
  const inTheme = await numberIn(theme.locator('span').last());
  await theme.click();
  await page.waitForURL(/theme_id=/);
  await expect.poll(() => total(page)).toBe(inTheme);
  await expect.poll(() => chips(page).allInnerTexts()).toEqual([name, 'PDF', '清除筛选']);

  // Shared, it is the same list.
  const { page: other } = await openPage(browser);
  await visit(other, new URL(page.url()).pathname + new URL(page.url()).search);
  await expect.poll(() => total(other)).toBe(inTheme);
  await expect.poll(() => chips(other).allInnerTexts()).toEqual([name, 'PDF', '清除筛选']);
  await leave(other);

  await page.goBack();
  await expect.poll(() => chips(page).allInnerTexts()).toEqual(['PDF', '清除筛选']);
  await expect.poll(() => total(page)).toBe(promised);
  await page.goBack();
  await expect.poll(() => paramsOf(page)).toEqual({ page: '2' });
  await expect.poll(() => chips(page).count()).toBe(0);
  await page.goForward();
  await page.goForward();
  await expect.poll(() => chips(page).count()).toBe(3);

  // A chip that goes hands the focus on; the last one to the heading.
  await chips(page).first().click();
  await expect.poll(() => chips(page).allInnerTexts()).toEqual(['PDF', '清除筛选']);
  await expect.poll(() => isFocused(chips(page).first())).toBe(true);
  // The heading of the list to come is shown first: the focus stays on the heading when the list arrives.
  const release = await hold(page, '**/report.data*');
  await page.getByRole('link', { name: '清除筛选' }).click();
  await page.getByText('正在加载…').waitFor();
  release();
  await expect.poll(() => paramsOf(page)).toEqual({});
  await expect.poll(() => page.getByText('正在加载…').count()).toBe(0);
  await expect.poll(() => isFocused(page.getByRole('heading', { level: 1 }))).toBe(true);
  expect(errors).toEqual([]);
  await leave(page);
});

test('a panel closes by Esc, with the focus back on its button, by a press beside it, and when another opens', async () => {
  const { page } = await openPage(browser);
  await visit(page, '/report');
  const open = page.locator('details[open]');
  await button(page, '时间').click();
  expect(await open.count()).toBe(1);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  await expect.poll(async () => [await open.count(), await isFocused(button(page, '时间'))]).toEqual([0, true]);
  await button(page, '时间').click();
  await button(page, '页数').click();
  await expect.poll(() => open.locator('summary').allInnerTexts()).toEqual(['页数']);
  await page.getByRole('heading', { level: 1 }).click();
  await expect.poll(() => open.count()).toBe(0);
  await leave(page);
});

test('the order is in the address too, and a new keyword keeps filters and order; an input method’s Enter searches nothing', async () => {
  const { page, errors } = await openPage(browser);
  await visit(page, '/report?filetype=1');
  await page.getByRole('navigation', { name: '排序' }).getByRole('link', { name: '页数最多' }).click();
  await page.waitForURL(/sort=pages/);
  const pagesOf = async () =>
    (await page.locator('[data-switchable] li').allInnerTexts()).map((text) => Number(/(\d+) 页/.exec(text)?.[1] ?? 0));
  await expect
    // Skeletons have no number of pages.
    .poll(async () =>
      (await pagesOf()).every((count, at, all) => count > 0 && (at === 0 || count <= (all[at - 1] ?? 0))),
    )
    .toBe(true);
  expect((await pagesOf()).length).toBe(15);

  const field = page.getByRole('combobox');
  await field.fill('小红书');
  await field.dispatchEvent('keydown', { key: 'Enter', keyCode: 229, isComposing: true, bubbles: true });
  expect(paramsOf(page)).toEqual({ filetype: '1', sort: 'pages' });
  await field.press('Enter');
  await page.waitForURL(/search_key=/);
  expect(paramsOf(page)).toEqual({ search_key: '小红书', filetype: '1', sort: 'pages' });
  await page.getByRole('heading', { name: '小红书 的搜索结果' }).waitFor();

  await page.getByRole('button', { name: '列表显示' }).click();
  await page.reload();
  await expect.poll(() => page.locator('html').getAttribute('data-display')).toBe('list');
  expect(paramsOf(page)).toEqual({ search_key: '小红书', filetype: '1', sort: 'pages' });
  expect(errors).toEqual([]);
  await leave(page);
});

test('links of orders, pages and the footer stay in the document; with Ctrl they open a tab of their own', async () => {
  const { page, errors } = await openPage(browser);
  await visit(page, '/report');
  await page.evaluate(() => Object.assign(globalThis, { isFirstDocument: true }));
  const newest = page.getByRole('navigation', { name: '排序' }).getByRole('link', { name: '最新' });
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    newest.click({ modifiers: ['ControlOrMeta'] }),
  ]);
  await tab.waitForURL(/sort=newest/);
  await tab.close();
  expect(paramsOf(page)).toEqual({});

  // Another order keeps the place on the page; the order that is shown already is no step of the history.
  await page.evaluate(() => window.scrollTo(0, 60));
  await newest.click();
  await page.waitForURL(/sort=newest/);
  expect(await page.evaluate(() => window.scrollY)).toBe(60);
  const steps = await page.evaluate(() => history.length);
  await newest.click();
  await page.waitForLoadState('networkidle');
  expect(await page.evaluate(() => history.length)).toBe(steps);

  // Another page begins at its top.
  await page.getByRole('navigation', { name: '搜索结果分页' }).getByRole('link', { name: '第 2 页' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/page=2/);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  await page.getByRole('contentinfo').getByRole('link', { name: '首页' }).click();
  await page.waitForURL(/\/index/);
  await page.goBack();
  await page.waitForURL(/page=2/);
  expect(await page.evaluate(() => Reflect.get(globalThis, 'isFirstDocument'))).toBe(true);
  expect(errors).toEqual([]);
  await leave(page);
});

test('below few results stand plans of the same industry like the first of them, none of which is a result', async () => {
  const { page, errors } = await openPage(browser);
  await visit(page, '/report?search_key=豆子邮局');
  const similar = page.getByRole('region', { name: '结果不多，茶饮咖啡行业还有这些方案' });
  const idsIn = async (links: ReturnType<typeof page.locator>) =>
    links.evaluateAll((found) => found.map((link) => link.getAttribute('href')?.replace(/#.*/, '') ?? ''));
  const below = await idsIn(similar.locator('a[href^="/detail/"]'));
  expect(below.length).toBeGreaterThan(0);
  const all = await idsIn(page.locator('#results a[href^="/detail/"]'));
  expect(all.filter((href) => below.includes(href))).toEqual(below);
  await visit(page, '/report?search_key=品牌');
  expect(await similar.count()).toBe(0);
  expect(errors).toEqual([]);
  await leave(page);
});

test('nothing found under filters: each can be dropped, or all', async () => {
  const { page } = await openPage(browser);
  await visit(page, `/report?search_key=${encodeURIComponent('小红书')}&filetype=2&pages=4&free=1`);
  await page.getByText('筛选条件下没有相关方案').waitFor();
  await expect.poll(() => total(page)).toBe(0);
  await page.getByRole('link', { name: 'PDF ×' }).click();
  await expect.poll(() => paramsOf(page)).toEqual({ search_key: '小红书', pages: '4', free: '1' });
  await page.goBack();
  await page.getByRole('link', { name: '清除筛选' }).last().click();
  await expect.poll(() => paramsOf(page)).toEqual({ search_key: '小红书' });
  await expect.poll(() => total(page)).toBeGreaterThan(0);
  await leave(page);
});

test('on a phone the filters are in a sheet that counts along, and one step back undoes the visit to it', async () => {
  const { page, errors } = await openPage(browser, PHONE);
  await visit(page, '/report');
  const all = await total(page);
  const open = page.getByRole('button', { name: '筛选' });
  await open.click();
  const sheet = page.getByRole('dialog', { name: '筛选' });
  await sheet.waitFor();
  await sheet.getByRole('link', { name: /^PPT/ }).click();
  await sheet.locator('a[aria-current]', { hasText: 'PPT' }).waitFor();
  await expect.poll(() => paramsOf(page)).toEqual({ filetype: '1' });
  const free = sheet.getByRole('link', { name: /^免费/ });
  const left = await numberIn(free.locator('span').last());
  await free.click();
  await sheet.locator('a[aria-current]', { hasText: '免费' }).waitFor();
  await expect.poll(() => paramsOf(page)).toEqual({ filetype: '1', free: '1' });
  await sheet.getByRole('button', { name: `查看 ${left} 份方案` }).click();
  await sheet.waitFor({ state: 'hidden' });
  await expect.poll(() => total(page)).toBe(left);
  await expect.poll(() => isFocused(open)).toBe(true);
  await expect.poll(() => open.innerText()).toContain('2');
  await expect.poll(() => chips(page).allInnerTexts()).toEqual(['PPT', '免费', '清除筛选']);

  await page.goBack();
  await expect.poll(() => paramsOf(page)).toEqual({});
  await expect.poll(() => total(page)).toBe(all);

  // Back while it is open takes the choice back and the sheet away; Esc only the sheet.
  await open.click();
  await sheet.getByRole('link', { name: /^PDF/ }).click();
  await page.waitForURL(/filetype=2/);
  await page.goBack();
  await sheet.waitFor({ state: 'hidden' });
  await expect.poll(() => paramsOf(page)).toEqual({});
  await open.click();
  await sheet.waitFor();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'hidden' });
  expect(errors).toEqual([]);
  await leave(page);
});

test.each([
  ['a desk', {}],
  ['a phone', PHONE],
])('without scripts all of it are links, on %s', async (_where, screen) => {
  const { page } = await openPage(browser, { ...screen, javaScriptEnabled: false });
  await page.goto(`${site.origin}/report`);
  await button(page, '格式').click();
  await page.getByRole('link', { name: /^PDF/ }).click();
  await expect.poll(() => paramsOf(page)).toEqual({ filetype: '2' });
  await page.getByRole('link', { name: /^免费/ }).click();
  await expect.poll(() => paramsOf(page)).toEqual({ filetype: '2', free: '1' });
  await page.getByRole('combobox').fill('方案');
  await page.getByRole('button', { name: '搜索', exact: true }).click();
  await expect.poll(() => paramsOf(page)).toEqual({ search_key: '方案', filetype: '2', free: '1' });
  await expect.poll(() => chips(page).allInnerTexts()).toEqual(['PDF', '免费', '清除筛选']);
  await page.getByRole('link', { name: '清除筛选' }).first().click();
  await expect.poll(() => paramsOf(page)).toEqual({ search_key: '方案' });
  await leave(page);
});

test('nothing moves while a list is on its way', async () => {
  const { page } = await openPage(browser);
  await visit(page, '/report');
  // Playwright cannot know of the observer's own entry type.
  await page.evaluate(() => {
    const shifts: number[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if ('value' in entry && 'hadRecentInput' in entry && !entry.hadRecentInput) shifts.push(Number(entry.value));
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const release = await hold(page, /report\.data/);
  await page.getByRole('navigation', { name: '排序' }).getByRole('link', { name: '最新' }).click();
  await page.locator('[data-skeleton=""]').first().waitFor();
  await expect.poll(() => page.locator('[data-skeleton=""]').count()).toBe(15);
  const height = (place: Locator) =>
    place.first().evaluate((element) => Math.round(element.getBoundingClientRect().height));
  const waiting = await height(page.locator('[data-switchable] li'));
  release();
  await page.waitForURL(/sort=newest/);
  await page.locator('[data-skeleton=""]').first().waitFor({ state: 'detached' });
  expect(await height(page.locator('[data-switchable] li'))).toBe(waiting);
  const shifts = await page.evaluate(() => Reflect.get(globalThis, 'shifts'));
  expect(shifts).toEqual([]);
  await leave(page);
});

test('covers that fail before the script is there are no broken images', async () => {
  const { page } = await openPage(browser);
  let failed = 0;
  await page.route('**/cover.webp', async (route) => {
    failed += 1;
    await route.abort();
  });
  const release = await hold(page, '**/assets/*.js');
  // The page counts as loaded once its scripts are there.
  await page.goto(`${site.origin}/report`, { waitUntil: 'commit' });
  const broken = () =>
    page
      .locator('[data-switchable] img')
      .evaluateAll(
        (images) =>
          images.filter((image) => image instanceof HTMLImageElement && image.complete && image.naturalWidth === 0)
            .length,
      );
  await expect.poll(broken).toBeGreaterThan(0);
  expect(failed).toBeGreaterThan(0);
  release();
  await page.locator('[data-switchable] li svg').first().waitFor();
  await whenReady(page);
  await expect.poll(broken).toBe(0);
  await leave(page);
});

test('on a phone a search closes the keyboard and stays in its tab; the field is cleared by our own button', async () => {
  const { page, errors } = await openPage(browser, PHONE);
  await visit(page, '/index');
  const field = page.getByRole('combobox');
  const clear = page.getByRole('button', { name: '清空关键词' });
  expect(await clear.isVisible()).toBe(false);
  await field.fill('咖');
  // The computed style of the browser's own button cannot be asked for: the rule that takes it away can.
  const hasNoCancel = (input: Element) => {
    const pseudo = '::-webkit-search-cancel-button';
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
    return rules.some(
      (rule) =>
        rule instanceof CSSStyleRule &&
        rule.selectorText.endsWith(pseudo) &&
        rule.style.display === 'none' &&
        input.matches(rule.selectorText.slice(0, -pseudo.length)),
    );
  };
  expect(await field.evaluate(hasNoCancel)).toBe(true);
  await clear.click();
  await expect.poll(() => field.inputValue()).toBe('');
  await expect.poll(() => isFocused(field)).toBe(true);

  await field.fill('咖啡');
  await field.press('Enter');
  await page.waitForURL(/\/report\?search_key=/);
  await page.getByRole('heading', { name: '咖啡 的搜索结果' }).waitFor();
  expect(page.context().pages()).toHaveLength(1);
  await field.fill('音乐节');
  await field.press('Enter');
  await page.getByRole('heading', { name: '音乐节 的搜索结果' }).waitFor();
  await expect.poll(() => isFocused(field)).toBe(false);
  expect(errors).toEqual([]);
  await leave(page);
});

test('on a desktop the field keeps the focus after a search', async () => {
  const { page } = await openPage(browser);
  await visit(page, '/report');
  const field = page.getByRole('combobox');
  await field.fill('咖啡');
  await field.press('Enter');
  await page.getByRole('heading', { name: '咖啡 的搜索结果' }).waitFor();
  await expect.poll(() => isFocused(field)).toBe(true);
  await leave(page);
});

test('what is only near is counted apart, stands under a line of its own and says what it stands for', async () => {
  const { page } = await openPage(browser);
  await visit(page, '/report?search_key=无人机');
  const main = page.getByRole('main');
  await main.getByText('共 1 份方案，都在正文页里提到，另有 2 份部分符合或相近').waitFor();
  await main.getByText('以上 1 份全部符合，以下内容相近').waitFor();
  await expect.poll(() => main.getByText('手机数码 与“无人机”相近').count()).toBe(2);
  expect(await main.getByText('缺：').count()).toBe(0);
  // What lacks a word names it first: the end of the line may be cut off.
  await visit(page, '/report?search_key=三天以内 团建');
  await main.getByText('部分符合缺：三天；有：').first().waitFor();
  await leave(page);
});

test('a page without results has nothing to filter or sort', async () => {
  const { page } = await openPage(browser);
  await visit(page, '/report?search_key=升学宴');
  await page.getByText('没有找到相关方案，换个关键词试试').waitFor();
  expect(await page.getByRole('navigation', { name: '筛选' }).count()).toBe(0);
  expect(await page.getByRole('navigation', { name: '排序' }).count()).toBe(0);
  await leave(page);
});

test('while another list is on its way, the heading says what is being looked for', async () => {
  const { page } = await openPage(browser);
  await visit(page, '/report?theme_id=1');
  const heading = page.getByRole('heading', { level: 1 });
  expect(await heading.innerText()).toBe('节日营销 推荐方案');
  const release = await hold(page, /report\.data/);
  const field = page.getByRole('combobox');
  await field.fill('咖啡');
  await field.press('Enter');
  await page.locator('[data-skeleton=""]').first().waitFor();
  expect(await heading.innerText()).toBe('咖啡');
  await expect.poll(() => page.getByText('正在搜索…').count()).toBe(1);
  release();
  await page.getByRole('heading', { name: '咖啡 的搜索结果' }).waitFor();
  await leave(page);
});

test('a filter that is chosen while another one is loading adds to it', async () => {
  const { page } = await openPage(browser);
  await visit(page, '/report');
  const release = await hold(page, /report\.data/);
  const filter = async (label: string) => {
    const bar = page.getByRole('navigation', { name: '筛选' });
    await bar.locator('summary', { hasText: label }).click();
    await bar.getByRole('list', { name: label }).getByRole('link').nth(1).click();
  };
  await filter('活动类型');
  await page.locator('[data-skeleton=""]').first().waitFor();
  await filter('行业');
  release();
  await expect.poll(() => Object.keys(paramsOf(page)).toSorted()).toEqual(['industry_id', 'theme_id']);
  await leave(page);
});

test('on a phone the sheet stays open while the filters that left nothing are cleared', async () => {
  const { page } = await openPage(browser, PHONE);
  await visit(page, '/report?pubdate=1999');
  await page.getByRole('button', { name: '筛选' }).click();
  const sheet = page.getByRole('dialog', { name: '筛选' });
  const release = await hold(page, /report\.data/);
  await sheet.getByRole('link', { name: '清除筛选' }).click();
  await page.locator('[data-skeleton=""]').first().waitFor({ state: 'attached' });
  expect(await sheet.count()).toBe(1);
  release();
  await sheet.getByRole('button', { name: /^查看前? [1-9]/ }).click();
  await sheet.waitFor({ state: 'hidden' });
  await leave(page);
});

test('the wall: a visitor is offered membership, an ordinary user who turns the page gets the dialog and stays', async () => {
  const address = `/report?search_key=${encodeURIComponent('营销')}`;
  const { page } = await openPage(browser);
  await visit(page, address);
  const found = await total(page);
  const way = page.getByRole('link', { name: `开通会员，查看全部 ${found} 份` });
  expect(await way.getAttribute('href')).toBe('/aboutVip');
  await page.getByText(`开通会员后可查看其余 ${found - 10} 份`).waitFor();
  await page.getByRole('main').getByRole('button', { name: '登录', exact: true }).click();
  await page.getByRole('dialog').waitFor();
  await leave(page);

  const { page: ordinary } = await openPage(browser);
  await enterAs(site, ordinary, 'filterer', PASSWORD);
  await visit(ordinary, address);
  const dialog = ordinary.getByRole('dialog', { name: 'VIP解锁无限方案搜索' });
  await ordinary.getByRole('link', { name: '第 2 页' }).click();
  await dialog.waitFor();
  await expect.poll(() => dialog.getByRole('link', { name: '查看会员权益' }).getAttribute('href')).toBe('/aboutVip');
  await dialog.getByRole('button', { name: '立即开通' }).waitFor();
  expect(paramsOf(ordinary)).toEqual({ search_key: '营销' });
  await whenReady(ordinary);
  await ordinary.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  const jumper = ordinary.getByRole('spinbutton');
  await jumper.fill('2');
  await jumper.press('Enter');
  await dialog.waitFor();
  expect(paramsOf(ordinary)).toEqual({ search_key: '营销' });
  for (const way of ['button', 'Esc'] as const)
    for (const isSeen of [true, false]) {
      await ordinary.evaluate(closeAndJumpAtOnce, { way, isSeen });
      await dialog.waitFor();
    }
  await ordinary.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await leave(ordinary);
});

test('a member whose session was ended elsewhere is told so by the next page of results', async () => {
  const { page, errors } = await openPage(browser);
  const token = await enterAs(site, page, 'vip', await site.demoPassword());
  await visit(page, `/report?search_key=${encodeURIComponent('营销')}`);
  await whenReady(page);
  await fetch(`${site.origin}/api/user/webLogout`, { method: 'POST', headers: { token } });
  await page.getByRole('link', { name: '第 2 页' }).click();
  await page.getByText('登录状态已失效，请重新登录').waitFor();
  await page.getByRole('banner').getByRole('button', { name: '登录', exact: true }).waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('decks that only mention a word are counted below the list, and shown on request', async () => {
  const { page } = await openPage(browser);
  await visit(page, `/report?search_key=${encodeURIComponent('抖音')}`);
  const found = await total(page);
  const line = page.getByText(/^另有 \d+ 份方案只在正文里顺带提到/);
  const more = Number(/\d+/.exec((await line.textContent()) ?? '')?.[0]);
  expect(more).toBeGreaterThan(0);
  await line.getByRole('link', { name: '全部显示' }).click();
  await page.waitForURL(/[?&]exact=1/);
  await expect.poll(() => total(page)).toBeGreaterThan(found);
  await expect.poll(() => line.count()).toBe(0);
  await leave(page);
});

/** Lets the clock of a page, which stands still, go on a little at a time until the refusal has been told. Resolves to the milliseconds that passed. */
async function whenWarned(page: Page): Promise<number> {
  const warning = page.getByText('普通用户仅可查看前10条搜索结果，开通VIP解锁无限方案搜索');
  let passedMs = 0;
  const isWarned = async () => {
    await page.clock.runFor(10);
    passedMs += 10;
    return warning.isVisible();
  };
  await expect.poll(isWarned, { interval: 100, timeout: 15_000 }).toBe(true);
  return passedMs;
}

test('behind the wall: a visitor stays and has both ways on, an ordinary user is warned and led to the plans after 2 s', async () => {
  const address = `/report?search_key=${encodeURIComponent('营销')}&page=2`;
  const { page } = await openPage(browser);
  await visit(page, address);
  const found = await total(page);
  const main = page.getByRole('main');
  await main.getByText(`共 ${found} 份，仅可查看前 10 份`).waitFor();
  await main.getByRole('link', { name: `开通会员，查看全部 ${found} 份` }).waitFor();
  await main.getByRole('button', { name: '登录', exact: true }).waitFor();
  await expect.poll(() => main.locator('a[href^="/detail/"]').count()).toBe(0);
  await main.getByRole('link', { name: '回到前 10 份' }).click();
  const cards = main.locator('[data-switchable] > li', { has: page.locator('a[href^="/detail/"]') });
  await expect.poll(() => cards.count()).toBe(10);
  // A list that ends on its first page has nothing to unlock.
  await visit(page, `/report?search_key=${encodeURIComponent('音乐节')}&page=2`);
  expect(await total(page)).toBeLessThanOrEqual(10);
  await main.getByText('这一页没有方案了').waitFor();
  await expect.poll(() => main.getByText('开通会员').count()).toBe(0);
  await leave(page);

  const { page: ordinary } = await openPage(browser);
  await enterAs(site, ordinary, 'filterer', PASSWORD);
  await visit(ordinary, '/report');
  // The page's own clock goes on by hand.
  await ordinary.clock.install();
  await ordinary.clock.pauseAt(Date.now() + 60_000);
  await visit(ordinary, address);
  await whenReady(ordinary);
  const passedMs = await whenWarned(ordinary);
  await ordinary.clock.runFor(1_900 - passedMs);
  expect(new URL(ordinary.url()).pathname).toBe('/report');
  await ordinary.clock.runFor(100 + passedMs);
  await ordinary.waitForURL(`${site.origin}/aboutVip`);
  // The refused page is not in the history: Back leads before it.
  await ordinary.goBack();
  expect(ordinary.url()).toBe(`${site.origin}/report`);
  await leave(ordinary);
});

test('a page that an ordinary user opens behind the wall comes, though it takes longer than they are let stay', async () => {
  const { page } = await openPage(browser);
  await enterAs(site, page, 'filterer', PASSWORD);
  await visit(page, '/report');
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await visit(page, `/report?search_key=${encodeURIComponent('营销')}&page=2`);
  await whenWarned(page);
  const release = await hold(page, /\.data(\?|$)/);
  await page.getByRole('navigation', { name: '主导航' }).getByRole('link', { name: '专题' }).click();
  await page.getByRole('progressbar', { name: '页面加载中' }).waitFor({ state: 'attached' });
  await whenReady(page);
  await page.clock.runFor(3_000);
  release();
  await page.getByRole('heading', { level: 1, name: '专题' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/collection');
  await leave(page);
});

test('what was bought in another tab is 已购 on the list one comes back to, and nobody else’s', async () => {
  const { page, errors } = await openPage(browser);
  const token = await enterAs(site, page, 'filterer', PASSWORD);
  await visit(page, '/report?filetype=1');
  const card = page.locator('[data-switchable] li', { hasText: /\d 喵币/ }).first();
  const fid = Number(/\d+$/.exec((await card.getByRole('link').first().getAttribute('href')) ?? '')?.[0]);
  const mine = page.locator('[data-switchable] li', { has: page.locator(`a[href="/detail/${fid}"]`) });
  await expect.poll(() => mine.getByText('已购').count()).toBe(0);
  const bought = await fetch(`${site.origin}/api/doc/download`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', token },
    body: JSON.stringify({ fid }),
  });
  expect(await bought.json()).toMatchObject({ code: 0 });
  // A headless tab is always visible: only the event of coming back is given.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await mine.getByText('已购', { exact: true }).waitFor();
  await expect.poll(() => mine.getByText('喵币').count()).toBe(0);
  await expect.poll(() => mine.getByText('VIP 免费').count()).toBe(0);
  await page.reload();
  await mine.getByText('已购', { exact: true }).waitFor();
  expect(errors).toEqual([]);
  await leave(page);

  const { page: visitor } = await openPage(browser);
  await visit(visitor, '/report?filetype=1');
  await expect.poll(() => visitor.getByText('已购', { exact: true }).count()).toBe(0);
  await leave(visitor);
});

test('the home page comes to rest within five seconds, and its first tab has a whole focus ring', async () => {
  const { page } = await openPage(browser);
  await visit(page, '/index');
  const ends = await page.evaluate(() =>
    document.getAnimations().map((animation) => Number(animation.effect?.getComputedTiming().endTime)),
  );
  expect(ends.filter((end) => !(end <= 5000))).toEqual([]);
  const [tab, row] = await page
    .getByRole('navigation', { name: '活动类型' })
    .evaluate((nav) => [nav.querySelector('a')?.getBoundingClientRect().left, nav.getBoundingClientRect().left]);
  expect(tab).toBeGreaterThanOrEqual(row ?? Number.NaN);
  await leave(page);
});

test('a page whose script is gone after a release reloads once, and not twice within 60 s', async () => {
  const { page } = await openPage(browser);
  await page.clock.install();
  let loads = 0;
  page.on('load', () => (loads += 1));
  await page.route(/\/assets\/about-vip-page-[^/]*\.js$/, (route) => route.fulfill({ status: 404 }));
  const open = async () => {
    await whenReady(page);
    await page.getByRole('banner').getByRole('link', { name: '开通会员' }).click();
  };
  await page.goto(`${site.origin}/index`);
  await open();
  await expect.poll(() => loads).toBe(2);
  await open();
  await page.getByText('页面内容加载失败，请检查网络后刷新').waitFor();
  expect(loads).toBe(2);
  await page.clock.fastForward(61_000);
  await page.goto(`${site.origin}/index`);
  await open();
  await expect.poll(() => loads).toBe(4);
  await leave(page);
});

test('where the browser keeps nothing for the page, a script that is gone reloads it once as well', async () => {
  const { page } = await openPage(browser);
  await page.addInitScript(() =>
    Object.defineProperty(window, 'sessionStorage', {
      get: () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      },
    }),
  );
  let loads = 0;
  page.on('load', () => (loads += 1));
  await page.route(/\/assets\/about-vip-page-[^/]*\.js$/, (route) => route.fulfill({ status: 404 }));
  await page.goto(`${site.origin}/index`);
  for (const expected of [2, 2]) {
    await whenReady(page);
    await page.getByRole('banner').getByRole('link', { name: '开通会员' }).click();
    await expect.poll(() => loads).toBe(expected);
  }
  await page.getByText('页面内容加载失败，请检查网络后刷新').waitFor();
  expect(loads).toBe(2);
  await leave(page);
});

test('a search that fails keeps field and filters, offers another try, and is made again as soon as the network is back', async () => {
  const { page } = await openPage(browser);
  await visit(page, `/report?search_key=${encodeURIComponent('活动')}`);
  await page.context().setOffline(true);
  const field = page.getByRole('search').getByRole('combobox');
  await field.fill('露营');
  await field.press('Enter');
  await page.getByRole('heading', { level: 1, name: '暂时无法搜索' }).waitFor();
  await page.getByText('当前没有网络连接，恢复后会自动重新打开').waitFor();
  await page.getByRole('banner').getByRole('link', { name: '搜方案' }).waitFor();
  await page.getByRole('contentinfo').waitFor();
  expect(await field.inputValue()).toBe('露营');
  const filters = page.getByRole('navigation', { name: '排序' });
  await filters.waitFor();
  await page.context().setOffline(false);
  await page.getByRole('heading', { name: '露营 的搜索结果' }).waitFor();
  // What the server cannot answer is said in the same place, without a word about the network.
  await page.route(/\/report\.data/, (route) => route.fulfill({ status: 503, body: '' }));
  await field.fill('年会');
  await field.press('Enter');
  await page.getByText('服务器开小差了，请稍后再试').waitFor();
  expect(await page.getByRole('banner').getByRole('link', { name: '搜方案' }).isVisible()).toBe(true);
  expect(await filters.isVisible()).toBe(true);
  await page.unroute(/\/report\.data/);
  await page.getByRole('button', { name: '重试' }).click();
  await page.getByRole('heading', { name: '年会 的搜索结果' }).waitFor();
  await page.close();
});

test('a theme of the home page that cannot be loaded keeps hero and tabs, and offers another try', async () => {
  const { page } = await openPage(browser);
  await visit(page, '/index');
  await page.route(/\/index\.data/, (route) => route.fulfill({ status: 503, body: '' }));
  const tab = page.getByRole('navigation', { name: '活动类型' }).getByRole('link').nth(1);
  await tab.click();
  await page.getByRole('alert').getByText('暂时无法读取方案').waitFor();
  await page.getByRole('heading', { level: 1, name: /下一场活动/ }).waitFor();
  expect(await tab.getAttribute('aria-current')).toBe('page');
  await page.unroute(/\/index\.data/);
  await page.getByRole('button', { name: '重试' }).click();
  await page.locator('#plans a[href^="/detail/"]').first().waitFor();
  await page.getByRole('alert').waitFor({ state: 'hidden' });
  await page.close();
});

test('without a network: pages a visitor saw, else the offline page; never a page of a member', async () => {
  const { page } = await openPage(browser, { serviceWorkers: 'allow' });
  const context = page.context();
  const kept = () =>
    page.evaluate(async () => {
      const names = (await caches.keys()).filter((name) => name.startsWith('ceku-pages-'));
      const pages = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return pages.flat().map(({ url }) => new URL(url).pathname + new URL(url).search);
    });
  await visit(page, '/index');
  await page.evaluate(() => navigator.serviceWorker.ready);
  const session = await context.newCDPSession(page);
  expect((await session.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([]);
  // A second session on the page would keep it online.
  await session.detach();
  await visit(page, '/report?theme_id=1');
  await visit(page, `/report?search_key=${encodeURIComponent('年会')}`);
  await visit(page, '/user/index');
  await expect.poll(kept, { timeout: 15_000 }).toEqual(['/report?theme_id=1']);

  await context.setOffline(true);
  await page.goto(`${site.origin}/report?theme_id=1`);
  await page.getByRole('heading', { name: '节日营销 推荐方案' }).waitFor();
  await page.getByText('当前没有网络连接，恢复后可继续浏览').waitFor();
  expect((await page.goto(`${site.origin}/aboutVip`))?.status()).toBe(503);
  await page.getByRole('heading', { name: '暂时连不上网站' }).waitFor();
  // It opens the page by itself as soon as the site is there.
  await context.setOffline(false);
  await page.getByRole('heading', { name: /把找方案的时间/ }).waitFor();

  await enterAs(site, page, 'filterer', PASSWORD);
  await visit(page, '/index');
  await page.getByRole('banner').getByRole('button', { name: '打开账号菜单' }).waitFor();
  await expect.poll(kept, { timeout: 15_000 }).toEqual([]);
  await visit(page, '/user/index');
  await visit(page, '/detail/1');
  expect(await kept()).toEqual([]);
  await context.setOffline(true);
  expect((await page.goto(`${site.origin}/user/index`))?.status()).toBe(503);
  await expect.poll(() => page.getByText('喵币').count()).toBe(0);
  await context.setOffline(false);
  await page.getByRole('heading', { name: '我的会员' }).waitFor();
  await visit(page, '/user/index');
  await page.getByRole('banner').getByRole('button', { name: '打开账号菜单' }).click();
  await page.getByRole('button', { name: '退出登录' }).click();
  await page.getByText('退出登录成功').waitFor();
  await context.setOffline(true);
  expect((await page.goto(`${site.origin}/user/index`))?.status()).toBe(503);
  expect((await page.goto(`${site.origin}/detail/1`))?.status()).toBe(503);
  await leave(page);
});

test('the service worker names its build and is requested again each time', async () => {
  const answer = await fetch(`${site.origin}/sw.js`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^text\/javascript/);
  expect(answer.headers.get('cache-control')).toBe('no-cache');
  const script = await answer.text();
  expect(script).not.toContain('__BUILD__');
  // One script of its own: a worker that imports could not be registered as this one is.
  expect(script).not.toMatch(/\bimport\b/);
});

test('collections: twelve a page, each opens in a new tab with its documents, which link to their own pages', async () => {
  const { page, errors } = await openPage(browser);
  await visit(page, '/index');
  await page.getByRole('navigation', { name: '主导航' }).getByRole('link', { name: '专题' }).click();
  await page.waitForURL(/\/collection$/);
  await page.getByRole('heading', { level: 1, name: '专题' }).waitFor();
  const cards = page.locator('main a[href^="/collection/detail?id="]');
  await expect.poll(() => cards.count()).toBe(12);
  await page.getByRole('navigation', { name: '专题分页' }).getByRole('link', { name: '下一页' }).click();
  await page.waitForURL(/\/collection\?page=2$/);
  await expect.poll(() => cards.count()).toBe(5);

  const card = cards.first();
  const name = await card.getByRole('heading').innerText();
  const count = await numberIn(card.getByText(/份方案$/));
  const [opened] = await Promise.all([page.context().waitForEvent('page'), card.click()]);
  await whenReady(opened);
  expect(new URL(opened.url()).pathname).toBe('/collection/detail');
  expect(await opened.getByRole('heading', { level: 1 }).innerText()).toBe(name);
  const files = opened.locator('main a[href^="/detail/"]');
  expect(await files.count()).toBe(count);
  expect(await opened.title()).toContain(name);

  const missing = await page.goto(`${site.origin}/collection/detail?id=999999`);
  expect(missing?.status()).toBe(404);
  await page.getByRole('link', { name: '看看其他专题' }).click();
  await page.waitForURL(/\/collection$/);
  // The browser itself says that the 404 is one.
  expect(errors.filter((error) => !error.includes('404'))).toEqual([]);
  await leave(page);
});
