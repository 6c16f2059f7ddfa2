import type { Ctx } from '../../../context.ts';
import { pageFileName } from '../../../membership/file-name.ts';
import { readingStanding } from '../../../membership/server/rights.ts';
import { CODE } from '../../../protocol/codes.ts';
import type { Output, Parsed } from '../../../protocol/endpoint.ts';
import { failed, Refusal } from '../../../protocol/envelope.ts';
import type * as contract from '../../contract.ts';
import { signSavedPageLink } from '../page-links.ts';
import { openForReading, refusePageBeyond } from './open-for-reading.ts';

/**
 * Returns a link that saves one page of a document that the caller owns as an image. Throws notLoggedIn, notFound, 50 for
 * a document that is not owned, `invalid` for a page that it does not have, `failed` while its PDF is being made.
 */
export async function savePage(
  ctx: Ctx,
  { fid, page }: Parsed<typeof contract.savePage>,
): Promise<Output<typeof contract.savePage>> {
  const { document, file, right, readablePages, sessionId } = await openForReading(ctx, fid);
  if (right !== 'owned') throw ownersSave({ ...(await readingStanding(ctx)), cost: document.priceCoins });
  refusePageBeyond(document, page);
  if (page > readablePages) throw failed('全文正在准备，请稍后再试');
  const url = signSavedPageLink(ctx, { mediaKey: file.mediaKey, documentId: document.id, page, sessionId });
  return { url, file_name: pageFileName(document.name, document.id, page) };
}

/** Returns the refusal of a page image to everybody who does not own the document, members included. */
const ownersSave = (facts: { tier: number; balance: number; cost: number }): Refusal =>
  new Refusal(CODE.notPermitted, '下载过的方案才能保存页面图片，请先下载这份方案', {
    is_vip: facts.tier,
    balance: facts.balance,
    cost: facts.cost,
  });
