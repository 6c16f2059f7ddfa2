import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pdfOfObjects, pdfStream } from '../samples/pdf.ts';
import { closePages, hold, leave, openPage, visit } from './browser.ts';
import { addMembers, codeOf, dialogOf, enterAs, logInByName, outsideOf, PASSWORD } from './login.ts';
import { payDialogOf } from './paying.ts';
import { shareDemoSite, type SharedSite } from './shared-site.ts';
import { typeAtSite } from './type-at-site.ts';

let site: SharedSite;
let browser: Browser;

beforeAll(async () => {
  ({ site, browser } = await shareDemoSite());
  await addMembers(site, [
    ['--username', 'joiner', '--nickname', '进群的人'],
    ['--username', 'plain', '--nickname', '普通用户'],
  ]);
  const words = ['grant-vip', '--tier', '1', '--days', '30', '--reason', 'test', '--username', 'joiner'];
  const granted = await typeAtSite(site, 'user', ...words);
  expect(granted.code, granted.err).toBe(0);
});
afterAll(() => closePages(browser));

/** The objects of a PDF of one page; what follows them is read by nobody. */
const PDF_OF_ONE_PAGE = [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Count 1/Kids[3 0 R]>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 720 405]/Contents 4 0 R>>',
  pdfStream('0.78 0.21 0.12 rg 60 60 600 285 re f'),
];

const popoverOf = (page: Page) => page.getByRole('dialog', { name: '添加到社群' });
const openPopover = (page: Page) => page.getByRole('button', { name: '添加到社群', exact: true }).first().click();

/** Returns a group as the list of groups shows it to the member with this token. */
async function groupOf(token: string, name: string): Promise<{ fcount: number; member_count: number }> {
  for (const page of [1, 2]) {
    const answer = await fetch(`${site.origin}/api/group/getGroupList`, {
      method: 'POST',
      headers: { token, 'content-type': 'application/json' },
      body: JSON.stringify({ page }),
    });
    // Safe: every answer of this call has the list.
    const { infor } = (await answer.json()) as {
      infor: { group_list: { name: string; fcount: number; member_count: number }[] };
    };
    const group = infor.group_list.find((each) => each.name === name);
    if (group) return group;
  }
  throw new Error(`there is no group ${name}`);
}

test('a visitor who opens the popover gets the login dialog alone, and the popover after the login', async () => {
  const { page, errors } = await openPage(browser);
  await visit(page, `${site.origin}/detail/2`);
  // The dialog that offers the login by itself comes first (C-21).
  await dialogOf(page).waitFor();
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'hidden' });
  await openPopover(page);
  await dialogOf(page).getByText('登录后可添加到社群').waitFor();
  expect(await popoverOf(page).count()).toBe(0);
  await logInByName(page, 'joiner', PASSWORD);
  await popoverOf(page).getByText('地产活动策划群').waitFor();
  await page.keyboard.press('Escape');
  await popoverOf(page).waitFor({ state: 'hidden' });
  expect(errors).toEqual([]);
  await leave(page);
});

test('a member joins groups in the popover, ticks over pages and adds the document once', async () => {
  const { page, errors } = await openPage(browser);
  const token = await enterAs(site, page, 'joiner', PASSWORD);
  await visit(page, `${site.origin}/detail/2`);
  const popover = popoverOf(page);
  const add = async () => {
    await openPopover(page);
    await popover.getByRole('checkbox', { name: '餐饮品牌营销社' }).check();
    await popover.getByRole('button', { name: '下一页' }).click();
    await popover.getByRole('checkbox', { name: '汽车试驾与巡展' }).check();
    await popover.getByRole('button', { name: '上一页' }).click();
    expect(await popover.getByRole('checkbox', { name: '餐饮品牌营销社' }).isChecked()).toBe(true);
  };
  const before = [await groupOf(token, '餐饮品牌营销社'), await groupOf(token, '汽车试驾与巡展')];

  await openPopover(page);
  await popover.getByText('1 / 2').waitFor();
  await popover.getByText('先加入一个社群，再把方案放上它的书架').waitFor();
  await popover.getByRole('button', { name: '确定' }).click();
  await popover.getByRole('alert').getByText('请选择社群').waitFor();
  await popover.getByRole('button', { name: '加入餐饮品牌营销社' }).click();
  await popover.getByRole('checkbox', { name: '餐饮品牌营销社' }).waitFor();
  await popover.getByText('先加入一个社群').waitFor({ state: 'hidden' });
  await popover.getByRole('button', { name: '确定' }).click();
  await popover.getByRole('alert').getByText('请选择社群').waitFor();
  await popover.getByRole('button', { name: '下一页' }).click();
  await popover.getByRole('button', { name: '加入汽车试驾与巡展' }).click();
  await popover.getByRole('checkbox', { name: '汽车试驾与巡展' }).waitFor();
  await page.keyboard.press('Escape');
  await popover.waitFor({ state: 'hidden' });

  await add();
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/group/addGroupsFiles', async (route) => {
    await held;
    await route.continue();
  });
  await popover.getByRole('button', { name: '确定（已选 2 个）' }).click();
  await expect.poll(() => popover.getByRole('button', { name: '提交中…' }).isDisabled()).toBe(true);
  release();
  await page.getByText('操作成功', { exact: true }).waitFor();
  await popover.waitFor({ state: 'hidden' });
  await page.unroute('**/api/group/addGroupsFiles');

  await add();
  await popover.getByRole('button', { name: '确定（已选 2 个）' }).click();
  await popover.waitFor({ state: 'hidden' });
  const after = [await groupOf(token, '餐饮品牌营销社'), await groupOf(token, '汽车试驾与巡展')];
  expect(after.map(({ fcount }) => fcount)).toEqual(before.map(({ fcount }) => fcount + 1));
  expect(after.map(({ member_count: count }) => count)).toEqual(before.map(({ member_count: count }) => count + 1));

  await visit(page, `${site.origin}/user/group`);
  await page.getByRole('link', { name: '汽车试驾与巡展' }).first().click();
  await page.getByRole('heading', { name: '汽车试驾与巡展' }).waitFor();
  await page.getByText('进群的人 添加').waitFor();
  await page.getByRole('button', { name: /^移出/ }).click();
  await page.getByText('进群的人 添加').waitFor({ state: 'hidden' });
  expect((await groupOf(token, '汽车试驾与巡展')).fcount).toBe(before[1]?.fcount);
  await page.getByRole('button', { name: '退出社群' }).click();
  await dialogOf(page)
    .getByText(/^退出“汽车试驾与巡展”？/)
    .waitFor();
  await dialogOf(page).getByRole('button', { name: '留下' }).click();
  await dialogOf(page).waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: '退出社群' }).click();
  await dialogOf(page).getByRole('button', { name: '退出', exact: true }).click();
  await page.getByRole('heading', { name: '我的社群' }).waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('a member uploads a file, is interrupted half-way, goes on in a new tab, and takes the file back', async () => {
  const { page, errors } = await openPage(browser);
  await enterAs(site, page, 'joiner', PASSWORD);
  await visit(page, `${site.origin}/user/group`);
  await page.getByRole('link', { name: '餐饮品牌营销社' }).first().click();
  await page.getByRole('heading', { name: '成员上传的文件' }).waitFor();
  const shelf = page.url();
  const folder = await mkdtemp(join(tmpdir(), 'ceku-upload-'));
  const file = join(folder, '内部提案.pdf');
  await writeFile(file, pdfOfObjects([...PDF_OF_ONE_PAGE, pdfStream(randomBytes(6 * 1024 * 1024))]));
  const choose = async () => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: '上传文件' }).press('Enter');
    await (await chooser).setFiles(file);
  };

  // The second part never arrives: the tab is closed.
  const offsets: (string | undefined)[] = [];
  await page.route('**/api/upload/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    offsets.push(route.request().headers()['upload-offset']);
    if (offsets.length === 2) return;
    await route.continue();
  });
  await choose();
  await expect.poll(() => offsets.length).toBe(2);
  await page.getByRole('button', { name: /^暂停上传/ }).click();
  await page.getByText('已暂停').waitFor();
  await visit(page, shelf);
  await page.getByText('没有传完，重新选择同一文件即可继续').waitFor();
  // All bytes arrive, but the check does not go through: only the check is asked for again.
  const refusal = { json: { code: 1, message: '检查中断', data: null } };
  await page.route('**/api/web/doc2png', (route) => route.fulfill(refusal), { times: 2 });
  await choose();
  await page.getByText('失败：检查中断').waitFor();
  await page.getByRole('button', { name: /^关闭/ }).click();
  await choose();
  const preview = page.getByRole('button', { name: '内部提案', exact: true });
  await preview.waitFor({ timeout: 120_000 });
  expect(offsets).toEqual(['0', String(4 * 1024 * 1024), String(4 * 1024 * 1024)]);
  await preview.press('Enter');
  const image = page.getByRole('dialog').getByRole('img', { name: '第 1 页' });
  // Safe: the locator finds an <img>.
  await expect.poll(() => image.evaluate((shown) => (shown as HTMLImageElement).naturalWidth)).toBeGreaterThan(100);
  const address = (await image.getAttribute('src')) ?? '';
  await page.keyboard.press('Escape');

  const other = await openPage(browser);
  await enterAs(site, other.page, 'plain', PASSWORD);
  expect((await other.page.request.get(site.origin + address)).status()).toBe(404);
  expect((await page.request.get(site.origin + address)).status()).toBe(200);
  await leave(other.page);

  await page.getByRole('button', { name: /^撤回/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: '撤回' }).click();
  await preview.waitFor({ state: 'hidden' });
  expect((await page.request.get(site.origin + address)).status()).toBe(404);
  expect(errors).toEqual([]);
  await rm(folder, { recursive: true });
  await leave(page);
});

test('a file opens while another one is sent, and stays open when another dialog has done its work', async () => {
  const { page } = await openPage(browser);
  await enterAs(site, page, 'joiner', PASSWORD);
  await visit(page, `${site.origin}/user/group`);
  await page.getByRole('link', { name: '餐饮品牌营销社' }).first().click();
  await page.getByRole('heading', { name: '成员上传的文件' }).waitFor();
  const field = page.locator('input[type=file]');
  const fileOf = (name: string) => ({
    name,
    mimeType: 'application/pdf',
    buffer: Buffer.from(pdfOfObjects([...PDF_OF_ONE_PAGE, pdfStream(randomBytes(1024))])),
  });
  await field.setInputFiles(fileOf('先传的提案.pdf'));
  const first = page.getByRole('button', { name: '先传的提案', exact: true });
  await first.waitFor({ timeout: 120_000 });
  const sendOn = await hold(page, '**/api/upload/*');
  const parts = page.waitForRequest('**/api/upload/*');
  await field.setInputFiles(fileOf('后传的提案.pdf'));
  await parts;
  const questions: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/uploadDetail')) questions.push(request.url());
  });
  const answer = await hold(page, '**/api/group/uploadDetail*');
  await first.click();
  await expect.poll(() => questions.length).toBe(1);
  sendOn();
  await page.getByRole('button', { name: '后传的提案', exact: true }).waitFor({ state: 'attached', timeout: 120_000 });
  answer();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('img', { name: '第 1 页' }).waitFor();
  expect(questions.length).toBe(1);
  await page.keyboard.press('Escape');

  const withdraw = await hold(page, '**/api/group/withdrawUpload');
  await page.getByRole('button', { name: '撤回后传的提案' }).click();
  await dialog.getByRole('button', { name: '撤回' }).click();
  await page.keyboard.press('Escape');
  await first.click();
  await dialog.getByRole('img', { name: '第 1 页' }).waitFor();
  withdraw();
  await page.getByRole('alert').filter({ hasText: '已撤回' }).waitFor();
  expect(await dialog.getByRole('img', { name: '第 1 页' }).count()).toBe(1);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '撤回先传的提案' }).click();
  await dialog.getByRole('button', { name: '撤回' }).click();
  await first.waitFor({ state: 'hidden' });
  await leave(page);
});

test('a file that is sent by two tabs stands on the shelf once', async () => {
  const { page } = await openPage(browser);
  await enterAs(site, page, 'joiner', PASSWORD);
  await visit(page, `${site.origin}/user/group`);
  await page.getByRole('link', { name: '餐饮品牌营销社' }).first().click();
  await page.getByRole('heading', { name: '成员上传的文件' }).waitFor();
  const folder = await mkdtemp(join(tmpdir(), 'ceku-upload-'));
  const file = join(folder, '两处同传.pdf');
  await writeFile(file, pdfOfObjects([...PDF_OF_ONE_PAGE, pdfStream(randomBytes(6 * 1024 * 1024))]));
  const choose = async (tab: Page) => {
    const chooser = tab.waitForEvent('filechooser');
    await tab.getByRole('button', { name: '上传文件' }).press('Enter');
    await (await chooser).setFiles(file);
  };
  const begun: string[] = [];
  page.context().on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === '/api/upload') begun.push(request.url());
  });
  // The second part of the first tab waits until the second tab has sent it.
  const held = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  let parts = 0;
  await page.route('**/api/upload/*', async (route) => {
    if (route.request().method() === 'PATCH' && ++parts === 2) {
      isHeld.resolve();
      await held.promise;
    }
    await route.continue();
  });
  await choose(page);
  await isHeld.promise;

  const other = await page.context().newPage();
  await visit(other, page.url());
  await choose(other);
  await other.getByRole('button', { name: '两处同传', exact: true }).waitFor({ timeout: 120_000 });
  held.resolve();
  const preview = page.getByRole('button', { name: '两处同传', exact: true });
  await preview.waitFor({ timeout: 120_000 });
  await page.getByRole('button', { name: /^(?:暂停|取消)上传两处同传/ }).waitFor({ state: 'hidden' });
  expect(begun).toHaveLength(1);
  expect(await preview.count()).toBe(1);
  await other.close();
  await page.getByRole('button', { name: /^撤回两处同传/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: '撤回' }).click();
  await preview.waitFor({ state: 'hidden' });
  await rm(folder, { recursive: true });
  await leave(page);
});

test('the check of an earlier upload stops when the member cancels or pauses the file', async () => {
  const { page } = await openPage(browser);
  await enterAs(site, page, 'joiner', PASSWORD);
  await visit(page, `${site.origin}/user/group`);
  await page.getByRole('link', { name: '餐饮品牌营销社' }).first().click();
  await page.getByRole('heading', { name: '成员上传的文件' }).waitFor();
  const folder = await mkdtemp(join(tmpdir(), 'ceku-upload-'));
  const file = join(folder, '反悔的提案.pdf');
  await writeFile(file, pdfOfObjects(PDF_OF_ONE_PAGE));
  const choose = async () => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: '上传文件' }).press('Enter');
    await (await chooser).setFiles(file);
  };
  const calls: string[] = [];
  page.on('request', (request) => {
    const [, name = ''] = /\/(doc2png|addGroupFile)$/.exec(request.url()) ?? [];
    if (name !== '' || request.method() === 'DELETE') calls.push(name || 'DELETE');
  });
  /** Sends the file, whose check does not go through, chooses it again, and holds the second check back. */
  const chooseTwice = async () => {
    const refusal = { json: { code: 1, message: '检查中断', data: null } };
    await page.route('**/api/web/doc2png', (route) => route.fulfill(refusal), { times: 1 });
    await choose();
    await page.getByText('失败：检查中断').waitFor();
    await page.getByRole('button', { name: /^关闭/ }).click();
    const release = await hold(page, '**/api/web/doc2png');
    const asked = page.waitForRequest('**/api/web/doc2png');
    await choose();
    await asked;
    calls.length = 0;
    return async () => {
      const answered = page.waitForResponse('**/api/web/doc2png');
      release();
      await answered;
    };
  };

  const releaseCancelled = await chooseTwice();
  const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await page.getByRole('button', { name: /^取消上传/ }).click();
  await deleted;
  await releaseCancelled();
  await page.getByText('反悔的提案').first().waitFor({ state: 'hidden' });
  expect(calls).toEqual(['DELETE']);

  const releasePaused = await chooseTwice();
  await page.getByRole('button', { name: /^暂停上传/ }).click();
  await releasePaused();
  await page.getByText('已暂停').waitFor();
  expect(calls).toEqual([]);
  await page.getByRole('button', { name: /^继续上传/ }).click();
  await page.getByRole('button', { name: '反悔的提案', exact: true }).waitFor({ timeout: 120_000 });
  expect(calls).toEqual(['doc2png', 'addGroupFile']);
  await page.getByRole('button', { name: /^撤回反悔的提案/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: '撤回' }).click();
  await page.getByRole('button', { name: '反悔的提案', exact: true }).waitFor({ state: 'hidden' });
  await rm(folder, { recursive: true });
  await leave(page);
});

test('the viewer has the popover in its menu, by the keyboard', async () => {
  const { page } = await openPage(browser);
  await enterAs(site, page, 'joiner', PASSWORD);
  await visit(page, `${site.origin}/detail/1`);
  await page.getByRole('button', { name: '全屏预览', exact: true }).click();
  const viewer = page.getByRole('dialog', { name: /全屏预览$/ });
  await viewer.getByRole('button', { name: '更多' }).press('Enter');
  await page.getByRole('dialog', { name: '更多' }).getByRole('button', { name: '添加到社群' }).press('Enter');
  await popoverOf(page).getByText('地产活动策划群').waitFor();
  await page.keyboard.press('Escape');
  await popoverOf(page).waitFor({ state: 'hidden' });
  expect(await viewer.isVisible()).toBe(true);
  await leave(page);
});

test('who is no member is offered the membership, and may look at a group but not at its shelf', async () => {
  const { page, errors } = await openPage(browser);
  await enterAs(site, page, 'plain', PASSWORD);
  await visit(page, `${site.origin}/user/group`);
  await page.getByText('您还没有加入任何社群~').waitFor();
  await page.getByRole('link', { name: '电商大促作战室' }).click();
  await page.getByText('加入社群后可查看书架').waitFor();
  await page.getByRole('main').getByRole('button', { name: '加入社群' }).click();
  await payDialogOf(page).getByRole('checkbox').waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('the login dialog opens by itself on a document, but not on a link that a member sent', async () => {
  const { page } = await openPage(browser);
  await page.clock.install();
  await visit(page, `${site.origin}/detail/1?invite=1`);
  await page.clock.runFor(2_000);
  expect(await dialogOf(page).count()).toBe(0);
  await visit(page, `${site.origin}/detail/1`);
  await page.clock.runFor(2_000);
  await dialogOf(page).waitFor();
  await leave(page);
});

test('the pointer and the keyboard show the mini program’s code in the bar at the right edge', async () => {
  const { page, errors } = await openPage(browser);
  await visit(page, `${site.origin}/index`);
  const button = page.getByRole('button', { name: '小程序' });
  const code = page.getByRole('img', { name: '小程序码' });
  await button.hover();
  // Safe: the locator finds an <img>.
  await expect.poll(() => code.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(200);
  await page.mouse.move(10, 10);
  await code.waitFor({ state: 'hidden' });
  await button.focus();
  await code.waitFor();
  // On the page of a document the code opens the document on a phone.
  await visit(page, `${site.origin}/detail/1?invite=1`);
  await button.hover();
  const own = page.getByRole('img', { name: '这份方案的二维码' });
  await expect.poll(() => own.getAttribute('src')).toBe('/api/gz/getBaogaoWxCode?scene=1&type=2');
  // Safe: the locator finds an <img>.
  await expect.poll(() => own.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(200);
  expect(errors).toEqual([]);
  await leave(page);
});

test('a visitor who came by a member’s link and registers stands in the member’s list, once', async () => {
  const outside = await outsideOf(site, browser);
  const host = await openPage(browser);
  await enterAs(site, host.page, 'joiner', PASSWORD);
  await visit(host.page, `${site.origin}/user/invite`);
  await host.page.getByText('您还没有邀请过任何用户~').waitFor();
  const link = await host.page.getByLabel('我的邀请链接').inputValue();
  expect(link).toMatch(/\/index\?invite=\d+$/);
  await host.page.getByRole('img', { name: '我的邀请二维码' }).waitFor();
  const poster = host.page.getByRole('img', { name: '邀请海报' });
  // Safe: the locator finds an <img>.
  await expect.poll(() => poster.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(1080);

  const guest = await openPage(browser);
  await visit(guest.page, link);
  await expect
    .poll(async () => (await guest.page.context().cookies()).find(({ name }) => name === 'invite')?.value)
    .toBe(new URL(link).searchParams.get('invite'));
  // The link of another member that the guest opens later does not change the inviter.
  await visit(guest.page, `${site.origin}/detail/1?invite=1`);
  const phone = '13800000077';
  await guest.page.evaluate(
    async (number) =>
      fetch('/api/user/sendPhoneCode', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ phone: number }),
      }).then((answer) => answer.json()),
    phone,
  );
  const code = await codeOf(outside, phone);
  await guest.page.evaluate(
    async (body) =>
      fetch('/api/user/phoneCodeLogin', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).then((answer) => answer.json()),
    { phone, code },
  );
  await visit(guest.page, `${site.origin}/user/userinfo`);
  await guest.page.getByRole('heading', { name: '个人信息' }).waitFor();
  expect((await guest.page.context().cookies()).some(({ name }) => name === 'invite')).toBe(false);

  const rows = host.page.getByRole('table', { name: '我邀请的好友' }).locator('tbody tr');
  await expect
    .poll(
      async () => {
        await visit(host.page, `${site.origin}/user/invite`);
        return rows.count();
      },
      { timeout: 60_000 },
    )
    .toBe(1);
  const mine = await guest.page.evaluate(() =>
    fetch('/api/user/mine', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        token: /(?:^|; )token=([^;]*)/.exec(document.cookie)?.[1] ?? '',
      },
      body: '{}',
    }).then((answer) => answer.json()),
  );
  await rows.first().getByText(mine.data.nickname).waitFor();
  await rows.first().getByText(String(mine.data.uid)).waitFor();
  expect([...host.errors, ...guest.errors]).toEqual([]);
  await leave(guest.page);
  await leave(host.page);
});
