import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

/** Not event streams: they have no end to wait for. */
const COMPRESSIBLE =
  /^(text\/(?!event-stream)|application\/(json|javascript|manifest\+json|xml|ld\+json)|image\/svg\+xml)/;
/** Minimum size in bytes; smaller answers hardly shrink. */
export const MIN_COMPRESSED_BYTES = 1_024;
/** Compression level of answers made for one request: level 6 takes twice the time and saves another tenth. */
const LEVEL = 4;

/** The codings the site sends, the best compression first. */
const CODINGS = ['br', 'gzip'] as const;

/**
 * Returns the codings that an Accept-Encoding header accepts, the best compression first: named there or covered by
 * `*`, with a weight above zero (RFC 9110, 12.5.3). Weights above zero are not compared; a weight that is not a number
 * counts as zero.
 */
export function acceptedEncodings(header: string): (typeof CODINGS)[number][] {
  const isAccepted = new Map<string, boolean>();
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2) ?? '1';
    isAccepted.set(coding, Number(weight) > 0);
  }
  return CODINGS.filter((coding) => isAccepted.get(coding) ?? isAccepted.get('*') ?? false);
}

export const takesGzip = (header: string) => acceptedEncodings(header).includes('gzip');

/**
 * Returns the answer, compressed when the client accepts that and the answer is large enough. Ranges, images and
 * answers that have an encoding pass through unchanged, as do the built assets, which have compressed files beside the
 * originals. hono/compress has no level, and makes every answer a stream without a length.
 */
export async function compressed(request: Request, response: Response): Promise<Response> {
  const type = response.headers.get('content-type') ?? '';
  if (request.method === 'HEAD' || response.status === 206 || !response.body) return response;
  if (!COMPRESSIBLE.test(type) || response.headers.has('content-encoding')) return response;
  if (!takesGzip(request.headers.get('accept-encoding') ?? '')) return response;
  const headers = new Headers(response.headers);
  headers.append('vary', 'accept-encoding');
  // Lists for search engines have megabytes and are sent as they are read.
  if (type.startsWith('application/xml')) {
    headers.set('content-encoding', 'gzip');
    return new Response(response.body.pipeThrough(new CompressionStream('gzip')), { status: response.status, headers });
  }
  const bytes = Buffer.from(await response.arrayBuffer());
  const isWorthIt = bytes.length >= MIN_COMPRESSED_BYTES;
  const body = isWorthIt ? Buffer.from(await compress(bytes, { level: LEVEL })) : bytes;
  if (isWorthIt) headers.set('content-encoding', 'gzip');
  headers.set('content-length', String(body.length));
  return new Response(body, { status: response.status, headers });
}
