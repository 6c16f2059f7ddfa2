import { requireSession } from '../../accounts/server/sessions.ts';
import { ProviderRefused, ProviderUnavailable } from '../../accounts/ports.ts';
import type { Ctx } from '../../context.ts';
import { JobPostponed } from '../../platform/jobs/postpone.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import type * as contract from '../contract.ts';
import {
  ASK_SECONDS,
  channelOf,
  GIVE_UP_SECONDS,
  isOpen,
  isTradeNumber,
  isUnpaid,
  LAST_ORDER_SECONDS,
  nextCheckAt,
  orderNotFound,
  REUSE_SECONDS,
  STATUS_TEXT,
  tradeStateOf,
} from '../rules.ts';
import { checkOrderJob } from './job-notices.ts';
import { settleOrder } from './settle-order.ts';
import { selectNewestOrder, selectOrder, selectOwnOrder, updateAsked, updateClosed } from './store/orders.ts';
import type { Order } from './tables.ts';

/** How long after its creation a closed order is still queried: its QR code may outlive the dialog by hours. */
const LATE_SECONDS = 14_400;
const PROVIDER_AWAY_SECONDS = 15;
const PROVIDER_REFUSES_SECONDS = 300;

/**
 * Asks the provider about an order and applies what it says. Returns the order as it stands then. Throws
 * ProviderUnavailable and ProviderRefused. "Not paid" changes nothing: only `closed` closes an open order, and money is
 * taken in every state (INV-12).
 */
export async function lookUpOrder(ctx: Ctx, order: Order): Promise<Order> {
  const gateway = ctx.gateways[order.channel];
  if (!gateway) return order;
  const found = await gateway.findPayment(order.outTradeNo);
  if (found.state === 'paid') await settleOrder(ctx, order.channel, found.payment);
  if (found.state === 'refunded') await settleOrder(ctx, order.channel, found.payment, { wasRefunded: true });
  if (found.state === 'closed') await updateClosed(ctx.db, order.id, new Date(ctx.clock.now()));
  return (await selectOrder(ctx.db, order.outTradeNo)) ?? order;
}

/**
 * Queries an order for a waiting client, at most once in three seconds over all callers; in between it returns the row (C-49).
 * A provider that does not answer changes nothing for those who wait.
 */
async function refreshOrder(ctx: Ctx, order: Order): Promise<Order> {
  const now = ctx.clock.now();
  if (!isUnpaid(order.status) || now - order.createdAt.getTime() > LATE_SECONDS * 1_000) return order;
  if (!(await updateAsked(ctx.db, order.id, new Date(now), new Date(now - ASK_SECONDS * 1_000)))) return order;
  try {
    return await lookUpOrder(ctx, order);
  } catch (error) {
    if (!(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefused)) throw error;
    ctx.log.warn({ order: order.outTradeNo, error: error.message }, 'a poll could not ask the provider');
    return order;
  }
}

/** Serves both endpoints with the words of the order's own channel (C-49). */
export async function checkOrder(
  ctx: Ctx,
  input: Parsed<typeof contract.checkOrder>,
): Promise<Output<typeof contract.checkOrder>> {
  const { userId } = requireSession(ctx);
  const known = await selectOwnOrder(ctx.db, userId, input.out_trade_no);
  if (!known) throw orderNotFound();
  const order = await refreshOrder(ctx, known);
  return {
    trade_state: tradeStateOf(order.channel, order.status),
    status: order.status,
    status_text: STATUS_TEXT[order.status],
  };
}

/** Returns 1 when the caller's newest order of that platform, made within 15 minutes, is fulfilled (C-50, INV-18). */
export async function getLastOrderPayStatus(
  ctx: Ctx,
  input: Parsed<typeof contract.getLastOrderPayStatus>,
): Promise<Output<typeof contract.getLastOrderPayStatus>> {
  const { userId } = requireSession(ctx);
  const asked = input.out_trade_no ?? null;
  if (asked !== null && !isTradeNumber(asked)) return 0;
  const since = Math.max(ctx.clock.now() - LAST_ORDER_SECONDS * 1_000, (input.since ?? 0) * 1_000 - 1);
  const newest = await selectNewestOrder(ctx.db, {
    userId,
    channel: channelOf(input.payPlatform),
    since: new Date(since),
    outTradeNo: asked,
  });
  const order = newest && (await refreshOrder(ctx, newest));
  return order?.status === 'fulfilled' ? 1 : 0;
}

/**
 * Asks about an order by the plan of nextCheckAt; the handler of the job. Closes what was superseded, and what has
 * expired, with the provider first: an order is closed here only when no money can come, or its code has expired.
 */
export async function checkOrderByPlan(ctx: Ctx, { outTradeNo }: { outTradeNo: string }): Promise<void> {
  const known = await selectOrder(ctx.db, outTradeNo);
  if (!known || !isOpen(known.status)) return;
  if (!ctx.gateways[known.channel]) return waitForChannel(ctx, known);
  const order = await postponeOnFailure(ctx, known, () => lookUpOrder(ctx, known));
  if (!isOpen(order.status)) return;
  const now = ctx.clock.now();
  const isExpired = now >= order.expiresAt.getTime();
  const isGivenUp = order.supersededAt !== null && now - order.supersededAt.getTime() > REUSE_SECONDS * 1_000;
  if (isExpired || isGivenUp) {
    const after = await postponeOnFailure(ctx, order, () => closeOrder(ctx, order));
    if (!isOpen(after.status)) return;
    // The provider does not close it yet.
    if (isExpired) throw new JobPostponed('the provider does not close the order yet', 60);
  }
  const afterSeconds = Math.max((nextCheckAt(order, now) - now) / 1_000, 1);
  await ctx.jobs.add(checkOrderJob, { outTradeNo }, { key: `payment-check ${outTradeNo}`, afterSeconds });
}

/** The channel of an open order is not configured any more: once nobody can expect it back, the order is closed here alone. */
async function waitForChannel(ctx: Ctx, order: Order): Promise<void> {
  if (!isOld(ctx, order)) throw new JobPostponed(`${order.channel} is not configured`, PROVIDER_REFUSES_SECONDS);
  await updateClosed(ctx.db, order.id, new Date(ctx.clock.now()));
}

const isOld = (ctx: Ctx, { createdAt }: Order) => ctx.clock.now() - createdAt.getTime() > GIVE_UP_SECONDS * 1_000;

/**
 * Closes an order with the provider and here. Returns the order as it stands then: fulfilled when it turns out to be paid,
 * still open when the provider does not close it now, or does not know it while its code may still be scanned.
 */
export async function closeOrder(ctx: Ctx, order: Order): Promise<Order> {
  const gateway = ctx.gateways[order.channel];
  if (!gateway) return order;
  const result = await gateway.close(order.outTradeNo);
  if (result === 'paid') return lookUpOrder(ctx, order);
  const now = ctx.clock.now();
  const isOver = result === 'closed' || (result === 'unknown' && now >= order.expiresAt.getTime());
  if (isOver) await updateClosed(ctx.db, order.id, new Date(now));
  return (await selectOrder(ctx.db, order.outTradeNo)) ?? order;
}

/** Runs `ask`; when the provider is away or refuses, postpones the job, for two days at most. */
async function postponeOnFailure(ctx: Ctx, order: Order, ask: () => Promise<Order>): Promise<Order> {
  try {
    return await ask();
  } catch (error) {
    if (isOld(ctx, order)) throw error;
    if (error instanceof ProviderUnavailable) throw new JobPostponed(error.message, PROVIDER_AWAY_SECONDS);
    if (error instanceof ProviderRefused) throw new JobPostponed(error.message, PROVIDER_REFUSES_SECONDS);
    throw error;
  }
}
