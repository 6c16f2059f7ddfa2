import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { PublicAnswer } from './answer-cache.ts';
import { hasEtag } from './byte-ranges.ts';
import { MIN_COMPRESSED_BYTES, takesEncoding } from './compress.ts';

const compress = promisify(gzip);

/** Reads an answer as a whole, with its compressed form made in advance. */
export async function toPublicAnswer(response: Response): Promise<PublicAnswer> {
  const body = Buffer.from(await response.arrayBuffer());
  const zipped = body.length < MIN_COMPRESSED_BYTES ? null : await compress(body, { level: 6 });
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body,
    gzip: zipped && Buffer.from(zipped),
    // Weak: the compressed form and the other are the same to a browser.
    etag: `W/"${hash}"`,
  };
}

/** Sends it as this request wants it: compressed or not, without a body for HEAD, 304 when the client has it already. */
export function sendPublicAnswer(request: Request, answer: PublicAnswer, extra: Record<string, string> = {}): Response {
  const vary = answer.headers['vary'] ? `${answer.headers['vary']}, accept-encoding` : 'accept-encoding';
  const headers: Record<string, string> = { ...answer.headers, ...extra, vary, etag: answer.etag };
  if (answer.status === 200 && hasEtag(request.headers, answer.etag))
    return new Response(null, { status: 304, headers });
  const isZipped = answer.gzip !== null && takesEncoding(request, 'gzip');
  const body = isZipped && answer.gzip ? answer.gzip : answer.body;
  if (isZipped) headers['content-encoding'] = 'gzip';
  headers['content-length'] = String(body.length);
  return new Response(request.method === 'HEAD' ? null : body, { status: answer.status, headers });
}
