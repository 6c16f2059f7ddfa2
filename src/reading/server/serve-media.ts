import { LARGEST_COVER_WIDTH } from '../../ingest/rules.ts';
import type { Ctx } from '../../context.ts';
import { refuseFile } from '../../platform/http/answers/error-page.ts';
import { findCaller } from '../../accounts/server/sessions.ts';
import { CHART_FILE_PATH, verifyChartSignature } from '../../charts/server/chart-links.ts';
import { serveChartFile } from '../../charts/server/serve-chart-file.ts';
import { findMadeCover, getLargestCover } from '../../ingest/server/pages/large-cover.ts';
import { findShownFile, isMediaShown } from '../../library/server/catalogue.ts';
import { statStored, StoreMissing } from '../../platform/files/file-store.ts';
import { isNotModified } from '../../platform/http/answers/byte-ranges.ts';
import { toWeb } from '../../platform/http/answers/static-files.ts';
import { Refusal } from '../../protocol/envelope.ts';
import { STRIP_PAGE, verifyPageSignature, type LinkedImage } from './page-links.ts';
import { findPageImage } from './find-page-image.ts';
import { SAVED_PAGE_PATH, serveSavedPage } from './whole/serve-saved-page.ts';
import { serveWhole, WHOLE_PATH } from './whole/serve-whole.ts';
import { findSharePicture } from './share-picture.ts';

const MEDIA_PATH = /^\/media\/([A-Za-z0-9_-]{22})\/(cover(?:-960)?|strip|([pct])([1-9]\d{0,3})(-2x)?)\.webp$/;
const LARGEST_COVER_PATH = /^\/media\/([A-Za-z0-9_-]{22})\/cover-1600\.webp$/;
const SHARE_PATH = /^\/media\/([A-Za-z0-9_-]{22})\/share\.jpg$/;

/**
 * Serves covers and pictures for shared links (public, cached for ten minutes), and page images, thumbnails, charts, the
 * files of charts, saved pages and whole documents (signed, for one session, C-76). Page images that nobody has asked for are drawn first. Signed links
 * answer 403 to every other session; media that does not exist or is not published answers 404; 503 with Retry-After
 * when too many readers wait for pages. Throws StoreAway: a 404 would be believed for as long as caches like.
 */
export async function serveMedia(ctx: Ctx, request: Request): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuseFile(405);
  const url = new URL(request.url);
  const shared = SHARE_PATH.exec(url.pathname)?.[1];
  if (shared) return serveSharePicture(ctx, request, shared);
  const covered = LARGEST_COVER_PATH.exec(url.pathname)?.[1];
  if (covered) return serveLargestCover(ctx, request, covered);
  if (CHART_FILE_PATH.test(url.pathname)) return serveChartFile(ctx, request, url, await findCaller(ctx, request));
  if (SAVED_PAGE_PATH.test(url.pathname)) return serveSavedPage(ctx, request, url, await sessionOf(ctx, request));
  if (WHOLE_PATH.test(url.pathname)) return serveWhole(ctx, request, url, await findCaller(ctx, request));
  const match = MEDIA_PATH.exec(url.pathname);
  if (!match) return refuseFile(404);
  const [, mediaKey = '', name = '', kind = name === 'strip' ? 's' : undefined, number = STRIP_PAGE, large] = match;
  const image: LinkedImage = kind === 't' ? 'thumbnail' : large === undefined ? 'normal' : 'large';
  const isSigned = kind !== undefined;
  const sessionId = isSigned ? await sessionOf(ctx, request) : null;
  const wanted = { mediaKey, kind: kind ?? '', number: Number(number), image };
  if (isSigned && (sessionId === null || !mayRead(ctx, url, sessionId, wanted))) return refuseFile(403);
  const isPage = kind === 'p' || kind === 't';
  let key: string | null;
  try {
    key = isPage ? await findPageImage(ctx, wanted, `s${sessionId}`) : await otherKey(ctx, mediaKey, name);
  } catch (error) {
    // A page that fails offers 重试 and is asked for again when the reader turns to it again (page-image.tsx); a thumbnail leaves its number.
    if (error instanceof Refusal) return refuseFile(error.status, { 'retry-after': '2' });
    throw error;
  }
  return serveFile(ctx, request, key, imageHeaders(isSigned ? 'private, max-age=300' : PUBLIC_CACHING));
}

const imageHeaders = (caching: string) => ({
  'content-type': 'image/webp',
  'cache-control': caching,
  'cross-origin-resource-policy': 'same-origin',
});

/**
 * Serves the largest cover of a published document, drawn now if nobody has asked for it before. While too many covers
 * wait, the smaller one takes its place, and is kept by no cache.
 */
async function serveLargestCover(ctx: Ctx, request: Request, mediaKey: string): Promise<Response> {
  const file = await findShownFile(ctx, mediaKey);
  if (!file?.coverWidths.includes(LARGEST_COVER_WIDTH)) return refuseFile(404);
  try {
    return await serveFile(ctx, request, await getLargestCover(ctx, file), imageHeaders(PUBLIC_CACHING));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return serveFile(ctx, request, await findMadeCover(ctx, file), imageHeaders('no-store'));
  }
}

async function serveSharePicture(ctx: Ctx, request: Request, mediaKey: string): Promise<Response> {
  try {
    return await serveFile(ctx, request, await findSharePicture(ctx, mediaKey), SHARE_HEADERS);
  } catch (error) {
    if (error instanceof Refusal) return refuseFile(error.status, { 'retry-after': '2' });
    throw error;
  }
}

/** Caches revalidate after ten minutes, so that a document that was taken down soon disappears from them as well. */
const PUBLIC_CACHING = 'public, max-age=600, must-revalidate';

/** Other sites may show the picture, beside links to this site. */
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
  const found = key ? await statStored(ctx.files, key) : null;
  if (!key || !found) return refuseFile(404);
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
    if (error instanceof StoreMissing) return refuseFile(404);
    throw error;
  }
}

type Wanted = { mediaKey: string; kind: string; number: number; image: LinkedImage };

async function otherKey(ctx: Ctx, mediaKey: string, name: string): Promise<string | null> {
  return (await isMediaShown(ctx, mediaKey)) ? `media/${mediaKey}/${name}.webp` : null;
}

function mayRead(ctx: Ctx, url: URL, sessionId: number, { mediaKey, kind, number, image }: Wanted): boolean {
  const expires = Number(url.searchParams.get('e'));
  const signature = url.searchParams.get('s') ?? '';
  const link = { mediaKey, expires, sessionId, signature };
  return kind === 'c'
    ? verifyChartSignature(ctx, { ...link, number })
    : verifyPageSignature(ctx, { ...link, page: number, image });
}

async function sessionOf(ctx: Ctx, request: Request): Promise<number | null> {
  return (await findCaller(ctx, request))?.id ?? null;
}
