import type { Ctx } from '../../context.ts';
import { DOCUMENT_QR_PATH } from '../share-paths.ts';
import { detailPath } from '../share-link.ts';
import { drawQr } from './draw-qr.ts';
import { getPublicDocument, originOf, takeImageLimit } from './public-document.ts';

const WIDTH = 430;

/**
 * The QR code that opens a document on a phone (C-94), as PNG, to be kept for a day. `scene` is the document; 404 for one that is not on
 * the shelf. `type` is of the mini program, which has no page for documents: every type is the address of the detail page.
 */
export async function serveDocumentQr(ctx: Ctx, request: Request): Promise<Response> {
  await takeImageLimit(ctx, DOCUMENT_QR_PATH, 60);
  const document = await getPublicDocument(ctx, new URL(request.url).searchParams.get('scene'));
  const image = await drawQr(originOf(ctx, request) + detailPath(document.id, {}), WIDTH);
  return new Response(new Uint8Array(image), {
    headers: {
      'content-type': 'image/png',
      'cache-control': 'public, max-age=86400',
      'x-content-type-options': 'nosniff',
    },
  });
}
