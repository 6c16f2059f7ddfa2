/** Paths that the worker leaves to the browser, because they belong to one reader or change with each request. */
const UNTOUCHED = ['/api', '/dl', '/media', '/livez', '/readyz'];
/** Pages about one reader, such as /my… (§2), and shortlists, which their maker may end at any time. */
const PERSONAL = ['/user', '/myCollection', '/myRecord', '/myDownload', '/s'];

/** Parameters that tell what a reader searched for (/report, /chart), or who invited them. */
const OF_READER = ['search_key', 'keyword', 'invite'];

const isUnder = (path: string, roots: string[]) =>
  roots.some((root) => path === root || path.startsWith(`${root}/`) || path.startsWith(`${root}.`));

/**
 * Returns how the worker handles a request (C-98): `page` asks the network first, `asset` the cache first (its name
 * carries a hash of its content), `none` is left to the browser.
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
 * True when a page may be cached for offline use: only pages that every visitor gets. The server marks pages of members
 * `no-store`; pages about one reader, searches and invitations are never cached.
 */
export function mayKeepPage(
  address: string,
  answer: { status: number; type: string; redirected: boolean; headers: Pick<Headers, 'get'> },
): boolean {
  const url = new URL(address);
  if (isUnder(url.pathname, PERSONAL) || OF_READER.some((name) => url.searchParams.has(name))) return false;
  const caching = answer.headers.get('cache-control') ?? '';
  const isHtml = answer.headers.get('content-type')?.startsWith('text/html') ?? false;
  return answer.status === 200 && answer.type === 'basic' && !answer.redirected && isHtml && !/no-store/i.test(caching);
}

/**
 * Returns the caches that a new build deletes: pages of other builds, and assets older than those of the previous
 * build. A tab that is still open on the previous build goes on with its scripts. @param names in the order of their
 * creation, as the browser lists them
 */
export function cachesToDelete(names: readonly string[], build: string): string[] {
  const assets = names.filter((name) => name.startsWith(ASSETS));
  const kept = new Set([PAGES + build, ASSETS + build, ...assets.filter((name) => name !== ASSETS + build).slice(-1)]);
  return names.filter((name) => (name.startsWith(ASSETS) || name.startsWith(PAGES)) && !kept.has(name));
}

export const ASSETS = 'ceku-assets-';
export const PAGES = 'ceku-pages-';
