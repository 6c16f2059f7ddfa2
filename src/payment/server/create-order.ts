import { randomBytes } from 'node:crypto';
import { requireSession } from '../../accounts/server/sessions.ts';
import { ProviderRefused, ProviderUnavailable } from '../../accounts/ports.ts';
import { transact, type Ctx } from '../../context.ts';
import { saleName } from '../../membership/contract.ts';
import { isLoopbackHost } from '../../platform/loopback.ts';
import { findItemOnSale, type ItemOnSale } from '../../prices/server/prices.ts';
import type { Output, Parsed } from '../../protocol/endpoint.ts';
import { sessionInvalid } from '../../protocol/envelope.ts';
import type * as contract from '../contract.ts';
import { notifyPath } from '../contract.ts';
import type { Channel, CodeResult, PaymentGateway } from '../ports.ts';
import {
  channelMissing,
  CODE_SECONDS,
  codeUnavailable,
  isUnpaid,
  itemWithdrawn,
  nextCheckAt,
  ORDER_SECONDS,
  orderPaid,
  PLATFORM,
  REUSE_SECONDS,
  subjectOf,
  tradeNumber,
} from '../rules.ts';
import { lookUpOrder } from './check-order.ts';
import { checkOrderJob } from './job-notices.ts';
import {
  insertOrder,
  lockAccount,
  selectReusable,
  updateClosed,
  updateCode,
  updateSuperseded,
} from './store/orders.ts';
import type { Order } from './tables.ts';

/** C-46: how many orders one user may make in ten minutes. A choice that was made before returns its order and does not count. */
const ORDERS = { points: 20, seconds: 600 };

/** `siteUrl`: where the provider reaches this site, when no PUBLIC_URL says so. */
type Choice = { itemId: number; documentId: number | null; channel: Channel; siteUrl: string };

/**
 * Returns the QR code of an order for what the caller chose: the order of the same choice within five minutes (C-47), or a
 * new one at the price of now (INV-15). The number is committed before the provider hears of it (INV-16), so an order that
 * the provider has and this site does not know cannot exist. Refuses with 60 (off sale, paid, channel), 41 and 503; with 2 when the
 * account was erased while the request was under way.
 */
export async function createCode(
  ctx: Ctx,
  channel: Channel,
  input: Parsed<typeof contract.wxpayQrcode>,
): Promise<Output<typeof contract.wxpayQrcode>> {
  const choice = { itemId: input.item_id, documentId: input.file_id || null, channel, siteUrl: siteUrlOf(ctx) };
  const order = await getOrderWithCode(ctx, choice);
  return {
    code_uri: order.codeContent,
    out_trade_no: order.outTradeNo,
    total_fee: order.priceFen,
    pay_platform: PLATFORM[channel],
    expire_at: Math.floor(order.expiresAt.getTime() / 1_000),
  };
}

/** Without a PUBLIC_URL the site is a trial on this machine, where the pretend providers send notifications to its own address. */
export function siteUrlOf({ config, request }: Ctx): string {
  if (config.publicUrl !== null) return config.publicUrl;
  // A Host header may name anything: only an address of this machine is believed.
  const isHere = isLoopbackHost(URL.parse(request.origin)?.hostname ?? '');
  return isHere ? request.origin : `http://127.0.0.1:${config.port}`;
}

/** Returns the order of the caller's choice with its QR code. */
export async function getOrderWithCode(ctx: Ctx, choice: Choice): Promise<Order> {
  const { userId } = requireSession(ctx);
  const gateway = ctx.gateways[choice.channel];
  if (!gateway) throw channelMissing(choice.channel);
  // A number that the provider has closed is replaced once; a second time something else is wrong.
  for (const _attempt of [1, 2]) {
    const item = await findItemOnSale(ctx, choice.itemId);
    if (!item) throw itemWithdrawn();
    const order = await openOrder(ctx, userId, item, choice);
    if (isCodeFresh(order, ctx.clock.now())) return order;
    const result = await unlessAway(ctx, order, () => askForCode(ctx, gateway, order));
    if (result.state === 'created') {
      await updateCode(ctx.db, order.id, result.content, new Date(ctx.clock.now()));
      return { ...order, codeContent: result.content };
    }
    if (result.state === 'paid') {
      const { status } = await unlessAway(ctx, order, () => lookUpOrder(ctx, order));
      throw isUnpaid(status) ? codeUnavailable() : orderPaid();
    }
    await updateClosed(ctx.db, order.id, new Date(ctx.clock.now()));
  }
  throw codeUnavailable();
}

const isCodeFresh = ({ codeContent, codedAt }: Order, now: number) =>
  codeContent !== '' && codedAt !== null && codedAt.getTime() + CODE_SECONDS * 1_000 > now;

/** Returns the open order of the same choice, or inserts one with the job that asks for its payment. */
async function openOrder(ctx: Ctx, userId: number, item: ItemOnSale, choice: Choice): Promise<Order> {
  const { channel, documentId, siteUrl } = choice;
  const { id: itemId, kind, tier, days, coins, priceFen } = item;
  const notifyUrl = `${siteUrl}${notifyPath(channel)}`;
  const terms = { userId, itemId, channel, description: saleName(item), tier, priceFen, coins, days, notifyUrl };
  const now = ctx.clock.now();
  const reusableSince = new Date(now - REUSE_SECONDS * 1_000);
  // Counted outside the transaction, which a refusal would roll back with the count.
  if (!(await selectReusable(ctx.db, terms, reusableSince)))
    await ctx.limiter.take('pay-orders', `u${userId}`, ORDERS.points, { seconds: ORDERS.seconds });
  return transact(ctx, async (tx) => {
    if (!(await lockAccount(tx.db, userId))) throw sessionInvalid();
    const known = await selectReusable(tx.db, terms, reusableSince);
    const order = known ?? (await insertOrder(tx.db, { ...terms, kind, documentId, ...datesOf(now) }));
    await updateSuperseded(tx.db, userId, order.id, new Date(now));
    if (!known) {
      const afterSeconds = (nextCheckAt(order, now) - now) / 1_000;
      const key = `payment-check ${order.outTradeNo}`;
      await tx.jobs.add(checkOrderJob, { outTradeNo: order.outTradeNo }, { key, afterSeconds });
    }
    return order;
  });
}

/** Times are cut to milliseconds and seconds, so that a repeated request holds exactly the same values. */
const datesOf = (now: number) => ({
  outTradeNo: tradeNumber('M', now, randomBytes(10)),
  createdAt: new Date(now),
  expiresAt: new Date(Math.floor(now / 1_000) * 1_000 + ORDER_SECONDS * 1_000),
});

const askForCode = (ctx: Ctx, gateway: PaymentGateway, order: Order): Promise<CodeResult> =>
  gateway.createCode({
    outTradeNo: order.outTradeNo,
    amountFen: order.priceFen,
    subject: subjectOf(ctx.config.site.name, order.description),
    expiresAt: order.expiresAt,
    notifyUrl: order.notifyUrl,
  });

/** Asks the provider about an order; throws codeUnavailable when the provider is away or refuses. */
async function unlessAway<T>(ctx: Ctx, order: Order, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefused)) throw error;
    const isRefused = error instanceof ProviderRefused;
    ctx.log[isRefused ? 'error' : 'warn']({ order: order.outTradeNo, error: error.message }, 'no QR code for an order');
    throw codeUnavailable();
  }
}
