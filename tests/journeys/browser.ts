import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type CDPSession,
  type ConsoleMessage,
  type Locator,
  type Page,
  type WebError,
} from 'playwright-core';

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

const VISITOR = {
  locale: 'zh-CN',
  timezoneId: 'Asia/Shanghai',
  viewport: { width: 1440, height: 900 },
  acceptDownloads: true,
  // Frames of movements take a quarter of the browser's processor time. openDeckOnPhone (find-preview-download.test.ts) lets them move.
  reducedMotion: 'reduce',
  // Answers that a test gives in place of the network must not come from the service worker; its own journey allows it.
  serviceWorkers: 'block',
} satisfies BrowserContextOptions;

/** A page that visitors have in turn. `attach` opens a session of the browser's protocol; `isChanged` says whether a visitor changed the page for good. */
type Kept = { page: Page; attach: () => Promise<CDPSession>; isChanged: () => boolean };
/** The pages that wait for their next visitors, by the options of their contexts. */
const emptyPages = new WeakMap<Browser, Map<string, Kept[]>>();
/** How a page that a visitor has now is left. */
const waysOut = new WeakMap<Page, () => Promise<void>>();
/** Of the same options. Few tests have more visitors at once. */
const MAX_EMPTY_PAGES = 3;

/**
 * A page of a visitor who was never here: without cookies, storage and history. Every error the page itself throws ends up
 * in `errors`. It may be the page of an earlier visitor with the same options who has left, with the files its browser has
 * cached: the first view of a new context takes two seconds of processor time, that of an emptied one half a second.
 */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; errors: string[] }> {
  const waiting = emptyPagesOf(browser, options);
  const kept = waiting.pop() ?? (await openNewPage(browser, options));
  const { page } = kept;
  const errors: string[] = [];
  const stopNoting = noteErrors(page, errors);
  waysOut.set(page, async () => {
    waysOut.delete(page);
    stopNoting();
    const isEmpty = !kept.isChanged() && !page.isClosed() && (await tryToEmpty(kept));
    if (isEmpty && waiting.length < MAX_EMPTY_PAGES) waiting.push(kept);
    else await page.context().close();
  });
  return { page, errors };
}

/** The visitor of a page that `openPage` gave goes, with all their tabs. The page is no longer the test's. */
export async function leave(page: Page): Promise<void> {
  const goOut = waysOut.get(page);
  if (!goOut) throw new Error('not a page of openPage, or already left');
  await goOut();
}

/** Closes what visitors still have open. `browser` is missing when a file could not open it. */
export async function closePages(browser: Browser | undefined): Promise<void> {
  const isVisited = ([page]: Page[]) => !page || waysOut.has(page);
  const contexts = browser?.contexts().filter((context) => isVisited(context.pages())) ?? [];
  await Promise.all(contexts.map((context) => context.close()));
}

async function openNewPage(browser: Browser, options: BrowserContextOptions): Promise<Kept> {
  const context = await browser.newContext({ ...VISITOR, ...options });
  const page = await context.newPage();
  const newSession = context.newCDPSession.bind(context);
  const attach = () => newSession(page);
  await paintLittle(attach);
  return { page, attach, isChanged: watchForLastingChanges(page) };
}

/**
 * Shows only a corner of the page, so that no more of it is painted, which without a graphics card takes half of the
 * processor time of a page. For the page its window is as large as before: layout, scrolling, images loaded when they are
 * seen, presses anywhere and screenshots stay the same.
 */
async function paintLittle(attach: () => Promise<CDPSession>): Promise<void> {
  const session = await attach();
  await session.send('Emulation.setVisibleSize', { width: 1, height: 1 });
  await session.detach();
}

function emptyPagesOf(browser: Browser, options: BrowserContextOptions): Kept[] {
  const pages = emptyPages.get(browser) ?? new Map<string, Kept[]>();
  emptyPages.set(browser, pages);
  const key = JSON.stringify(options);
  const waiting = pages.get(key) ?? [];
  pages.set(key, waiting);
  return waiting;
}

function noteErrors(page: Page, errors: string[]): () => void {
  const context = page.context();
  const onError = (error: WebError) => void errors.push(error.error().message);
  const onMessage = (message: ConsoleMessage) => void (message.type() === 'error' && errors.push(message.text()));
  context.on('weberror', onError);
  page.on('console', onMessage);
  return () => {
    context.off('weberror', onError);
    page.off('console', onMessage);
  };
}

/** Methods that change a context or a page for as long as it lives. */
const LASTING = {
  context: [
    'addInitScript',
    'exposeBinding',
    'exposeFunction',
    'grantPermissions',
    'newCDPSession',
    'routeWebSocket',
    'setDefaultTimeout',
    'setExtraHTTPHeaders',
    'setGeolocation',
    'setOffline',
  ],
  page: [
    'addInitScript',
    'addLocatorHandler',
    'emulateMedia',
    'exposeBinding',
    'exposeFunction',
    'routeWebSocket',
    'setDefaultTimeout',
    'setExtraHTTPHeaders',
    'setViewportSize',
  ],
  clock: ['fastForward', 'install', 'pauseAt', 'resume', 'runFor', 'setFixedTime', 'setSystemTime'],
};

/** Returns a function that says whether one of these methods has been called since. */
function watchForLastingChanges(page: Page): () => boolean {
  let isChanged = false;
  const watch = (target: object, names: readonly string[]) => {
    for (const name of names) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') throw new Error(`there is no ${name} to watch`);
      Reflect.set(target, name, (...args: unknown[]): unknown => {
        isChanged = true;
        return Reflect.apply(method, target, args);
      });
    }
  };
  watch(page.context(), LASTING.context);
  watch(page, LASTING.page);
  watch(page.clock, LASTING.clock);
  return () => isChanged;
}

/** Events of a page that tests listen to. */
const OBSERVED = ['dialog', 'download', 'load', 'popup', 'request', 'response'] as const;

/**
 * Takes a visitor's cookies, storage, history, routes and other tabs away. The page ends on a text of its site, so that
 * its process and what that has compiled stay. Returns whether it could: the site may be gone.
 */
async function tryToEmpty({ page, attach }: Kept): Promise<boolean> {
  const context = page.context();
  try {
    const tabs = context.pages().filter((tab) => tab !== page);
    await Promise.all(tabs.map((tab) => tab.close()));
    const { origin } = new URL(page.url());
    await page.goto(`${origin}/robots.txt`);
    await Promise.all([
      context.unrouteAll({ behavior: 'ignoreErrors' }),
      page.unrouteAll({ behavior: 'ignoreErrors' }),
    ]);
    await page.evaluate(() => sessionStorage.clear());
    await context.clearCookies();
    // While a visitor has the page it has no second session, which would keep it online when a test takes the network away.
    const session = await attach();
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    await session.send('Page.resetNavigationHistory');
    await session.detach();
    for (const event of OBSERVED) page.removeAllListeners(event);
    return true;
  } catch {
    return false;
  }
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

/** Returns the text that describes a field to a screen reader. */
export const wordsAt = (field: Locator): Promise<string> =>
  field.evaluate((input) =>
    (input.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(''),
  );

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
