import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closePages, hold, leave, openPage, visit, whenReady } from './browser.ts';
import { addMembers, dialogOf, enterAs, logInByName, PASSWORD, whenLoggedIn } from './login.ts';
import { shareDemoSite, type SharedSite } from './shared-site.ts';
import { typeAtSite, workAtSite } from './type-at-site.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

let site: SharedSite;
let browser: Browser;
beforeAll(async () => {
  ({ site, browser } = await shareDemoSite());
  await addMembers(
    site,
    [
      'keeper',
      'visitor',
      'shelfplanner',
      'sorter',
      'slipper',
      'shelfreader',
      'shelfphone',
      'forgetful',
      'shelfnewcomer',
      'ticker',
    ].map((name) => ['--username', name]),
  );
});
afterAll(() => closePages(browser));

/** Calls the site's API as the member whose token is given. */
async function ask(path: string, token: string, body: object): Promise<unknown> {
  const answer = await fetch(`${site.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', token },
    body: JSON.stringify(body),
  });
  const reply: { data: unknown } = await answer.json();
  return reply.data;
}

const toastOf = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });

test('a visitor who presses the star logs in, and the document is kept', async () => {
  const { page } = await openPage(browser);
  await visit(page, `${site.origin}/detail/1`);
  // The dialog that offers the login by itself comes first, and lies over the star (C-21).
  await dialogOf(page).waitFor();
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: '添加到收藏' }).first().click();
  // The star is filled before the site has answered, and a page that is left takes its unanswered call along.
  const kept = page.waitForResponse(/\/api\/user\/doFavorite/);
  await logInByName(page, 'visitor', PASSWORD);
  await whenLoggedIn(page);
  await page.getByRole('button', { name: '已收藏' }).first().waitFor();
  await kept;
  await visit(page, `${site.origin}/user/favorite`);
  await page.getByRole('heading', { level: 1, name: '我的收藏' }).waitFor();
  await expect.poll(() => page.locator('a[href="/detail/1"]').count()).toBe(1);
  await page.getByText('共 1 份方案', { exact: true }).waitFor();
  await leave(page);
});

test('the star of a card is reached and pressed with the keyboard, and the same document shows it everywhere', async () => {
  const { page } = await openPage(browser);
  await enterAs(site, page, 'keeper', PASSWORD);
  await visit(page, `${site.origin}/index`);
  const card = page.locator('a[href^="/detail/"]').first();
  const href = (await card.getAttribute('href')) ?? '';
  await card.focus();
  await page.keyboard.press('Tab');
  const star = page.locator(':focus');
  expect(await star.getAttribute('aria-pressed')).toBe('false');
  await page.keyboard.press('Enter');
  await toastOf(page, '收藏成功').waitFor();
  expect(await star.getAttribute('aria-pressed')).toBe('true');
  await visit(page, site.origin + href);
  await page.getByRole('button', { name: '已收藏' }).first().waitFor();
  await page.getByRole('button', { name: '已收藏' }).first().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: '添加到收藏' }).first().waitFor();
  await leave(page);
});

test('with the keyboard alone a planner makes a folder, moves documents, notes one, and a client opens the link until it is revoked', async () => {
  const { page } = await openPage(browser);
  const token = await enterAs(site, page, 'shelfplanner', PASSWORD);
  await visit(page, `${site.origin}/myCollection`);
  await page.getByText('您还没有收藏过任何报告~').waitFor();
  expect(await page.getByRole('button', { name: '导出 CSV' }).count()).toBe(0);
  for (const id of [1, 2]) await ask('/api/user/doFavorite', token, { id, is_favorite: 1 });
  await visit(page, `${site.origin}/myCollection`);
  await page.getByRole('button', { name: '新建文件夹' }).focus();
  await page.keyboard.press('Enter');
  await dialogOf(page).getByLabel('名称').fill('给客户');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: /给客户/ }).waitFor();
  await page.getByText('1 个文件夹 · 2 份方案', { exact: true }).waitFor();

  for (const box of await page.getByRole('checkbox').all()) {
    await box.focus();
    await page.keyboard.press('Space');
  }
  await page.getByRole('button', { name: '移动到' }).press('Enter');
  await dialogOf(page).getByRole('button', { name: '给客户' }).press('Enter');
  await page.getByRole('link', { name: /给客户.*2 项收藏/ }).press('Enter');
  await page.getByRole('heading', { level: 1, name: '给客户' }).waitFor();

  await page
    .getByRole('button', { name: /^备注《/ })
    .first()
    .press('Enter');
  await dialogOf(page).getByRole('textbox').fill('首选，预算合适');
  await dialogOf(page).getByRole('button', { name: '保存' }).press('Enter');
  // The text stands in the dialog as well, which must be gone before another one is opened.
  await dialogOf(page).waitFor({ state: 'hidden' });
  await page.getByText('首选，预算合适').waitFor();

  await page.getByRole('button', { name: '分享清单' }).press('Enter');
  await dialogOf(page).getByRole('button', { name: '生成链接' }).press('Enter');
  const address = await dialogOf(page)
    .getByRole('textbox', { name: /^清单链接/ })
    .inputValue();
  const client = await openPage(browser, PHONE);
  await visit(client.page, address);
  await client.page.getByRole('heading', { level: 1, name: '给客户' }).waitFor();
  const note = client.page.getByText('首选，预算合适');
  await note.waitFor();
  // A phone shows one card a row, so that a note has lines long enough to be read.
  expect((await note.boundingBox())?.width).toBeGreaterThan(300);
  expect(await client.page.locator('main a[href^="/detail/"]').count()).toBe(2);
  await visit(client.page, `${address}?page=9`);
  await client.page.getByRole('link', { name: '回到第一页' }).click();
  await note.waitFor();

  await dialogOf(page)
    .getByRole('button', { name: /^撤销清单链接/ })
    .press('Enter');
  await toastOf(page, '链接已撤销').waitFor();
  await expect.poll(() => page.locator(':focus').textContent()).toBe('生成链接');
  const again = await client.page.goto(address);
  expect(again?.status()).toBe(410);
  await client.page.getByText('这份清单的链接已失效').waitFor();
  await leave(client.page);

  await page.keyboard.press('Escape');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: '导出 CSV' }).press('Enter');
  expect((await saved).suggestedFilename()).toMatch(/^给客户 .*\.csv$/);
  await leave(page);
});

test('a name pasted too long is told and kept whole, and a note that is saved late leaves another dialog open', async () => {
  const { page } = await openPage(browser);
  const token = await enterAs(site, page, 'sorter', PASSWORD);
  await ask('/api/user/doFavorite', token, { id: 1, is_favorite: 1 });
  await visit(page, `${site.origin}/myCollection`);
  await page.getByRole('button', { name: '新建文件夹' }).click();
  const name = dialogOf(page).getByLabel('名称');
  await name.fill('长'.repeat(41));
  await page.keyboard.press('Enter');
  await dialogOf(page).getByText('文件夹名称至多 40 个字，现在 41 个').waitFor();
  expect(await name.inputValue()).toHaveLength(41);
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'hidden' });

  let release = () => {};
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/favorite/note', async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.getByRole('button', { name: /^备注《/ }).click();
  const note = dialogOf(page).getByRole('textbox');
  await note.fill('长'.repeat(501));
  await dialogOf(page).getByRole('button', { name: '保存' }).click();
  await dialogOf(page).getByText('备注至多 500 个字，现在 501 个').waitFor();
  await note.fill('晚到的备注');
  await dialogOf(page).getByRole('button', { name: '保存' }).click();
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: '新建文件夹' }).click();
  await name.waitFor();
  release();
  await toastOf(page, '备注已保存').waitFor();
  await page.getByText('晚到的备注').waitFor();
  expect(await name.isVisible()).toBe(true);
  await leave(page);
});

test('a slip on a star takes neither note nor folder, and several favourites are removed after a question', async () => {
  const { page } = await openPage(browser);
  const token = await enterAs(site, page, 'slipper', PASSWORD);
  const post = (path: string, body: object) => ask(path, token, body);
  for (const id of [1, 2]) await post('/api/user/doFavorite', { id, is_favorite: 1 });
  await post('/api/favorite/folder/create', { name: '给客户' });
  const { items } = (await post('/api/favorite/folder/list', {})) as { items: { id: number }[] };
  const folder = items[0]?.id;
  await post('/api/favorite/folder/move', { fids: [1], parent_id: folder });
  await post('/api/favorite/note', { fid: 1, note: '首选' });
  await visit(page, `${site.origin}/user/favorite`);
  const row = page.locator('main li').filter({ has: page.locator('a[href="/detail/1"]') });
  const star = row.getByRole('button', { name: /^收藏《/ });
  await star.click();
  await toastOf(page, '取消收藏成功').waitFor();
  await star.click();
  await toastOf(page, '收藏成功').filter({ hasNotText: '取消' }).waitFor();
  expect(await post('/api/favorite/list', { parent_id: folder })).toMatchObject({ items: [{ fid: 1, note: '首选' }] });

  await visit(page, `${site.origin}/myCollection`);
  const remove = page.getByRole('group', { name: '批量操作' }).getByRole('button', { name: '取消收藏' });
  await page.getByRole('checkbox').click();
  await page.getByRole('button', { name: '取消选择' }).press('Enter');
  const heading = page.getByRole('heading', { level: 1, name: '我的收藏' });
  await expect.poll(() => heading.evaluate((one) => one === document.activeElement)).toBe(true);
  await page.getByRole('checkbox').click();
  await remove.click();
  await dialogOf(page).getByText('取消收藏这 1 项？备注会一并删除，不能恢复。').waitFor();
  await dialogOf(page).getByRole('button', { name: '保留' }).click();
  await dialogOf(page).waitFor({ state: 'hidden' });
  expect(await page.locator('main a[href="/detail/2"]').count()).toBe(1);
  await remove.click();
  await dialogOf(page).getByRole('button', { name: '取消收藏' }).press('Enter');
  await toastOf(page, '已取消收藏 1 项').waitFor();
  await expect.poll(() => page.locator('main a[href="/detail/2"]').count()).toBe(0);
  await expect.poll(() => page.locator(':focus').textContent()).toBe('我的收藏');
  await leave(page);
});

test('what is ticked before the scripts arrive is chosen', async () => {
  const { page } = await openPage(browser);
  const token = await enterAs(site, page, 'ticker', PASSWORD);
  for (const id of [1, 2]) await ask('/api/user/doFavorite', token, { id, is_favorite: 1 });
  const release = await hold(page, /\/assets\/.*\.js$/);
  await page.goto(`${site.origin}/myCollection`, { waitUntil: 'commit' });
  const boxes = page.getByRole('checkbox');
  await boxes.first().check();
  release();
  await whenReady(page);
  const bar = page.getByRole('group', { name: '批量操作' });
  await bar.getByText('已选 1 项').waitFor();
  await boxes.last().check();
  await bar.getByText('已选 2 项').waitFor();
  expect(await boxes.first().isChecked()).toBe(true);
  await leave(page);
});

test('a folder with charts alone says where they are, and has nothing to export', async () => {
  const { page } = await openPage(browser);
  const token = await enterAs(site, page, 'sorter', PASSWORD);
  // Safe: the answers of these calls have the lists.
  const found = (await ask('/api/chart/search', token, {})) as { charts: { id: number }[] };
  const chart = found.charts[0]?.id;
  await ask('/api/user/doFavorite', token, { id: chart, item_type: 4, is_favorite: 1 });
  await ask('/api/favorite/folder/create', token, { name: '只有图表' });
  const { items } = (await ask('/api/favorite/list', token, {})) as { items: { id: number; name: string }[] };
  const folder = items.find(({ name }) => name === '只有图表')?.id;
  await ask('/api/favorite/folder/move', token, { chart_ids: [chart], parent_id: folder });
  await visit(page, `${site.origin}/myCollection?folder=${folder}`);
  await page.getByText('这个文件夹里没有方案').waitFor();
  expect(await page.getByRole('button', { name: '导出 CSV' }).count()).toBe(0);
  await page.getByRole('link', { name: '看其中的图表' }).press('Enter');
  await page.getByRole('checkbox').waitFor();
  await leave(page);
});

test('a star shows the newer state that came with the page, not what the tab knew before', async () => {
  const { page } = await openPage(browser);
  const token = await enterAs(site, page, 'slipper', PASSWORD);
  await ask('/api/doc/getDetail', token, { fid: 4 });
  await visit(page, `${site.origin}/user/history`);
  const star = page
    .locator('main li')
    .filter({ has: page.locator('a[href="/detail/4"]') })
    .getByRole('button', { name: /^收藏《/ });
  expect(await star.getAttribute('aria-pressed')).toBe('false');
  // The member stars the document on another device.
  await ask('/api/user/doFavorite', token, { id: 4, is_favorite: 1 });
  await page.getByRole('link', { name: '我的收藏' }).click();
  await page.getByRole('heading', { level: 1, name: '我的收藏' }).waitFor();
  await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true');
  await leave(page);
});

test.each([
  ['a wide screen', 'shelfreader', {}],
  ['a phone', 'shelfphone', PHONE],
])('what was read and downloaded is listed, and downloaded again, on %s', async (_screen, member, options) => {
  const { page } = await openPage(browser, options);
  const token = await enterAs(site, page, member, PASSWORD);
  await ask('/api/doc/getDetail', token, { fid: 3 });
  await ask('/api/doc/getFileRecord', token, { fid: 3, page: 2 });
  for (const path of ['/user/history', '/myRecord']) {
    await visit(page, site.origin + path);
    await page.getByText('读到第 2 页').waitFor();
    expect(await page.locator('a[href="/detail/3#p=2"]').getAttribute('target')).toBe('_blank');
    await page.getByRole('button', { name: /^分享《/ }).click();
    await page.getByRole('dialog', { name: '分享这份方案' }).waitFor();
    await page.keyboard.press('Escape');
  }
  for (const [path, text] of [
    ['/user/download', '您还没有下载过任何报告~'],
    ['/myDownload', '您还没有下载过任何报告~'],
    ['/user/favorite', '您还没有收藏过任何报告~'],
  ] as const) {
    await visit(page, site.origin + path);
    await page.getByText(text).waitFor();
  }

  const granted = await typeAtSite(
    site,
    'user',
    'grant-coins',
    '--username',
    member,
    '--coins',
    '100',
    '--reason',
    'test',
  );
  expect(granted.code, granted.err).toBe(0);
  const bought = await ask('/api/doc/download', token, { fid: 3 });
  expect(bought).toMatchObject({ method: 'coin', size: expect.any(Number), sha256: expect.any(String) });
  for (const path of ['/user/download', '/myDownload']) {
    await visit(page, site.origin + path);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: /^重新下载《/ }).click();
    const file = await readFile(await (await downloading).path());
    const sha256 = createHash('sha256').update(file).digest('hex');
    expect(bought).toMatchObject({ size: file.length, sha256 });
  }
  await leave(page);
});

test('one document leaves the reading history, then all of them after a question, with the keyboard alone', async () => {
  const { page, errors } = await openPage(browser);
  const token = await enterAs(site, page, 'forgetful', PASSWORD);
  for (const fid of [1, 2, 3]) await ask('/api/doc/getDetail', token, { fid });
  await visit(page, `${site.origin}/user/history`);
  const rows = page.locator('main a[href^="/detail/"]');
  expect(await rows.count()).toBe(3);
  await page
    .getByRole('button', { name: /^从阅读记录中删除《/ })
    .first()
    .press('Enter');
  await toastOf(page, '已从阅读记录中删除').waitFor();
  await expect.poll(() => rows.count()).toBe(2);
  // The focus is on the same button of the next row, so that the next key goes on there.
  const next = await page.locator(':focus').getAttribute('aria-label');
  expect(next).toMatch(/^从阅读记录中删除《/);
  expect(
    await page
      .locator('main li')
      .first()
      .getByRole('button', { name: /^从阅读/ })
      .getAttribute('aria-label'),
  ).toBe(next);

  await visit(page, `${site.origin}/myRecord`);
  await page.getByRole('button', { name: '清空记录' }).press('Enter');
  await dialogOf(page).getByText('删除后不能恢复').waitFor();
  await dialogOf(page).getByRole('button', { name: '保留' }).press('Enter');
  await dialogOf(page).waitFor({ state: 'hidden' });
  expect(await rows.count()).toBe(2);
  await page.getByRole('button', { name: '清空记录' }).press('Enter');
  await dialogOf(page).getByRole('button', { name: '清空' }).press('Enter');
  await page.getByText('您还没有阅读过任何报告~').waitFor();
  expect(await page.getByRole('button', { name: '清空记录' }).count()).toBe(0);
  await expect.poll(() => page.locator(':focus').textContent()).toBe('我的阅读');
  expect(errors).toEqual([]);
  await leave(page);
});

test('each list that cannot be read says so, and 重试 shows skeletons and then the list', async () => {
  const { page } = await openPage(browser);
  await enterAs(site, page, 'shelfnewcomer', PASSWORD);
  let release = () => {};
  await page.route('**/*.data*', async (route) => {
    await new Promise<void>((resolve) => (release = resolve));
    await route.continue();
  });
  await workAtSite(site, async ({ db }) => {
    for (const [path, table, failure, empty] of [
      ['/user/favorite', 'favorites', '暂时无法读取列表', '您还没有收藏过任何报告~'],
      ['/user/history', 'reads', '暂时无法读取列表', '您还没有阅读过任何报告~'],
      ['/user/download', 'entitlements', '暂时无法读取列表', '您还没有下载过任何报告~'],
      ['/myCollection', 'favorites', '暂时无法读取列表', '您还没有收藏过任何报告~'],
      ['/myCollection?show=charts', 'favorites', '暂时无法读取列表', '您还没有收藏过任何图表~'],
      ['/myRecord', 'reads', '暂时无法读取列表', '您还没有阅读过任何报告~'],
      ['/myDownload', 'entitlements', '暂时无法读取列表', '您还没有下载过任何报告~'],
      ['/user/invite', 'invites', '暂时无法读取好友列表', '您还没有邀请过任何用户~'],
      ['/user/order', 'orders', '暂时无法读取订单', '您还没有支付过任何订单~'],
      ['/user/group', 'groups', '暂时无法读取社群', '您还没有加入任何社群~'],
    ] as const) {
      await db.execute(sql.raw(`alter table ${table} rename to ${table}_away`));
      try {
        await visit(page, site.origin + path);
        await page.getByRole('alert').getByText(failure).waitFor();
      } finally {
        await db.execute(sql.raw(`alter table ${table}_away rename to ${table}`));
      }
      const asked = page.waitForRequest('**/*.data*');
      await page.getByRole('button', { name: '重试' }).click();
      await asked;
      await page.locator('main [aria-busy="true"] [aria-hidden="true"]').first().waitFor();
      release();
      await page.getByText(empty).waitFor();
      expect(await page.getByText(failure).count(), path).toBe(0);
    }
  });
  await leave(page);
});

test('visitors are asked to log in on each page', async () => {
  const { page } = await openPage(browser);
  for (const path of [
    '/user/favorite',
    '/user/history',
    '/user/download',
    '/myCollection',
    '/myRecord',
    '/myDownload',
  ]) {
    await visit(page, site.origin + path);
    expect(await page.getByRole('heading', { name: '请先登录' }).count(), path).toBe(1);
  }
  await leave(page);
});
