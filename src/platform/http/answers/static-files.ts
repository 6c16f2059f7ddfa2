import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono, type MiddlewareHandler } from 'hono';
import { etag } from 'hono/etag';
import { getMimeType } from 'hono/utils/mime';
import { acceptedEncodings } from './compress.ts';

/**
 * Serves the built client files, compressed where there is a `.br` or `.gz` beside the file
 * (scripts/compress-assets.mjs). Names under /assets/ carry a hash of their content and are cached for a year. A path
 * in any other spelling than the file's own (percent-encoded letters, doubled slashes) is not found. A path that is no
 * built file is left to the next handler.
 */
export function createStatic(root: string): MiddlewareHandler {
  const files = new Hono();
  files.use(etag());
  // serveStatic calls its onFound after the response is made, when headers no longer change, so these are set before.
  files.use(async (c, next) => {
    c.header('cache-control', cachingOf(c.req.path));
    c.header('x-content-type-options', 'nosniff');
    await next();
    // Set on uncompressed answers as well: a shared cache must not hand them to every client.
    c.res.headers.set('vary', 'Accept-Encoding');
    // Made from the file's facts: the middleware above would read and hash the whole file for each request.
    if (c.res.status === 200) c.res.headers.set('etag', versionOf(c.res.headers));
  });
  files.use(serveStatic({ root, precompressed: true }));
  files.notFound(() => new Response(null, { status: 404 }));
  return async ({ req }, next) => {
    const { pathname } = new URL(req.url);
    // Built files need no percent-encoding; the router would decode it and find the file under many addresses.
    if (pathname.includes('%')) return next();
    // Pages have no file extension, and the compressed files are not requested by their own names.
    const ending = extname(pathname);
    if (ending === '.br' || ending === '.gz' || !getMimeType(pathname)) return next();
    const response = await files.fetch(new Request(req.url, { method: req.method, headers: headersFor(req.raw) }));
    return response.status === 404 ? next() : response;
  };
}

/**
 * Returns the accepted encodings by name alone. serveStatic does not understand weights (`br;q=0.9`) and would send the
 * file uncompressed, which would then be compressed for that one answer. Ranges are left out: no client needs a part of
 * a script.
 */
function headersFor({ headers }: Request): Record<string, string> {
  const known = headers.get('if-none-match');
  return {
    'accept-encoding': acceptedEncodings(headers.get('accept-encoding') ?? '').join(','),
    ...(known !== null && { 'if-none-match': known }),
  };
}

/** Returns the ETag of a file, or of its compressed copy, by the size and the time of its last change. */
function versionOf(headers: Headers): string {
  const changedAt = Date.parse(headers.get('last-modified') ?? '');
  return `W/"${Number(headers.get('content-length')).toString(36)}-${changedAt.toString(36)}"`;
}

function cachingOf(path: string): string {
  if (path.startsWith('/assets/')) return 'public, max-age=31536000, immutable';
  // A cached service worker would keep visitors on the former build.
  return path === '/sw.js' ? 'no-cache' : 'public, max-age=3600';
}

/** Returns a Node stream as a web body. */
export function toWeb(stream: Readable): ReadableStream<Uint8Array> {
  // Safe: a byte stream of Node yields Buffers, which are Uint8Arrays; only the declared types differ.
  return Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>;
}
