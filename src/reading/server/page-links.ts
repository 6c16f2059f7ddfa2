import type { Ctx } from '../../context.ts';
import { expiryAfter, isLinkValid, signLink } from '../../platform/http/signed-link.ts';

/** Links to page images live this long (C-76). */
const LINK_SECONDS = 2 * 60 * 60;

export type PageLink = {
  mediaKey: string;
  page: number;
  /** The link is to the large image of the page. */
  isLarge?: boolean;
  /** Epoch seconds. */
  expires: number;
  sessionId: number;
  signature: string;
};

/** Returns a path that shows one page image, or the large image of that page, to one session for two hours (C-76). */
export function signPageLink(
  ctx: Pick<Ctx, 'signer' | 'clock'>,
  wanted: { mediaKey: string; page: number; sessionId: number; isLarge?: boolean },
): string {
  const { mediaKey, page, sessionId, isLarge = false } = wanted;
  const expires = expiryAfter(LINK_SECONDS, ctx.clock.now());
  const signature = signLink(ctx.signer, signedFacts({ mediaKey, page, isLarge, expires, sessionId }));
  return `/media/${mediaKey}/p${page}${isLarge ? '-2x' : ''}.webp?e=${expires}&s=${signature}`;
}

/** The size is signed too: a link to one image of a page opens no other. */
function signedFacts({ mediaKey, page, isLarge, expires, sessionId }: Omit<PageLink, 'signature'>) {
  return { kind: 'page', subject: [mediaKey, page, sessionId, ...(isLarge ? ['2x'] : [])], expires };
}

/** The page number under which the strip of thumbnails is signed; pages begin at 1. */
export const STRIP_PAGE = 0;

/** Returns a path that shows the strip of thumbnails of the preview to one session for two hours. */
export function signStripLink(
  ctx: Pick<Ctx, 'signer' | 'clock'>,
  wanted: { mediaKey: string; sessionId: number },
): string {
  return signPageLink(ctx, { ...wanted, page: STRIP_PAGE }).replace('/p0.webp', '/strip.webp');
}

/** True for a link of signPageLink that was made for this session and has not expired. */
export function verifyPageSignature(ctx: Pick<Ctx, 'signer' | 'clock'>, link: PageLink): boolean {
  return isLinkValid(ctx.signer, { ...signedFacts(link), signature: link.signature }, ctx.clock.now());
}
