import { transact, type Ctx, type TransactionCtx } from '../../context.ts';
import { revokeMembership } from '../../membership/server/grants.ts';
import { OverdrawnAccount, postTransfer } from '../../membership/server/ledger.ts';
import { ProviderRefused, ProviderUnavailable } from '../../accounts/ports.ts';
import { JobPostponed } from '../../platform/jobs/postpone.ts';
import type { Channel, PaymentGateway, RefundState } from '../ports.ts';
import { GIVE_UP_SECONDS, joinNotes, SLOW_REFUND_SECONDS } from '../rules.ts';
import {
  askRefund,
  FOREIGN_REFUND,
  lockOrderAndAccount,
  newRefundNo,
  raiseDifference,
  recordRefund,
} from './settle-order.ts';
import { selectInvoiceOf } from './store/invoices.ts';
import { updateDifferencesResolved } from './store/notices.ts';
import { lockOrder, notifyOrderChange, updateStatus } from './store/orders.ts';
import { selectRefund, selectRefundOf, updateRefund } from './store/refunds.ts';
import { raiseCase } from './operator/case-alerts.ts';
import { sendRefundJob } from './job-notices.ts';
import type { Order, Refund } from './tables.ts';

const TRY_AGAIN_SECONDS = 30;
const LOOK_AGAIN_SECONDS = 60;
const REFUSED_SECONDS = 300;

/**
 * Sends a refund to the provider, or asks what became of it; the handler of the job. The refund number makes repeating
 * safe. A failure is the operator's case: `ceku order refund` tries again.
 */
export async function sendRefund(ctx: Ctx, { refundNo }: { refundNo: string }): Promise<void> {
  const refund = await selectRefund(ctx.db, refundNo);
  if (!refund || refund.state === 'succeeded' || refund.state === 'failed') return;
  const { order } = refund;
  const gateway = ctx.gateways[order.channel];
  const state = gateway ? await askProvider(ctx, gateway, refund) : withoutChannel(ctx, refund);
  await applyRefund(ctx, { refundNo, outTradeNo: order.outTradeNo, channel: order.channel }, state);
  if (state.state === 'processing' || state.state === 'unknown')
    throw new JobPostponed('the provider has not finished the refund', LOOK_AGAIN_SECONDS);
}

/**
 * Asks for a refund, or what became of it. Only a refusal of the refund itself is a failure: a provider that is away, refuses
 * our keys or refuses the query has not said that no money goes back, and is asked again.
 */
async function askProvider(ctx: Ctx, gateway: PaymentGateway, refund: Refund & { order: Order }): Promise<RefundState> {
  const { refundNo, amountFen, reason, order } = refund;
  const { outTradeNo, paidFen, notifyUrl } = order;
  const isAsked = refund.state === 'asked';
  try {
    if (!isAsked) return await gateway.findRefund({ outTradeNo, refundNo });
    return await gateway.refund({
      outTradeNo,
      refundNo,
      refundFen: amountFen,
      totalFen: paidFen ?? amountFen,
      reason: reason === 'duplicate' ? '重复支付退款' : '订单退款',
      notifyUrl,
    });
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw new JobPostponed(error.message, TRY_AGAIN_SECONDS);
    if (!(error instanceof ProviderRefused)) throw error;
    if (isAsked && error.reason !== 'not-authorised') return { state: 'failed', why: error.vendorCode };
    ctx.log.error(
      { order: outTradeNo, refundNo, error: error.message },
      'a refund waits: the provider refuses the call',
    );
    throw new JobPostponed(error.message, REFUSED_SECONDS);
  }
}

/** A refund through a channel that is not configured any more fails GIVE_UP_SECONDS after it was asked for, also when the channel is missing for a moment: `ceku order refund` sends it again. */
function withoutChannel(ctx: Ctx, { order, createdAt, askedAt }: Refund & { order: Order }): RefundState {
  const why = `${order.channel} is not configured`;
  const waitedMs = ctx.clock.now() - (askedAt ?? createdAt).getTime();
  if (waitedMs <= GIVE_UP_SECONDS * 1_000) throw new JobPostponed(why, REFUSED_SECONDS);
  return { state: 'failed', why };
}

/** Asks about a failed refund that the provider's bill has: the refund succeeds when the provider says so, else nothing changes. */
export async function lookUpFailedRefund(ctx: Ctx, { refundNo, order }: Refund & { order: Order }): Promise<void> {
  const { outTradeNo, channel } = order;
  const state = await ctx.gateways[channel]?.findRefund({ outTradeNo, refundNo });
  if (state?.state === 'succeeded') await applyRefund(ctx, { refundNo, outTradeNo, channel }, state);
}

/** Records what the provider says of a refund. Returns false when the order has no such refund. */
export function applyRefund(
  ctx: TransactionCtx,
  named: { refundNo: string; outTradeNo: string; channel: Channel },
  state: RefundState,
): Promise<boolean> {
  return transact(ctx, async (tx) => {
    // Read under the lock: a retry may give the refund another number.
    const order = await lockOrder(tx.db, named.outTradeNo);
    const refund = order?.channel === named.channel ? await selectRefundOf(tx.db, order.id) : null;
    if (!order || !refund) return false;
    if (refund.refundNo === named.refundNo) await moveRefund(tx, refund, order, state);
    else if (!refund.closedNumbers.includes(named.refundNo)) return false;
    else if (state.state === 'succeeded') await raiseDifference(tx, order, closedCarriedOut(named.refundNo));
    return true;
  });
}

/** What the operator reads of a refund that WeChat Pay had closed, and that was sent again under a new number. */
const closedCarriedOut = (refundNo: string) =>
  `refund ${refundNo}, which had been closed and replaced, was carried out`;

async function moveRefund(ctx: TransactionCtx, refund: Refund, order: Order, state: RefundState): Promise<void> {
  const { id, refundNo, closedNumbers } = refund;
  switch (state.state) {
    case 'processing':
      await updateRefund(ctx.db, id, { state: 'processing' });
      return;
    case 'unknown':
      // The provider lost or never got the request: it is sent again under the same number. A refund that has failed is not: only the operator sends
      // it again.
      if (refund.state === 'failed') return;
      await updateRefund(ctx.db, id, { state: 'asked' });
      return;
    case 'failed':
      if (
        !(await updateRefund(ctx.db, id, {
          state: 'failed',
          failure: state.why.slice(0, 200),
          ...(state.isNumberClosed && { closedNumbers: [...new Set([...closedNumbers, refundNo])] }),
        }))
      )
        return;
      await raiseCase(ctx, 'refund-failed', order.outTradeNo);
      ctx.log.error({ order: order.outTradeNo, refundNo, why: state.why }, 'refund failed: the operator has to act');
      return;
    case 'succeeded': {
      if (refund.isPaidElsewhere) {
        const detail = `${refund.amountFen} fen were paid back by another way, and by the provider as refund ${refundNo}`;
        await raiseDifference(ctx, order, detail);
        return;
      }
      const finishedAt = state.refundedAt ?? new Date(ctx.clock.now());
      if (!(await updateRefund(ctx.db, id, { state: 'succeeded', failure: '', finishedAt }))) return;
      if (state.refundFen !== refund.amountFen)
        await raiseDifference(ctx, order, `${state.refundFen} fen sent back instead of ${refund.amountFen}`);
      await updateStatus(ctx.db, order.id, 'refunding', { status: 'refunded' });
      await notifyOrderChange(ctx.db, order.userId);
      ctx.log.info({ order: order.outTradeNo, refundNo, fen: refund.amountFen }, 'order refunded');
    }
  }
}

type RefundStart = 'started' | 'retried' | 'spent' | 'not-refundable';

/**
 * Starts the refund of a paid order by the operator's decision, and takes the goods back in the same transaction unless
 * `keepsGoods`: the coins by a reversal, the days of the membership by taking its grant back. Returns `spent` when the
 * coins are no longer there, and `retried` when a failed refund is sent again, whose goods were dealt with when it began. Nothing was changed with
 * the last two of RefundStart.
 */
export async function startRefund(
  ctx: TransactionCtx,
  outTradeNo: string,
  { note, keepsGoods }: { note: string; keepsGoods: boolean },
): Promise<RefundStart> {
  try {
    return await transact(ctx, async (tx): Promise<RefundStart> => {
      const order = (await lockOrderAndAccount(tx, outTradeNo))?.order;
      if (!order) return 'not-refundable';
      if (order.status === 'refunding') return retry(tx, order, note);
      if (!(await beginRefund(tx, order, keepsGoods))) return 'not-refundable';
      await askRefund(tx, order, { reason: 'operator', note, keepsGoods: isKept(order, keepsGoods) });
      tx.log.info({ order: outTradeNo, keepsGoods }, 'refund started by the operator');
      return 'started';
    });
  } catch (error) {
    if (error instanceof OverdrawnAccount) return 'spent';
    throw error;
  }
}

/** Takes a paid order to `refunding`, and its goods back unless `keepsGoods`; false when it is not paid, or was refunded before. */
async function beginRefund(ctx: TransactionCtx, order: Order, keepsGoods: boolean): Promise<boolean> {
  if (order.status !== 'fulfilled' && order.status !== 'mismatch') return false;
  if (order.status === 'fulfilled' && !keepsGoods) await takeGoodsBack(ctx, order);
  await updateStatus(ctx.db, order.id, order.status, { status: 'refunding' });
  if ((await selectInvoiceOf(ctx.db, order.id))?.state === 'issued')
    await raiseCase(ctx, 'invoice-to-void', order.outTradeNo);
  return true;
}

/** An order that was put aside granted nothing that its buyer could keep. */
const isKept = ({ status }: Order, keepsGoods: boolean) => keepsGoods && status === 'fulfilled';

/** `known`: the order was refunded before. `under-way`: the provider may still carry out a refund that is not a day old. */
type PaidBack = 'recorded' | 'known' | 'under-way' | 'spent' | 'not-refundable';

/**
 * Records, by the operator's word, that the money of an order went back by another way than a refund of this site: at the
 * provider's console, by a chargeback, by a transfer. Ends a refund that failed or that the provider has not finished after a
 * day, whose goods were dealt with when it began; else takes the goods back unless `keepsGoods`. Nothing was changed unless it
 * returns `recorded`.
 */
export async function recordPaidBack(
  ctx: TransactionCtx,
  outTradeNo: string,
  { note, keepsGoods }: { note: string; keepsGoods: boolean },
): Promise<PaidBack> {
  try {
    return await transact(ctx, async (tx): Promise<PaidBack> => {
      const order = (await lockOrderAndAccount(tx, outTradeNo))?.order;
      if (!order) return 'not-refundable';
      if (order.status === 'refunded') return 'known';
      const finishedAt = new Date(tx.clock.now());
      const end = { state: 'succeeded' as const, finishedAt, isPaidElsewhere: true };
      if (order.status === 'refunding') {
        const refund = await selectRefundOf(tx.db, order.id);
        if (!refund || (refund.state !== 'failed' && !isSlow(refund, tx.clock.now()))) return 'under-way';
        await updateRefund(tx.db, refund.id, { ...end, note: joinNotes(refund.note, note), failure: '' });
      } else {
        if (!(await beginRefund(tx, order, keepsGoods))) return 'not-refundable';
        await recordRefund(tx, order, { reason: 'operator', note, keepsGoods: isKept(order, keepsGoods), ...end });
      }
      await updateStatus(tx.db, order.id, 'refunding', { status: 'refunded' });
      await updateDifferencesResolved(tx.db, outTradeNo, note, finishedAt, FOREIGN_REFUND);
      await notifyOrderChange(tx.db, order.userId);
      tx.log.info({ order: outTradeNo, was: order.status, keepsGoods }, 'order recorded as paid back by the operator');
      return 'recorded';
    });
  } catch (error) {
    if (error instanceof OverdrawnAccount) return 'spent';
    throw error;
  }
}

/** Tells whether the provider has had a day for a refund and has not finished it. */
const isSlow = ({ askedAt, createdAt }: Refund, now: number): boolean =>
  now - (askedAt ?? createdAt).getTime() > SLOW_REFUND_SECONDS * 1_000;

async function takeGoodsBack(ctx: TransactionCtx, order: Order): Promise<void> {
  const { userId, outTradeNo: ref, kind, coins } = order;
  if (kind === 'coin') await postTransfer(ctx, { userId, amount: -coins, kind: 'reversal', ref, note: 'refund' });
  else await revokeMembership(ctx, { kind: 'order', ref });
}

async function retry(ctx: TransactionCtx, order: Order, note: string): Promise<RefundStart> {
  const refund = await selectRefundOf(ctx.db, order.id);
  if (refund?.state !== 'failed') return 'not-refundable';
  const isClosed = refund.closedNumbers.includes(refund.refundNo);
  const refundNo = isClosed ? newRefundNo(ctx.clock.now()) : refund.refundNo;
  await updateRefund(ctx.db, refund.id, {
    refundNo,
    state: 'asked',
    failure: '',
    note: joinNotes(refund.note, note),
    askedAt: new Date(ctx.clock.now()),
    slowAt: null,
  });
  await ctx.jobs.add(sendRefundJob, { refundNo }, { key: `payment-refund ${refundNo}` });
  return 'retried';
}
