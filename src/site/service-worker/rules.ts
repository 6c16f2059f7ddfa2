/** Paths that belong to one reader, or are answered anew each time: the worker leaves them to the browser. */
const UNTOUCHED = ['/api', '/dl', '/media', '/livez', '/readyz'];
/** Pages about one reader; the last are those of /my… (§2). */
const PERSONAL = ['/user', '/myCollection', '/myRecord', '/myDownload'];

const isUnder = (path: string, roots: string[]) =>
  roots.some((root) => path === root || path.startsWith(`${root}/`) || path.startsWith(`${root}.`));

/**
 * What the worker does with a request (C-98): `page` asks the network first, `asset` the cache first (its name carries a
 * hash of its content), `none` is not answered by the worker at all.
 */
export function handlingOf(
  request: { method: string; mode: string; url: string },
  origin: string,
): 'page' | 'asset' | 'none' {
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== origin || isUnder(url.pathname, UNTOUCHED)) return 'none';
  if (request.mode === 'navigate') return 'page';
  return url.pathname.startsWith('/assets/') ? 'asset' : 'none';
}

/**
 * Whether a page may be kept for the time without a network: only what every visitor gets. The server marks pages of
 * members `no-store`; pages about one reader, what somebody searched for, and who invited whom are never kept.
 */
export function mayKeepPage(
  address: string,
  answer: { status: number; type: string; redirected: boolean; headers: Pick<Headers, 'get'> },
): boolean {
  const url = new URL(address);
  if (isUnder(url.pathname, PERSONAL) || url.searchParams.has('search_key') || url.searchParams.has('invite')) {
    return false;
  }
  const caching = answer.headers.get('cache-control') ?? '';
  const isHtml = answer.headers.get('content-type')?.startsWith('text/html') ?? false;
  return answer.status === 200 && answer.type === 'basic' && !answer.redirected && isHtml && !/no-store/i.test(caching);
}

/**
 * Which caches a new build leaves behind: pages of other builds, and assets older than those of the build before. A tab
 * that is still open on the build before goes on with the scripts it has.
 * @param names in the order of their creation, as the browser lists them
 */
export function cachesToDelete(names: readonly string[], build: string): string[] {
  const assets = names.filter((name) => name.startsWith(ASSETS));
  const kept = new Set([PAGES + build, ASSETS + build, ...assets.filter((name) => name !== ASSETS + build).slice(-1)]);
  return names.filter((name) => (name.startsWith(ASSETS) || name.startsWith(PAGES)) && !kept.has(name));
}

export const ASSETS = 'ceku-assets-';
export const PAGES = 'ceku-pages-';
