import type { Ctx } from '../../context.ts';
import { PUBLIC_READ_MS, readWithin } from '../../platform/db/read-within.ts';
import { offsetOf, type PageWanted } from '../../protocol/paging.ts';
import { RANKING_CAP, type DocumentItem } from '../contract.ts';
import { toDocumentItem } from './document-item.ts';
import type { ShelfFilter, Sort } from '../shelf-filter.ts';
import { findShelfRows } from './shelf-rows.ts';
import { countSorted, selectSorted } from './store.ts';

/**
 * One page of the ranking under a filter, and its length: the recommended first, unless another `sort` is asked for.
 * Never more than 750 in all (C-80).
 */
export async function listRecommended(
  ctx: Ctx,
  wanted: PageWanted & ShelfFilter & { sort?: Sort },
): Promise<{ items: DocumentItem[]; total: number }> {
  const offset = offsetOf(wanted);
  const limit = Math.min(wanted.pageSize, RANKING_CAP - offset);
  return readWithin(ctx.db, PUBLIC_READ_MS, async (db) => {
    const total = await countSorted(db, wanted, RANKING_CAP);
    if (offset >= total) return { items: [], total };
    const rows = await selectSorted(db, wanted, { sort: wanted.sort ?? 'relevance', limit, offset });
    return { items: rows.map((row) => toDocumentItem(row, ctx.clock.now())), total };
  });
}

/** The published ones of `ids`, in the order of `ids`. For lists that know their documents by id. */
export async function listByIds(ctx: Ctx, ids: number[]): Promise<DocumentItem[]> {
  if (ids.length === 0) return [];
  const rows = await findShelfRows(ctx.db, ids);
  return ids.flatMap((id) => {
    const row = rows.get(id);
    return row ? [toDocumentItem(row, ctx.clock.now())] : [];
  });
}
