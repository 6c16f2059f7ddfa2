import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { Readable } from 'node:stream';

const MIME: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
};

/** The built client files. Names under /assets/ carry a hash of their content: cached for a year. Null: not one of them. */
export async function serveStatic(root: string, request: Request): Promise<Response | null> {
  const type = MIME[extname(new URL(request.url).pathname)];
  if (!type || (request.method !== 'GET' && request.method !== 'HEAD')) return null;
  const path = pathWithin(root, new URL(request.url).pathname);
  const found = path ? await stat(path).catch(() => null) : null;
  if (!path || !found?.isFile()) return null;
  const isHashed = new URL(request.url).pathname.startsWith('/assets/');
  const isWorker = new URL(request.url).pathname === '/sw.js';
  const headers = {
    'content-type': type,
    'content-length': String(found.size),
    // A service worker that some cache on the way holds back would hold back the new build.
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : isWorker ? 'no-cache' : 'public, max-age=3600',
    'x-content-type-options': 'nosniff',
  };
  if (request.method === 'HEAD') return new Response(null, { headers });
  return new Response(toWeb(createReadStream(path)), { headers });
}

/** Node's stream as a web body. */
export function toWeb(stream: Readable): ReadableStream<Uint8Array> {
  // Safe: a byte stream of Node yields Buffers, which are Uint8Arrays; only the declared types differ.
  return Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>;
}

function pathWithin(root: string, pathname: string): string | null {
  try {
    const path = normalize(decodeURIComponent(pathname));
    return path.includes('..') || path.includes('\0') ? null : join(root, path);
  } catch {
    return null;
  }
}
