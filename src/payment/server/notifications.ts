import { createHash } from 'node:crypto';
import { ProviderUnavailable } from '../../accounts/ports.ts';
import { transact, type Ctx } from '../../context.ts';
import { dayText } from '../../library/rules.ts';
import { createBurstLog } from '../../platform/burst-log.ts';
import type { ReadBytes } from '../../platform/http/api/read-body.ts';
import { badRequest } from '../../protocol/envelope.ts';
import type { Channel, Notification, NotificationOutcome, PaymentGateway } from '../ports.ts';
import { raiseCase } from './operator/case-alerts.ts';
import { applyRefund } from './refunds.ts';
import { settleOrder } from './settle-order.ts';
import { lockAccount, selectOrder } from './store/orders.ts';
import { countRefusals, countRepetition, updateNotice, upsertNotice } from './store/notices.ts';

const MAX_BYTES = 65_536;

type Genuine = Exclude<Notification, { kind: 'not-genuine' }>;

/**
 * Serves a provider's notification (C-56). The raw bytes are verified before anything is read in them; the inbox row and
 * what follows from it commit together, and only then the provider hears that the notification need not come again. A
 * notification that is not genuine changes nothing but a count.
 */
export const serveNotification = (channel: Channel) => {
  const countRefused = createRefusalCount(channel);
  return async (ctx: Ctx, request: Request, read: ReadBytes): Promise<Response> => {
    const gateway = ctx.gateways[channel];
    if (!gateway) throw badRequest(404, '接口不存在');
    const body = await read(MAX_BYTES);
    const {
      status,
      contentType,
      body: text,
    } = gateway.answerNotification(await receive(ctx, gateway, { headers: request.headers, body }, countRefused));
    return new Response(text, { status, headers: { 'content-type': contentType, 'cache-control': 'no-store' } });
  };
};

/** How often the refusals of one reason are written. */
const WRITE_MS = 1_000;

/**
 * Returns a function that counts refused notifications by reason. The first of a reason is written at once, those of the
 * next second together: a flood of forged notifications must not queue for one row, nor fill the log.
 */
function createRefusalCount(channel: Channel): (ctx: Ctx, why: string) => Promise<void> {
  const unwritten = new Map<string, number>();
  const logRefused = createBurstLog();
  const write = ({ db, clock }: Ctx, why: string, times: number) =>
    countRefusals(db, channel, dayText(new Date(clock.now())), why, times);
  const writeRest = (ctx: Ctx, why: string) => {
    const times = unwritten.get(why) ?? 0;
    unwritten.delete(why);
    if (times > 0)
      write(ctx, why, times).catch((error: unknown) =>
        ctx.log.warn({ channel, error }, 'refused notifications not counted'),
      );
  };
  return async (ctx, why) => {
    logRefused((times) => ctx.log.warn({ channel, why, times }, 'notifications refused'));
    const times = unwritten.get(why);
    if (times !== undefined) return void unwritten.set(why, times + 1);
    unwritten.set(why, 0);
    setTimeout(() => writeRest(ctx, why), WRITE_MS).unref();
    await write(ctx, why, 1);
  };
}

async function receive(
  ctx: Ctx,
  gateway: PaymentGateway,
  request: { headers: Headers; body: Buffer },
  countRefused: (ctx: Ctx, why: string) => Promise<void>,
): Promise<NotificationOutcome> {
  const { channel } = gateway;
  try {
    const notification = await gateway.readNotification(request);
    if (notification.kind !== 'not-genuine') return await store(ctx, channel, notification, request.body);
    await countRefused(ctx, notification.why);
    return 'refused';
  } catch (error) {
    // After any failure here the provider must repeat the notification.
    if (error instanceof ProviderUnavailable) ctx.log.warn({ channel, error: error.message }, 'notification not read');
    else ctx.log.error({ channel, error }, 'notification not stored');
    return 'try-later';
  }
}

/** Puts a genuine notification into the inbox and applies it, in one transaction; a repetition only counts. */
async function store(ctx: Ctx, channel: Channel, notification: Genuine, body: Buffer): Promise<NotificationOutcome> {
  const receivedAt = new Date(ctx.clock.now());
  const eventId = notification.id.slice(0, 200);
  if (await countRepetition(ctx.db, channel, eventId)) return 'accepted';
  const outTradeNo = numberOf(notification)?.slice(0, 64) ?? null;
  return transact(ctx, async (tx) => {
    const order = outTradeNo === null ? null : await selectOrder(tx.db, outTradeNo);
    // Under this lock an erasure has removed the bytes of what came before, and of what comes after none are kept.
    const isErased = order !== null && !(await lockAccount(tx.db, order.userId));
    const { id, isNew, isFirst } = await upsertNotice(tx.db, {
      channel,
      eventId,
      kind: notification.kind,
      outTradeNo,
      sha256: createHash('sha256').update(body).digest('hex'),
      // The bytes name the payer's account with the provider.
      body: isErased ? null : body,
      receivedAt,
    });
    if (!isNew) return 'accepted';
    const outcome = await apply(tx, channel, notification);
    // An order that is not known here, not yet perhaps: the provider is to repeat it, and the operator sees it meanwhile.
    const isKnown = outcome !== 'unknown-order' && outcome !== 'unknown-refund';
    if (outcome === 'unknown-order' && isFirst) await raiseCase(tx, 'unknown-number', numberOf(notification) ?? '');
    await updateNotice(tx.db, id, outcome, isKnown || notification.kind !== 'paid' ? receivedAt : null);
    return isKnown || notification.kind !== 'paid' ? 'accepted' : 'try-later';
  });
}

const numberOf = (notification: Genuine) =>
  notification.kind === 'paid' ? notification.payment.outTradeNo : notification.outTradeNo;

async function apply(ctx: Parameters<typeof settleOrder>[0], channel: Channel, notification: Genuine): Promise<string> {
  if (notification.kind === 'paid') return settleOrder(ctx, channel, notification.payment);
  if (notification.kind === 'other') return `other: ${notification.what}`.slice(0, 100);
  // A refund that the operator made with the provider is not known here: the daily bill shows it.
  const { refundNo, outTradeNo, refund } = notification;
  const isOurs = await applyRefund(ctx, { refundNo, outTradeNo, channel }, refund);
  return isOurs ? `refund ${refund.state}` : 'unknown-refund';
}
