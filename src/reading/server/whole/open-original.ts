import type { Ctx } from '../../../context.ts';
import { readableKey } from '../../../ingest/server/pages/drawn-pages.ts';
import { isPreviewOnly } from '../../../library/rules.ts';
import { isOriginalIntact, originalKey } from '../../../library/server/originals.ts';
import { buyForReading } from '../../../membership/server/buy-for-reading.ts';
import { priceChanged, readingRefused } from '../../../membership/server/refusals.ts';
import { originalLost, previewOnly, readingStanding } from '../../../membership/server/rights.ts';
import { isExpected } from '../../../membership/rules.ts';
import type { Output, Parsed } from '../../../protocol/endpoint.ts';
import { failed } from '../../../protocol/envelope.ts';
import type * as contract from '../../contract.ts';
import { signWholeLink } from '../page-links.ts';
import { isWholeShown, openForReading } from './open-for-reading.ts';

/**
 * Returns a link to the whole document as PDF (C-41), to owners also while it is off the shelf. Members over the reads of the month pay with coins and own the
 * document from then on. Nothing is charged for a PDF that is not there (`failed` while it is being made) or whose bytes have changed. Throws
 * notLoggedIn, notFound, previewOnly, originalLost, readingRefused (50), readLimitReached (34), priceChanged.
 */
export async function openOriginal(
  ctx: Ctx,
  { fid, expect }: Parsed<typeof contract.openOriginal>,
): Promise<Output<typeof contract.openOriginal>> {
  const { document, file, right, sessionId } = await openForReading(ctx, fid, isWholeShown);
  if (isPreviewOnly(document)) throw previewOnly();
  if (right === 'ordinary') throw await readingRefused(ctx, document.id, right);
  const key = readableKey(file);
  if (key === null || !(await isStored(ctx, key))) throw failed('全文正在准备，请稍后再试');
  if (key === originalKey(file.sha256) && !(await isOriginalIntact(ctx, { ...document, id: file.id })))
    throw originalLost();
  const url = signWholeLink(ctx, { mediaKey: file.mediaKey, documentId: document.id, sessionId });
  if (right === 'over-limit') return { url, ...(await buyForReading(ctx, document.id, expect)) };
  if (!isExpected({ method: right, cost: 0 }, expect)) throw priceChanged();
  return { url, method: right, cost: 0, balance: (await readingStanding(ctx)).balance };
}

/** Throws StoreAway. */
async function isStored(ctx: Ctx, key: string): Promise<boolean> {
  if (await ctx.files.stat(key)) return true;
  await ctx.files.check();
  return false;
}
