import type { Browser, CDPSession } from 'playwright-core';
import { openBrowser } from '../../tests/journeys/browser.ts';
import { openDemoSite } from '../../tests/journeys/site.ts';

const PAGES = ['/index', '/report', '/report?search_key=中秋', '/detail/{id}', '/collection', '/aboutVip', '/protocol'];

/** Lighthouse's "slow 4G" and its processor of a phone: 1.6 Mbit/s, 150 ms, a fourth of the speed. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const SLOWDOWN = 4;
/** How long a page is left alone after its load event, for what opens by itself. */
const REST_MS = 3_000;

type Speed = {
  page: string;
  /** Kilobytes over the wire. */
  html: number;
  scripts: number;
  styles: number;
  images: number;
  requests: number;
  /** Milliseconds after the navigation. */
  ttfb: number;
  fcp: number;
  lcp: number;
  /** Milliseconds by which tasks of more than 50 ms blocked the page. */
  blocked: number;
  cls: number;
  /** The largest element, and whether the first HTML holds it. */
  largest: string;
  isInHtml: boolean;
};

/** Measures how pages load on a slow phone, and prints a table. Without `url` a demo site is started (needs npm run build). */
export async function printSpeed(options: { url?: string; rounds: number }): Promise<void> {
  const site = options.url === undefined ? await openDemoSite({ RATE_LIMITS: 'off' }) : null;
  const origin = options.url ?? site?.origin ?? '';
  const browser = await openBrowser();
  try {
    const html = await (await fetch(`${origin}/index`)).text();
    const [, id = '1'] = /href="\/detail\/(\d+)"/.exec(html) ?? [];
    const rows: Speed[] = [];
    for (const page of PAGES) {
      const tries: Speed[] = [];
      for (let round = 0; round < options.rounds; round++)
        tries.push(await measure(browser, origin, page.replace('{id}', id)));
      // The median by the largest paint.
      const [median] = tries.toSorted((one, other) => one.lcp - other.lcp).slice(Math.floor(tries.length / 2));
      if (median) rows.push(median);
    }
    console.table(rows);
  } finally {
    await browser.close();
    await site?.close();
  }
}

async function measure(browser: Browser, origin: string, path: string): Promise<Speed> {
  const context = await browser.newContext({
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 1.75,
    isMobile: true,
    hasTouch: true,
    locale: 'zh-CN',
    serviceWorkers: 'block',
  });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const weights = await countBytes(session);
  await session.send('Network.emulateNetworkConditions', NETWORK);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.addInitScript(observe);
  const answer = await page.goto(origin + path);
  await page.waitForTimeout(REST_MS);
  const seen = await page.evaluate(() => Reflect.get(window, 'speed') as Observed);
  const first = (await answer?.text()) ?? '';
  await context.close();
  const kilobytes = (...types: string[]) =>
    Math.round(types.reduce((sum, type) => sum + (weights.bytes.get(type) ?? 0), 0) / 100) / 10;
  return {
    page: path,
    html: kilobytes('Document'),
    scripts: kilobytes('Script'),
    styles: kilobytes('Stylesheet'),
    images: kilobytes('Image'),
    requests: weights.requests(),
    ttfb: Math.round(seen.ttfb),
    fcp: Math.round(seen.fcp),
    lcp: Math.round(seen.lcp),
    blocked: Math.round(seen.blocked),
    cls: Math.round(seen.cls * 10_000) / 10_000,
    largest: seen.largest,
    isInHtml: seen.mark !== '' && first.includes(seen.mark),
  };
}

/** Counts what the browser receives, by the type of the resource. */
async function countBytes(session: CDPSession) {
  const bytes = new Map<string, number>();
  const types = new Map<string, string>();
  await session.send('Network.enable');
  session.on('Network.responseReceived', ({ requestId, type }) => void types.set(requestId, type));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const type = types.get(requestId) ?? 'Other';
    bytes.set(type, (bytes.get(type) ?? 0) + encodedDataLength);
  });
  return { bytes, requests: () => types.size };
}

type Observed = {
  ttfb: number;
  fcp: number;
  lcp: number;
  blocked: number;
  cls: number;
  largest: string;
  /** Text or address by which the element is found in the HTML. */
  mark: string;
};

/** Runs in the page before its own scripts. */
function observe(): void {
  const seen: Observed = { ttfb: 0, fcp: 0, lcp: 0, blocked: 0, cls: 0, largest: '', mark: '' };
  Reflect.set(window, 'speed', seen);
  const on = (type: string, note: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  on('navigation', (entry) => (seen.ttfb = Number(Reflect.get(entry, 'responseStart'))));
  on('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') seen.fcp = entry.startTime;
  });
  on('longtask', (entry) => (seen.blocked += Math.max(0, entry.duration - 50)));
  on('layout-shift', (entry) => (seen.cls += Number(Reflect.get(entry, 'value'))));
  on('largest-contentful-paint', (entry) => {
    const element: unknown = Reflect.get(entry, 'element');
    const url = String(Reflect.get(entry, 'url') ?? '');
    seen.lcp = entry.startTime;
    if (!(element instanceof Element)) return;
    seen.largest = element.tagName.toLowerCase();
    seen.mark = url === '' ? (element.textContent ?? '').trim().slice(0, 8) : new URL(url).pathname;
  });
}
