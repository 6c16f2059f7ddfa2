import { badRequest, Refusal } from '../../../protocol/envelope.ts';

const MAX_BYTES = 256 * 1024;
/**
 * Maximum number of keys and values; a list of 5,000 ids is answered. JSON.parse takes 10 ms for 20,000 keys,
 * during which nobody else is answered, and far less for a text of the same length.
 */
const MAX_PARTS = 6_000;
/** Maximum nesting: JSON.parse copes with deep nesting, zod and recursive functions of this project do not. */
const MAX_DEPTH = 64;

const utf8 = new TextDecoder();

/** Reads the raw body of a request, at most `maxBytes`. Throws like readBytes. */
export type ReadBytes = (maxBytes: number) => Promise<Buffer>;

/** Returns how the body of a request is read: `body` when it was read before, the request's stream otherwise. */
export const bodyReader =
  (request: Request, body: Buffer | undefined): ReadBytes =>
  async (maxBytes) => {
    if (!body) return readBytes(request, maxBytes);
    if (body.length > maxBytes) throw badRequest(413, '请求体过大');
    return body;
  };

/**
 * Reads the body of an API call before the call takes a place among those that run at once: a place must not be held
 * by a client that sends its body slowly. Undefined for a method without a body. Throws 400 or 413 in the envelope.
 */
export const readAhead = async (request: Request): Promise<Buffer | undefined> =>
  request.method === 'GET' || request.method === 'HEAD' ? undefined : readBytes(request, MAX_BYTES);

/**
 * Returns the JSON body of a POST, `{}` when empty. Throws 400 or 413 in the envelope; 415 for a body that is no JSON, is
 * compressed, or is named as other than UTF-8.
 */
export async function readBody({ headers }: Request, read: ReadBytes): Promise<unknown> {
  const type = headers.get('content-type');
  const text = utf8.decode(await read(MAX_BYTES));
  if (text.trim() === '') return {};
  const coding = headers.get('content-encoding');
  if (coding && !/^identity$/i.test(coding)) throw badRequest(415, '请求体不能压缩，请去掉 Content-Encoding');
  const [, charset] = /;\s*charset\s*=\s*["']?([^\s;"']*)/i.exec(type ?? '') ?? [];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) throw badRequest(415, '请求体须为 UTF-8 编码');
  // A body without a content type is what another site's page could make a browser send.
  if (!type || !/^application\/(.+\+)?json\b/i.test(type)) throw badRequest(415, '请求体须为 JSON');
  if (hasMoreParts(text, MAX_PARTS)) throw badRequest(413, '请求体过大');
  const body = parse(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badRequest(400, '请求体须为 JSON 对象');
  if (isDeeper(body, MAX_DEPTH)) throw badRequest(400, '请求体嵌套过深');
  return body;
}

/** Returns the raw body, at most `maxBytes`. Throws 400 when the body ends early, 413 when it is longer. */
async function readBytes(request: Request, maxBytes: number): Promise<Buffer> {
  const announced = request.headers.get('content-length');
  if (Number(announced ?? 0) > maxBytes) throw badRequest(413, '请求体过大');
  try {
    // With a content-length HTTP ends the body there: counting the bytes again would cost more than reading them.
    if (announced !== null && request.headers.get('transfer-encoding') === null)
      return Buffer.from(await request.arrayBuffer());
    return await readCounted(request, maxBytes);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // The client disconnected while sending: its ECONNRESET must not be taken for the database's.
    throw badRequest(400, '请求体不完整');
  }
}

async function readCounted(request: Request, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw badRequest(413, '请求体过大');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(400, '请求体不是有效的 JSON');
  }
}

const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/** Whether a JSON text has more than `most` keys and values. Commas and brackets inside of strings count as well. */
function hasMoreParts(text: string, most: number): boolean {
  let parts = 0;
  for (let at = 0; at < text.length && parts <= most; at++) {
    const char = text.charCodeAt(at);
    if (char === COMMA || char === BRACKET || char === BRACE) parts += 1;
  }
  return parts > most;
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  return Object.values(value).some((child) => isDeeper(child, depth - 1));
}
