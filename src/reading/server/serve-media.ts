import type { Ctx } from '../../context.ts';
import { findBrowserSession, findSession } from '../../accounts/server/sessions.ts';
import { verifyChartSignature } from '../../charts/server/chart-links.ts';
import { findShownPage, isMediaShown } from '../../library/server/catalogue.ts';
import { StoreMissing } from '../../platform/files/file-store.ts';
import { isNotModified } from '../../platform/http/byte-ranges.ts';
import { readCookie } from '../../platform/http/cookies.ts';
import { toWeb } from '../../platform/http/static-files.ts';
import { STRIP_PAGE, verifyPageSignature } from './page-links.ts';
import { findSharePicture } from './share-picture.ts';

const MEDIA_PATH = /^\/media\/([A-Za-z0-9_-]{22})\/(cover(?:-(?:960|1600))?|strip|([pc])([1-9]\d{0,2})(-2x)?)\.webp$/;
const SHARE_PATH = /^\/media\/([A-Za-z0-9_-]{22})\/share\.jpg$/;

/**
 * Serves covers and pictures for shared links (public, cached for ten minutes), and page images, thumbnails and charts
 * (signed, for one session, C-76). Signed links answer 403 to every other session; media that does not exist or is off
 * the shelf answers 404.
 */
export async function serveMedia(ctx: Ctx, request: Request): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405);
  const url = new URL(request.url);
  const shared = SHARE_PATH.exec(url.pathname)?.[1];
  if (shared) return serveFile(ctx, request, await findSharePicture(ctx, shared), SHARE_HEADERS);
  const match = MEDIA_PATH.exec(url.pathname);
  if (!match) return refuse(404);
  const [, mediaKey = '', name = '', kind = name === 'strip' ? 's' : undefined, number = STRIP_PAGE, large] = match;
  const isLarge = large !== undefined;
  const isSigned = kind !== undefined;
  if (isSigned && !(await mayRead(ctx, request, url, { mediaKey, kind, number: Number(number), isLarge })))
    return refuse(403);
  const key =
    kind === 'p' ? await findShownPage(ctx, mediaKey, Number(number), isLarge) : await otherKey(ctx, mediaKey, name);
  return serveFile(ctx, request, key, {
    'content-type': 'image/webp',
    'cache-control': isSigned ? 'private, max-age=300' : PUBLIC_CACHING,
    'cross-origin-resource-policy': 'same-origin',
  });
}

/** Caches revalidate after ten minutes, so that a document that was taken down soon disappears from them as well. */
const PUBLIC_CACHING = 'public, max-age=600, must-revalidate';

/** Other sites show the picture beside links to ours. */
const SHARE_HEADERS = {
  'content-type': 'image/jpeg',
  'cache-control': PUBLIC_CACHING,
  'cross-origin-resource-policy': 'cross-origin',
};

async function serveFile(
  ctx: Ctx,
  request: Request,
  key: string | null,
  ownHeaders: Record<string, string>,
): Promise<Response> {
  const found = key ? await ctx.files.stat(key) : null;
  if (!key || !found) return refuse(404);
  const version = {
    etag: `"${found.size.toString(36)}-${Math.floor(found.changedAt).toString(36)}"`,
    lastModified: new Date(found.changedAt),
  };
  const headers = {
    ...ownHeaders,
    etag: version.etag,
    'x-content-type-options': 'nosniff',
  };
  if (isNotModified(request.headers, version)) return new Response(null, { status: 304, headers });
  const withLength = { ...headers, 'content-length': String(found.size) };
  if (request.method === 'HEAD') return new Response(null, { headers: withLength });
  try {
    return new Response(toWeb(await ctx.files.read(key)), { headers: withLength });
  } catch (error) {
    if (error instanceof StoreMissing) return refuse(404);
    throw error;
  }
}

type Wanted = { mediaKey: string; kind: string; number: number; isLarge: boolean };

async function otherKey(ctx: Ctx, mediaKey: string, name: string): Promise<string | null> {
  return (await isMediaShown(ctx, mediaKey)) ? `media/${mediaKey}/${name}.webp` : null;
}

async function mayRead(
  ctx: Ctx,
  request: Request,
  url: URL,
  { mediaKey, kind, number, isLarge }: Wanted,
): Promise<boolean> {
  const expires = Number(url.searchParams.get('e'));
  const signature = url.searchParams.get('s') ?? '';
  const sessionId = await sessionOf(ctx, request);
  if (!sessionId) return false;
  const link = { mediaKey, expires, sessionId, signature };
  return kind === 'c'
    ? verifyChartSignature(ctx, { ...link, number })
    : verifyPageSignature(ctx, { ...link, page: number, isLarge });
}

/** Browsers send the HttpOnly cookie with an image; programs may send the token header. */
async function sessionOf(ctx: Ctx, request: Request): Promise<number | null> {
  const cookie = readCookie(request.headers.get('cookie'), 'sess');
  const token = request.headers.get('token') ?? '';
  const lookup = cookie ? await findBrowserSession(ctx, cookie) : token ? await findSession(ctx, token) : 'none';
  return typeof lookup === 'string' ? null : lookup.id;
}

function refuse(status: number): Response {
  return new Response(null, { status, headers: { 'cache-control': 'no-store' } });
}
