import type { Ctx, TransactionCtx } from '../../context.ts';

/**
 * How one slice exports and erases personal data. src/slices.ts lists the parts of all slices: a part that is missing there
 * is neither exported nor erased.
 */
export type PersonalData = {
  /** Returns everything about a user by file name without ending, every row of it; each becomes one JSON file (C-74). */
  collect(ctx: Ctx, userId: number): Promise<Record<string, unknown>>;
  /**
   * Erases everything about a user, inside the caller's transaction. The ledger keeps what bookkeeping needs, without a
   * name.
   */
  erase: (ctx: TransactionCtx, userId: number) => Promise<void>;
  /** Returns why the account cannot be deleted now, in words for its owner; null when it can. */
  obstacle?(ctx: TransactionCtx, userId: number): Promise<string | null>;
};

/** Returns why the account cannot be deleted now; null when it can. */
export async function findObstacle(
  ctx: TransactionCtx,
  parts: readonly PersonalData[],
  userId: number,
): Promise<string | null> {
  for (const part of parts) {
    const obstacle = (await part.obstacle?.(ctx, userId)) ?? null;
    if (obstacle !== null) return obstacle;
  }
  return null;
}
