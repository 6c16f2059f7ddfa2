import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closePages, hold, leave, openPage, visit, whenReady } from './browser.ts';
import { addMembers, enterAs, openMenu, PASSWORD } from './login.ts';
import { shareDemoSite, type SharedSite } from './shared-site.ts';
import { typeAtSite } from './type-at-site.ts';

/** Where things stand on the screen, which no other journey sees: these know texts and states, not geometry. */
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const TABLET = { viewport: { width: 768, height: 1024 } };

let site: SharedSite;
let browser: Browser;

beforeAll(async () => {
  ({ site, browser } = await shareDemoSite());
  await addMembers(
    site,
    ['layoutnew', 'layoutpaid'].map((name) => ['--username', name]),
  );
  const terms = ['--username', 'layoutpaid', '--tier', '2', '--days', '30', '--reason', 'test'];
  expect((await typeAtSite(site, 'user', 'grant-vip', ...terms)).code).toBe(0);
});
afterAll(() => closePages(browser));

/** Returns where the first element that is found stands in the window, in whole pixels. */
const boxOf = (place: Locator) =>
  place.first().evaluate((element) => {
    const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
    return {
      left: Math.round(left),
      top: Math.round(top),
      right: Math.round(right),
      bottom: Math.round(bottom),
      width: Math.round(width),
      height: Math.round(height),
    };
  });

async function enter(username: string, path: string, options: object): Promise<Page> {
  const { page } = await openPage(browser, options);
  await enterAs(site, page, username, PASSWORD);
  await visit(page, site.origin + path);
  return page;
}

test('on a phone the star of a card stands below its cover, large enough for a finger, in both displays', async () => {
  const { page } = await openPage(browser, PHONE);
  await visit(page, `${site.origin}/report`);
  const card = page.locator('li:has(> * > a[href^="/detail/"])').first();
  const star = card.getByRole('button', { name: /^收藏/ });
  const title = card.getByRole('heading');
  const cards = { cover: await boxOf(card.locator('img')), star: await boxOf(star), title: await boxOf(title) };
  expect(cards.star.top).toBeGreaterThan(cards.cover.bottom);
  expect(cards.star.right).toBeLessThanOrEqual((await boxOf(card)).right);
  expect((cards.star.top + cards.star.bottom) / 2).toBeGreaterThan(cards.title.bottom);
  expect(Math.min(cards.star.width, cards.star.height)).toBeGreaterThanOrEqual(40);
  await page.getByRole('button', { name: '列表' }).click();
  const rows = { cover: await boxOf(card.locator('img')), star: await boxOf(star), row: await boxOf(card) };
  expect(rows.star.left).toBeGreaterThan(rows.cover.right);
  expect(rows.star.bottom).toBeLessThanOrEqual(rows.row.bottom);
  expect(rows.row.right - rows.star.right).toBeLessThanOrEqual(1);
  await star.click();
  await page.getByRole('dialog', { name: /^登录/ }).waitFor();
  await leave(page);
});

test('an empty card in the place of a document shows no dot before the place of the price', async () => {
  const { page } = await openPage(browser, TABLET);
  await visit(page, `${site.origin}/report?search_key=活动`);
  const strokes = page.locator('[data-skeleton]').first().locator(':scope > :last-child > span');
  await strokes.last().waitFor();
  const dots = await strokes.evaluateAll((elements) =>
    elements.map((element) => getComputedStyle(element, '::before').content),
  );
  expect(dots).toEqual(['none', 'none']);
  await leave(page);
});

test.each([768, 900, 1024])('the bar of filters and sorts of the whole library has one row at %d px', async (width) => {
  const { page } = await openPage(browser, { viewport: { width, height: 800 } });
  await page.goto(`${site.origin}/report`);
  const bar = page.getByRole('navigation', { name: '筛选' }).or(page.getByRole('button', { name: '筛选' }));
  const tops = await bar
    .locator('xpath=.. >> css=a, summary, button')
    .filter({ visible: true })
    .evaluateAll((elements) => elements.map((element) => Math.round(element.getBoundingClientRect().top)));
  expect(tops.length).toBeGreaterThan(3);
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(10);
  await leave(page);
});

test.each([
  { who: 'layoutnew', main: /喵币$/, note: /^还差 \d+$/ },
  { who: 'layoutpaid', main: /^1\s张下载券$/, note: /^剩 \d+ 张$/ },
])('the bar of a phone says in two lines what a download costs $who', async ({ who, main, note }) => {
  const page = await enter(who, '/detail/1', PHONE);
  const bar = page.locator('p:has(> span + span)').filter({ visible: true });
  const lines = await bar.locator('> span').evaluateAll((spans) =>
    spans.map((span) => {
      const range = document.createRange();
      range.selectNodeContents(span);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    }),
  );
  expect(await bar.locator('> span').allInnerTexts()).toEqual([
    expect.stringMatching(main),
    expect.stringMatching(note),
  ]);
  expect(lines).toEqual([1, 1]);
  await leave(page);
});

test('the landing page of the user centre asks an ordinary user once, and the plan that is recommended stands out', async () => {
  const page = await enter('layoutnew', '/user/index', {});
  const main = page.getByRole('main');
  await main.getByRole('region', { name: '开通会员' }).waitFor();
  expect(await main.getByRole('link', { name: '开通会员' }).count()).toBe(0);
  expect(await main.getByRole('button', { name: '开通会员', exact: true }).count()).toBe(0);
  const colourOf = (name: string) =>
    main.getByRole('button', { name }).evaluate((button) => getComputedStyle(button).backgroundColor);
  expect(await colourOf('开通高级会员')).toBe('rgb(200, 55, 31)');
  expect(await colourOf('开通标准会员')).toBe('rgb(255, 255, 255)');
  await visit(page, `${site.origin}/user/order`);
  await main.getByRole('link', { name: '开通会员' }).waitFor();
  await leave(page);
});

test('a plan alone is no wider than one of two', async () => {
  const page = await enter('layoutpaid', '/user/index', {});
  const plans = page.getByRole('region', { name: '续费会员' });
  await plans.getByRole('button', { name: '续费高级会员' }).waitFor();
  const [all, one] = [await boxOf(plans), await boxOf(plans.locator('ul > li:has(button)'))];
  expect(one.width).toBeLessThanOrEqual(all.width / 2);
  await leave(page);
});

test('the heading stands at one height on all pages of the user centre', async () => {
  const page = await enter('layoutnew', '/user/index', {});
  const heights = [];
  for (const name of ['index', 'order', 'favorite', 'history', 'download', 'group', 'invite', 'userinfo']) {
    await visit(page, `${site.origin}/user/${name}`);
    const { top, bottom } = await boxOf(page.getByRole('heading', { level: 1 }));
    heights.push((top + bottom) / 2);
  }
  expect(heights).toHaveLength(8);
  expect(Math.max(...heights) - Math.min(...heights)).toBeLessThanOrEqual(1);
  await leave(page);
});

test('on a tablet the four meters of the user centre stand two by two', async () => {
  const page = await enter('layoutpaid', '/user/index', TABLET);
  const tops = await page
    .getByRole('region', { name: '会员与余额' })
    .locator('dl > div')
    .evaluateAll((cards) => cards.map((card) => Math.round(card.getBoundingClientRect().top)));
  expect(tops).toHaveLength(4);
  expect([tops[0] === tops[1], tops[2] === tops[3], tops[1] === tops[2]]).toEqual([true, true, false]);
  await leave(page);
});

test('a shortlist on a phone wastes no line: a short title has one, and the price stands beside the pages', async () => {
  const page = await enter('layoutnew', '/index', PHONE);
  const token = (await page.context().cookies()).find(({ name }) => name === 'token')?.value ?? '';
  const ask = async (path: string, data: object): Promise<{ id: number; link: string }> => {
    const answer = await page.request.post(site.origin + path, { headers: { token }, data });
    const reply: { data: { id: number; link: string } } = await answer.json();
    return reply.data;
  };
  await ask('/api/user/doFavorite', { id: 1, is_favorite: 1 });
  const folder = await ask('/api/favorite/folder/create', { name: '给客户' });
  await ask('/api/favorite/folder/move', { fids: [1], parent_id: folder.id });
  const { link } = await ask('/api/favorite/share', { folder_id: folder.id });
  await visit(page, site.origin + link);
  const card = page.locator('a[href="/detail/1"]');
  const pages = card.getByText(/^\d+ 页$/);
  const price = card.getByText(/喵币$|^免费$/);
  expect((await boxOf(price)).top).toBe((await boxOf(pages)).top);
  const title = card.getByRole('heading');
  await title.evaluate((element) => (element.textContent = '短标题'));
  expect((await boxOf(title)).height).toBeLessThan(30);
  await leave(page);
});

test('four charts of a document fill the width of the page', async () => {
  const paid = await enter('layoutpaid', '/chart', {});
  const href = await paid.locator('main a[href^="/detail/"]').first().getAttribute('href');
  await visit(paid, `${site.origin}${href?.replace(/[#?].*$/, '')}`);
  const strip = paid.getByRole('region', { name: /^图表/ });
  const [section, row] = [await boxOf(strip), strip.getByRole('list')];
  const first = await boxOf(row.locator('> li'));
  const gap = 16;
  expect(first.left).toBe(section.left);
  expect(first.width).toBe(Math.round((section.width - 3 * gap) / 4));
  await leave(paid);
});

test('the tools beside the title of a document end with the panel below them, in one size of text', async () => {
  const page = await enter('layoutnew', '/detail/1', {});
  const group = page.getByRole('button', { name: '添加到社群' }).filter({ visible: true }).locator('span');
  const panel = page.getByRole('complementary', { name: '下载与信息' });
  expect((await boxOf(group)).right).toBe((await boxOf(panel)).right);
  const sizes = await group
    .locator('xpath=ancestor::header[1]')
    .locator('button, a[title]')
    .evaluateAll((tools) => tools.map((tool) => getComputedStyle(tool).fontSize));
  expect(new Set(sizes).size).toBe(1);
  await leave(page);
});

test.each([
  { screen: 'a wide screen', options: {}, width: 144, size: '15px' },
  { screen: 'a phone', options: PHONE, width: 112, size: '14px' },
])('a document in a row has one size in all lists, on $screen', async ({ options, width, size }) => {
  const page = await enter('layoutpaid', '/report', options);
  const token = (await page.context().cookies()).find(({ name }) => name === 'token')?.value ?? '';
  await page.request.post(`${site.origin}/api/group/join`, { headers: { token }, data: { gid: 1 } });
  const favourite = { id: 1, is_favorite: 1 };
  await page.request.post(`${site.origin}/api/user/doFavorite`, { headers: { token }, data: favourite });
  await page.getByRole('button', { name: '列表' }).click();
  const rows = [];
  for (const path of ['/report', '/filetype/1', '/user/favorite', '/user/group/1']) {
    await visit(page, site.origin + path);
    const row = page.locator('main li:has(img):has(a[href^="/detail/"])').first();
    // The narrowest box around the name has its size of text.
    const name = row.locator('h2, h3, [title] > :last-child > :first-child, a > :last-child > :first-child').first();
    rows.push([
      path,
      (await boxOf(row.locator('img'))).width,
      await name.evaluate((text) => getComputedStyle(text).fontSize),
    ]);
  }
  // The rows of the user's own lists have a frame of one pixel.
  expect(rows).toEqual([
    ['/report', width, size],
    ['/filetype/1', width, size],
    ['/user/favorite', width - 2, size],
    ['/user/group/1', width, size],
  ]);
  await leave(page);
});

test('the account menu is a menu on a wide screen and a sheet on a phone', async () => {
  const wide = await enter('layoutnew', '/index', {});
  await openMenu(wide);
  const menu = wide.getByRole('dialog', { name: '账号' });
  await expect.poll(() => menu.getByRole('button', { name: '关闭' }).count()).toBe(0);
  await wide.keyboard.press('Escape');
  await menu.waitFor({ state: 'hidden' });
  await leave(wide);
  const phone = await enter('layoutnew', '/index', PHONE);
  await openMenu(phone);
  await phone.getByRole('dialog', { name: '账号' }).getByRole('button', { name: '关闭' }).click();
  await phone.getByRole('dialog', { name: '账号' }).waitFor({ state: 'hidden' });
  await leave(phone);
});

test.each([
  ['its script', /\/assets\/member-menu-[^/]*\.js$/],
  ['the scripts of the page', /\/assets\/.*\.js$/],
])('the account menu opens though its button was pressed before %s arrived', async (_what, held) => {
  const { page } = await openPage(browser);
  await enterAs(site, page, 'layoutnew', PASSWORD);
  const release = await hold(page, held);
  await page.goto(`${site.origin}/aboutVip`, { waitUntil: 'commit' });
  if (held.source.includes('member-menu')) await whenReady(page);
  await page.getByRole('banner').getByRole('button', { name: '打开账号菜单' }).click();
  expect(await page.getByRole('dialog').count()).toBe(0);
  release();
  await page.getByRole('dialog', { name: '账号' }).waitFor();
  await leave(page);
});

test.each([390, 360])('an ordinary user has all ways of the header at %i px', async (width) => {
  const page = await enter('layoutnew', '/index', { ...PHONE, viewport: { width, height: 800 } });
  const header = page.getByRole('banner');
  for (const name of ['搜方案', '图表', '专题', '开通会员']) await header.getByRole('link', { name }).waitFor();
  expect((await boxOf(header)).height).toBeLessThan(60);
  const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
  expect(scrollWidth).toBe(clientWidth);
  await leave(page);
});

test('on a phone a finger hits pagers, filters, keywords, the outline and stars within 44 px', async () => {
  const { page } = await openPage(browser, PHONE);
  const tooSmall = async (path: string, places: string) => {
    await visit(page, site.origin + path);
    const heights = await page.locator(places).evaluateAll((elements) =>
      elements
        .filter((element) => element.checkVisibility())
        .map((element) => {
          const { position, height } = getComputedStyle(element, '::after');
          const reach = position === 'absolute' ? Number.parseFloat(height) : 0;
          const name = element.getAttribute('aria-label') ?? element.textContent;
          return { name, height: Math.max(element.getBoundingClientRect().height, reach) };
        }),
    );
    expect(heights.length, path).toBeGreaterThan(1);
    return heights.filter(({ height }) => height < 44);
  };
  const pager = 'nav[aria-label$="分页"] :is(a, button, input[type=number])';
  const star = 'button[aria-label^="收藏"]';
  const bar = 'main :is(button:has-text("筛选"), summary, form[role=search] button[type=submit])';
  expect(await tooSmall('/report', `${pager}, ${star}, ${bar}`)).toEqual([]);
  expect(await tooSmall('/filetype/1', pager)).toEqual([]);
  const keywords =
    'a[href^="/report?search_key="], section[aria-labelledby=outline] li > *, a[href^="/infringement"]:not(footer *)';
  expect(await tooSmall('/detail/1', keywords)).toEqual([]);
  expect(await tooSmall('/protocol', 'header a')).toEqual([]);
  expect(await tooSmall('/chart', 'main p > button, main a:has-text("原文位置")')).toEqual([]);
  await page.close();
});

test('on a phone a finger hits the links beside the titles of 我的会员 within 44 px', async () => {
  const page = await enter('layoutnew', '/user/index', PHONE);
  const link = await boxOf(page.getByRole('link', { name: '比较全部套餐' }));
  expect(link.bottom - link.top).toBeGreaterThanOrEqual(44);
  await leave(page);
});

test('on a phone with text of double size the price of a document stands clear of the button', async () => {
  const { page } = await openPage(browser, PHONE);
  await visit(page, `${site.origin}/detail/1`);
  await page.keyboard.press('Escape');
  const price = page.getByText('28 喵币').filter({ visible: true }).last();
  const download = page.getByRole('button', { name: '立即下载' }).filter({ visible: true });
  const apart = async () => {
    const [left, right] = [await boxOf(price), await boxOf(download)];
    return left.right <= right.left || left.bottom <= right.top;
  };
  expect((await boxOf(price)).right).toBeLessThanOrEqual((await boxOf(download)).left);
  await page.addStyleTag({ content: ':root { --text-xs: 26px; --text-sm: 28px; --text-md: 32px; --text-lg: 40px }' });
  expect(await apart()).toBe(true);
  // The header wraps then, and the logo keeps its distance from the edge.
  const mark = await boxOf(page.getByRole('banner').getByRole('link').first().locator('svg'));
  expect(mark.top).toBeGreaterThanOrEqual(8);
  await page.close();
});

test('without a network the notice on a phone stands above the bar of a document and takes no press, and a page that cannot be loaded says why', async () => {
  const page = await enter('layoutnew', '/detail/1', PHONE);
  await page.context().setOffline(true);
  const notice = page.getByText('当前没有网络连接，恢复后可继续浏览');
  await notice.waitFor();
  const share = page.getByRole('button', { name: '分享' }).last();
  expect((await boxOf(notice)).bottom).toBeLessThan((await boxOf(share)).top);
  expect(await notice.evaluate((element) => getComputedStyle(element).pointerEvents)).toBe('none');
  await page.getByRole('banner').getByRole('link', { name: '图表' }).click();
  await page.getByRole('heading', { level: 1, name: '没有网络' }).waitFor();
  await leave(page);
});

test('in high contrast the field and the buttons of a search have an edge, what is chosen differs, and the ornament of the prices is not drawn', async () => {
  const { page } = await openPage(browser);
  await page.emulateMedia({ forcedColors: 'active' });
  await visit(page, `${site.origin}/index`);
  const search = page.getByRole('main').getByRole('search');
  const edgeOf = (place: Locator) =>
    place.evaluate((element) => {
      const { borderTopStyle, borderTopWidth, outlineStyle, outlineWidth } = getComputedStyle(element);
      return [`${borderTopStyle} ${borderTopWidth}`, `${outlineStyle} ${outlineWidth}`];
    });
  expect(await edgeOf(search)).toContain('solid 1px');
  expect(await edgeOf(search.getByRole('button', { name: '搜索' }))).toContain('solid 1px');
  for (const path of ['/report', '/chart']) {
    await visit(page, site.origin + path);
    const button = page.getByRole('main').getByRole('search').getByRole('button', { name: '搜索' });
    expect(await edgeOf(button), path).toContain('solid 1px');
  }
  await visit(page, `${site.origin}/report`);
  const look = (name: string) =>
    page.getByRole('button', { name }).evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(await look('预览显示')).not.toBe(await look('列表显示'));
  await visit(page, `${site.origin}/aboutVip`);
  const heading = page.getByRole('heading', { name: /把找方案的时间/ });
  expect(await heading.locator('xpath=ancestor::section[1]').locator('svg').first().isVisible()).toBe(false);
  await leave(page);
});

test('on a phone the code of a share is for the other person, and the poster is waited for at its final size', async () => {
  const { page } = await openPage(browser, PHONE);
  await visit(page, `${site.origin}/detail/1`);
  await page.keyboard.press('Escape');
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/api/doc/poster?*', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('button', { name: '分享' }).last().tap();
  const sheet = page.getByRole('dialog', { name: '分享这份方案' });
  await sheet.getByText('给对方扫一扫').waitFor();
  expect(await sheet.getByText('扫码在手机上打开').isVisible()).toBe(false);
  expect((await boxOf(sheet.getByRole('img', { name: '方案页面的二维码' }))).width).toBeLessThan(120);
  await sheet.getByRole('button', { name: '生成海报' }).tap();
  await sheet.getByText('正在画海报…').waitFor();
  const before = await boxOf(sheet);
  letGo();
  await sheet.getByRole('link', { name: '保存海报' }).waitFor();
  expect(await boxOf(sheet)).toEqual(before);
  await leave(page);
});

test.each([
  { width: 1199, isShown: false },
  { width: 1200, isShown: true },
])('对比阅读 is offered only where two documents fit, at $width px: $isShown', async ({ width, isShown }) => {
  const { page } = await openPage(browser, { viewport: { width, height: 800 } });
  await visit(page, `${site.origin}/detail/1`);
  // With the login dialog styles that the page shares with it are loaded once more.
  await page.getByRole('dialog', { name: /^登录/ }).waitFor();
  expect(await page.locator('a[href="/compare/1"]').isVisible()).toBe(isShown);
  await leave(page);
});

test('on a narrow phone the code and the poster of an invitation stay within their panel', async () => {
  const page = await enter('layoutnew', '/user/invite', { ...PHONE, viewport: { width: 360, height: 800 } });
  const code = page.getByRole('figure');
  const panel = await boxOf(code.locator('xpath=../..'));
  for (const part of [await boxOf(code), await boxOf(page.getByRole('img', { name: '邀请海报' }))]) {
    expect(part.left).toBeGreaterThanOrEqual(panel.left + 16);
    expect(part.right).toBeLessThanOrEqual(panel.right - 16);
  }
  await leave(page);
});

test.each([
  { screen: 'a wide screen', options: {} },
  { screen: 'a phone', options: PHONE },
])('on $screen a name without a place to break it pushes nothing out of a dialog', async ({ options }) => {
  const page = await enter('layoutpaid', '/myCollection', options);
  const name = 'W'.repeat(40);
  await page.getByRole('button', { name: '新建文件夹' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(name);
  await dialog.getByRole('button', { name: '保存' }).click();
  const folder = page.locator('main li').filter({ hasText: name });
  await folder.getByRole('button', { name: /^删除/ }).click();
  await dialog.getByText(/其中的收藏会移到上一级/).waitFor();
  // Nothing to scroll sideways.
  expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  await dialog.getByRole('button', { name: '删除' }).click();
  await folder.waitFor({ state: 'hidden' });
  await leave(page);
});
