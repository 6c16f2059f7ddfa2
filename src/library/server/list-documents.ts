import type { Sort } from '../limits.ts';
import type { Ctx } from '../../context.ts';
import { PUBLIC_READ_MS, readWithin } from '../../platform/db/read-within.ts';
import { offsetOf, type PageWanted } from '../../protocol/paging.ts';
import { type DocumentItem, RANKING_CAP } from '../contract.ts';
import type { DocumentFilter } from '../document-filter.ts';
import { type ItemRow, toDocumentItem } from './document-item.ts';
import { countSorted, selectAnyByIds, selectByIds, selectSorted, selectVersions } from './store.ts';

/**
 * Lists one page of the published documents under a filter, and their total; sorted by recommend score unless `sort` says otherwise.
 * The list ends at 750 documents (C-80).
 */
export async function listRecommended(
  ctx: Ctx,
  wanted: PageWanted & DocumentFilter & { sort?: Sort },
): Promise<{ items: DocumentItem[]; total: number }> {
  const offset = offsetOf(wanted);
  const limit = Math.min(wanted.pageSize, RANKING_CAP - offset);
  return readWithin(ctx, PUBLIC_READ_MS, async (db) => {
    const total = await countSorted(db, wanted, RANKING_CAP);
    if (offset >= total) return { items: [], total };
    const rows = await selectSorted(db, wanted, { sort: wanted.sort ?? 'relevance', limit, offset });
    return { items: rows.map((row) => toDocumentItem(row, ctx.clock.now())), total };
  });
}

/** Lists the published documents among `ids`, in the order of `ids`. */
export async function listByIds(ctx: Ctx, ids: number[]): Promise<DocumentItem[]> {
  if (ids.length === 0) return [];
  const rows = await loadPublishedRows(ctx, ids);
  return ids.flatMap((id) => {
    const row = rows.get(id);
    return row ? [toDocumentItem(row, ctx.clock.now())] : [];
  });
}

/**
 * Returns what all versions of a plan share; null for a plan with one version alone, and for a document that `listByIds` has not just listed.
 */
export const versionGroupOf = (ctx: Ctx, id: number): number | null =>
  ctx.caches.library.rows.get(id)?.row.versionGroup ?? null;

/**
 * Returns the documents among `ids` by id, in any state. What left the library comes without its cover, which nobody may see
 * any more; the caller decides by `state` what else may be shown.
 */
export async function findInAnyState(ctx: Ctx, ids: number[]) {
  const rows = ids.length === 0 ? [] : await selectAnyByIds(ctx.db, ids);
  return new Map(
    rows.map(({ state, hiddenReason, ...row }) => {
      const item = toDocumentItem(row, ctx.clock.now());
      const shown: DocumentItem = state === 'published' ? item : { ...item, share_url: '', cover_srcset: '' };
      return [row.id, { item: shown, state, hiddenReason }];
    }),
  );
}

/** About 20 MB. */
const MAX_CACHED = 10_000;

/**
 * Loads the published documents among `ids` through a cache of rows. Every call asks the database which of the documents are published
 * and in which version, and reads only the rows that changed: a document that was hidden or renamed before the call is never shown as
 * it was.
 */
function loadPublishedRows(ctx: Ctx, ids: number[]): Promise<Map<number, ItemRow>> {
  return ctx.caches.library.loadRows(ids, (wanted) => readPublishedRows(ctx, wanted));
}

function readPublishedRows(ctx: Ctx, ids: number[]): Promise<Map<number, ItemRow>> {
  const { rows } = ctx.caches.library;
  return readWithin(ctx, PUBLIC_READ_MS, async (reader) => {
    const versions = await selectVersions(reader, ids);
    const changed = [...versions].filter(([id, version]) => rows.get(id)?.version !== version).map(([id]) => id);
    // A row may be newer than its version, never older: the next call then reads the row again.
    for (const row of changed.length > 0 ? await selectByIds(reader, changed) : []) {
      rows.delete(row.id);
      rows.set(row.id, { version: versions.get(row.id) ?? '', row });
    }
    const found = new Map<number, ItemRow>();
    for (const [id, version] of versions) {
      const known = rows.get(id);
      // A document that was hidden between the two reads has no row of this version: its old row is not shown.
      if (known?.version === version) found.set(id, known.row);
    }
    for (const id of rows.keys()) {
      if (rows.size <= MAX_CACHED) break;
      rows.delete(id);
    }
    return found;
  });
}
