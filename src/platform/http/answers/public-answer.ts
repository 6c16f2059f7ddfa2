import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { hasEtag } from './byte-ranges.ts';
import { MIN_COMPRESSED_BYTES, takesGzip } from './compress.ts';

const compress = promisify(gzip);

/** One encoding of an answer, with the headers that belong to it. */
export type Form = { headers: Record<string, string>; body: Buffer<ArrayBuffer> };

/** An answer that is the same for every visitor: it holds no cookie, no nonce, nothing of one request. */
export type PublicAnswer = {
  status: number;
  plain: Form;
  /** Null when the body is too short to be compressed. */
  gzip: Form | null;
  etag: string;
};

/** The parts of a request that decide the form of the answer. */
type Wish = { method: string; accepts: string; etags: string | null };

/** Reads a whole response and compresses it in advance. */
export async function toPublicAnswer(response: Response): Promise<PublicAnswer> {
  const body = Buffer.from(await response.arrayBuffer());
  // A weak ETag: the compressed form and the other count as the same for a browser.
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const own = Object.fromEntries(response.headers);
  const vary = own['vary'] ? `${own['vary']}, accept-encoding` : 'accept-encoding';
  const formOf = (bytes: Buffer, more: Record<string, string>): Form => ({
    headers: { ...own, vary, etag, 'content-length': String(bytes.length), ...more },
    body: Buffer.from(bytes),
  });
  return {
    status: response.status,
    plain: formOf(body, {}),
    gzip:
      body.length < MIN_COMPRESSED_BYTES
        ? null
        : formOf(await compress(body, { level: 6 }), { 'content-encoding': 'gzip' }),
    etag,
  };
}

/**
 * Returns the response to a request: compressed or not, without a body for HEAD, 304 when the client has the current
 * version.
 */
export function sendPublicAnswer(request: Request, answer: PublicAnswer, extra: Record<string, string>): Response {
  const { status, headers, body } = replyTo(answer, {
    method: request.method,
    accepts: request.headers.get('accept-encoding') ?? '',
    etags: request.headers.get('if-none-match'),
  });
  return new Response(body, { status, headers: { ...headers, ...extra } });
}

/** Writes the answer directly to the socket, which is cheaper than a web Response. */
export function writePublicAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: PublicAnswer,
  extra: Record<string, string>,
): void {
  const { status, headers, body } = replyTo(answer, {
    method: request.method ?? 'GET',
    accepts: request.headers['accept-encoding']?.toString() ?? '',
    etags: request.headers['if-none-match'] ?? null,
  });
  response.writeHead(status, { ...headers, ...extra }).end(body);
}

function replyTo(answer: PublicAnswer, { method, accepts, etags }: Wish) {
  const form = answer.gzip && takesGzip(accepts) ? answer.gzip : answer.plain;
  if (answer.status === 200 && etags !== null && hasEtag(etags, answer.etag)) {
    const { 'content-length': _length, 'content-encoding': _encoding, ...headers } = form.headers;
    return { status: 304, headers, body: null };
  }
  return { status: answer.status, headers: form.headers, body: method === 'HEAD' ? null : form.body };
}
