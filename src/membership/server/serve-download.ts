import { toWeb } from '../../platform/http/answers/static-files.ts';
import { Readable } from 'node:stream';
import type { Ctx } from '../../context.ts';
import { isPreviewOnly } from '../../library/rules.ts';
import {
  isOriginalRestored,
  originalKey,
  recordOriginalState,
  verifyOriginalOnce,
} from '../../library/server/originals.ts';
import { BytesChanged, checkedBytes } from '../../platform/files/file-store.ts';
import { isNotModified, isRangeOfThis, parseRange } from '../../platform/http/answers/byte-ranges.ts';
import { serveErrorPage } from '../../platform/http/answers/error-page.ts';
import { expiryAfter, isLinkValid, signLink, type Signer } from '../../platform/signer.ts';
import { contentDisposition, downloadFileName, mimeTypeOf } from '../file-name.ts';
import { isTakenDown } from './rights.ts';
import { selectLinkedFile } from './store.ts';

/** How long a link works, any number of times (C-81). */
const LINK_SECONDS = 600;
const DOWNLOAD_PREFIX = '/dl/';

const KIND = 'download-link';
const LINK = /^([A-Za-z0-9_-]{1,100})\.([A-Za-z0-9_-]{24})$/;
const PAYLOAD = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/;

type DownloadTarget = { documentId: number; fileId: number };

/**
 * Returns a path that leads to one file of one document for ten minutes and names neither its key nor its owner
 * (INV-33).
 */
export function makeDownloadLink(signer: Signer, target: DownloadTarget, now: number): string {
  const expires = expiryAfter(LINK_SECONDS, now);
  const payload = Buffer.from(`${target.documentId}.${target.fileId}.${expires}`).toString('base64url');
  return `${DOWNLOAD_PREFIX}${payload}.${signLink(signer, { kind: KIND, subject: [payload], expires })}`;
}

/** Returns what the part after /dl/ leads to; null when the link is forged, altered or expired. `now` in epoch ms. */
export function readDownloadLink(signer: Signer, text: string, now: number): DownloadTarget | null {
  const [, payload = '', signature = ''] = LINK.exec(text) ?? [];
  const [, documentId, fileId, expires] = PAYLOAD.exec(Buffer.from(payload, 'base64url').toString()) ?? [];
  // The signature covers the encoded text, not what it decodes to: two spellings of one payload are two payloads.
  const link = { kind: KIND, subject: [payload], expires: Number(expires), signature };
  if (!documentId || !isLinkValid(signer, link, now)) return null;
  return { documentId: Number(documentId), fileId: Number(fileId) };
}

type LinkedFile = NonNullable<Awaited<ReturnType<typeof selectLinkedFile>>>;

/**
 * Serves GET and HEAD of /dl/… (C-81): the original as an attachment, whole or one range of it. 403 for a forged or
 * expired link, 410 after a take-down, 503 when the store has no file or does not answer; each with an error page.
 */
export async function serveDownload(ctx: Ctx, request: Request): Promise<Response> {
  const refuse = (status: number) => serveErrorPage(status, ctx.request.id);
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405);
  const text = new URL(request.url).pathname.slice(DOWNLOAD_PREFIX.length);
  const target = readDownloadLink(ctx.signer, text, ctx.clock.now());
  if (!target) return refuse(403);
  const file = await selectLinkedFile(ctx.db, target.documentId, target.fileId);
  if (!file || isTakenDown(file) || isPreviewOnly(file)) return refuse(410);
  try {
    return await send(ctx, request, file);
  } catch (error) {
    ctx.log.error({ error, documentId: file.documentId }, 'an original could not be read');
    return refuse(503);
  }
}

async function send(ctx: Ctx, request: Request, file: LinkedFile): Promise<Response> {
  const key = originalKey(file.sha256);
  const stored = await ctx.files.stat(key);
  if (stored?.size !== file.sizeBytes) {
    await recordOriginalState(ctx, file, stored ? 'damaged' : 'missing');
    return lost(ctx);
  }
  if (!(await isOriginalRestored(ctx, file, stored))) return lost(ctx);
  const current = { etag: `"${file.sha256}"`, lastModified: file.createdAt };
  const headers = headersOf(file);
  if (isNotModified(request.headers, current)) return new Response(null, { status: 304, headers });
  headers.set('content-length', String(file.sizeBytes));
  // HTTP defines Range for GET only.
  if (request.method === 'HEAD') return new Response(null, { headers });
  const range = isRangeOfThis(request.headers, current)
    ? parseRange(request.headers.get('range'), file.sizeBytes)
    : 'whole';
  if (range === 'unsatisfiable') return unsatisfiable(ctx, file);
  // A broken-off answer ends with its connection, so the client misses the bytes that content-length promised.
  headers.set('connection', 'close');
  if (range === 'whole') {
    const bytes = await ctx.files.read(key);
    return new Response(bodyOf(ctx, request, file, { stored: bytes, sent: checkedBytes(bytes, file.sha256) }), {
      headers,
    });
  }
  if ((await verifyOriginalOnce(ctx, file, stored.changedAt)) !== 'intact') return lost(ctx);
  headers.set('content-length', String(range.end - range.start + 1));
  headers.set('content-range', `bytes ${range.start}-${range.end}/${file.sizeBytes}`);
  const bytes = await ctx.files.read(key, range);
  return new Response(bodyOf(ctx, request, file, { stored: bytes, sent: bytes }), { status: 206, headers });
}

/**
 * Returns the bytes of an original, read as fast as the client takes them; the file is closed when the client goes
 * away. `stored` is the open file, `sent` what is sent of it. When the file cannot be read to its end, or its bytes
 * have changed since the ingest, the body ends before its last part, so that no client takes the file for whole; the
 * next download says why.
 */
function bodyOf(
  ctx: Ctx,
  request: Request,
  file: LinkedFile,
  { stored, sent }: { stored: Readable; sent: AsyncIterable<Buffer> },
): ReadableStream<Uint8Array> {
  const whileReadable = async function* () {
    try {
      yield* sent;
    } catch (error) {
      if (request.signal.aborted) return;
      if (error instanceof BytesChanged) await recordOriginalState(ctx, file, 'damaged');
      ctx.log.error({ error, documentId: file.documentId }, 'a download was broken off');
    }
  };
  const bytes = Readable.from(whileReadable(), { objectMode: false });
  // A body that nobody began to read closes its file as well.
  bytes.once('close', () => stored.destroy());
  const leave = () => void bytes.destroy();
  if (request.signal.aborted) leave();
  request.signal.addEventListener('abort', leave, { once: true });
  return toWeb(bytes);
}

const LOST = '这份文件已损坏，正在修复。修复后请返回方案页重新下载，不会重复扣费。';
const lost = (ctx: Ctx) => serveErrorPage(503, ctx.request.id, LOST);

function headersOf(file: LinkedFile): Headers {
  const name = downloadFileName(file.name, file.documentId, file.fileType);
  return new Headers({
    'content-type': mimeTypeOf(file.fileType),
    'content-disposition': contentDisposition(name, file.documentId, file.fileType),
    etag: `"${file.sha256}"`,
    'last-modified': file.createdAt.toUTCString(),
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  });
}

function unsatisfiable(ctx: Ctx, file: LinkedFile): Response {
  const response = serveErrorPage(416, ctx.request.id);
  response.headers.set('content-range', `bytes */${file.sizeBytes}`);
  return response;
}
