import type { Ctx } from '../../context.ts';

/** Links to page images live this long (C-76). */
const LINK_SECONDS = 2 * 60 * 60;
const PURPOSE = 'page';

export type PageLink = {
  mediaKey: string;
  page: number;
  /** Epoch seconds. */
  expires: number;
  sessionId: number;
  signature: string;
};

/** A path that shows one page image to one session for two hours (C-76). */
export function signPageLink(
  ctx: Pick<Ctx, 'signer' | 'clock'>,
  wanted: { mediaKey: string; page: number; sessionId: number },
): string {
  const { mediaKey, page, sessionId } = wanted;
  const expires = Math.floor(ctx.clock.now() / 1_000) + LINK_SECONDS;
  const signature = ctx.signer.sign(PURPOSE, mediaKey, page, expires, sessionId);
  return `/media/${mediaKey}/p${page}.webp?e=${expires}&s=${signature}`;
}

/** The thumbnails strip stands where a page 0 would. */
export const STRIP_PAGE = 0;

/** A path that shows the thumbnails of the preview to one session for two hours. */
export function signStripLink(
  ctx: Pick<Ctx, 'signer' | 'clock'>,
  wanted: { mediaKey: string; sessionId: number },
): string {
  return signPageLink(ctx, { ...wanted, page: STRIP_PAGE }).replace('/p0.webp', '/strip.webp');
}

/** True for a link of signPageLink that was made for this session and has not run out. */
export function verifyPageSignature(ctx: Pick<Ctx, 'signer' | 'clock'>, link: PageLink): boolean {
  const { mediaKey, page, expires, sessionId, signature } = link;
  if (!Number.isSafeInteger(expires) || expires * 1_000 <= ctx.clock.now()) return false;
  return ctx.signer.verify(signature, PURPOSE, mediaKey, page, expires, sessionId);
}
