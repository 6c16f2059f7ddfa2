import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { restoreReport } from '../../src/legal/server/takedowns.ts';
import { hold, leave, openBrowser, openPage, visit, whenReady } from './browser.ts';
import { addMembers, dialogOf, enterAs, PASSWORD } from './login.ts';
import { openDemoSite, type Site } from './site.ts';
import { typeAtSite, workAtSite } from './type-at-site.ts';

let site: Site;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([openDemoSite(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const DAY_MS = 86_400_000;
const statusOf = async (path: string) => (await fetch(`${site.origin}${path}`)).status;

test('what is filled in before the scripts arrived stays and is sent', async () => {
  const { page } = await openPage(browser);
  const release = await hold(page, /\/assets\/.*\.js$/);
  await page.goto(`${site.origin}/infringement`, { waitUntil: 'commit' });
  const form = page.getByRole('form', { name: '侵权投诉表单' });
  await form.getByLabel('被侵害的权利').selectOption({ label: '著作权' });
  await form.getByLabel('权利人').fill('某某文化公司');
  await form.getByLabel('联系方式与通讯地址').fill('010-12345678\n北京市朝阳区某某路 1 号');
  await form.getByRole('checkbox').check();
  release();
  await whenReady(page);
  await form.getByLabel('权属与侵权的说明').fill('第 3 至 8 页是本公司的设计稿，登记号 2024-F-0001');
  await form.getByLabel('被投诉方案的网址').fill('/detail/999999');
  expect(await form.getByLabel('权利人').inputValue()).toBe('某某文化公司');
  await form.getByRole('button', { name: '提交通知' }).click();
  // The form is refused for the address of the document and for nothing else: the other fields were sent.
  await form.getByText('本站没有这份方案，请核对网址').waitFor();
  await leave(page);
});

test('a rights holder reports a document, which is taken down, answers 410, and returns after a counter-notice', async () => {
  const { page, errors } = await openPage(browser);
  await visit(page, `${site.origin}/infringement#doc=3`);
  expect(await page.getByLabel('被投诉方案的网址').inputValue()).toBe('/detail/3');
  await page.getByLabel('被投诉方案的网址').fill('');
  const form = page.getByRole('form', { name: '侵权投诉表单' });
  await form.getByRole('button', { name: '提交通知' }).click();
  await form.getByText('请填写权利人的姓名或名称').waitFor();
  expect(await form.getByLabel('被投诉方案的网址').evaluate((field) => field === document.activeElement)).toBe(true);
  // A document that the site does not have is refused by the server, at its field.
  await form.getByLabel('被投诉方案的网址').fill('/detail/999999');
  await form.getByLabel('被侵害的权利').selectOption({ label: '著作权' });
  await form.getByLabel('权利人').fill('某某文化公司');
  await form.getByLabel('联系方式与通讯地址').fill('010-12345678\n北京市朝阳区某某路 1 号');
  await form.getByLabel('权属与侵权的说明').fill('第 3 至 8 页是本公司的设计稿，登记号 2024-F-0001');
  await form.getByRole('checkbox').check();
  await form.getByRole('button', { name: '提交通知' }).click();
  await form.getByText('本站没有这份方案，请核对网址').waitFor();
  await form.getByLabel('被投诉方案的网址').fill(`${site.origin}/detail/3`);
  await form.getByRole('button', { name: '提交通知' }).click();
  const done = page.getByRole('status').filter({ hasText: '通知已提交' });
  await done.waitFor();
  const receipt = /QS\d{8}-\w{8}/.exec(await done.innerText())?.[0] ?? '';

  expect(await statusOf('/detail/3')).toBe(200);
  expect((await typeAtSite(site, 'takedown', 'accept', receipt)).out).toContain('Document 3 is taken down');
  // A page that is kept for visitors is dropped within a moment.
  await expect.poll(() => statusOf('/detail/3')).toBe(410);
  expect((await typeAtSite(site, 'takedown', 'counter', receipt, '--text', '已获权利人授权')).code).toBe(0);
  const restored = await workAtSite(site, (ctx) => {
    const later = { ...ctx, clock: { now: () => Date.now() + 16 * DAY_MS } };
    return restoreReport(later, receipt, 'counter-notice');
  });
  expect(restored).toMatchObject({ outcome: 'done', state: 'published' });
  await expect.poll(() => statusOf('/detail/3')).toBe(200);
  expect(errors).toEqual([]);
  await leave(page);
});

test('a document that left the library is removed from the favourites after a question', async () => {
  const { page } = await openPage(browser);
  await addMembers(site, [['--username', 'keeper']]);
  const token = await enterAs(site, page, 'keeper', PASSWORD);
  const ask = (path: string, body: object) =>
    fetch(`${site.origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', token },
      body: JSON.stringify(body),
    });
  await ask('/api/user/doFavorite', { id: 5, is_favorite: 1 });
  await ask('/api/favorite/note', { fid: 5, note: '别丢' });
  expect((await typeAtSite(site, 'document', 'hide', '5')).code).toBe(0);
  await visit(page, `${site.origin}/user/favorite`);
  const row = page.locator('main li').filter({ hasText: '别丢' });
  await row.getByText('已下架').waitFor();
  expect(await row.getByRole('button', { name: /^收藏《/ }).count()).toBe(0);
  const remove = row.getByRole('button', { name: /^移除《/ });
  await remove.click();
  await dialogOf(page).getByText('备注会一并删除，不能恢复').waitFor();
  await dialogOf(page).getByRole('button', { name: '保留' }).click();
  await dialogOf(page).waitFor({ state: 'hidden' });
  await remove.click();
  await dialogOf(page).getByRole('button', { name: '取消收藏' }).press('Enter');
  await row.waitFor({ state: 'hidden' });
  await expect.poll(() => page.locator(':focus').textContent()).toBe('我的收藏');
  await leave(page);
});
