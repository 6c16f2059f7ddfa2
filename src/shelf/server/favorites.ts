import { requireSession } from '../../accounts/server/sessions.ts';
import { transact, type Ctx } from '../../context.ts';
import { CODE } from '../../protocol/codes.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { CodedAnswer, conflict, invalid, notFound } from '../../protocol/envelope.ts';
import { offsetOf } from '../../protocol/paging.ts';
import type * as contract from '../contract.ts';
import type { FavoriteDocument } from '../contract.ts';
import { cleanNote, MAX_FAVORITES, noteProblem } from '../rules.ts';
import { findKept } from './kept-documents.ts';
import {
  countFavorites,
  selectFavored,
  selectFavorites,
  writeFavorite,
  type FavoriteFilter,
} from './store-favorites.ts';
import { lockFolders } from './store-folders.ts';
import { formatNumber } from '../../protocol/format-number.ts';

/**
 * Turns a favourite on or off, or sets it (C-82). Throws invalid for a note that is too long, notFound for what is neither shown nor kept, conflict
 * beyond the rows of one user.
 */
export async function doFavorite(ctx: Ctx, input: Parsed<typeof contract.doFavorite>) {
  const { id, item_type, is_favorite: wanted, parent_id: folderId } = input;
  const { userId } = requireSession(ctx);
  const problem = noteProblem(input.note);
  if (problem) throw invalid(problem, 'note');
  const favorite = {
    userId,
    target: { type: item_type, id },
    wanted,
    at: new Date(ctx.clock.now()),
    note: cleanNote(input.note),
    folderId,
    maxRows: MAX_FAVORITES,
  };
  const write = () =>
    wanted === 0
      ? writeFavorite(ctx.db, favorite)
      : transact(ctx, async (tx) => {
          // Between the look and the new row the folder must not be deleted, and another request must not add the last row that there is room for.
          await lockFolders(tx.db, userId);
          return writeFavorite(tx.db, favorite);
        });
  let written = await write();
  // Each time it is lost, another request of the same user was carried out: this ends with the last of them.
  while (written.outcome === 'lost') written = await write();
  const { outcome } = written;
  if (outcome === 'missing') throw notFound();
  if (outcome === 'full') throw conflict(`收藏已满 ${formatNumber(MAX_FAVORITES)} 个，请先清理`);
  const isKept = outcome === 'added' || (outcome === 'unchanged' && wanted === 1);
  return new CodedAnswer<Output<typeof contract.doFavorite>>(CODE.ok, isKept ? '收藏成功' : '取消收藏成功', {
    is_favorite: isKept ? 1 : 0,
    note: outcome === 'removed' ? written.note : '',
    parent_id: outcome === 'removed' ? (written.folderId ?? 0) : 0,
  });
}

/** Returns whether the caller keeps the document; false for visitors. */
export async function isFavorite(ctx: Ctx, documentId: number): Promise<boolean> {
  if (!ctx.session) return false;
  const favored = await selectFavored(ctx.db, ctx.session.userId, { documentIds: [documentId], chartIds: [] });
  return favored.documentIds.length > 0;
}

/** Returns the data of an answer with `is_favorite` of the documents in its lists as the caller has it. */
export async function markFavorites(ctx: Ctx, data: unknown): Promise<unknown> {
  const lists = Object.entries(data ?? {}).filter(([, list]) => Array.isArray(list) && list.some(isDocumentItem));
  if (!ctx.session || lists.length === 0) return data;
  const documentIds = lists.flatMap(([, list]: [string, unknown[]]) =>
    list.filter(isDocumentItem).map(({ fid }) => fid),
  );
  const favored = await selectFavored(ctx.db, ctx.session.userId, { documentIds, chartIds: [] });
  const kept = new Set(favored.documentIds);
  const mark = (item: unknown) => (isDocumentItem(item) ? { ...item, is_favorite: kept.has(item.fid) ? 1 : 0 } : item);
  const marked = lists.map(([name, list]: [string, unknown[]]) => [name, list.map(mark)]);
  return { ...Object(data), ...Object.fromEntries(marked) };
}

/** Tells the items of the contract's `documentItem` from folders and charts. */
function isDocumentItem(item: unknown): item is { fid: number } {
  return typeof item === 'object' && item !== null && 'is_favorite' in item && 'fid' in item;
}

/** Returns which of the documents and charts the caller keeps. */
export async function listFavored(
  ctx: Ctx,
  { fids, chart_ids }: Parsed<typeof contract.listFavored>,
): Promise<Output<typeof contract.listFavored>> {
  const { userId } = requireSession(ctx);
  const favored = await selectFavored(ctx.db, userId, { documentIds: fids, chartIds: chart_ids });
  return { fids: favored.documentIds, chart_ids: favored.chartIds };
}

/** Lists the documents that the caller keeps, of all folders, the newest first (C-82). */
export async function listMyFavorites(
  ctx: Ctx,
  input: Parsed<typeof contract.myFavorite>,
): Promise<Output<typeof contract.myFavorite>> {
  const { userId } = requireSession(ctx);
  const filter = { userId, type: 3 } as const;
  const [files, total] = await Promise.all([
    listFavoriteDocuments(ctx, filter, { limit: input.pageSize, offset: offsetOf(input) }),
    countFavorites(ctx.db, filter),
  ]);
  return { files, count: total, page: input.page, page_size: input.pageSize, total };
}

/** Lists favourite documents with folder, note and time. */
export async function listFavoriteDocuments(
  ctx: Ctx,
  filter: FavoriteFilter,
  page: { limit: number; offset: number },
): Promise<FavoriteDocument[]> {
  const rows = await selectFavorites(ctx.db, filter, page);
  const documents = await findKept(
    ctx,
    rows.flatMap(({ documentId }) => documentId ?? []),
  );
  return rows.flatMap(({ id, documentId, folderId, note, createdAt }) => {
    const kept = documentId === null ? undefined : documents.get(documentId);
    if (!kept) return [];
    return [
      {
        ...kept.document,
        record_id: id,
        parent_id: folderId ?? 0,
        note,
        favorite_time: Math.floor(createdAt.getTime() / 1_000),
      },
    ];
  });
}
