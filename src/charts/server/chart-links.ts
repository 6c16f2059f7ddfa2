import type { Ctx } from '../../context.ts';
import { expiryAfter, isLinkValid, signLink } from '../../platform/http/signed-link.ts';

/** Lifetime of a link; the same as of links to page images (C-76). */
const LINK_SECONDS = 2 * 60 * 60;

type Wanted = { mediaKey: string; number: number; sessionId: number };

const signedFacts = ({ mediaKey, number, sessionId, expires }: Wanted & { expires: number }) => ({
  kind: 'chart',
  subject: [mediaKey, number, sessionId],
  expires,
});

/** Returns a path that shows the display image of one chart to one session for two hours. */
export function signChartLink(ctx: Pick<Ctx, 'signer' | 'clock'>, wanted: Wanted): string {
  const expires = expiryAfter(LINK_SECONDS, ctx.clock.now());
  const signature = signLink(ctx.signer, signedFacts({ ...wanted, expires }));
  return `/media/${wanted.mediaKey}/c${wanted.number}.webp?e=${expires}&s=${signature}`;
}

/** True for a link of signChartLink that was made for this session and has not expired. `expires` in epoch seconds. */
export function verifyChartSignature(
  ctx: Pick<Ctx, 'signer' | 'clock'>,
  link: Wanted & { expires: number; signature: string },
): boolean {
  return isLinkValid(ctx.signer, { ...signedFacts(link), signature: link.signature }, ctx.clock.now());
}
