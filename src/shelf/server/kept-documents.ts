import type { Ctx } from '../../context.ts';
import { findInAnyState } from '../../library/server/list-documents.ts';
import { isTakenDown } from '../../membership/server/rights.ts';
import type { KeptDocument } from '../contract.ts';
import { selectFavored } from './store-favorites.ts';

/** A document in a list of one user; `mayDownload` is false after a take-down for rights (C-112). */
export type Kept = { document: KeptDocument; mayDownload: boolean };

/**
 * Returns the documents among `ids` by id as the caller's lists show them: with the caller's favourites, and without
 * what left the library but its facts.
 */
export async function findKept(ctx: Ctx, userId: number, ids: number[]): Promise<Map<number, Kept>> {
  const [found, favored] = await Promise.all([
    findInAnyState(ctx, ids),
    selectFavored(ctx.db, userId, { documentIds: ids, chartIds: [] }),
  ]);
  const kept = new Set(favored.documentIds);
  return new Map(
    [...found].map(([id, { item, state, hiddenReason }]) => [
      id,
      {
        document: { ...item, is_favorite: kept.has(id) ? 1 : 0, offline: state === 'published' ? 0 : 1 },
        mayDownload: item.preview_only === 0 && !isTakenDown({ state, hiddenReason }),
      },
    ]),
  );
}
