import type { Ctx } from '../../../context.ts';
import { listPageSizes } from '../../../library/server/catalogue.ts';
import type { Output, Parsed } from '../../../protocol/endpoint.ts';
import { failed } from '../../../protocol/envelope.ts';
import type * as contract from '../../contract.ts';
import { isReadable } from '../../rules.ts';
import { PREVIEW_PAGES } from '../../../library/limits.ts';
import { signPageLink } from '../page-links.ts';
import { openForReading, refusalOf } from './open-for-reading.ts';

/**
 * Lists pages of a document with links to their images, which are drawn when they are first loaded. Throws 34 and 50
 * when `from` lies behind what the reader may see, and `failed` while the PDF of the deck is being made.
 */
export async function listReadPages(
  ctx: Ctx,
  { fid, from, count }: Parsed<typeof contract.readPages>,
): Promise<Output<typeof contract.readPages>> {
  const opened = await openForReading(ctx, fid);
  const { document, file, right, readablePages, sessionId } = opened;
  if (from > readablePages && from <= document.pageCount) {
    if (opened.isPending) throw failed('全文正在准备，请稍后再试');
    if (!isReadable(right)) throw await refusalOf(ctx, opened);
  }
  const lastPage = Math.min(from + count - 1, readablePages);
  // The reader who lists pages after the preview loads them next.
  if (lastPage > PREVIEW_PAGES) void ctx.pageDrawer.warm();
  const sizes = from > lastPage ? [] : await listPageSizes(ctx, file.id, { firstPage: from, lastPage });
  const link = { mediaKey: file.mediaKey, sessionId };
  return {
    fid: document.id,
    page_count: document.pageCount,
    readable_pages: readablePages,
    right,
    pending: opened.isPending ? 1 : 0,
    pages: sizes.map(({ page, width, height }) => ({
      page,
      width,
      height,
      url: signPageLink(ctx, { ...link, page }),
      url_2x: signPageLink(ctx, { ...link, page, image: 'large' }),
      thumbnail_url: signPageLink(ctx, { ...link, page, image: 'thumbnail' }),
    })),
  };
}
