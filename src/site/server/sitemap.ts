import { Readable } from 'node:stream';
import { collectionPath, collectionsPath } from '../../collections/addresses.ts';
import { listCollectionIds } from '../../collections/server/collections.ts';
import { DEMO_EMAIL } from '../../config.ts';
import type { Ctx } from '../../context.ts';
import { toWeb } from '../../platform/http/answers/static-files.ts';
import { fileTypePath } from '../../library/addresses.ts';
import { FILE_KINDS } from '../../library/file-types.ts';
import { countFacets, findLastPublishedId, listPublishedIds } from '../../library/server/catalogue.ts';
import { DAY_MS } from '../../protocol/durations.ts';
import { visitorOrigin } from '../../platform/http/api/request-context.ts';

/** Maximum number of addresses in one file, by the sitemap protocol. */
const MAX_ADDRESSES = 50_000;
/** Ids that one query looks at, so that a file of 4 MB is never in memory at once. A library within them has one file. */
const IDS_AT_ONCE = 5_000;

/** RFC 9116 asks for an end that is less than a year away. */
const SECURITY_CONTACT_DAYS = 300;

const PAGES = '/sitemap-pages.xml';
const SECURITY = '/.well-known/security.txt';
const PART = /^\/sitemap-(\d{1,4})\.xml$/;

/**
 * Serves /robots.txt, /.well-known/security.txt, /sitemap.xml (all addresses of a small library, an index for a large one), /sitemap-pages.xml
 * (pages, themes, industries and collections) and /sitemap-<n>.xml (documents, streamed). Returns null for any other path.
 */
export async function serveSitemap(ctx: Ctx, request: Request): Promise<Response | null> {
  const url = new URL(request.url);
  if (!isSitemapPath(url.pathname)) return null;
  const map = await mapOf(ctx, url.pathname, ctx.config.publicUrl ?? visitorOrigin(url, ctx.request.isSecure));
  // Addresses made from the request's own Host are for this client alone.
  if (map && !ctx.config.publicUrl) map.headers.set('cache-control', 'private, no-cache');
  return map;
}

/** True when `pathname` may be one of these files: a part beyond the last document does not exist. */
export function isSitemapPath(pathname: string): boolean {
  return ['/robots.txt', SECURITY, '/sitemap.xml', PAGES].includes(pathname) || isSitemapPart(pathname);
}

/** True for the files of documents, which are too large to be kept. */
export function isSitemapPart(pathname: string): boolean {
  return PART.test(pathname);
}

async function mapOf(ctx: Ctx, pathname: string, origin: string): Promise<Response | null> {
  if (pathname === '/robots.txt') return robots(origin);
  if (pathname === SECURITY) return securityContact(ctx, origin);
  if (pathname === '/sitemap.xml') return siteMap(ctx, origin);
  if (pathname === PAGES) return xml(URLS_START + (await pageTexts(ctx, origin)) + URLS_END);
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

/** Returns who is told of a weakness of the site (RFC 9116); null where the operator has set no address. */
function securityContact({ config, clock }: Ctx, origin: string): Response | null {
  const email = config.site.companyEmail;
  if (email === DEMO_EMAIL || !/^[^\s@]+@[^\s@]+$/.test(email)) return null;
  const lines = [
    `Contact: mailto:${encodeURI(email)}`,
    `Expires: ${new Date(clock.now() + SECURITY_CONTACT_DAYS * DAY_MS).toISOString()}`,
    'Preferred-Languages: zh, en',
    `Canonical: ${origin}${SECURITY}`,
    '',
  ];
  return new Response(lines.join('\n'), { headers: headersOf('text/plain; charset=utf-8') });
}

/**
 * Returns all addresses while one query reads all documents; else an index with one part for each 50,000 ids, so that documents never move
 * between parts and each is in one of them.
 */
async function siteMap(ctx: Ctx, origin: string): Promise<Response> {
  const lastId = await findLastPublishedId(ctx);
  if (lastId <= IDS_AT_ONCE) {
    const texts = await Promise.all([pageTexts(ctx, origin), documentTexts(ctx, origin, 0)]);
    return xml(URLS_START + texts.join('') + URLS_END);
  }
  const parts = Array.from({ length: Math.max(1, Math.ceil(lastId / MAX_ADDRESSES)) }, (_, part) => part);
  const paths = [PAGES, ...parts.map((part) => `/sitemap-${part}.xml`)];
  const body = paths.map((path) => `<sitemap><loc>${origin}${path}</loc></sitemap>`).join('');
  return xml(`<sitemapindex xmlns="${NAMESPACE}">${body}</sitemapindex>`);
}

async function pageTexts(ctx: Ctx, origin: string): Promise<string> {
  const [collections, { themes, industries }] = await Promise.all([listCollectionIds(ctx), countFacets(ctx, {})]);
  const landing = (parameter: string, counts: ReadonlyMap<number, number>) =>
    [...counts.keys()].toSorted((one, other) => one - other).map((id) => `/report?${parameter}=${id}`);
  const paths = [
    '/index',
    '/report',
    '/chart',
    ...FILE_KINDS.map(({ id }) => fileTypePath(id)),
    collectionsPath(),
    '/aboutVip',
    '/protocol',
    '/privacy',
    '/infringement',
    ...landing('theme_id', themes),
    ...landing('industry_id', industries),
    ...collections.map((id) => collectionPath(id)),
  ];
  return paths.map((path) => `<url><loc>${origin}${path}</loc></url>`).join('');
}

async function addresses(ctx: Ctx, origin: string, part: number): Promise<Response | null> {
  const start = part * MAX_ADDRESSES;
  if (part > 0 && start >= (await findLastPublishedId(ctx))) return null;
  return xml(toWeb(Readable.from(addressTexts(ctx, origin, start), { objectMode: false })));
}

/** Yields the text of a file of documents, from the id after `start`. */
async function* addressTexts(ctx: Ctx, origin: string, start: number): AsyncGenerator<string> {
  yield XML + URLS_START;
  for (let afterId = start; afterId < start + MAX_ADDRESSES; afterId += IDS_AT_ONCE)
    yield documentTexts(ctx, origin, afterId);
  yield URLS_END;
}

async function documentTexts(ctx: Ctx, origin: string, afterId: number): Promise<string> {
  const rows = await listPublishedIds(ctx, { afterId, untilId: afterId + IDS_AT_ONCE });
  return rows.map((row) => `<url><loc>${origin}/detail/${row.id}</loc><lastmod>${row.day}</lastmod></url>`).join('');
}

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const URLS_START = `<urlset xmlns="${NAMESPACE}">`;
const URLS_END = '</urlset>';

const xml = (body: string | ReadableStream) =>
  new Response(typeof body === 'string' ? XML + body : body, {
    headers: headersOf('application/xml; charset=utf-8'),
  });

const headersOf = (type: string) => ({
  'content-type': type,
  'cache-control': 'public, max-age=600',
  'x-content-type-options': 'nosniff',
});
