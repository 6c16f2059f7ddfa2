import type { Ctx } from '../../context.ts';

/** Lifetime of a link; the same as of links to page images (C-76). */
const LINK_SECONDS = 2 * 60 * 60;
const PURPOSE = 'chart';

type Wanted = { mediaKey: string; number: number; sessionId: number };

/** Returns a path that shows the display image of a chart to one session for two hours. */
export function signChartLink(ctx: Pick<Ctx, 'signer' | 'clock'>, { mediaKey, number, sessionId }: Wanted): string {
  const expires = Math.floor(ctx.clock.now() / 1_000) + LINK_SECONDS;
  const signature = ctx.signer.sign(PURPOSE, mediaKey, number, expires, sessionId);
  return `/media/${mediaKey}/c${number}.webp?e=${expires}&s=${signature}`;
}

/** Whether a link was made by signChartLink for this session and has not expired. `expires` is in epoch seconds. */
export function verifyChartSignature(
  ctx: Pick<Ctx, 'signer' | 'clock'>,
  link: Wanted & { expires: number; signature: string },
): boolean {
  const { mediaKey, number, expires, sessionId, signature } = link;
  if (!Number.isSafeInteger(expires) || expires * 1_000 <= ctx.clock.now()) return false;
  return ctx.signer.verify(signature, PURPOSE, mediaKey, number, expires, sessionId);
}
