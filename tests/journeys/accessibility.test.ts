import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import type axe from 'axe-core';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closePages, leave, openPage, visit } from './browser.ts';
import routes from '../../src/routes.ts';
import { addMembers, dialogOf, enterAs, openLogin, PASSWORD } from './login.ts';
import { payDialogOf } from './paying.ts';
import { ROUTE_TABLE, type RoutePage } from './route-table.ts';
import { shareDemoSite, type SharedSite } from './shared-site.ts';
import { typeAtSite } from './type-at-site.ts';

/** Every page as the rules of axe-core see it (WCAG 2.2 AA and its best practices), on a wide screen and on a phone. */
const SCREENS = [
  { screen: 'a wide screen', options: {} },
  { screen: 'a phone', options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } },
] as const;

/** More that a visitor sees: dialogs and states that the route table does not have. */
const MORE_FOR_VISITORS = [
  '/report?search_key=中秋',
  // Full and partial matches with the line between them.
  '/report?search_key=中秋 快闪',
  '/report?search_key=没有这样的方案',
  '/chart?keyword=预算构成',
];

const pathsSeenBy = (reader: 'visitor' | 'member') =>
  ROUTE_TABLE.filter(({ seenBy }) => seenBy.includes(reader)).map(({ path }) => path);

let site: SharedSite;
let browser: Browser;
let rules: string;

beforeAll(async () => {
  [{ site, browser }, rules] = await Promise.all([
    shareDemoSite(),
    readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
  ]);
  await addMembers(site, [
    ['--username', 'member'],
    ['--username', 'joined'],
  ]);
  const membership = ['--username', 'joined', '--tier', '1', '--days', '30', '--reason', 'test'];
  expect((await typeAtSite(site, 'user', 'grant-vip', ...membership)).code).toBe(0);
});
afterAll(() => closePages(browser));

/** A page of a visitor which loads axe-core with each document: to send it to each is a quarter of the time of a check. */
async function openVisitor(options: BrowserContextOptions): Promise<{ page: Page; errors: string[] }> {
  const visitor = await openPage(browser, options);
  await visitor.page.addInitScript(rules);
  return visitor;
}

/**
 * Opens a page, and returns what is wrong with it: the findings of axe, what its scripts report, a layout against C-16, content
 * beside the window, and content that moved while the page loaded.
 */
async function openAndJudge(page: Page, errors: string[], path: string): Promise<string[]> {
  errors.length = 0;
  await visit(page, site.origin + path);
  const listed = ROUTE_TABLE.find((route) => route.path === path);
  const { layout, width, shift, moved } = await page.evaluate(readLayout);
  return [
    ...(await faultsOf(page)),
    // The status of the page itself is a line of the console when it is no success.
    ...errors.filter((message) => listed?.status === 200 || !message.includes('Failed to load resource')),
    ...(listed && layout !== listed.layout ? [`the layout is ${layout}`] : []),
    ...(width > 0 ? [`${width} px stand beside the window`] : []),
    ...(shift > 0 ? [`the content moved by ${shift}: ${moved}`] : []),
  ];
}

/** Runs in the page. `layout` as in the route table; `width`: pixels beside the window; `shift`: CLS until now; `moved`: the elements that moved, from and to. */
async function readLayout(): Promise<{ layout: RoutePage['layout']; width: number; shift: number; moved: string }> {
  const header = document.querySelector('header');
  const isSticky = header !== null && getComputedStyle(header).position === 'sticky';
  const hasFooter = document.querySelector('footer') !== null;
  const { scrollWidth, clientWidth } = document.documentElement;
  const shifts = await new Promise<PerformanceEntryList>((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type: 'layout-shift', buffered: true });
    // The observer stays silent where nothing moved.
    setTimeout(() => resolve([]), 50);
  });
  const shift = shifts.reduce((sum, entry) => sum + Number(Reflect.get(entry, 'value')), 0);
  type Source = { node: Element | null; previousRect: DOMRect; currentRect: DOMRect };
  const sources = shifts.flatMap((entry): Source[] => Reflect.get(entry, 'sources') ?? []);
  const moved = sources.map(({ node, previousRect, currentRect }) =>
    [node?.nodeName, node?.textContent?.slice(0, 20), JSON.stringify(previousRect), JSON.stringify(currentRect)].join(
      ' ',
    ),
  );
  const layout = !isSticky ? 'plain' : hasFooter ? 'whole' : 'header';
  return { layout, width: scrollWidth - clientWidth, shift, moved: moved.join('; ') };
}

/** Returns the serious and critical findings of axe on the page as it is now, each with its elements. */
async function faultsOf(page: Page): Promise<string[]> {
  // An element that is still fading in would be reported for its contrast.
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));
  const violations = await page.evaluate(async () => {
    // Safe: the script of openVisitor sets it.
    const { run } = Reflect.get(window, 'axe') as typeof axe;
    return (await run(document, { resultTypes: ['violations'] })).violations;
  });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

test('the route table names every route of the site', () => {
  const paths = (entries: RouteConfigEntry[], above: string): string[] =>
    entries.flatMap((entry) => {
      const path = entry.path === undefined ? above : `${above}/${entry.path}`;
      return entry.children ? paths(entry.children, path) : [path || '/'];
    });
  // `/` is sent on to /index.
  expect(paths(routes, '').toSorted()).toEqual(
    [...new Set(['/', ...ROUTE_TABLE.map(({ route }) => route)])].toSorted(),
  );
});

test.each(ROUTE_TABLE)('$path without scripts: status, title, what search engines are told', async (page) => {
  const answer = await fetch(site.origin + page.path, { redirect: 'manual' });
  const html = await answer.text();
  const [, title = ''] = /<title>([^<]*)<\/title>/.exec(html) ?? [];
  const [, canonical] = /<link rel="canonical" href="([^"]*)"/.exec(html) ?? [];
  expect(answer.status).toBe(page.status);
  expect(title).toMatch(page.title);
  expect(html.match(/<h1[ >]/g)).toHaveLength(1);
  expect(html.includes('<meta name="robots" content="noindex"')).toBe(!page.isIndexed);
  if (!page.isIndexed) {
    expect(canonical).toBeUndefined();
    return;
  }
  expect(canonical?.replaceAll('&amp;', '&')).toBe(site.origin + page.path);
  for (const tag of [
    'name="description"',
    'property="og:title"',
    'property="og:description"',
    'property="og:url"',
    'property="og:site_name"',
    'property="og:image"',
  ])
    expect(html, tag).toMatch(new RegExp(`<meta ${tag} content="[^"]+"`));
});

test.each(SCREENS)('pages that a visitor opens, on $screen', async ({ options }) => {
  const { page, errors } = await openVisitor(options);
  for (const path of [...pathsSeenBy('visitor'), ...MORE_FOR_VISITORS])
    expect(await openAndJudge(page, errors, path), path).toEqual([]);
  await visit(page, `${site.origin}/index`);
  await openLogin(page);
  for (const tab of ['手机登录', '账号登录']) {
    await dialogOf(page).getByRole('tab', { name: tab }).click();
    expect(await faultsOf(page), tab).toEqual([]);
  }
  await leave(page);
});

test.each(SCREENS)('pages and dialogs of a member, on $screen', async ({ options }) => {
  const { page, errors } = await openVisitor(options);
  const token = await enterAs(site, page, 'member', PASSWORD);
  for (const path of pathsSeenBy('member')) expect(await openAndJudge(page, errors, path), path).toEqual([]);
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
    .getByRole('button', { name: /^(添加到)?社群$/ })
    .filter({ visible: true })
    .click();
  await page.getByRole('dialog', { name: '添加到社群' }).getByText('地产活动策划群').waitFor();
  expect(await faultsOf(page), 'the popover of groups').toEqual([]);
  await visit(page, `${site.origin}/aboutVip`);
  await page.getByRole('button', { name: '开通年度会员' }).first().click();
  await payDialogOf(page).getByRole('checkbox').waitFor();
  expect(await faultsOf(page), 'the pay dialog').toEqual([]);
  await leave(page);
});

test.each(SCREENS)(
  'a group with its shelf, a folder and its shortlist before and after the end, on $screen',
  async ({ options }) => {
    const { page } = await openVisitor(options);
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
    await leave(page);
  },
);
