import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { leave, openBrowser, openPage, visit } from './browser.ts';
import { writeDeck } from './decks.ts';
import { openSite, type Site } from './site.ts';

const TITLE = '青柚茶饮2026春季小红书种草传播方案';

let site: Site;
let browser: Browser;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ceku-journey-'));
  const deck = join(folder, `${TITLE}.pptx`);
  [site, browser] = await Promise.all([
    openSite({ RATE_LIMITS: 'off', DEMO: 'off', OUTSIDE: 'off' }),
    openBrowser(),
    writeDeck(deck, TITLE, 12),
  ]);
  const ingest = await site.ceku('ingest', deck, '--json');
  expect(ingest.stdout, ingest.stderr).toContain('"state":"published"');
  // The words of the library are those of its start.
  await site.stop();
  await site.restart();
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  await rm(folder, { recursive: true, force: true });
});

test('a planner types first letters, chooses with the arrows, and is remembered until told to forget', async () => {
  const { page, errors } = await openPage(browser);
  await visit(page, `${site.origin}/report`);
  const field = page.getByRole('combobox');
  const options = page.getByRole('option');
  const suggested = options.filter({ hasText: '小红书' }).first();
  // The words of the library are counted while the site starts: until then nothing is suggested, and typing asks again.
  await expect
    .poll(
      async () => {
        await field.fill('');
        await field.pressSequentially('xhs');
        return suggested.waitFor({ timeout: 5_000 }).then(
          () => true,
          () => false,
        );
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  await field.press('ArrowDown');
  expect(await field.inputValue()).toBe('小红书');
  expect(await field.getAttribute('aria-activedescendant')).toBe(await options.first().getAttribute('id'));
  await field.press('Escape');
  expect([await field.inputValue(), await field.getAttribute('aria-expanded')]).toEqual(['xhs', 'false']);
  await field.press('ArrowDown');
  await options.first().waitFor();
  await field.press('ArrowDown');
  await field.press('Enter');
  await page.waitForURL(/search_key=%E5%B0%8F%E7%BA%A2%E4%B9%A6/);
  await page.getByRole('link', { name: TITLE }).first().waitFor();

  await page.getByRole('button', { name: '清空关键词' }).click();
  await page.getByRole('listbox', { name: '最近搜索' }).waitFor();
  expect(await options.allTextContents()).toEqual(['小红书']);
  await page.getByRole('button', { name: '清空', exact: true }).click();
  await options.first().waitFor({ state: 'hidden' });
  await field.blur();
  await field.focus();
  expect(await options.count()).toBe(0);
  expect(errors).toEqual([]);
  await leave(page);
});

test('Enter that confirms a word of an input method neither searches nor chooses', async () => {
  const { page } = await openPage(browser);
  await page.clock.install();
  // The test would compose the word before React answers, which no person can: `visit` waits for React.
  await visit(page, `${site.origin}/report`);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const field = page.getByRole('combobox');
  await field.focus();
  const session = await page.context().newCDPSession(page);
  await session.send('Input.imeSetComposition', { text: 'xiaohong', selectionStart: 8, selectionEnd: 8 });
  await page.clock.runFor(5_000);
  await page.waitForLoadState('networkidle');
  expect(asked.filter((path) => path.startsWith('/api/search'))).toEqual([]);
  expect(await page.getByRole('option').count()).toBe(0);
  await field.dispatchEvent('keydown', { key: 'Enter', keyCode: 229, isComposing: true, bubbles: true });
  expect(new URL(page.url()).search).toBe('');
  await session.send('Input.insertText', { text: '小红' });
  await page.getByRole('option', { name: '小红书' }).first().waitFor();
  await leave(page);
});

test('a slip is mended and said, and can be meant literally; the words of a page lead to it', async () => {
  const { page, errors } = await openPage(browser);
  await visit(page, `${site.origin}/report?search_key=xhs`);
  await page.getByText('没有找到“xhs”').waitFor();
  await page.getByRole('link', { name: TITLE }).first().waitFor();
  await page.getByRole('link', { name: '仍然搜索“xhs”' }).click();
  await page.waitForURL(/exact=1/);
  await page.getByText('没有找到相关方案').waitFor();

  await visit(page, `${site.origin}/report?search_key=${encodeURIComponent('主题创意')}`);
  await page.getByText('都在正文页里提到').waitFor();
  const line = page.getByRole('link', { name: /^第 \d+ 页/ });
  expect(await line.locator('em').allTextContents()).toEqual(['主题创意']);
  expect(await line.getAttribute('href')).toMatch(/^\/detail\/\d+#p=2&w=%E4%B8%BB%E9%A2%98%E5%88%9B%E6%84%8F$/);
  expect(errors).toEqual([]);
  await leave(page);
});
