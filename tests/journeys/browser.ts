import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

const PLACES = [
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
    // What a test answers in place of the network must not be answered by the worker; its own journey lets it in.
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

/** React has taken the server's page over: its listeners are there. */
export const isAlive = (page: Page): Promise<boolean> =>
  page.getByRole('banner').evaluate((header) => Object.keys(header).some((key) => key.startsWith('__reactProps')));
