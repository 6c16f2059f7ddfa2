import type { Ctx } from '../../context.ts';
import { createMemo } from '../../platform/memo.ts';
import { countPublished } from './store.ts';

export type LibraryCount = { documents: number; industries: number };

const FRESH_MS = 5_000;
const counts = createMemo<LibraryCount>(FRESH_MS, 1);

/** How many documents are published, in how many industries: true, at most 5 s old. */
export function countLibrary(ctx: Ctx): Promise<LibraryCount> {
  return counts(ctx, 'all', () => countPublished(ctx.db));
}
