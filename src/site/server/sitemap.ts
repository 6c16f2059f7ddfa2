import { collectionPath, collectionsPath } from '../../collections/addresses.ts';
import { listCollectionIds } from '../../collections/server/collections.ts';
import type { Ctx } from '../../context.ts';
import { listPublishedIds } from '../../library/server/catalogue.ts';

/** Maximum number of addresses in one file, by the sitemap protocol. */
const MAX_ADDRESSES = 50_000;

/**
 * Serves /robots.txt, /sitemap.xml (an index), /sitemap-pages.xml (pages and collections) and /sitemap-<n>.xml (documents). Returns null
 * for any other path.
 */
export async function serveSitemap(ctx: Ctx, request: Request): Promise<Response | null> {
  const url = new URL(request.url);
  if (!isSitemapPath(url.pathname)) return null;
  const map = await mapOf(ctx, url.pathname, ctx.config.publicUrl ?? url.origin);
  // Addresses made from the request's own Host are for this client alone.
  if (map && !ctx.config.publicUrl) map.headers.set('cache-control', 'private, no-cache');
  return map;
}

/** True when `pathname` may be one of these files: a part beyond the last document does not exist. */
export function isSitemapPath(pathname: string): boolean {
  return ['/robots.txt', '/sitemap.xml', PAGES].includes(pathname) || PART.test(pathname);
}

const PAGES = '/sitemap-pages.xml';
const PART = /^\/sitemap-(\d{1,4})\.xml$/;

async function mapOf(ctx: Ctx, pathname: string, origin: string): Promise<Response | null> {
  if (pathname === '/robots.txt') return robots(origin);
  if (pathname === '/sitemap.xml') return index(ctx, origin);
  if (pathname === PAGES) return pages(ctx, origin);
  return addresses(ctx, origin, Number(PART.exec(pathname)?.[1]));
}

function robots(origin: string): Response {
  const lines = [
    'User-agent: *',
    'Disallow: /api/',
    'Disallow: /dl/',
    'Disallow: /user/',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ];
  return new Response(lines.join('\n'), { headers: headersOf('text/plain; charset=utf-8') });
}

/** Returns one part for each 50,000 ids, so that documents never move between parts. */
async function index(ctx: Ctx, origin: string): Promise<Response> {
  const { lastId } = await listPublishedIds(ctx, { afterId: 0, untilId: 0 });
  const parts = Array.from({ length: Math.max(1, Math.ceil(lastId / MAX_ADDRESSES)) }, (_, part) => part);
  const paths = [PAGES, ...parts.map((part) => `/sitemap-${part}.xml`)];
  const body = paths.map((path) => `<sitemap><loc>${origin}${path}</loc></sitemap>`).join('');
  return xml(`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${body}</sitemapindex>`);
}

async function pages(ctx: Ctx, origin: string): Promise<Response> {
  const ids = await listCollectionIds(ctx);
  const paths = ['/index', '/report', collectionsPath(), '/aboutVip', ...ids.map((id) => collectionPath(id))];
  return addressList(paths.map((path) => `<url><loc>${origin}${path}</loc></url>`));
}

async function addresses(ctx: Ctx, origin: string, part: number): Promise<Response | null> {
  const { rows, lastId } = await listPublishedIds(ctx, {
    afterId: part * MAX_ADDRESSES,
    untilId: (part + 1) * MAX_ADDRESSES,
  });
  if (part > 0 && part * MAX_ADDRESSES >= lastId) return null;
  return addressList(
    rows.map((row) => `<url><loc>${origin}/detail/${row.id}</loc><lastmod>${row.day}</lastmod></url>`),
  );
}

const addressList = (addresses: readonly string[]) =>
  xml(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${addresses.join('')}</urlset>`);

const xml = (body: string) =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>${body}`, {
    headers: headersOf('application/xml; charset=utf-8'),
  });

const headersOf = (type: string) => ({
  'content-type': type,
  'cache-control': 'public, max-age=600',
  'x-content-type-options': 'nosniff',
});
