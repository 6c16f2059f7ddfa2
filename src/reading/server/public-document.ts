import type { Ctx } from '../../context.ts';
import { findDocument, type DocumentFacts } from '../../library/server/find-document.ts';
import { addressGroup } from '../../protocol/address-group.ts';
import { CODE } from '../../protocol/codes.ts';
import { notFound, Refusal } from '../../protocol/envelope.ts';

/** The document that an image about it is asked for. Throws a refusal with status 404 unless it is on the shelf: an `<img>` knows no code. */
export async function getPublicDocument(ctx: Ctx, id: string | null): Promise<DocumentFacts> {
  const document = id && /^[1-9]\d{0,14}$/.test(id) ? await findDocument(ctx, Number(id)) : null;
  if (document?.state === 'published') return document;
  const { code, message } = notFound();
  throw new Refusal(code, message, null, 404);
}

/** Counts one image against its address, `perMinute` at most. Throws code 41 with status 429. */
export async function takeImageLimit(ctx: Ctx, name: string, perMinute: number): Promise<void> {
  try {
    await ctx.limiter.take(name, `i${addressGroup(ctx.request.ip)}`, perMinute);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== CODE.tooFrequent) throw error;
    throw new Refusal(error.code, error.message, error.data, 429);
  }
}

/** Where this site is, for addresses that leave it. */
export const originOf = (ctx: Ctx, request: Request) => ctx.config.publicUrl ?? new URL(request.url).origin;
