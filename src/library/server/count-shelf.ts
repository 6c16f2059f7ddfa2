import type { Ctx } from '../../context.ts';
import { PUBLIC_READ_MS, readWithin } from '../../platform/db/read-within.ts';
import { createMemo } from '../../platform/memo.ts';
import type { ShelfCounts, ShelfFilter } from '../shelf-filter.ts';
import { selectShelfCounts } from './store.ts';

const FRESH_MS = 60_000;
const FILTERS = 300;
const counts = createMemo<ShelfCounts>(FRESH_MS, FILTERS);

/**
 * How many published documents each choice would leave under the rest of the filter. It reads the whole library (figures
 * in docs/decisions/009) and everybody asks the same, so the answer is remembered for a minute.
 */
export function countShelf(ctx: Ctx, filter: ShelfFilter): Promise<ShelfCounts> {
  const { created } = filter;
  // `since` moves with the clock: to the hour it is the same question.
  const time = created && ('since' in created ? `s${Math.floor(created.since.getTime() / 3_600_000)}` : created.year);
  return counts(ctx, JSON.stringify({ ...filter, created: time }), () =>
    readWithin(ctx.db, PUBLIC_READ_MS, (db) => selectShelfCounts(db, filter, ctx.clock.now())),
  );
}
