import type { Ctx } from '../../context.ts';

/** As long as links to page images (C-76): a chart is part of a page. */
const LINK_SECONDS = 2 * 60 * 60;
const PURPOSE = 'chart';

type Wanted = { mediaKey: string; number: number; sessionId: number };

/** A path that shows one chart's display image to one session for two hours. */
export function signChartLink(ctx: Pick<Ctx, 'signer' | 'clock'>, { mediaKey, number, sessionId }: Wanted): string {
  const expires = Math.floor(ctx.clock.now() / 1_000) + LINK_SECONDS;
  const signature = ctx.signer.sign(PURPOSE, mediaKey, number, expires, sessionId);
  return `/media/${mediaKey}/c${number}.webp?e=${expires}&s=${signature}`;
}

/** True for a link of signChartLink that was made for this session and has not run out. `expires` in epoch seconds. */
export function verifyChartSignature(
  ctx: Pick<Ctx, 'signer' | 'clock'>,
  link: Wanted & { expires: number; signature: string },
): boolean {
  const { mediaKey, number, expires, sessionId, signature } = link;
  if (!Number.isSafeInteger(expires) || expires * 1_000 <= ctx.clock.now()) return false;
  return ctx.signer.verify(signature, PURPOSE, mediaKey, number, expires, sessionId);
}
