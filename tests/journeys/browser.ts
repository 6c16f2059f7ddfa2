import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const MAX_READY_MS = 60_000;

export function openBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? PLACES.find((place) => existsSync(place));
  if (!executablePath) throw new Error('Chromium is not installed (Debian: apt-get install chromium).');
  // Without a UTF-8 locale, as in a bare environment, Chromium names every Chinese download "download".
  return chromium.launch({ executablePath, args: FLAGS, env: { ...process.env, LC_ALL: 'C.UTF-8' } });
}

/** A page of a fresh visitor. Every error the page itself throws ends up in `errors`. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; errors: string[] }> {
  const context = await browser.newContext({
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    viewport: { width: 1440, height: 900 },
    acceptDownloads: true,
    // Frames of movements take a quarter of the browser's processor time. openDeckOnPhone (find-preview-download.test.ts) lets them move.
    reducedMotion: 'reduce',
    // Answers that a test gives in place of the network must not come from the service worker; its own journey allows it.
    serviceWorkers: 'block',
    ...options,
  });
  const page = await context.newPage();
  const errors: string[] = [];
  context.on('weberror', (error) => errors.push(error.error().message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return { page, errors };
}

/**
 * Waits until React has taken the server's page over and its effects have run: what is clicked, typed and scrolled before
 * may be lost. A page whose clock stands still becomes ready as well.
 */
export async function whenReady(page: Page): Promise<void> {
  for (const giveUpAt = Date.now() + MAX_READY_MS; Date.now() < giveUpAt; await wait(50)) {
    // A page that is just being left has no context to ask.
    if (await page.evaluate(isHydrated).catch(() => false)) return;
  }
  throw new Error(`${page.url()} did not become ready`);
}

/** Runs in the page. Returns whether React has committed the page, after the effects of that commit. */
async function isHydrated(): Promise<boolean> {
  const key = Object.keys(document).find((name) => name.startsWith('__reactContainer'));
  const root: unknown = key && Reflect.get(document, key);
  const field = (value: unknown, name: string): unknown =>
    typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  const state = field(field(field(root, 'stateNode'), 'current'), 'memoizedState');
  if (field(state, 'isDehydrated') !== false) return false;
  // React runs effects in a message after the commit; messages are handled in their order.
  for (let round = 0; round < 2; round++)
    await new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', resolve);
      port1.start();
      port2.postMessage(null);
    });
  return true;
}

/** Opens an address and waits until the page answers to a visitor's hands. */
export async function visit(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await whenReady(page);
}

/** Holds the requests for `address` back until the returned function is called. */
export async function hold(page: Page, address: string | RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(address, async (route) => {
    await released;
    await route.continue();
  });
  return () => release();
}
