import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import readXlsxFile from 'read-excel-file/node';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chartKeys, recordCharts } from '../../src/charts/server/record-charts.ts';
import { readConfig } from '../../src/config.ts';
import { findDocument } from '../../src/library/server/catalogue.ts';
import { openApp } from '../../src/open-app.ts';
import { createLog } from '../../src/platform/log.ts';
import { leave, openBrowser, openPage, visit } from './browser.ts';
import { addMembers, enterAs, PASSWORD } from './login.ts';
import { agree, payDialogOf, payOnPhone } from './paying.ts';
import { openDemoSite, type Site } from './site.ts';
import { typeAtSite } from './type-at-site.ts';

const FID = 9;
/** Stands in the numbers of the chart alone. */
const SERIES = '回收金额一览';
const SECRET = 7_654.25;

let site: Site;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([openDemoSite({ RATE_LIMITS: 'off', WORKERS: '0' }), openBrowser()]);
  await addChart();
  await addMembers(site, [
    ['--username', 'analyst'],
    ['--username', 'reader'],
    ['--username', 'buyer'],
    ['--username', 'elsewhere'],
  ]);
  const membership = ['--username', 'analyst', '--tier', '2', '--days', '30', '--reason', 'test'];
  expect((await typeAtSite(site, 'user', 'grant-vip', ...membership)).code).toBe(0);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

/** Gives a demo deck a chart on its second page, with a picture, as ingest would. */
async function addChart(): Promise<void> {
  const log = createLog('error');
  const app = await openApp(readConfig({ DATA_DIR: site.dataDir, NODE_ENV: 'test' }), log, 'tool');
  try {
    const document = await findDocument(app.ctx, FID);
    if (!document) throw new Error(`the demo library has no document ${FID}`);
    await recordCharts(app.ctx, document.fileId, [
      {
        page: 2,
        type: 'column',
        title: '渠道投放与回收',
        data: {
          categories: ['小红书', '抖音'],
          series: [
            { name: SERIES, type: 'column', values: [SECRET, null], unit: '万元' },
            { name: '占比', type: 'line', values: [0.57, 0.43], unit: '%' },
          ],
          categoryAxis: '渠道',
          valueAxis: '',
        },
        frame: null,
        image: { width: 640, height: 360 },
      },
    ]);
    const picture = join(site.dataDir, 'chart.webp');
    const blank = sharp({ create: { width: 640, height: 360, channels: 3, background: '#1f6b5c' } });
    await writeFile(picture, await blank.webp().toBuffer());
    const keys = chartKeys(document.mediaKey, 1);
    for (const key of [keys.display, keys.original]) await app.ctx.files.put(key, picture);
  } finally {
    await app.close();
  }
}

test('an advanced member opens a chart from its page in the viewer by keyboard and saves it as XLSX', async () => {
  const { page, errors } = await openPage(browser);
  await enterAs(site, page, 'analyst', PASSWORD);
  await page.goto(`${site.origin}/detail/${FID}`);
  const fullScreen = page.getByRole('button', { name: '全屏预览', exact: true });
  const viewer = page.getByRole('dialog', { name: /全屏预览$/ });
  // A key that is pressed before the page's script is there is lost.
  await expect
    .poll(async () => {
      if (!(await viewer.isVisible())) await fullScreen.press('Enter');
      return viewer.isVisible();
    })
    .toBe(true);
  const button = viewer.getByRole('button', { name: '本页图表 1' });
  expect(await button.count()).toBe(0);
  await page.keyboard.press('ArrowRight');
  await button.waitFor();
  await button.focus();
  await page.keyboard.press('Enter');

  const chart = page.getByRole('dialog', { name: '渠道投放与回收' });
  await chart.getByRole('table').waitFor();
  const heads = await chart.getByRole('columnheader').allInnerTexts();
  expect(heads.map((head) => head.replace(/\s/g, ''))).toEqual(['渠道', `${SERIES}（万元）`, '占比']);
  const cells = chart.getByRole('row').nth(1).locator('th, td');
  expect(await cells.allInnerTexts()).toEqual(['小红书', '7,654.25', '57%']);
  await chart.getByText(/^来源：.+ 第 2 页 · 策库$/).waitFor();
  // Keys pressed in the dialog do not turn the page below it.
  await page.keyboard.press('ArrowRight');
  await viewer.getByText(/^2 \/ \d+$/).waitFor();

  const xlsx = chart.getByRole('link', { name: '下载 XLSX' });
  for (let steps = 0; steps < 12 && !(await xlsx.evaluate((link) => link === document.activeElement)); steps++)
    await page.keyboard.press('Tab');
  const downloading = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^渠道投放与回收-.+-第2页\.xlsx$/);
  const [sheet] = await readXlsxFile(await readFile(await download.path()));
  expect(sheet?.data).toEqual([
    ['渠道', `${SERIES} (万元)`, '占比'],
    ['小红书', SECRET, 0.57],
    ['抖音', null, 0.43],
  ]);

  await page.keyboard.press('Escape');
  await chart.waitFor({ state: 'hidden' });
  expect(await viewer.isVisible()).toBe(true);
  await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(errors).toEqual([]);
  await leave(page);
});

test('a reader without the right is told what is needed, and nothing that reaches the browser holds the numbers', async () => {
  const { page, errors } = await openPage(browser);
  const bodies: string[] = [];
  const reading: Promise<void>[] = [];
  page.on('response', (response) => {
    const type = response.headers()['content-type'] ?? '';
    if (/json|html|turbo|plain/.test(type))
      reading.push(
        response.text().then(
          (text) => void bodies.push(text),
          () => undefined,
        ),
      );
  });
  await page.goto(`${site.origin}/detail/${FID}`);
  await enterAs(site, page, 'reader', PASSWORD);
  await page.goto(`${site.origin}/detail/${FID}`);
  const card = page.getByRole('list', { name: '本方案的图表' }).getByRole('button', { name: '渠道投放与回收' });
  const chart = page.getByRole('dialog', { name: '渠道投放与回收' });
  await expect
    .poll(async () => {
      if (!(await chart.isVisible())) await card.press('Enter');
      return chart.isVisible();
    })
    .toBe(true);
  await chart.getByText('每个数字的完整表格，可下载 XLSX 和 CSV').waitFor();
  expect(await chart.getByRole('table').count()).toBe(0);
  await chart.getByRole('link', { name: '查看这一页' }).press('Enter');
  await chart.waitFor({ state: 'hidden' });
  await expect.poll(() => new URL(page.url()).hash).toBe('#p=2');
  // The page offers the chart as well.
  await page.getByRole('button', { name: '本页图表 1' }).press('Enter');
  const way = chart.getByRole('button', { name: /^开通高级会员 ¥\d+ 起$/ });
  await way.waitFor();
  await way.press('Enter');
  await payDialogOf(page).waitFor();
  await Promise.all(reading);
  expect(bodies.join('\n')).toContain('渠道投放与回收');
  expect(bodies.join('\n')).not.toMatch(new RegExp(`${SERIES}|7,?654\\.25`));
  expect(errors).toEqual([]);
  await leave(page);
});

test('the chart that a reader has paid for opens by itself afterwards', async () => {
  const { page, errors } = await openPage(browser);
  await enterAs(site, page, 'buyer', PASSWORD);
  await visit(page, `${site.origin}/detail/${FID}`);
  const card = page.getByRole('list', { name: '本方案的图表' }).getByRole('button', { name: '渠道投放与回收' });
  const chart = page.getByRole('dialog', { name: '渠道投放与回收' });
  const plan = chart.getByRole('button', { name: /^开通高级会员 ¥\d+ 起$/ });
  await card.click();
  await plan.click();
  const payment = payDialogOf(page);
  await agree(payment);
  // The dialog stands above the chart, and leaves it open when it is closed.
  await page.keyboard.press('Escape');
  await payment.waitFor({ state: 'detached' });
  await plan.waitFor();
  expect(await chart.getByRole('table').count()).toBe(0);

  await plan.click();
  await agree(payment);
  const loaded = page.waitForEvent('load');
  await payOnPhone(page);
  await loaded;
  await chart.getByRole('table').waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

test('a locked chart opens when its reader comes back with a membership got in another tab', async () => {
  const { page, errors } = await openPage(browser);
  await enterAs(site, page, 'elsewhere', PASSWORD);
  await visit(page, `${site.origin}/detail/${FID}`);
  await page.getByRole('list', { name: '本方案的图表' }).getByRole('button', { name: '渠道投放与回收' }).click();
  const chart = page.getByRole('dialog', { name: '渠道投放与回收' });
  await chart.getByRole('button', { name: /^开通高级会员 ¥\d+ 起$/ }).waitFor();
  const membership = ['--username', 'elsewhere', '--tier', '2', '--days', '30', '--reason', 'test'];
  expect((await typeAtSite(site, 'user', 'grant-vip', ...membership)).code).toBe(0);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await chart.getByRole('table').waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});
