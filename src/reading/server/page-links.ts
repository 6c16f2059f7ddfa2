import type { Ctx } from '../../context.ts';
import { expiryAfter, isLinkValid, signLink } from '../../platform/signer.ts';

/** Links to page images live this long (C-76). */
const LINK_SECONDS = 2 * 60 * 60;

/** Which image of a page a link opens. */
export type LinkedImage = 'normal' | 'large' | 'thumbnail';

export type PageLink = {
  mediaKey: string;
  page: number;
  /** Default normal. */
  image?: LinkedImage;
  /** Epoch seconds. */
  expires: number;
  sessionId: number;
  signature: string;
};

/** Returns a path that shows one image of one page to one session for two hours (C-76). */
export function signPageLink(
  ctx: Pick<Ctx, 'signer' | 'clock'>,
  wanted: { mediaKey: string; page: number; sessionId: number; image?: LinkedImage },
): string {
  const { mediaKey, page, sessionId, image = 'normal' } = wanted;
  const expires = expiryAfter(LINK_SECONDS, ctx.clock.now());
  const signature = signLink(ctx.signer, signedFacts({ mediaKey, page, image, expires, sessionId }));
  const name = { normal: `p${page}`, large: `p${page}-2x`, thumbnail: `t${page}` }[image];
  return `/media/${mediaKey}/${name}.webp?e=${expires}&s=${signature}`;
}

/** The image is signed too: a link to one image of a page opens no other. */
function signedFacts({ mediaKey, page, image = 'normal', expires, sessionId }: Omit<PageLink, 'signature'>) {
  return { kind: 'page', subject: [mediaKey, page, sessionId, ...(image === 'normal' ? [] : [image])], expires };
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

/** A link to a page as a JPEG of its own lives this long. */
const SAVED_PAGE_SECONDS = 5 * 60;

type SavedPageLink = { mediaKey: string; documentId: number; page: number; sessionId: number; expires: number };

const savedPageFacts = ({ mediaKey, documentId, page, sessionId, expires }: SavedPageLink) => ({
  kind: 'saved-page',
  subject: [mediaKey, documentId, page, sessionId],
  expires,
});

/** Returns a path that saves one page as an image, for one session and five minutes. Only owners are given one. */
export function signSavedPageLink(
  ctx: Pick<Ctx, 'signer' | 'clock'>,
  wanted: { mediaKey: string; documentId: number; page: number; sessionId: number },
): string {
  const expires = expiryAfter(SAVED_PAGE_SECONDS, ctx.clock.now());
  const signature = signLink(ctx.signer, savedPageFacts({ ...wanted, expires }));
  return `/media/${wanted.mediaKey}/p${wanted.page}.jpg?d=${wanted.documentId}&e=${expires}&s=${signature}`;
}

/** True for a link of signSavedPageLink that was made for this session and has not expired. */
export function verifySavedPageSignature(
  ctx: Pick<Ctx, 'signer' | 'clock'>,
  link: SavedPageLink & { signature: string },
): boolean {
  return isLinkValid(ctx.signer, { ...savedPageFacts(link), signature: link.signature }, ctx.clock.now());
}

/** A link to the whole document as PDF lives this long (C-41). */
const WHOLE_SECONDS = 5 * 60;

type WholeLink = { mediaKey: string; documentId: number; sessionId: number; expires: number };

const wholeFacts = ({ mediaKey, documentId, sessionId, expires }: WholeLink) => ({
  kind: 'whole-document',
  subject: [mediaKey, documentId, sessionId],
  expires,
});

/** Returns a path that shows the whole document as PDF to one session for five minutes (C-41). */
export function signWholeLink(
  ctx: Pick<Ctx, 'signer' | 'clock'>,
  wanted: { mediaKey: string; documentId: number; sessionId: number },
): string {
  const expires = expiryAfter(WHOLE_SECONDS, ctx.clock.now());
  const signature = signLink(ctx.signer, wholeFacts({ ...wanted, expires }));
  return `/media/${wanted.mediaKey}/whole.pdf?d=${wanted.documentId}&e=${expires}&s=${signature}`;
}

/** True for a link of signWholeLink that was made for this session and has not expired. */
export function verifyWholeSignature(
  ctx: Pick<Ctx, 'signer' | 'clock'>,
  link: WholeLink & { signature: string },
): boolean {
  return isLinkValid(ctx.signer, { ...wholeFacts(link), signature: link.signature }, ctx.clock.now());
}
