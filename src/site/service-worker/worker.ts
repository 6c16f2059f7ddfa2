import offlinePage from './offline.html?raw';
import { ASSETS, cachesToDelete, handlingOf, mayKeepPage, PAGES } from './rules.ts';

/** Replaced by the build (vite.config.ts): a hash of every file of the pages, so that a new build is a new worker. */
const BUILD = '__BUILD__';
const MAX_PAGES = 30;

type WorkerEvent = Event & { waitUntil(work: Promise<unknown>): void };
type FetchEvent = WorkerEvent & { request: Request; respondWith(answer: Promise<Response>): void };
type Worker = {
  location: Location;
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
};
// Safe: this file only ever runs as a service worker; TypeScript knows the window's `self`, and not both at once.
const worker = self as unknown as Worker;

// Nothing waits for old tabs to close: what they still need is in the assets cache of their own build.
worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));

worker.addEventListener('activate', (event) => {
  const clean = async () => {
    await Promise.all(cachesToDelete(await caches.keys(), BUILD).map((name) => caches.delete(name)));
    await worker.clients.claim();
  };
  event.waitUntil(clean());
});

worker.addEventListener('fetch', (event) => {
  const handling = handlingOf(event.request, worker.location.origin);
  if (handling === 'page') event.respondWith(servePage(event));
  else if (handling === 'asset') event.respondWith(serveAsset(event));
});

/** The network decides; without it the page as a visitor saw it last, or the page that says so. */
async function servePage(event: FetchEvent): Promise<Response> {
  const { request } = event;
  try {
    const answer = await fetch(request);
    if (mayKeepPage(request.url, answer)) event.waitUntil(keepPage(request.url, answer.clone()));
    return answer;
  } catch {
    const kept = await caches.open(PAGES + BUILD).then((cache) => cache.match(request.url));
    return kept ?? offline();
  }
}

async function keepPage(address: string, answer: Response): Promise<void> {
  const cache = await caches.open(PAGES + BUILD);
  // Deleted first, so that the pages stand in the order of their last visit.
  await cache.delete(address);
  await cache.put(address, answer);
  const pages = await cache.keys();
  await Promise.all(pages.slice(0, -MAX_PAGES).map((page) => cache.delete(page)));
}

/** Any build's copy will do: the name says what is in it. A script that no build has any more is the network's 404. */
async function serveAsset(event: FetchEvent): Promise<Response> {
  const kept = await caches.match(event.request.url);
  if (kept) return kept;
  const answer = await fetch(event.request);
  if (answer.status === 200 && answer.type === 'basic') {
    const copy = answer.clone();
    event.waitUntil(caches.open(ASSETS + BUILD).then((cache) => cache.put(event.request.url, copy)));
  }
  return answer;
}

function offline(): Response {
  return new Response(offlinePage, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; connect-src 'self'; style-src 'unsafe-inline'; script-src 'unsafe-inline'",
    },
  });
}
