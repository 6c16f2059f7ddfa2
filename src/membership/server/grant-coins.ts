import { randomUUID } from 'node:crypto';
import type { Ctx } from '../../context.ts';
import { postTransfer, type Posted } from './post-transfer.ts';

/**
 * Coins from the operator. A `ref` makes it safe to repeat: the same one again changes nothing, and throws
 * LedgerConflict for another user or amount. Without it every call grants anew.
 */
export function grantCoins(
  ctx: Ctx,
  grant: { userId: number; coins: number; reason: string; ref?: string },
): Promise<Posted> {
  const { userId, coins, reason, ref = randomUUID() } = grant;
  return postTransfer(ctx, { userId, amount: coins, kind: 'grant', ref, note: reason });
}
