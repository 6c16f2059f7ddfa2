import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import type axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, openPage, visit } from './browser.ts';
import { addMembers, dialogOf, enterAs, openLogin, PASSWORD } from './login.ts';
import { payDialogOf } from './paying.ts';
import { openDemoSite, type Site } from './site.ts';
import { typeAtSite } from './type-at-site.ts';

/** Every page as the rules of axe-core see it (WCAG 2.2 AA and its best practices), on a wide screen and on a phone. */
const SCREENS = [
  { screen: 'a wide screen', options: {} },
  { screen: 'a phone', options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } },
] as const;

const VISITORS = [
  '/index',
  '/report',
  '/report?search_key=中秋',
  // Full and partial matches with the line between them.
  '/report?search_key=中秋 快闪',
  '/report?search_key=没有这样的方案',
  '/chart',
  '/chart?keyword=预算构成',
  '/detail/1',
  '/filetype/1',
  '/collection',
  '/collection/detail?id=1',
  '/compare/1',
  '/aboutVip',
  '/user/order',
  '/user/group',
  '/user/group/1',
  '/user/invite',
  '/protocol',
  '/privacy',
  '/infringement',
  '/no-such-page',
];
const MEMBERS = [
  '/index',
  '/chart?keyword=预算构成',
  '/detail/1',
  '/compare/1/2',
  '/aboutVip',
  '/user/index',
  '/user/order',
  '/user/group',
  '/user/group/1',
  '/user/invite',
  '/user/favorite',
  '/user/history',
  '/user/download',
  '/user/userinfo',
  '/myCollection',
  '/myRecord',
  '/myDownload',
];

let site: Site;
let browser: Browser;
let rules: string;

beforeAll(async () => {
  [site, browser, rules] = await Promise.all([
    openDemoSite({ RATE_LIMITS: 'off' }),
    openBrowser(),
    readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
  ]);
  await addMembers(site, [
    ['--username', 'member'],
    ['--username', 'joined'],
  ]);
  const membership = ['--username', 'joined', '--tier', '1', '--days', '30', '--reason', 'test'];
  expect((await typeAtSite(site, 'user', 'grant-vip', ...membership)).code).toBe(0);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

/** Returns the serious and critical findings of axe on the page as it is now, each with its elements. */
async function faultsOf(page: Page): Promise<string[]> {
  // An element that is still fading in would be reported for its contrast.
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));
  await page.evaluate(rules);
  const violations = await page.evaluate(async () => {
    // Safe: the script above sets it.
    const { run } = Reflect.get(window, 'axe') as typeof axe;
    return (await run(document, { resultTypes: ['violations'] })).violations;
  });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

test.each(SCREENS)('pages that a visitor opens, on $screen', async ({ options }) => {
  const { page } = await openPage(browser, options);
  for (const path of VISITORS) {
    await visit(page, site.origin + path);
    expect(await faultsOf(page), path).toEqual([]);
  }
  await visit(page, `${site.origin}/index`);
  await openLogin(page);
  for (const tab of ['手机登录', '账号登录']) {
    await dialogOf(page).getByRole('tab', { name: tab }).click();
    expect(await faultsOf(page), tab).toEqual([]);
  }
  await page.context().close();
});

test.each(SCREENS)('pages and dialogs of a member, on $screen', async ({ options }) => {
  const { page } = await openPage(browser, options);
  const token = await enterAs(site, page, 'member', PASSWORD);
  for (const path of MEMBERS) {
    await visit(page, site.origin + path);
    expect(await faultsOf(page), path).toEqual([]);
  }
  await visit(page, `${site.origin}/detail/1`);
  await page.getByRole('button', { name: '全屏预览', exact: true }).click();
  await page.getByRole('dialog', { name: /全屏预览$/ }).waitFor();
  expect(await faultsOf(page), 'the viewer').toEqual([]);
  await page.request.post(`${site.origin}/api/user/doFavorite`, {
    headers: { token },
    data: { id: 1, is_favorite: 1 },
  });
  await visit(page, `${site.origin}/myCollection`);
  await page.getByRole('checkbox').first().click();
  expect(await faultsOf(page), 'the collection with its bar').toEqual([]);
  await page.getByRole('button', { name: '移动到' }).click();
  await dialogOf(page)
    .getByRole('button', { name: /最外层/ })
    .waitFor();
  expect(await faultsOf(page), 'the choice of a folder').toEqual([]);
  await visit(page, `${site.origin}/detail/1`);
  await page
    .getByRole('button', { name: /^(加入)?社群$/ })
    .filter({ visible: true })
    .click();
  await page.getByRole('dialog', { name: '加入社群' }).getByText('地产活动策划群').waitFor();
  expect(await faultsOf(page), 'the popover of groups').toEqual([]);
  await visit(page, `${site.origin}/aboutVip`);
  await page.getByRole('button', { name: '开通年度会员' }).first().click();
  await payDialogOf(page).getByRole('checkbox').waitFor();
  expect(await faultsOf(page), 'the pay dialog').toEqual([]);
  await page.context().close();
});

test.each(SCREENS)(
  'a group with its shelf, a folder and its shortlist before and after the end, on $screen',
  async ({ options }) => {
    const { page } = await openPage(browser, { ...options, reducedMotion: 'reduce' });
    const token = await enterAs(site, page, 'joined', PASSWORD);
    const ask = async (path: string, data: object) => {
      const reply: { code: number; data: { id: number; link: string } } = await (
        await page.request.post(site.origin + path, { headers: { token }, data })
      ).json();
      expect(reply.code, path).toBe(0);
      return reply.data;
    };
    await ask('/api/group/join', { gid: 1 });
    await ask('/api/group/addGroupsFiles', { fid: 1, gids: [1] });
    await ask('/api/user/doFavorite', { id: 1, is_favorite: 1 });
    await ask('/api/favorite/note', { fid: 1, note: '首选，预算合适' });
    const folder = await ask('/api/favorite/folder/create', { name: '给客户' });
    await ask('/api/favorite/folder/move', { fids: [1], parent_id: folder.id });
    const link = await ask('/api/favorite/share', { folder_id: folder.id });
    for (const path of ['/user/group', '/user/group/1', `/myCollection?folder=${folder.id}`, link.link]) {
      await visit(page, site.origin + path);
      expect(await faultsOf(page), path).toEqual([]);
    }
    await ask('/api/favorite/shareRevoke', { folder_id: folder.id });
    await visit(page, site.origin + link.link);
    expect(await faultsOf(page), 'a link that has ended').toEqual([]);
    await page.context().close();
  },
);
