import { badRequest, Refusal } from '../../protocol/envelope.ts';

const MAX_BYTES = 256 * 1024;
/** Maximum nesting: JSON.parse copes with deep nesting, zod and recursive functions of this project do not. */
const MAX_DEPTH = 64;

/** Returns the JSON body of a POST, `{}` when empty. Throws 400, 413 or 415 in the envelope. */
export async function readBody(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type');
  const text = await readText(request, MAX_BYTES);
  if (text.trim() === '') return {};
  // A body without a content type is what another site's page could make a browser send.
  if (!type || !/^application\/(.+\+)?json\b/i.test(type)) throw badRequest(415, '请求体须为 JSON');
  const body = parse(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badRequest(400, '请求体须为 JSON 对象');
  if (isDeeper(body, MAX_DEPTH)) throw badRequest(400, '请求体嵌套过深');
  return body;
}

/** Returns the raw body, at most `maxBytes`. Throws 400 when the body ends early, 413 when it is longer. */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  const announced = request.headers.get('content-length');
  if (Number(announced ?? 0) > maxBytes) throw badRequest(413, '请求体过大');
  try {
    // With a content-length HTTP ends the body there: counting the bytes again would cost more than reading them.
    if (announced !== null && request.headers.get('transfer-encoding') === null) return await request.text();
    return await readCounted(request, maxBytes);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // The client disconnected while sending: its ECONNRESET must not be taken for the database's.
    throw badRequest(400, '请求体不完整');
  }
}

async function readCounted(request: Request, maxBytes: number): Promise<string> {
  if (!request.body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw badRequest(413, '请求体过大');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(400, '请求体不是有效的 JSON');
  }
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  return Object.values(value).some((child) => isDeeper(child, depth - 1));
}
