import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { leave, openPage, visit } from './browser.ts';
import type { SharedSite } from './shared-site.ts';
import { typeAtSite } from './type-at-site.ts';

/** The password of every account that `addMembers` creates. */
export const PASSWORD = 'journey2026';

/** Accounts on a site, as an operator makes them: the words of `ceku user create` for each, without the password. */
export async function addMembers(site: SharedSite, members: readonly (readonly string[])[]): Promise<void> {
  for (const words of members) {
    const done = await typeAtSite(site, 'user', 'create', ...words, '--password', PASSWORD);
    expect(done.code, done.err).toBe(0);
  }
}

export const dialogOf = (page: Page) => page.getByRole('dialog');

/** Logs a page's browser in without the dialog, for journeys about something else. Resolves to the token of the session. */
export async function enterAs(site: SharedSite, page: Page, username: string, password: string): Promise<string> {
  const answer = await fetch(`${site.origin}/api/v2/user/usernameLogin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: Buffer.from(password).toString('base64') }),
  });
  const reply: unknown = await answer.json();
  expect(reply).toMatchObject({ code: 0 });
  const cookies = answer.headers.getSetCookie().map((line) => /^([^=]+)=([^;]*)/.exec(line) ?? []);
  await page
    .context()
    .addCookies(
      cookies.map(([, name = '', value = '']) => ({ name, value, url: site.origin, sameSite: 'Lax' as const })),
    );
  return cookies.find(([, name]) => name === 'token')?.[2] ?? '';
}

/** Opens the login dialog from the header. */
export async function openLogin(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: '登录', exact: true }).click();
  await dialogOf(page).waitFor();
}

/** 账号登录 in the open dialog. Does not wait for what comes of it. */
export async function logInByName(page: Page, username: string, password: string): Promise<void> {
  const dialog = dialogOf(page);
  await dialog.getByRole('tab', { name: '账号登录' }).click();
  await dialog.getByLabel('用户名').fill(username);
  await dialog.getByLabel('密码', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: '登录', exact: true }).click();
}

/** 手机登录 by password in the open dialog. */
export async function logInByPhone(page: Page, phone: string, password: string): Promise<void> {
  const dialog = dialogOf(page);
  await dialog.getByRole('tab', { name: '手机登录' }).click();
  await dialog.getByRole('tab', { name: '密码登录' }).click();
  await dialog.getByLabel('手机号').fill(phone);
  await dialog.getByLabel('密码', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: '登录', exact: true }).click();
}

/** Resolves when the page has come back logged in, as `nickname` when given. */
export async function whenLoggedIn(page: Page, nickname?: string): Promise<void> {
  await page.getByText('登录成功', { exact: true }).waitFor();
  const account = page.getByRole('banner').getByRole('button', { name: '打开账号菜单' });
  await (nickname ? account.filter({ hasText: nickname }) : account).waitFor();
}

/** The pretend phone that the open dialog links to, in a tab of its own. */
export async function openPhone(page: Page): Promise<Page> {
  const opening = page.waitForEvent('popup');
  await dialogOf(page).getByRole('link', { name: '用模拟手机操作' }).click();
  return opening;
}

/** Where the pretend outside world of a site listens: the link of the login dialog leads there. */
export async function outsideOf(site: SharedSite, browser: Browser): Promise<string> {
  const { page } = await openPage(browser);
  await visit(page, `${site.origin}/index`);
  await openLogin(page);
  const link = dialogOf(page).getByRole('link', { name: '用模拟手机操作' });
  const { origin } = new URL((await link.getAttribute('href')) ?? '');
  await leave(page);
  return origin;
}

/** The last code sent to a phone. */
export async function codeOf(outside: string, phone: string): Promise<string> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const answer = await fetch(`${outside}/control/sms?phone=${phone}`);
    // Safe: what the control call is documented to answer; a missing field fails the test.
    if (answer.ok) return ((await answer.json()) as { code: string }).code;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no message reached ${phone}`);
}

/** Tells the pretend phone what to do. */
export async function control(outside: string, path: string, body: object): Promise<void> {
  const answer = await fetch(`${outside}/control/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status, await answer.text()).toBe(200);
}

/** The scenes that a page is given, in the order of their coming. */
export function scenesOf(page: Page): string[] {
  const scenes: string[] = [];
  page.on('response', (response) => {
    if (!response.url().endsWith('/getMiniLoginScene')) return;
    void response.json().then((body: { data: { scene: string } }) => scenes.push(body.data.scene));
  });
  return scenes;
}

/** Opens the account's menu in the header. */
export async function openMenu(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: '打开账号菜单' }).click();
  await page.getByRole('dialog', { name: '账号' }).waitFor();
}
