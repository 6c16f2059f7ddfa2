import { findCaller } from '../../../accounts/server/sessions.ts';
import { refuseFile } from '../../../platform/http/answers/error-page.ts';
import type { Ctx } from '../../../context.ts';
import { contentDisposition, mimeTypeOf, safeFileName } from '../../../membership/file-name.ts';
import { statStored, StoreMissing } from '../../../platform/files/file-store.ts';
import { isNotModified, isRangeOfThis, parseRange } from '../../../platform/http/answers/byte-ranges.ts';
import { toWeb } from '../../../platform/http/answers/static-files.ts';
import { selectVisibleUpload, type UploadRow } from './store.ts';
import { originalKeyOf, pageKeyOf } from './upload-files.ts';

const PATH = /^\/media\/upload\/([1-9]\d{0,14})\/(?:([1-9]\d?)\.webp|original)$/;

type Served = { key: string; etag: string; lastModified: Date; headers: Record<string, string> };

/**
 * Serves the pages and the original of an uploaded file to its owner and to the members of its group, who are looked up with each
 * request. Everybody else gets 404, as for a file that does not exist.
 */
export async function serveUploadFile(ctx: Ctx, request: Request): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuseFile(405);
  const [, id, page] = PATH.exec(new URL(request.url).pathname) ?? [];
  const caller = id ? await findCaller(ctx, request) : null;
  const row = caller && (await selectVisibleUpload(ctx.db, Number(id), caller.userId));
  if (row?.upload.state !== 'ready') return refuseFile(404);
  const { upload } = row;
  if (page && Number(page) > upload.pages.length) return refuseFile(404);
  return send(ctx, request, page ? pageOf(upload, Number(page)) : originalOf(upload));
}

const pageOf = (upload: UploadRow, page: number): Served => ({
  key: pageKeyOf(upload.key, page),
  etag: `"${upload.sha256}-${page}"`,
  lastModified: upload.createdAt,
  headers: { 'content-type': 'image/webp', 'cache-control': 'private, no-cache' },
});

function originalOf({ id, key, name, fileType, sha256, createdAt }: UploadRow): Served {
  const type = fileType ?? 'pdf';
  const fileName = safeFileName(name, `文件_${id}`, type);
  return {
    key: originalKeyOf(key),
    etag: `"${sha256}"`,
    lastModified: createdAt,
    headers: {
      'content-type': mimeTypeOf(type),
      'content-disposition': contentDisposition(fileName, id, type),
      'cache-control': 'private, no-store',
    },
  };
}

async function send(ctx: Ctx, request: Request, served: Served): Promise<Response> {
  const stored = await statStored(ctx.files, served.key);
  if (!stored) return refuseFile(404);
  const headers = new Headers({
    ...served.headers,
    etag: served.etag,
    'accept-ranges': 'bytes',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  });
  if (isNotModified(request.headers, served)) return new Response(null, { status: 304, headers });
  headers.set('content-length', String(stored.size));
  if (request.method === 'HEAD') return new Response(null, { headers });
  const range = isRangeOfThis(request.headers, served)
    ? parseRange(request.headers.get('range'), stored.size)
    : 'whole';
  if (range === 'unsatisfiable') return refuseFile(416, { 'content-range': `bytes */${stored.size}` });
  try {
    if (range === 'whole') return new Response(toWeb(await ctx.files.read(served.key)), { headers });
    headers.set('content-length', String(range.end - range.start + 1));
    headers.set('content-range', `bytes ${range.start}-${range.end}/${stored.size}`);
    return new Response(toWeb(await ctx.files.read(served.key, range)), { status: 206, headers });
  } catch (error) {
    // Taken back at this moment.
    if (error instanceof StoreMissing) return refuseFile(404);
    throw error;
  }
}
