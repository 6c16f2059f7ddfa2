import type { Ctx } from '../../context.ts';
import { listPublishedIds } from '../../library/server/catalogue.ts';

/** Maximum number of addresses in one file, by the sitemap protocol. */
const MAX_ADDRESSES = 50_000;

/** Serves /robots.txt, /sitemap.xml (an index) and /sitemap-<n>.xml. Returns null for any other path. */
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
  return pathname === '/robots.txt' || pathname === '/sitemap.xml' || PART.test(pathname);
}

const PART = /^\/sitemap-(\d{1,4})\.xml$/;

async function mapOf(ctx: Ctx, pathname: string, origin: string): Promise<Response | null> {
  if (pathname === '/robots.txt') return robots(origin);
  if (pathname === '/sitemap.xml') return index(ctx, origin);
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
  const body = parts.map((part) => `<sitemap><loc>${origin}/sitemap-${part}.xml</loc></sitemap>`).join('');
  return xml(`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${body}</sitemapindex>`);
}

async function addresses(ctx: Ctx, origin: string, part: number): Promise<Response | null> {
  const { rows, lastId } = await listPublishedIds(ctx, {
    afterId: part * MAX_ADDRESSES,
    untilId: (part + 1) * MAX_ADDRESSES,
  });
  if (part > 0 && part * MAX_ADDRESSES >= lastId) return null;
  const pages =
    part === 0 ? ['/index', '/report', '/aboutVip'].map((path) => `<url><loc>${origin}${path}</loc></url>`) : [];
  const body = rows.map((row) => `<url><loc>${origin}/detail/${row.id}</loc><lastmod>${row.day}</lastmod></url>`);
  return xml(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${[...pages, ...body].join('')}</urlset>`);
}

const xml = (body: string) =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>${body}`, {
    headers: headersOf('application/xml; charset=utf-8'),
  });

const headersOf = (type: string) => ({
  'content-type': type,
  'cache-control': 'public, max-age=600',
  'x-content-type-options': 'nosniff',
});
