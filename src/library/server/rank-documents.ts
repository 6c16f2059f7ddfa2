import type { Ctx } from '../../context.ts';
import { PUBLIC_READ_MS, readWithin } from '../../platform/db/read-within.ts';
import { createMemo } from '../../platform/memo.ts';
import { RANKING_CAP } from '../contract.ts';
import { selectRanking } from './store.ts';
import type { FileType } from '../file-types.ts';

export type RankingFilter = {
  /** 0: all. */
  themeId: number;
  /** Null: all. */
  fileTypes: readonly FileType[] | null;
  /** Created at or after, and before. */
  since: Date | null;
  until: Date | null;
};

export type Ranking = {
  /** The best 750 at most (C-80), best first. */
  ids: number[];
  /** At most 750 too. */
  total: number;
  /** Published documents of each theme that pass the other filters, uncapped. */
  themeCounts: Map<number, number>;
};

const FRESH_MS = 30_000;
const FILTERS = 300;
const rankings = createMemo<Ranking>(FRESH_MS, FILTERS);

/**
 * The recommended ranking under filters. Everybody asks for the same few, and counting by theme reads the whole
 * library: so the whole ranking is remembered for half a minute under `key`, and pages are cut from it. Whoever shows
 * it looks the documents up again (listByIds), which leaves out what was taken off the shelf meanwhile.
 */
export function rankDocuments(ctx: Ctx, key: string, filter: RankingFilter): Promise<Ranking> {
  return rankings(ctx, key, () => readWithin(ctx.db, PUBLIC_READ_MS, (db) => selectRanking(db, filter, RANKING_CAP)));
}
