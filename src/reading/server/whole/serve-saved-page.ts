import sharp from 'sharp';
import type { Ctx } from '../../../context.ts';
import { findDocument } from '../../../library/server/catalogue.ts';
import { contentDisposition, pageFileName } from '../../../membership/file-name.ts';
import { createConcurrencyLimit } from '../../../platform/concurrency-limit.ts';
import { StoreMissing } from '../../../platform/files/file-store.ts';
import { refuseFile } from '../../../platform/http/answers/error-page.ts';
import { Refusal } from '../../../protocol/envelope.ts';
import { findPageImage } from '../find-page-image.ts';
import { verifySavedPageSignature, type LinkedImage } from '../page-links.ts';

export const SAVED_PAGE_PATH = /^\/media\/([A-Za-z0-9_-]{22})\/p([1-9]\d{0,3})\.jpg$/;

/** A page takes a tenth of a second of a processor; readers of pages are answered beside it. */
const encodingLimit = createConcurrencyLimit(1);

/** Text on slides shows the blocks of a lower quality. */
const JPEG = { quality: 92, chromaSubsampling: '4:4:4' } as const;

/**
 * Serves one page as a JPEG to save, from its largest image, to the session that the link was made for: 403 to every
 * other session and after five minutes, 404 when the document is not published or the page cannot be drawn.
 */
export async function serveSavedPage(
  ctx: Ctx,
  request: Request,
  url: URL,
  sessionId: number | null,
): Promise<Response> {
  const [, mediaKey = '', number] = SAVED_PAGE_PATH.exec(url.pathname) ?? [];
  const page = Number(number);
  const documentId = Number(url.searchParams.get('d'));
  const expires = Number(url.searchParams.get('e'));
  const signature = url.searchParams.get('s') ?? '';
  if (sessionId === null || !Number.isSafeInteger(documentId)) return refuseFile(403);
  if (!verifySavedPageSignature(ctx, { mediaKey, documentId, page, sessionId, expires, signature }))
    return refuseFile(403);
  const document = await findDocument(ctx, documentId);
  if (document?.state !== 'published' || document.mediaKey !== mediaKey) return refuseFile(404);
  try {
    const imageKey = (image: LinkedImage) => findPageImage(ctx, { mediaKey, number: page, image }, `s${sessionId}`);
    // A page whose source has no more detail has only a normal image.
    const key = (await imageKey('large')) ?? (await imageKey('normal'));
    if (key === null) return refuseFile(404);
    const image = await encodingLimit.run(() =>
      // WebP, which the pages are kept in, does not open in every program that slides are pasted into.
      ctx.files.withLocalPath(key, (path) => sharp(path).flatten({ background: '#ffffff' }).jpeg(JPEG).toBuffer()),
    );
    const headers = {
      'content-type': 'image/jpeg',
      'content-length': String(image.length),
      'content-disposition': contentDisposition(pageFileName(document.name, document.id, page), document.id, 'jpg'),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    };
    return new Response(request.method === 'HEAD' ? null : new Uint8Array(image), { headers });
  } catch (error) {
    if (error instanceof StoreMissing) {
      await ctx.files.check();
      return refuseFile(404);
    }
    if (error instanceof Refusal) return refuseFile(error.status, { 'retry-after': '2' });
    throw error;
  }
}
