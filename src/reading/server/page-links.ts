import type { Ctx } from '../../context.ts';

/** Links to page images live this long (C-76). */
const LINK_SECONDS = 2 * 60 * 60;
const PURPOSE = 'page';

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

/** A path that shows one page image, or the large one of that page, to one session for two hours (C-76). */
export function signPageLink(
  ctx: Pick<Ctx, 'signer' | 'clock'>,
  wanted: { mediaKey: string; page: number; sessionId: number; isLarge?: boolean },
): string {
  const { mediaKey, page, sessionId, isLarge = false } = wanted;
  const expires = Math.floor(ctx.clock.now() / 1_000) + LINK_SECONDS;
  const signature = ctx.signer.sign(PURPOSE, ...signedParts({ mediaKey, page, isLarge, expires, sessionId }));
  return `/media/${mediaKey}/p${page}${isLarge ? '-2x' : ''}.webp?e=${expires}&s=${signature}`;
}

/** The size is signed too: a link to one image of a page opens no other. */
function signedParts({
  mediaKey,
  page,
  isLarge,
  expires,
  sessionId,
}: Omit<PageLink, 'signature'>): (string | number)[] {
  return [mediaKey, page, expires, sessionId, ...(isLarge ? ['2x'] : [])];
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
  const { expires, signature } = link;
  if (!Number.isSafeInteger(expires) || expires * 1_000 <= ctx.clock.now()) return false;
  return ctx.signer.verify(signature, PURPOSE, ...signedParts(link));
}
