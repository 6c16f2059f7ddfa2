import type { Ctx } from '../../../context.ts';
import { readableKey } from '../../../ingest/server/pages/drawn-pages.ts';
import { findDocument } from '../../../library/server/catalogue.ts';
import { isOriginalIntact, originalKey } from '../../../library/server/originals.ts';
import { contentDisposition, downloadFileName } from '../../../membership/file-name.ts';
import { statStored, StoreMissing } from '../../../platform/files/file-store.ts';
import { isNotModified, isRangeOfThis, parseRange } from '../../../platform/http/answers/byte-ranges.ts';
import { refuseFile } from '../../../platform/http/answers/error-page.ts';
import { toWeb } from '../../../platform/http/answers/static-files.ts';
import type { Session } from '../../../platform/http/api/request-context.ts';
import { verifyWholeSignature } from '../page-links.ts';
import { isWholeShown } from './open-for-reading.ts';

export const WHOLE_PATH = /^\/media\/([A-Za-z0-9_-]{22})\/whole\.pdf$/;

/**
 * Serves a whole document as PDF for the browser's own viewer (C-41), whole or one range of it, to the session that the
 * link was made for: 403 to every other session and after five minutes, 404 when the document is off the shelf for this user, 503
 * while its stored bytes are not those that were ingested.
 */
export async function serveWhole(ctx: Ctx, request: Request, url: URL, session: Session | null): Promise<Response> {
  const mediaKey = WHOLE_PATH.exec(url.pathname)?.[1] ?? '';
  const documentId = Number(url.searchParams.get('d'));
  const expires = Number(url.searchParams.get('e'));
  const signature = url.searchParams.get('s') ?? '';
  if (session === null || !Number.isSafeInteger(documentId)) return refuseFile(403);
  if (!verifyWholeSignature(ctx, { mediaKey, documentId, sessionId: session.id, expires, signature }))
    return refuseFile(403);
  const document = await findDocument(ctx, documentId);
  if (document?.mediaKey !== mediaKey || !(await isWholeShown({ ...ctx, session }, document))) return refuseFile(404);
  const key = readableKey({ ...document, id: document.fileId });
  const stored = key && (await statStored(ctx.files, key));
  if (!key || !stored) return refuseFile(404);
  // A PDF is its own original: a changed original is not delivered here either (docs/operations.md, Originals).
  if (key === originalKey(document.sha256) && !(await isOriginalIntact(ctx, { ...document, id: document.fileId })))
    return refuseFile(503);
  // The PDF of a deck is made again by `ceku convert`, under the same key.
  const version = `${stored.size.toString(36)}-${Math.floor(stored.modifiedAt).toString(36)}`;
  const current = { etag: `"${document.sha256}-${version}-pdf"`, lastModified: new Date(stored.modifiedAt) };
  const headers = new Headers({
    'content-type': 'application/pdf',
    'content-disposition': contentDisposition(
      downloadFileName(document.name, document.id, 'pdf'),
      document.id,
      'pdf',
      'inline',
    ),
    'cache-control': 'private, no-store',
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    // Scripts inside the PDF get nothing of the site.
    'content-security-policy': "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'",
    'cross-origin-resource-policy': 'same-origin',
    etag: current.etag,
  });
  if (isNotModified(request.headers, current)) return new Response(null, { status: 304, headers });
  headers.set('content-length', String(stored.size));
  // HTTP defines Range for GET only.
  if (request.method === 'HEAD') return new Response(null, { headers });
  const range = isRangeOfThis(request.headers, current)
    ? parseRange(request.headers.get('range'), stored.size)
    : 'whole';
  if (range === 'unsatisfiable') {
    headers.delete('content-length');
    headers.set('content-range', `bytes */${stored.size}`);
    return new Response(null, { status: 416, headers });
  }
  if (range !== 'whole') {
    headers.set('content-length', String(range.end - range.start + 1));
    headers.set('content-range', `bytes ${range.start}-${range.end}/${stored.size}`);
  }
  const status = range === 'whole' ? 200 : 206;
  try {
    return new Response(toWeb(await ctx.files.read(key, range === 'whole' ? undefined : range)), { status, headers });
  } catch (error) {
    if (error instanceof StoreMissing) return refuseFile(404);
    throw error;
  }
}
