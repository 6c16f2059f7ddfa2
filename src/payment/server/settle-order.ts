import { randomBytes } from 'node:crypto';
import { transact, type TransactionCtx } from '../../context.ts';
import { grantMembership } from '../../membership/server/grants.ts';
import { postTransfer } from '../../membership/server/ledger.ts';
import type { Channel, Payment } from '../ports.ts';
import { isDuplicate, isUnpaid, mismatchOf, tradeNumber } from '../rules.ts';
import { raiseCase } from './operator/case-alerts.ts';
import { sendRefundJob } from './job-notices.ts';
import { insertDifference } from './store/notices.ts';
import {
  lockAccount,
  lockOrder,
  lockOrdersOfItem,
  notifyOrderChange,
  selectOrder,
  selectOtherOfTransaction,
  updatePaid,
  updateStatus,
} from './store/orders.ts';
import { insertRefund } from './store/refunds.ts';
import type { Order, Refund } from './tables.ts';

/** The kind of difference that is a refund which this site has not made. */
export const FOREIGN_REFUND = 'foreign-refund';

/**
 * `fulfilled`: paid, and the goods are granted. `duplicate`: the money goes back. `mismatch`: put aside for the operator.
 * `known`: this payment was applied before. `unknown-order`: no order has this number. `contradiction`: nothing was
 * changed, and the operator has a case (another channel, a transaction of another order, a second payment).
 */
type Settlement = 'fulfilled' | 'duplicate' | 'mismatch' | 'known' | 'unknown-order' | 'contradiction';

/**
 * Applies a verified payment to its order: the one way in which goods are granted for money. Notifications, the queries
 * of polls and jobs, and the operator all come here, in any order and as often as they like (INV-10). Order, coins or
 * membership, and what follows commit together. `wasRefunded`: the provider says that the money is already on its way
 * back; an unpaid order is then put aside, because nothing must be granted for it, and a fulfilled one becomes a case.
 */
export function settleOrder(
  ctx: TransactionCtx,
  channel: Channel,
  payment: Payment,
  { wasRefunded = false }: { wasRefunded?: boolean } = {},
): Promise<Settlement> {
  return transact(ctx, async (tx) => {
    const found = await selectOrder(tx.db, payment.outTradeNo);
    if (!found) return 'unknown-order';
    // The order of locks is that of lockOrderAndAccount.
    const hasAccount = await lockAccount(tx.db, found.userId);
    const others = await lockOrdersOfItem(tx.db, found.userId, found.itemId);
    const order = others.find(({ id }) => id === found.id);
    if (!order) throw new Error('an order is never deleted');
    if (order.channel !== channel)
      return contradict(tx, channel, payment, `ordered through ${order.channel}, paid through ${channel}`);
    if (!isUnpaid(order.status)) {
      if (order.transactionId === payment.transactionId) {
        if (wasRefunded && order.status === 'fulfilled')
          await raiseDifference(
            tx,
            order,
            'the provider says that all or part of the money was sent back',
            FOREIGN_REFUND,
          );
        return 'known';
      }
      return contradict(tx, channel, payment, `paid twice: ${order.transactionId} and ${payment.transactionId}`);
    }
    const other = await selectOtherOfTransaction(tx.db, channel, payment.transactionId, order.outTradeNo);
    if (other !== null)
      return contradict(tx, channel, payment, `transaction ${payment.transactionId} has paid order ${other}`);
    const mismatch =
      mismatchOf(order, payment) ??
      (wasRefunded ? 'paid, and refunded with the provider' : hasAccount ? null : 'the account was erased');
    if (mismatch !== null) return quarantine(tx, order, payment, mismatch);
    return isDuplicate(order, others) ? refundDuplicate(tx, order, payment) : fulfil(tx, order, payment);
  });
}

async function fulfil(ctx: TransactionCtx, order: Order, payment: Payment): Promise<Settlement> {
  const fulfilledAt = new Date(ctx.clock.now());
  if (!(await updatePaid(ctx.db, order.id, payment, { status: 'fulfilled', fulfilledAt }))) return 'known';
  await grantGoods(ctx, order);
  await notifyOrderChange(ctx.db, order.userId);
  const { outTradeNo, userId, status } = order;
  ctx.log.info({ order: outTradeNo, userId, was: status, fen: payment.amountFen }, 'order fulfilled');
  return 'fulfilled';
}

/** Grants what the snapshot of the order says (INV-15). Once for an order: the ledger and the grants know its number. */
async function grantGoods(ctx: TransactionCtx, order: Order): Promise<void> {
  const { userId, outTradeNo: ref, kind, coins, tier, days, description } = order;
  if (kind === 'coin') {
    await postTransfer(ctx, { userId, amount: coins, kind: 'topup', ref, note: description });
    return;
  }
  if (tier === null) throw new Error('an order of a membership has a tier');
  await grantMembership(ctx, { userId, tier, days, kind: 'order', ref, reason: description });
}

async function quarantine(ctx: TransactionCtx, order: Order, payment: Payment, why: string): Promise<Settlement> {
  if (!(await updatePaid(ctx.db, order.id, payment, { status: 'mismatch', mismatch: why }))) return 'known';
  await notifyOrderChange(ctx.db, order.userId);
  await raiseCase(ctx, 'put-aside', order.outTradeNo);
  ctx.log.error({ order: order.outTradeNo, why }, 'payment put aside: the operator has to resolve it');
  return 'mismatch';
}

async function refundDuplicate(ctx: TransactionCtx, order: Order, payment: Payment): Promise<Settlement> {
  if (!(await updatePaid(ctx.db, order.id, payment, { status: 'refunding' }))) return 'known';
  await askRefund(ctx, { ...order, paidFen: payment.amountFen }, { reason: 'duplicate', note: '重复支付' });
  ctx.log.warn({ order: order.outTradeNo }, 'second payment of one purchase: refunded');
  return 'duplicate';
}

/** Records the refund of an order that is `refunding` now, and the job that asks the provider for it. */
export async function askRefund(
  ctx: TransactionCtx,
  order: Pick<Order, 'id' | 'userId' | 'paidFen'>,
  refund: Pick<Refund, 'reason' | 'note'> & Partial<Pick<Refund, 'keepsGoods'>>,
): Promise<void> {
  const refundNo = await recordRefund(ctx, order, refund);
  await ctx.jobs.add(sendRefundJob, { refundNo }, { key: `payment-refund ${refundNo}` });
  await notifyOrderChange(ctx.db, order.userId);
}

/** Inserts the refund of a paid order, of its whole amount, and returns its number. */
export async function recordRefund(
  ctx: TransactionCtx,
  order: Pick<Order, 'id' | 'paidFen'>,
  refund: Pick<Refund, 'reason' | 'note'> &
    Partial<Pick<Refund, 'state' | 'finishedAt' | 'isPaidElsewhere' | 'keepsGoods'>>,
): Promise<string> {
  if (order.paidFen === null) throw new Error('an order without a payment cannot be refunded');
  const now = ctx.clock.now();
  const refundNo = newRefundNo(now);
  const row = { orderId: order.id, refundNo, amountFen: order.paidFen, createdAt: new Date(now), ...refund };
  if (!(await insertRefund(ctx.db, row))) throw new Error('the order has a refund already');
  return refundNo;
}

export const newRefundNo = (now: number) => tradeNumber('R', now, randomBytes(10));

async function contradict(
  ctx: TransactionCtx,
  channel: Channel,
  payment: Payment,
  detail: string,
): Promise<Settlement> {
  await raiseDifference(ctx, { channel, outTradeNo: payment.outTradeNo }, detail);
  return 'contradiction';
}

/** Makes what a provider says against an order a case of the operator, once. */
export async function raiseDifference(
  ctx: TransactionCtx,
  { channel, outTradeNo }: { channel: Channel; outTradeNo: string },
  detail: string,
  kind = 'contradiction',
): Promise<void> {
  const foundAt = new Date(ctx.clock.now());
  const isNew = await insertDifference(ctx.db, { channel, outTradeNo, kind, detail, foundAt });
  if (!isNew) return;
  await raiseCase(ctx, 'difference', outTradeNo);
  ctx.log.error({ order: outTradeNo, detail }, 'the provider contradicts an order: the operator has to look');
}

/**
 * Locks and returns an order, with whether its account still exists; null when there is none. Locks are always taken in
 * this order: the account, then its orders, as an erasure does.
 */
export async function lockOrderAndAccount(ctx: TransactionCtx, outTradeNo: string) {
  const found = await selectOrder(ctx.db, outTradeNo);
  const hasAccount = found !== null && (await lockAccount(ctx.db, found.userId));
  const order = await lockOrder(ctx.db, outTradeNo);
  return order && { order, hasAccount };
}

/**
 * Grants the goods of a payment that was put aside, by the operator's decision: what the order says, independent of the
 * amount paid. Returns false when the order is not put aside, or its account was erased.
 */
export function acceptMismatch(ctx: TransactionCtx, outTradeNo: string): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const locked = await lockOrderAndAccount(tx, outTradeNo);
    if (!locked?.hasAccount) return false;
    const { order } = locked;
    const fulfilledAt = new Date(tx.clock.now());
    if (!(await updateStatus(tx.db, order.id, 'mismatch', { status: 'fulfilled', fulfilledAt }))) return false;
    await grantGoods(tx, order);
    await notifyOrderChange(tx.db, order.userId);
    tx.log.info({ order: outTradeNo }, 'payment that was put aside accepted by the operator');
    return true;
  });
}
