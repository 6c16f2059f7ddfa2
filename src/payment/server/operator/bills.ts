import { ProviderUnavailable } from '../../../accounts/ports.ts';
import { transact, type Ctx } from '../../../context.ts';
import { dayText } from '../../../library/rules.ts';
import { JobPostponed } from '../../../platform/jobs/postpone.ts';
import { DAY_MS } from '../../../protocol/durations.ts';
import { CHANNELS, type BillLine, type Channel } from '../../ports.ts';
import { isTradeNumber, isUnpaid } from '../../rules.ts';
import { lookUpOrder } from '../check-order.ts';
import { raiseCase } from './case-alerts.ts';
import { compareBillJob } from '../job-notices.ts';
import { applyRefund, lookUpFailedRefund, sendRefund } from '../refunds.ts';
import { FOREIGN_REFUND } from '../settle-order.ts';
import { selectDaysWithoutBill, selectPaidOn, upsertBill } from '../store/bills.ts';
import { insertDifference } from '../store/notices.ts';
import { selectOrder } from '../store/orders.ts';
import { selectRefund, selectRefundOnceNumbered } from '../store/refunds.ts';

/** How far back bills that were missed are asked for. */
const MAX_DAYS = 30;
const NOT_READY_SECONDS = 1_800;
const PROVIDER_AWAY_SECONDS = 300;

/** `settled`: payments that only the bill has told of. `differences`: new cases for the operator. */
type BillComparison = {
  lines: number;
  paidFen: number;
  refundedFen: number;
  settled: number;
  differences: number;
};

type Differ = (outTradeNo: string, kind: string, detail: string) => Promise<void>;

/**
 * Enqueues the comparison of yesterday for each configured provider, and of the days before whose bill was never compared:
 * no worker ran that morning, or the job used up its attempts.
 */
export async function askForBills(ctx: Ctx): Promise<void> {
  const dayBefore = (days: number) => dayText(new Date(ctx.clock.now() - days * DAY_MS));
  for (const channel of CHANNELS.filter((each) => ctx.gateways[each]))
    for (const day of await selectDaysWithoutBill(ctx.db, channel, { from: dayBefore(MAX_DAYS), to: dayBefore(1) }))
      await ctx.jobs.add(compareBillJob, { channel, day }, { key: `payment-bill ${channel} ${day}`, isKept: true });
}

/**
 * Compares a Shanghai day (YYYY-MM-DD) with the provider's bill: a payment that was never applied is applied, and whatever
 * still differs becomes a case for the operator. Safe to repeat. Postpones the job while there is no bill.
 */
export async function compareBill(ctx: Ctx, channel: Channel, day: string): Promise<BillComparison> {
  const gateway = ctx.gateways[channel];
  if (!gateway) throw new Error(`${channel} is not configured`);
  const lines = await gateway.findBill(day).catch((error: unknown) => {
    if (error instanceof ProviderUnavailable) throw new JobPostponed(error.message, PROVIDER_AWAY_SECONDS);
    throw error;
  });
  if (lines === 'not-ready') throw new JobPostponed(`the bill of ${day} is not ready`, NOT_READY_SECONDS);
  // Other shops of the same merchant have numbers of their own.
  const own = lines.filter(({ outTradeNo }) => isTradeNumber(outTradeNo));
  const result: BillComparison = { lines: own.length, paidFen: 0, refundedFen: 0, settled: 0, differences: 0 };
  const differ: Differ = async (outTradeNo, kind, detail) => {
    const foundAt = new Date(ctx.clock.now());
    const isNew = await transact(ctx, async (tx) => {
      const isInserted = await insertDifference(tx.db, { channel, outTradeNo, kind, detail, foundAt });
      if (isInserted) await raiseCase(tx, 'difference', outTradeNo);
      return isInserted;
    });
    if (isNew) result.differences += 1;
  };
  for (const line of own) {
    if (line.kind === 'payment') {
      result.paidFen += line.amountFen;
      if (await comparePayment(ctx, channel, line, differ)) result.settled += 1;
    } else {
      result.refundedFen += line.amountFen;
      await compareRefund(ctx, line, differ);
    }
  }
  await findMissing(ctx, channel, day, own, differ);
  const payments = own.filter(({ kind }) => kind === 'payment').length;
  const { paidFen, refundedFen } = result;
  const comparedAt = new Date(ctx.clock.now());
  await upsertBill(ctx.db, {
    channel,
    day,
    payments,
    paidFen,
    refunds: own.length - payments,
    refundedFen,
    comparedAt,
  });
  const isClean = result.settled + result.differences === 0;
  ctx.log[isClean ? 'info' : 'error']({ channel, day, ...result }, 'bill compared');
  return result;
}

/** Returns true when the bill told of a payment that nobody had told of before. */
async function comparePayment(ctx: Ctx, channel: Channel, line: BillLine, differ: Differ): Promise<boolean> {
  const { outTradeNo, amountFen, transactionId } = line;
  const known = await selectOrder(ctx.db, outTradeNo);
  if (known?.channel !== channel) {
    await differ(outTradeNo, 'unknown-order', `the bill has ${amountFen} fen for a number that is not known here`);
    return false;
  }
  const wasUnpaid = isUnpaid(known.status);
  // The bill is no proof by itself: the provider is asked, and its signed answer is applied.
  const order = wasUnpaid ? await lookUpOrder(ctx, known) : known;
  if (isUnpaid(order.status)) {
    await differ(outTradeNo, 'not-settled', `the bill has ${amountFen} fen, the provider does not say it is paid`);
    return false;
  }
  if (order.paidFen !== amountFen || order.transactionId !== transactionId)
    await differ(outTradeNo, 'amount', `the bill has ${amountFen} fen by ${transactionId}, here ${order.paidFen} fen`);
  return wasUnpaid;
}

async function compareRefund(ctx: Ctx, line: BillLine, differ: Differ): Promise<void> {
  const { outTradeNo, refundNo, amountFen } = line;
  const known = refundNo === null ? null : await selectRefundOnceNumbered(ctx.db, refundNo);
  if (!known || refundNo === null) {
    // Raised as well for an order that is recorded as paid back: only the operator can tell whether the bill shows the same money or a second refund.
    await differ(outTradeNo, FOREIGN_REFUND, `the bill has a refund of ${amountFen} fen that was not made here`);
    return;
  }
  const { order } = known;
  if (known.refundNo !== refundNo) {
    // A bill may list a refund that was closed: the provider is asked what became of it.
    const state = await ctx.gateways[order.channel]?.findRefund({ outTradeNo, refundNo }).catch(() => undefined);
    if (state?.state === 'succeeded') await applyRefund(ctx, { refundNo, outTradeNo, channel: order.channel }, state);
    else if (state?.state !== 'failed')
      await differ(outTradeNo, 'refund', `the bill has refund ${refundNo} of ${amountFen} fen, which had been closed`);
    return;
  }
  if (known.isPaidElsewhere) {
    const { channel } = order;
    await applyRefund(
      ctx,
      { refundNo, outTradeNo, channel },
      { state: 'succeeded', refundedAt: null, refundFen: amountFen },
    );
    return;
  }
  if (known.state !== 'succeeded')
    await (known.state === 'failed' ? lookUpFailedRefund(ctx, known) : sendRefund(ctx, known)).catch(() => undefined);
  const after = await selectRefund(ctx.db, known.refundNo);
  if (after?.state !== 'succeeded' || after.amountFen !== amountFen)
    await differ(
      outTradeNo,
      'refund',
      `the bill has a refund of ${amountFen} fen, here ${after?.amountFen} fen ${after?.state}`,
    );
}

/** Reports the orders that the provider stated as paid on that day and that its bill lacks. */
async function findMissing(ctx: Ctx, channel: Channel, day: string, lines: BillLine[], differ: Differ): Promise<void> {
  const billed = new Set(lines.filter(({ kind }) => kind === 'payment').map(({ outTradeNo }) => outTradeNo));
  for (const { outTradeNo, paidFen } of await selectPaidOn(ctx.db, channel, day))
    if (!billed.has(outTradeNo))
      await differ(outTradeNo, 'not-in-bill', `${paidFen} fen here, and not in the bill of ${day}`);
}
