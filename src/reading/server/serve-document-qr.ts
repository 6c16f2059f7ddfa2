import type { Ctx } from '../../context.ts';
import { detailPath } from '../share-links.ts';
import { drawQr } from './draw-qr.ts';
import { cachingOf, getPublicDocument, originOf } from './public-document.ts';

const WIDTH = 430;

/**
 * Serves the QR code that opens a document on a phone (C-94), as PNG, cached for a day. `scene` is the document id; 404
 * for a document that is not on the shelf. `type` is a mini program's parameter; that program has no page for
 * documents, so every type gives the address of the detail page.
 */
export async function serveDocumentQr(ctx: Ctx, request: Request): Promise<Response> {
  const document = await getPublicDocument(ctx, new URL(request.url).searchParams.get('scene'));
  const image = await drawQr(originOf(ctx, request) + detailPath(document.id, {}), WIDTH);
  return new Response(new Uint8Array(image), {
    headers: {
      'content-type': 'image/png',
      'cache-control': cachingOf(ctx, 86_400),
      'x-content-type-options': 'nosniff',
    },
  });
}
