import type { Ctx } from '../../context.ts';
import { findDocument, type DocumentFacts } from '../../library/server/catalogue.ts';
import { notFound, Refusal } from '../../protocol/envelope.ts';

/**
 * Returns the document of a public image (poster, QR code). Throws a refusal with status 404 unless the document is on
 * the shelf: an `<img>` cannot read a code.
 */
export async function getPublicDocument(ctx: Ctx, id: string | null): Promise<DocumentFacts> {
  const document = id && /^[1-9]\d{0,14}$/.test(id) ? await findDocument(ctx, Number(id)) : null;
  if (document?.state === 'published') return document;
  const { code, message } = notFound();
  throw new Refusal(code, message, null, 404);
}

/** Cache-Control of an image that shows this site's address: without PUBLIC_URL the address comes from the request's Host. */
export const cachingOf = (ctx: Ctx, seconds: number) =>
  `${ctx.config.publicUrl ? 'public' : 'private'}, max-age=${seconds}`;

/** Returns the public origin of this site. */
export const originOf = (ctx: Ctx, request: Request) => ctx.config.publicUrl ?? new URL(request.url).origin;
