import { readFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closePages, leave, openPage } from './browser.ts';
import { writeDeck } from './decks.ts';
import { addMembers, enterAs, logInByName, PASSWORD } from './login.ts';
import { payDialogOf } from './paying.ts';
import { shareDemoSite, type SharedSite } from './shared-site.ts';
import { typeAtSite, workAtSite } from './type-at-site.ts';

const TITLE = '滨江灯会招商手册';
const DATE = String.raw`\d{1,2}月\d{1,2}日 00:00`;

let site: SharedSite;
let browser: Browser;
let folder: string;
let address: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ceku-refusals-'));
  const deck = join(folder, 'deck.pptx');
  const manifest = join(folder, 'manifest.csv');
  await writeFile(manifest, `file,name,price\ndeck.pptx,${TITLE},12\n`);
  [{ site, browser }] = await Promise.all([shareDemoSite(), writeDeck(deck, TITLE, 12)]);
  const ingest = await site.ceku('ingest', deck, '--manifest', manifest, '--json');
  const id = /"document":(\d+)/.exec(ingest.stdout)?.[1];
  expect(id, ingest.stdout + ingest.stderr).toBeDefined();
  address = `${site.origin}/detail/${id}`;
  await addMembers(
    site,
    ['poor', 'early', 'busy', 'past', 'fullreader', 'seeker', 'rich', 'fullmember'].map((name) => ['--username', name]),
  );
  await grantCoins('poor', 3);
  await grantCoins('rich', 30);
  for (const name of ['busy', 'past', 'fullreader', 'fullmember']) await grantVip(name);
});
afterAll(async () => {
  await closePages(browser);
  await rm(folder, { recursive: true, force: true });
});

async function operate(...words: string[]): Promise<void> {
  const done = await typeAtSite(site, 'user', ...words, '--reason', 'test');
  expect(done.code, done.err).toBe(0);
}
const grantCoins = (name: string, coins: number) =>
  operate('grant-coins', '--username', name, '--coins', String(coins));
const grantVip = (name: string) => operate('grant-vip', '--username', name, '--tier', '1', '--days', '30');

const userOf = (name: string) => sql`(select id from users where username = ${name})`;

/** Uses up a quota of today or of this month. */
const useUp = (name: string, kind: 'coupon-day' | 'read-month', used: number) =>
  workAtSite(site, ({ db }) =>
    db.execute(sql`
      insert into quota_uses (user_id, kind, period, used)
      select ${userOf(name)}, ${kind},
        to_char(now() at time zone 'Asia/Shanghai', ${kind === 'coupon-day' ? 'YYYY-MM-DD' : 'YYYY-MM'}), ${used}
      on conflict (user_id, kind, period) do update set used = excluded.used`),
  );

const setHasPdf = (hasPdf: boolean) =>
  workAtSite(site, ({ db }) =>
    db.execute(
      sql`update files set has_pdf = ${hasPdf} from documents where documents.file_id = files.id and documents.name = ${TITLE}`,
    ),
  );

/** The page of the deck, for somebody who is logged in. */
async function openDeck(name: string, hash = ''): Promise<{ page: Page; errors: string[] }> {
  const opened = await openPage(browser);
  await enterAs(site, opened.page, name, PASSWORD);
  await opened.page.goto(address + hash);
  return opened;
}

const panelOf = (page: Page) => page.getByRole('complementary', { name: '下载与信息' });
const hintOf = (page: Page) => page.getByRole('dialog', { name: '温馨提示' });
const viewerOf = (page: Page) => page.getByRole('dialog', { name: `${TITLE} 全屏预览` });

test('too few coins: the smallest pack and the plan are named, and the pay dialog opens with that pack', async () => {
  const { page, errors } = await openDeck('poor');
  const panel = panelOf(page);
  await panel.getByText('开通会员免费下载 ¥98 起').waitFor();
  await panel.getByRole('button', { name: '充值后下载（还差 9 喵币）' }).click();
  const hint = hintOf(page);
  await hint.getByText('喵币余额不足，请充值，或开通VIP免费下载').waitFor();
  await hint.getByRole('button', { name: /还差 9 喵币.*价格 12，余额 3.*¥10 得 100 喵币/ }).waitFor();
  await hint.getByRole('button', { name: /开通会员.*每天 20 张下载券.*¥98 起/ }).waitFor();
  expect(await hint.getByText('恢复').count()).toBe(0);
  await hint.getByRole('button', { name: '去充值' }).click();
  const payment = payDialogOf(page);
  await expect.poll(() => payment.getByRole('radio', { name: /^100 喵币/ }).isChecked()).toBe(true);
  // The reader closes it and gets the coins in another way.
  await page.keyboard.press('Escape');
  await payment.waitFor({ state: 'detached' });
  await grantCoins('poor', 100);
  await page.reload();
  await panel.getByRole('button', { name: '立即下载' }).click();
  await page.getByText('将消耗 12 喵币，当前余额 103').waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: '确认下载' }).click();
  expect(await (await downloading).failure()).toBeNull();
  expect(errors).toEqual([]);
  await leave(page);
});

test('a member at the end of the day is told when the coupons return, and not to become a member', async () => {
  await useUp('busy', 'coupon-day', 20);
  const { page } = await openDeck('busy');
  const panel = panelOf(page);
  await panel.getByText('今日下载券已用完').waitFor();
  await panel.getByText(new RegExp(`免费下载 ${DATE} 恢复`)).waitFor();
  await panel.getByRole('button', { name: '充值后下载（还差 12 喵币）' }).click();
  const hint = hintOf(page);
  await hint.getByText('今日免费下载额度已用完，请充值喵币').waitFor();
  await hint.getByText(new RegExp(`免费下载恢复\\s*${DATE}`)).waitFor();
  expect(await hint.getByText(/开通会员|升级/).count()).toBe(0);
  // With coins the question says both: what it costs now, and that it need not.
  await page.keyboard.press('Escape');
  await grantCoins('busy', 12);
  await panel.getByRole('button', { name: '充值后下载' }).click();
  const question = page.getByRole('dialog', { name: '确认下载' });
  await question.getByText('将消耗 12 喵币，当前余额 12').waitFor();
  await question.getByText(new RegExp(`免费下载 ${DATE} 恢复`)).waitFor();
  await leave(page);
});

test('a membership that ends while the page is open: the refusal is that of an ordinary user', async () => {
  const { page, errors } = await openDeck('past');
  const panel = panelOf(page);
  await panel.getByText('将使用 1 张下载券').waitFor();
  await workAtSite(site, ({ db }) =>
    db.execute(
      sql`update memberships set standard_end_at = now() - interval '1 minute' where user_id = ${userOf('past')}`,
    ),
  );
  await panel.getByRole('button', { name: '立即下载' }).click();
  const hint = hintOf(page);
  await hint.getByText('喵币余额不足，请充值，或开通VIP免费下载').waitFor();
  await hint.getByRole('button', { name: /开通会员.*¥98 起/ }).click();
  const payment = payDialogOf(page);
  await expect.poll(() => payment.getByRole('radio', { name: /^季度会员/ }).isChecked()).toBe(true);
  expect(errors).toEqual([]);
  await leave(page);
});

test('over the reads of the month the end of the preview says the ways; after the download the deck is read on', async () => {
  await useUp('fullreader', 'read-month', 1_500);
  const { page } = await openDeck('fullreader');
  await page.getByRole('button', { name: '全屏预览', exact: true }).click();
  const viewer = viewerOf(page);
  await viewer.getByText('VIP 免费', { exact: true }).waitFor();
  await page.keyboard.press('End');
  await viewer.getByText('本月阅读次数已达上限', { exact: true }).waitFor();
  await viewer.getByText(/下载后永久可读\s*使用 1 张下载券/).waitFor();
  await viewer.getByRole('button', { name: /升级高级会员.*每月可读 3,000 份全文.*¥98 起/ }).waitFor();
  await viewer.getByText(new RegExp(`阅读次数恢复\\s*${DATE}`)).waitFor();
  const downloading = page.waitForEvent('download');
  await viewer.getByRole('button', { name: '立即下载（用 1 张下载券）' }).click();
  expect(await (await downloading).failure()).toBeNull();
  await page.getByRole('button', { name: '继续阅读第 11 页' }).click();
  await viewerOf(page).getByText('11 / 12', { exact: true }).waitFor();
  await leave(page);
});

test('a title that a visitor presses opens after the login', async () => {
  const { page, errors } = await openPage(browser);
  await page.goto(address);
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  const outline = page.getByRole('region', { name: '全文目录' });
  await outline
    .getByRole('link', { name: /开通会员或下载后可看/ })
    .last()
    .click();
  const wanted = Number(/#p=(\d+)$/.exec(page.url())?.[1]);
  expect(wanted).toBeGreaterThan(10);
  await page.getByRole('dialog').getByText(`登录后继续看第 ${wanted} 页`).waitFor();
  await logInByName(page, 'fullmember', PASSWORD);
  await viewerOf(page).getByText(`${wanted} / 12`, { exact: true }).waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('a link to a locked page says so, and the page opens once the reader has become a member elsewhere', async () => {
  const { page, errors } = await openDeck('seeker', '#p=12');
  await page.getByText('您要找的内容在 第 12 页').waitFor();
  const preview = page.getByRole('region', { name: '方案预览' });
  await preview.getByRole('button', { name: /还差 12 喵币.*价格 12，余额 0/ }).waitFor();
  await preview.getByRole('button', { name: /开通会员.*每月可读 3,000 份全文.*¥98 起/ }).waitFor();
  await grantVip('seeker');
  // The reader comes back to this tab.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await viewerOf(page).getByText('12 / 12', { exact: true }).waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('while the pages after the preview are still being made, nobody is sold their reading without a word', async () => {
  const { page, errors } = await openDeck('early');
  const preview = page.getByRole('region', { name: '方案预览' });
  const pending = preview.getByText('全文准备中，可先下载');
  await preview.getByText('可在线阅读全文').waitFor();
  expect(await pending.count()).toBe(0);
  await setHasPdf(false);
  await page.reload();
  await pending.waitFor();
  await preview.getByRole('button', { name: '开通会员', exact: true }).waitFor();

  const { page: theirs } = await openDeck('fullmember');
  await theirs.getByText('全文正在准备，请稍后再来；共 12 页').waitFor();
  expect(await theirs.getByRole('button', { name: /^继续阅读第/ }).count()).toBe(0);
  await setHasPdf(true);
  await theirs.reload();
  await theirs.getByRole('button', { name: '继续阅读第 11 页' }).waitFor();
  expect(errors).toEqual([]);
  await leave(theirs);
  await leave(page);
});

test('an interrupted download goes on where it broke off, and the saved file is whole', async () => {
  const ARRIVED = 1_000;
  const { page } = await openDeck('rich');
  const panel = panelOf(page);
  await page.route('**/dl/**', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.body()).subarray(0, ARRIVED) });
  });
  await panel.getByRole('button', { name: '立即下载' }).click();
  await page.getByRole('button', { name: '确认下载' }).click();
  await panel.getByText('下载失败，请重试（不会重复扣费）').waitFor();
  await page.unroute('**/dl/**');

  const asking = page.waitForRequest('**/dl/**');
  const downloading = page.waitForEvent('download');
  await panel.getByRole('button', { name: '重试下载' }).click();
  expect((await asking).headers()['range']).toBe(`bytes=${ARRIVED}-`);
  const saved = await readFile(await (await downloading).path());
  expect(saved.equals(await readFile(join(folder, 'deck.pptx')))).toBe(true);
  await page.goto(`${site.origin}/aboutVip`);
  const balance = page.getByRole('region', { name: '我的会员' }).getByText('18', { exact: true });
  await expect.poll(() => balance.count()).toBe(1);
  await leave(page);
});
