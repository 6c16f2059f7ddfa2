import { requireSession } from '../../accounts/server/sessions.ts';
import { transact, type Ctx } from '../../context.ts';
import { listEntitlements } from '../../membership/server/rights.ts';
import { CODE } from '../../protocol/codes.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { CodedAnswer } from '../../protocol/envelope.ts';
import { offsetOf, type PageWanted } from '../../protocol/paging.ts';
import type * as contract from '../contract-history.ts';
import { CARD_PAGE_SIZE } from '../contract.ts';
import type { DownloadedDocument, ReadDocument } from '../contract-history.ts';
import { findKept } from './kept-documents.ts';
import { deleteHistory, selectHistory } from './store-reads.ts';

/** Lists what the caller has read, each document once, the last read first (C-84). */
export async function listMyHistory(
  ctx: Ctx,
  input: Parsed<typeof contract.myHistory>,
): Promise<Output<typeof contract.myHistory>> {
  const { rows, total } = await listReads(ctx, input);
  return { files: rows, count: total, page: input.page, page_size: input.pageSize, total };
}

/** Lists what the caller has downloaded or bought, the newest first (C-84). */
export async function listMyDownloads(
  ctx: Ctx,
  input: Parsed<typeof contract.myDownload>,
): Promise<Output<typeof contract.myDownload>> {
  const { rows, total } = await listDownloads(ctx, input);
  return { files: rows, count: total, page: input.page, page_size: input.pageSize, total };
}

/** Lists reads or downloads in the form of C-84. */
export async function listRecords(
  ctx: Ctx,
  input: Parsed<typeof contract.listRecords>,
): Promise<Output<typeof contract.listRecords>> {
  const wanted = { page: input.page, pageSize: CARD_PAGE_SIZE };
  const empty = { rows: [], total: 0 };
  const isDownloads = (input.type ?? input.opType) === 2;
  const { rows, total } = input.only_chart
    ? empty
    : isDownloads
      ? await listDownloads(ctx, wanted)
      : await listReads(ctx, wanted);
  return { data: rows, page: input.page, page_size: CARD_PAGE_SIZE, total };
}

/**
 * Deletes documents from the reading history of the caller, with the page they were at. What the caller owns, and the reads that
 * a membership has counted, stay.
 */
export async function removeFromHistory(ctx: Ctx, { fids }: Parsed<typeof contract.removeFromHistory>) {
  const { userId } = requireSession(ctx);
  const removed = await transact(ctx, (tx) => deleteHistory(tx.db, userId, fids));
  return new CodedAnswer<Output<typeof contract.removeFromHistory>>(CODE.ok, '已从阅读记录中删除', { removed });
}

/** Empties the reading history of the caller; otherwise as removeFromHistory. */
export async function clearHistory(ctx: Ctx) {
  const { userId } = requireSession(ctx);
  const removed = await transact(ctx, (tx) => deleteHistory(tx.db, userId));
  return new CodedAnswer<Output<typeof contract.clearHistory>>(CODE.ok, '阅读记录已清空', { removed });
}

async function listReads(ctx: Ctx, wanted: PageWanted): Promise<{ rows: ReadDocument[]; total: number }> {
  const { userId } = requireSession(ctx);
  const page = { limit: wanted.pageSize, offset: offsetOf(wanted) };
  const { reads, total } = await selectHistory(ctx.db, userId, page);
  const documents = await findKept(
    ctx,
    reads.map(({ documentId }) => documentId),
  );
  const rows = reads.flatMap(({ documentId, readSeconds, page }) => {
    const kept = documents.get(documentId);
    return kept ? [{ ...kept.document, record_id: documentId, read_time: readSeconds, last_page: page }] : [];
  });
  return { rows, total };
}

async function listDownloads(ctx: Ctx, wanted: PageWanted): Promise<{ rows: DownloadedDocument[]; total: number }> {
  const { rows: owned, total } = await listEntitlements(ctx, { limit: wanted.pageSize, offset: offsetOf(wanted) });
  const documents = await findKept(
    ctx,
    owned.map(({ documentId }) => documentId),
  );
  const rows = owned.flatMap(({ documentId, method, coins, createdAt }): DownloadedDocument[] => {
    const kept = documents.get(documentId);
    if (!kept) return [];
    const download = {
      method,
      cost: coins,
      download_time: Math.floor(createdAt.getTime() / 1_000),
      can_download: kept.mayDownload ? (1 as const) : (0 as const),
    };
    return [{ ...kept.document, record_id: documentId, ...download }];
  });
  return { rows, total };
}
