import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { openBrowser, openPage } from '../../tests/journeys/browser.ts';
import { logInByName, openLogin, whenLoggedIn } from '../../tests/journeys/login.ts';
import type { Site } from '../../tests/journeys/site.ts';
import { residentBytes } from '../ingest/sample-memory.ts';
import { pdfOf } from '../../tests/samples/pdf.ts';

const WAIT_MS = 120_000;
/** How often the memory is measured while the pages are turned. */
const EVERY_PAGES = 50;
/** The page that the reader jumps to, as a share of all. */
const JUMP = 5 / 6;
const SETTLED_MS = 2_000;
const WORD = 'lighthouse';

type Options = { username: string; password: string; pages: number };
type Memory = Record<string, number | string>;

/**
 * A long PDF in a browser: what is loaded when it is opened, when the reader jumps far ahead and when a word is found;
 * then the memory of the tab while every page is turned.
 */
export async function printTab(site: Site, { username, password, pages }: Options): Promise<void> {
  const fid = await ingestLongPdf(site, pages);
  const browser = await openBrowser();
  try {
    const { page } = await openPage(browser);
    page.setDefaultTimeout(WAIT_MS);
    await page.goto(`${site.origin}/index`);
    await openLogin(page);
    await logInByName(page, username, password);
    await whenLoggedIn(page);

    const requests = countRequests(page);
    const rows: object[] = [];
    const step = async (what: string, work: () => Promise<void>) => {
      requests.reset();
      const startedAt = performance.now();
      await work();
      const ms = Math.round(performance.now() - startedAt);
      await requests.settle();
      rows.push({ what, ms, ...requests.counts(), load: loadavg()[0]?.toFixed(1) });
    };
    const jump = Math.max(Math.round(pages * JUMP), 1);
    await step(`opens at page 1 of ${pages}`, async () => {
      await page.goto(`${site.origin}/detail/${fid}`);
      await openViewer(page);
      await isShown(page, 1);
    });
    await step(`jumps to page ${jump}`, async () => {
      await thumbnailOf(page, jump).click();
      await isShown(page, jump);
    });
    await step('finds a word on the last page', async () => {
      await page.getByRole('button', { name: '在方案内查找' }).click();
      await page.getByRole('searchbox', { name: '在方案内查找' }).fill(WORD);
      // Enabled once the pages with the word are known; Playwright waits for that.
      await dialogOf(page).getByRole('button', { name: '下一处' }).click();
      await isShown(page, pages);
    });
    console.table(rows);
    console.table(await measureMemory(browser, page, pages));
  } finally {
    await browser.close();
  }
}

/** Ingests a PDF whose last page alone holds the word. Returns the id of the document. */
async function ingestLongPdf(site: Site, pages: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'ceku-bench-tab-'));
  try {
    const file = join(folder, `long ${pages}.pdf`);
    const numbers = Array.from({ length: pages }, (_, index) => index + 1);
    const bytes = pdfOf({
      pages: numbers.map((number) => ({
        content: `0.${number % 10} 0.3 0.5 rg 40 40 300 120 re f`,
        text: `Page ${number}${number === pages ? ` ${WORD}` : ''}`,
      })),
    });
    await writeFile(file, bytes);
    const { code, stderr } = await site.ceku('ingest', file);
    if (code !== 0) throw new Error(`the PDF was not ingested: ${stderr}`);
  } finally {
    await rm(folder, { recursive: true });
  }
  const answer = await fetch(`${site.origin}/api/doc/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sort: 'pages', pageSize: 1 }),
  });
  // Safe: the shape of the contract.
  const { data } = (await answer.json()) as { data: { item_list: { id: number; page_count: number }[] } };
  const [longest] = data.item_list;
  if (longest?.page_count !== pages) throw new Error('the PDF is not in the list');
  return longest.id;
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: /全屏预览$/ });

async function openViewer(page: Page): Promise<void> {
  await page.getByRole('button', { name: '全屏预览' }).first().click();
  await dialogOf(page).waitFor();
}

const thumbnailOf = (page: Page, number: number) =>
  dialogOf(page).getByRole('button', { name: new RegExp(`^第 ${number} 页`) });

/** Resolves when the image of a page stands in the viewer, loaded. */
async function isShown(page: Page, number: number): Promise<void> {
  await page.waitForFunction((wanted) => {
    const images = document.querySelectorAll<HTMLImageElement>('dialog img');
    return [...images].some(
      (image) =>
        new RegExp(`/p${wanted}(-2x)?\\.webp`).test(image.currentSrc) && image.complete && image.naturalWidth > 0,
    );
  }, number);
}

/** Counts what the browser asks the site for, by kind. */
function countRequests(page: Page) {
  const kinds = {
    'page images': /\/media\/.*\/p\d+(-2x)?\.webp/,
    thumbnails: /\/media\/.*\/t\d+\.webp/,
    calls: /\/api\//,
  };
  let seen: string[] = [];
  let lastAt = 0;
  page.on('request', (request) => {
    seen.push(request.url());
    lastAt = performance.now();
  });
  return {
    /** Resolves when nothing was asked for during a while. */
    async settle() {
      while (performance.now() - lastAt < SETTLED_MS) await wait(100);
    },
    reset: () => void (seen = []),
    counts: () => ({
      ...Object.fromEntries(
        Object.entries(kinds).map(([kind, pattern]) => [kind, seen.filter((url) => pattern.test(url)).length]),
      ),
      'all requests': seen.length,
    }),
  };
}

/** Turns every page by the keyboard from the first to the last, and measures the tab on the way, after its garbage is collected. */
async function measureMemory(browser: Browser, page: Page, pages: number): Promise<Memory[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await session.send('DOM.enable');
  const pid = await rendererOf(browser);
  // Closes the field that finds words, which the keys would otherwise go to.
  await page.keyboard.press('Escape');
  await thumbnailOf(page, 1).click();
  await isShown(page, 1);
  const measured = [await memoryOf(session, pid, 1)];
  for (let number = 2; number <= pages; number++) {
    await page.keyboard.press('PageDown');
    await isShown(page, number);
    if (number % EVERY_PAGES === 0 || number === pages) measured.push(await memoryOf(session, pid, number));
  }
  return measured;
}

/** Returns the process id of the tab. */
async function rendererOf(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => ({ id, bytes: residentBytes(id) }));
  const [largest] = sizes.toSorted((one, other) => other.bytes - one.bytes);
  if (!largest) throw new Error('the browser has no tab');
  return largest.id;
}

async function memoryOf(session: CDPSession, pid: number, page: number): Promise<Memory> {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const metric = (name: string) => metrics.find((each) => each.name === name)?.value ?? 0;
  const { nodes } = await session.send('Memory.getDOMCounters');
  const { detachedNodes } = await session.send('DOM.getDetachedDomNodes');
  return {
    'at page': page,
    'JS heap MB': (metric('JSHeapUsedSize') / 1e6).toFixed(1),
    'process MB': (residentBytes(pid) / 1e6).toFixed(0),
    'DOM nodes': nodes,
    'detached trees': detachedNodes.length,
  };
}
