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

// Takes over at once, without waiting for old tabs to close: the assets that they need are in the cache of their own
// build.
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

/** Answers from the network; without a network with the page as a visitor last saw it, or the offline page. */
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
  // Deleted first, so that the cache keeps the pages in the order of their last visit.
  await cache.delete(address);
  await cache.put(address, answer);
  const pages = await cache.keys();
  await Promise.all(pages.slice(0, -MAX_PAGES).map((page) => cache.delete(page)));
}

/**
 * Answers with the copy of any build, because the name carries a hash of the content; a script that no build has is
 * fetched and answers 404.
 */
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
