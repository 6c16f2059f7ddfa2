import { requireSession } from '../../accounts/server/sessions.ts';
import { type Ctx, transact, type TransactionCtx } from '../../context.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import type * as contract from '../contract.ts';
import {
  countEntries,
  insertEntries,
  selectBalance,
  selectEntries,
  selectTransfer,
  updateBalance,
  type Transfer,
} from './store-ledger.ts';
import type { LedgerKind } from './tables.ts';

/** Another transfer was posted under this (kind, ref): never an accident to be ignored (INV-04). */
export class LedgerConflict extends Error {}

/** The transfer would leave the user below zero (INV-02). Nothing was posted. */
export class OverdrawnAccount extends Error {}

export type Posted = { balance: number; isNew: boolean };

/**
 * Moves coins between the house and a user: two entries that sum to zero and the user's balance, in one transaction
 * (the caller's, if there is one). The same transfer again changes nothing and returns the balance (INV-04). Throws
 * LedgerConflict and OverdrawnAccount. Downloads are posted by payForDocument alone.
 */
export function postTransfer(ctx: TransactionCtx, transfer: Transfer): Promise<Posted> {
  if (!Number.isSafeInteger(transfer.amount) || transfer.amount === 0) throw new RangeError('not an amount of coins');
  return transact(ctx, async ({ db, clock }) => {
    const { userId, amount, kind, ref } = transfer;
    const newEntries = await insertEntries(db, transfer, new Date(clock.now()));
    if (newEntries !== 2) {
      const posted = await selectTransfer(db, kind, ref);
      // One of the two entries was new: the house has this (kind, ref) from another user. The exception rolls the new
      // entry back.
      const isSame = newEntries === 0 && posted?.userId === userId && posted.amount === amount;
      if (!isSame) throw new LedgerConflict(`${kind} ${ref} was posted before with other content`);
      return { balance: await selectBalance(db, userId), isNew: false };
    }
    const balance = await updateBalance(db, userId, amount);
    if (balance === null) throw new OverdrawnAccount(`user ${userId} has fewer than ${-amount} coins`);
    return { balance, isNew: true };
  });
}

/** Members read the kind of an entry only: an operator's note is for the operators. */
const KIND_TEXTS: Record<LedgerKind, string> = {
  grant: '客服发放',
  topup: '充值',
  invite: '邀请奖励',
  download: '下载方案',
  reversal: '退款扣回',
};

/** Returns the caller's ledger entries, newest first. */
export async function listCoinRecords(
  ctx: Ctx,
  input: Parsed<typeof contract.listCoinRecords>,
): Promise<Output<typeof contract.listCoinRecords>> {
  const { userId } = requireSession(ctx);
  const [entries, total] = await Promise.all([selectEntries(ctx.db, userId, input), countEntries(ctx.db, userId)]);
  const items = entries.map((entry) => ({
    id: entry.id,
    kind_text: KIND_TEXTS[entry.kind],
    amount: entry.amount,
    balance_after: entry.balanceAfter,
    fid: entry.documentId ?? 0,
    name: entry.documentName ?? '',
    create_time: Math.floor(entry.createdAt.getTime() / 1000),
  }));
  return { items, count: total, page: input.page, page_size: input.pageSize, total };
}
