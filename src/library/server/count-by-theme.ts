import type { Ctx } from '../../context.ts';
import { PUBLIC_READ_MS, readWithin } from '../../platform/db/read-within.ts';
import { createMemo } from '../../platform/memo.ts';
import { selectThemeCounts, type ShelfFilter } from './store.ts';

const FRESH_MS = 60_000;
const FILTERS = 300;
const counts = createMemo<Map<number, number>>(FRESH_MS, FILTERS);

/**
 * How many published documents each theme has under the other filters, by theme id. It reads the whole library (about
 * 50 ms at 100,000 documents) and everybody asks the same, so the answer is remembered for a minute under `key`.
 */
export function countByTheme(
  ctx: Ctx,
  key: string,
  filter: Omit<ShelfFilter, 'themeId'>,
): Promise<Map<number, number>> {
  return counts(ctx, key, () =>
    readWithin(ctx.db, PUBLIC_READ_MS, (db) => selectThemeCounts(db, { ...filter, themeId: 0 })),
  );
}
