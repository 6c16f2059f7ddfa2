import type { Ctx } from '../../context.ts';
import { windowStart } from '../rules.ts';
import { selectMoves, writeHeats } from './store.ts';

/**
 * Documents one run may move. Each is a change search has to take up; what is left over, the smallest moves, is the
 * next run's.
 */
const MAX_MOVES = 5_000;
/** Written at a time: a download of one of them waits no longer than that. */
const BATCH = 250;

/** Brings heat and score of all documents up to now. Says how many moved. Safe to run twice. */
export async function updateRanking(ctx: Ctx, signal?: AbortSignal): Promise<{ moved: number }> {
  const moves = await selectMoves(ctx.db, windowStart(ctx.clock.now()), MAX_MOVES);
  // In one order, so that two runs never hold what the other waits for.
  const ordered = moves.toSorted((a, b) => a.id - b.id);
  let moved = 0;
  for (; moved < ordered.length && !signal?.aborted; moved += BATCH)
    await writeHeats(ctx.db, ordered.slice(moved, moved + BATCH));
  return { moved: Math.min(moved, ordered.length) };
}
