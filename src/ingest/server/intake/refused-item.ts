import type { Ctx } from '../../../context.ts';
import { refusalReasons, type Refused } from '../../refusals.ts';
import type { NewItem } from '../store/batches.ts';

/** The result of a file that was not taken in: refused for what it is, or failed for want of a reading. */
export function refusedItem(ctx: Ctx, item: { batchId: number; path: string }, refused: Refused): NewItem {
  const state = refusalReasons[refused.code].kind === 'failed' ? 'failed' : 'refused';
  const words = { state, reasonCode: refused.code, message: wordsOf(refused) } as const;
  return { ...item, ...words, finishedAt: new Date(ctx.clock.now()) };
}

/** A reason in operators' words. */
export function wordsOf(refused: Refused): string {
  const reason = refusalReasons[refused.code].operator;
  return refused.detail ? `${reason} (${refused.detail})` : reason;
}
