import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

const COMPRESSIBLE = /^(text\/|application\/(json|javascript|manifest\+json|xml|ld\+json)|image\/svg\+xml)/;
/** Below this a compressed answer is hardly smaller. */
const LEAST_BYTES = 1_024;
/** Hashed files never change under their name, so each is compressed once, and hard. */
const MOST_KEPT = 500;
const kept = new Map<string, Buffer<ArrayBuffer>>();

/**
 * The same answer, compressed when the client takes it and it is worth it. Ranges, images and what already has an
 * encoding pass through untouched.
 */
export async function compressed(request: Request, response: Response): Promise<Response> {
  const accepts = request.headers.get('accept-encoding') ?? '';
  const type = response.headers.get('content-type') ?? '';
  if (request.method === 'HEAD' || response.status === 206 || !response.body) return response;
  if (!COMPRESSIBLE.test(type) || response.headers.has('content-encoding')) return response;
  const isImmutable = response.headers.get('cache-control')?.includes('immutable') ?? false;
  const encoding = isImmutable && /\bbr\b/.test(accepts) ? 'br' : /\bgzip\b/.test(accepts) ? 'gzip' : null;
  if (!encoding) return response;
  const headers = new Headers(response.headers);
  headers.append('vary', 'accept-encoding');
  const body = isImmutable
    ? await keptBody(`${encoding} ${new URL(request.url).pathname}`, response, encoding)
    : await compressBody(Buffer.from(await response.arrayBuffer()), encoding);
  headers.set('content-length', String(body.bytes.length));
  if (body.isCompressed) headers.set('content-encoding', encoding);
  return new Response(body.bytes, { status: response.status, headers });
}

type Body = { bytes: Buffer<ArrayBuffer>; isCompressed: boolean };

async function keptBody(key: string, response: Response, encoding: 'br' | 'gzip'): Promise<Body> {
  const known = kept.get(key);
  if (known) {
    await response.body?.cancel();
    return { bytes: known, isCompressed: true };
  }
  const made = await compressBody(Buffer.from(await response.arrayBuffer()), encoding);
  if (made.isCompressed && kept.size < MOST_KEPT) kept.set(key, made.bytes);
  return made;
}

async function compressBody(bytes: Buffer<ArrayBuffer>, encoding: 'br' | 'gzip'): Promise<Body> {
  if (bytes.length < LEAST_BYTES) return { bytes, isCompressed: false };
  const made =
    encoding === 'br'
      ? await brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
      : await deflate(bytes, { level: 6 });
  return { bytes: Buffer.from(made), isCompressed: true };
}
