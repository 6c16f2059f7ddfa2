import type { Ctx } from '../../context.ts';
import { expiryAfter, isLinkValid, signLink } from '../../platform/signer.ts';

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

/** The forms in which an advanced member gets a chart: its numbers as XLSX or CSV, its original picture as PNG. */
export type ChartFormat = 'xlsx' | 'csv' | 'png';

/** `documentId` is the document that the file names as its source. */
type WantedFile = { chartId: number; documentId: number; format: ChartFormat; sessionId: number };

const signedFile = ({ chartId, documentId, format, sessionId, expires }: WantedFile & { expires: number }) => ({
  kind: 'chart-file',
  subject: [chartId, documentId, format, sessionId],
  expires,
});

/** Returns a path that gives a chart in one format to one session for two hours. */
export function signChartFileLink(ctx: Pick<Ctx, 'signer' | 'clock'>, wanted: WantedFile): string {
  const expires = expiryAfter(LINK_SECONDS, ctx.clock.now());
  const signature = signLink(ctx.signer, signedFile({ ...wanted, expires }));
  const { chartId, documentId, format } = wanted;
  return `/media/charts/${chartId}.${format}?d=${documentId}&e=${expires}&s=${signature}`;
}

/** The path of a link of signChartFileLink: chart id and format. */
export const CHART_FILE_PATH = /^\/media\/charts\/([1-9]\d{0,14})\.(xlsx|csv|png)$/;

/** Returns what a link of signChartFileLink leads to; null when it was not made for this session, was altered or has expired. */
export function readChartFileLink(
  ctx: Pick<Ctx, 'signer' | 'clock'>,
  url: URL,
  sessionId: number,
): Omit<WantedFile, 'sessionId'> | null {
  const [, id, extension] = CHART_FILE_PATH.exec(url.pathname) ?? [];
  const format = (['xlsx', 'csv', 'png'] as const).find((each) => each === extension);
  const documentId = Number(url.searchParams.get('d'));
  if (!id || !format || !Number.isSafeInteger(documentId)) return null;
  const wanted = { chartId: Number(id), documentId, format };
  const facts = signedFile({ ...wanted, sessionId, expires: Number(url.searchParams.get('e')) });
  const isValid = isLinkValid(ctx.signer, { ...facts, signature: url.searchParams.get('s') ?? '' }, ctx.clock.now());
  return isValid ? wanted : null;
}
