import type { Ctx } from '../../../context.ts';
import { refusalReasons, type Refused } from '../../refusals.ts';
import type { NewItem } from '../store/batches.ts';

/** Returns the item of a file that was not accepted: `refused`, or `failed` when the file could not be read. */
export function refusedItem(ctx: Ctx, item: { batchId: number; path: string }, refused: Refused): NewItem {
  const state = refusalReasons[refused.code].kind === 'failed' ? 'failed' : 'refused';
  const words = { state, reasonCode: refused.code, message: wordsOf(refused) } as const;
  return { ...item, ...words, finishedAt: new Date(ctx.clock.now()) };
}

/** Returns the reason in an operator's words. */
export function wordsOf(refused: Refused): string {
  const reason = refusalReasons[refused.code].operator;
  return refused.detail ? `${reason} (${refused.detail})` : reason;
}
