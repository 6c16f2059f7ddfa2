import type { Ctx, TransactionCtx } from '../../../context.ts';
import { openPhone } from '../phones/phones.ts';
import { deleteCodes, selectSendTimes } from '../phones/store-codes.ts';
import { deleteExports } from './store-exports.ts';
import { deleteSessions, selectSessions } from '../store-sessions.ts';
import { deleteIdentities, selectIdentities, selectPhoneIndex, selectUser } from '../store.ts';
import { deleteScenes } from '../scans/store-scenes.ts';

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

export const accountsPersonalData: PersonalData = {
  async collect(ctx, userId) {
    const user = await selectUser(ctx.db, { id: userId });
    if (!user) return {};
    const { phoneSealed, isDemo: _isDemo, ...account } = user;
    const phoneIndex = await selectPhoneIndex(ctx.db, userId);
    const sent = phoneIndex ? await selectSendTimes(ctx.db, phoneIndex) : [];
    return {
      account: { ...account, phone: openPhone(ctx, phoneSealed) },
      wechat: await selectIdentities(ctx.db, userId),
      sessions: await selectSessions(ctx.db, userId),
      messages: sent.map((at) => ({ sentAt: new Date(at) })),
    };
  },
  async erase(ctx, userId) {
    const phoneIndex = await selectPhoneIndex(ctx.db, userId);
    if (phoneIndex) await deleteCodes(ctx.db, phoneIndex);
    await deleteScenes(ctx.db, userId);
    await deleteIdentities(ctx.db, userId);
    await deleteSessions(ctx.db, userId);
    await deleteExports(ctx.db, userId);
  },
};
