import { transact, type Ctx } from '../../context.ts';
import { DAY_MS } from '../../protocol/durations.ts';
import { SLOW_REFUND_SECONDS } from '../rules.ts';
import { raiseCase } from './operator/case-alerts.ts';
import { checkOrderJob, sendRefundJob } from './job-notices.ts';
import { clearOldBodies } from './store/notices.ts';
import { selectForgotten } from './store/orders.ts';
import { selectForgottenRefunds, updateSlow } from './store/refunds.ts';

/** An open order this long past its expiry has lost its job. */
const FORGOTTEN_MS = 300_000;
/** How long the bytes of notifications are kept: longer than a dispute with a provider takes. */
const BODY_DAYS = 180;

async function raiseSlowRefunds(ctx: Ctx, now: number): Promise<void> {
  const numbers = await transact(ctx, async (tx) => {
    const slow = await updateSlow(tx.db, new Date(now - SLOW_REFUND_SECONDS * 1_000), new Date(now));
    for (const outTradeNo of slow) await raiseCase(tx, 'refund-slow', outTradeNo);
    return slow;
  });
  for (const order of numbers) ctx.log.error({ order }, 'refund not finished after a day: the operator has to look');
}

/** Gives open orders and refunds that lost their job a new one, makes slow refunds a case, and removes the bytes of old notifications. */
export async function sweepOrders(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  const orders = await selectForgotten(ctx.db, new Date(now - FORGOTTEN_MS));
  for (const outTradeNo of orders)
    await ctx.jobs.add(checkOrderJob, { outTradeNo }, { key: `payment-check ${outTradeNo}`, isKept: true });
  const refunds = await selectForgottenRefunds(ctx.db);
  for (const refundNo of refunds)
    await ctx.jobs.add(sendRefundJob, { refundNo }, { key: `payment-refund ${refundNo}`, isKept: true });
  await raiseSlowRefunds(ctx, now);
  if (orders.length + refunds.length > 0)
    ctx.log.warn({ orders: orders.length, refunds: refunds.length }, 'orders had lost their jobs');
  await clearOldBodies(ctx.db, new Date(now - BODY_DAYS * DAY_MS));
}
