import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closePages, leave, openPage, visit, whenReady } from './browser.ts';
import { writeDeck } from './decks.ts';
import { addMembers, enterAs, logInByName, PASSWORD } from './login.ts';
import { payDialogOf } from './paying.ts';
import { shareDemoSite, type SharedSite } from './shared-site.ts';
import { typeAtSite } from './type-at-site.ts';

const TITLE = '城市灯光节招商手册';
const OTHER = '滨江音乐会执行手册';

let site: SharedSite;
let browser: Browser;
let folder: string;
let address: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ceku-coins-'));
  const deck = join(folder, 'deck.pptx');
  const manifest = join(folder, 'manifest.csv');
  await writeFile(manifest, `file,name,price\ndeck.pptx,${TITLE},12\nother.pptx,${OTHER},12\n`);
  [{ site, browser }] = await Promise.all([
    shareDemoSite(),
    writeDeck(deck, TITLE, 12),
    writeDeck(join(folder, 'other.pptx'), OTHER, 11),
  ]);
  const ingest = await site.ceku('ingest', folder, '--manifest', manifest, '--json');
  const listed = await typeAtSite(site, 'document', 'list', '--json');
  const id = new RegExp(`"id":(\\d+),"name":"${TITLE}"`).exec(listed.out)?.[1];
  expect(id, ingest.stdout + ingest.stderr).toBeDefined();
  address = `${site.origin}/detail/${id}`;
  for (const [username, coins] of [
    ['coinsrich', '30'],
    ['coinswandering', '30'],
    ['coinspoor', '3'],
  ] as const) {
    await addMembers(site, [['--username', username]]);
    const grant = ['user', 'grant-coins', '--username', username, '--coins', coins, '--reason', 'test'];
    const granted = await typeAtSite(site, ...grant);
    expect(granted.code, granted.err).toBe(0);
  }
});
afterAll(async () => {
  await closePages(browser);
  await rm(folder, { recursive: true, force: true });
});

const panelOf = (page: Page) => page.getByRole('complementary', { name: '下载与信息' });

const logIn = (page: Page, username: string) => logInByName(page, username, PASSWORD);

test('a question about the coins of one document is gone with it: Back shows another document, and nothing is bought', async () => {
  const { page, errors } = await openPage(browser);
  await enterAs(site, page, 'coinswandering', PASSWORD);
  await visit(page, address);
  const entries = await page.evaluate(() => window.history.length);
  await page.getByRole('link', { name: '对比阅读' }).click();
  await page.getByRole('searchbox', { name: '按标题找方案' }).fill(OTHER);
  await page.getByRole('button', { name: '查找' }).click();
  await page.getByRole('region', { name: '搜索结果' }).getByRole('link', { name: OTHER }).click();
  await page
    .getByRole('region', { name: `右侧：${OTHER}` })
    .getByRole('link', { name: OTHER, exact: true })
    .click();
  await page.getByRole('heading', { name: OTHER, level: 1 }).waitFor();
  await panelOf(page).getByRole('button', { name: '立即下载' }).click();
  await page.getByRole('dialog', { name: '确认下载' }).waitFor();
  // From the document to the one before it, without a page in between.
  await page.evaluate((at) => window.history.go(at - window.history.length), entries);
  await page.getByRole('heading', { name: TITLE, level: 1 }).waitFor();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  expect(errors).toEqual([]);
  await leave(page);
});

test('a visitor who wants a file logs in, agrees to the coins, gets the file and has paid once', async () => {
  const { page, errors } = await openPage(browser);
  await visit(page, address);
  await page.getByRole('dialog').waitFor();
  await whenReady(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });

  // The download goes on by itself after the login, up to the question about coins.
  const panel = panelOf(page);
  await panel.getByRole('button', { name: '立即下载' }).click();
  await logIn(page, 'coinsrich');
  await page.getByText('将消耗 12 喵币，当前余额 30').waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: '确认下载' }).click();
  expect((await downloading).suggestedFilename()).toBe(`${TITLE}.pptx`);
  await panel.getByText('已购，可再次下载').waitFor();
  // The message of the start has become the message of the end.
  await page.getByText('下载完成').waitFor();
  await expect.poll(() => page.getByText('开始下载').count()).toBe(0);

  // The second time nothing is asked and nothing is paid.
  const again = page.waitForEvent('download');
  await panel.getByRole('button', { name: '再次下载' }).click();
  await again;
  await visit(page, `${site.origin}/aboutVip`);
  await page.getByRole('region', { name: '我的会员' }).getByText('18', { exact: true }).waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('too few coins: the message of the server, and the pay dialog with the pack that covers them', async () => {
  const { page } = await openPage(browser);
  await visit(page, address);
  await page.getByRole('dialog').waitFor();
  await logIn(page, 'coinspoor');
  const panel = panelOf(page);
  await panel.getByText('余额 3，不足').waitFor();
  await panel.getByRole('button', { name: '充值后下载（还差 9 喵币）' }).click();
  const dialog = page.getByRole('dialog', { name: '温馨提示' });
  await dialog.getByText('喵币余额不足，请充值，或开通VIP免费下载').waitFor();
  await dialog.getByText('还差 9 喵币').waitFor();
  await dialog.getByRole('button', { name: '去充值' }).click();
  const payment = payDialogOf(page);
  await payment.getByRole('tab', { name: '喵币充值', selected: true }).waitFor();
  await expect.poll(() => payment.getByRole('radio', { name: /^100 喵币/ }).isChecked()).toBe(true);
  await payment.getByText('余额 103 喵币').waitFor();
  expect(page.url()).toBe(address);
  await leave(page);
});

test('an interrupted download is retried without paying again', async () => {
  const { page } = await openPage(browser);
  await visit(page, address);
  await page.getByRole('dialog').waitFor();
  await logIn(page, 'coinsrich');
  const panel = panelOf(page);
  await panel.getByText('已购，可再次下载').waitFor();
  await page.route('**/dl/**', (route) => route.abort());
  await panel.getByRole('button', { name: '再次下载' }).click();
  await panel.getByText('下载失败，请重试（不会重复扣费）').waitFor();
  await page.unroute('**/dl/**');
  const downloading = page.waitForEvent('download');
  await panel.getByRole('button', { name: '重试下载' }).click();
  expect(await (await downloading).failure()).toBeNull();
  await visit(page, `${site.origin}/aboutVip`);
  const balance = page.getByRole('region', { name: '我的会员' }).getByText('18', { exact: true });
  await expect.poll(() => balance.count()).toBe(1);
  await leave(page);
});
