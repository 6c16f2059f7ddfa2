import { requireSession } from '../../accounts/server/sessions.ts';
import type { Ctx } from '../../context.ts';
import { findDocument } from '../../library/server/catalogue.ts';
import { findEntitledAt } from '../../membership/server/rights.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { notFound } from '../../protocol/envelope.ts';
import type * as contract from '../contract-history.ts';
import { selectLastRead, selectPosition, upsertPosition } from './store-reads.ts';

/**
 * Returns what the caller has done with a document, and records the page they are at when `page` is given (C-85). Throws
 * notLoggedIn, and notFound for a document that is not published.
 */
export async function getFileRecord(
  ctx: Ctx,
  { fid, page }: Parsed<typeof contract.getFileRecord>,
): Promise<Output<typeof contract.getFileRecord>> {
  const { userId } = requireSession(ctx);
  const document = fid > 0 ? await findDocument(ctx, fid) : null;
  if (document?.state !== 'published') throw notFound();
  if (page !== null && page <= document.pageCount)
    await upsertPosition(ctx.db, { userId, documentId: fid, page, readAt: new Date(ctx.clock.now()) });
  const [lastReadAt, position, entitledAt] = await Promise.all([
    selectLastRead(ctx.db, userId, fid),
    selectPosition(ctx.db, userId, fid),
    findEntitledAt(ctx, fid),
  ]);
  const seconds = (at: Date | null) => (at ? Math.floor(at.getTime() / 1_000) : 0);
  return {
    read: lastReadAt ? 1 : 0,
    downloaded: entitledAt ? 1 : 0,
    last_page: position?.page ?? 0,
    last_read_time: seconds(position && (!lastReadAt || position.readAt > lastReadAt) ? position.readAt : lastReadAt),
    download_time: seconds(entitledAt),
  };
}
