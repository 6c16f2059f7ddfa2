import { randomUUID } from 'node:crypto';
import { openidOf, type World } from '../world.ts';
import { byteByByte, pause } from './answer.ts';
import { falsify, write, type FaultScript } from './faults.ts';
import { encrypt, signatureOf } from './signing.ts';
import {
  nowOf,
  refundOf,
  shanghaiTime,
  transactionOf,
  type Order,
  type Refund,
  type Told,
  type WechatPay,
} from './wechat-pay.ts';

/** How long the merchant may take to answer. */
const ANSWER_MS = 5_000;
/** Waits before each repetition, in seconds: 24 hours and 4 minutes in all. */
const RETRY_SECONDS = [15, 15, 30, 180, 600, 1200, 1800, 1800, 1800, 3600, 10_800, 10_800, 10_800, 21_600, 21_600];
/** Node asks for it when a body is a stream; its types do not know it. */
const HALF_DUPLEX = { duplex: 'half' };
/** Told are kept for tests and the control plane; a load test tells tens of thousands. */
const MAX_TOLD = 50_000;

type Event = { url: string; eventType: string; summary: string; originalType: string; outTradeNo: string };

/** Tells the site that an order was paid. Resolves when the first attempt has ended; the others follow by themselves. */
export function tellPaid(world: World, order: Order): Promise<void> {
  const person = order.payer === null ? undefined : world.people.get(order.payer);
  const openid = person ? openidOf(world.wechatPay.appId, person) : null;
  return tell(
    world.wechatPay,
    {
      url: order.notifyUrl,
      eventType: 'TRANSACTION.SUCCESS',
      summary: '支付成功',
      originalType: 'transaction',
      outTradeNo: order.outTradeNo,
    },
    transactionOf(world.wechatPay, order, openid),
  );
}

/** Tells the site how a refund ended, at the address that the request for the refund named. */
export function tellRefund(pay: WechatPay, refund: Refund): Promise<void> {
  if (refund.notifyUrl === null) return Promise.resolve();
  const { status, channel: _channel, ...rest } = refundOf(pay, refund);
  const words = { SUCCESS: '退款成功', CLOSED: '退款关闭', ABNORMAL: '退款异常', PROCESSING: '退款处理中' };
  return tell(
    pay,
    {
      url: refund.notifyUrl,
      eventType: `REFUND.${refund.status}`,
      summary: words[refund.status],
      originalType: 'refund',
      outTradeNo: refund.outTradeNo,
    },
    { mchid: pay.mchId, ...rest, refund_status: status },
  );
}

async function tell(pay: WechatPay, event: Event, object: Record<string, unknown>): Promise<void> {
  const told: Told = { id: `EV-${randomUUID()}`.slice(0, 36), ...event, attempts: [] };
  pay.told.push(told);
  if (pay.told.length > MAX_TOLD) pay.told.splice(0, pay.told.length - MAX_TOLD);
  const script = pay.faults.take('notify');
  if (script?.fault === 'never') return;
  if (script?.fault === 'reorder') {
    pay.held.push(() => void tellUntilHeard(pay, event, object, told, null));
    return;
  }
  await tellUntilHeard(pay, event, object, told, script);
  for (const release of pay.held.splice(0)) release();
}

/** Resolves after the first attempt; repeats in the background by the vendor's schedule until it is acknowledged. */
async function tellUntilHeard(
  pay: WechatPay,
  event: Event,
  object: Record<string, unknown>,
  told: Told,
  script: FaultScript | null,
): Promise<void> {
  if (script?.fault === 'delay') await pause(pay, script.ms);
  const copies = script?.fault === 'twice' ? script.n : 1;
  const first = await Promise.all(Array.from({ length: copies }, () => send(pay, event, object, told, script)));
  if (first.some(Boolean)) return;
  void repeat(pay, event, object, told);
}

async function repeat(pay: WechatPay, event: Event, object: Record<string, unknown>, told: Told): Promise<void> {
  for (const seconds of RETRY_SECONDS) {
    await pause(pay, seconds * 1000 * pay.retryScale);
    if (pay.ending.signal.aborted) return;
    const script = pay.faults.take('notify');
    if (script?.fault === 'never') return;
    if (await send(pay, event, object, told, script)) return;
  }
}

/** Sends the notification once, with a fresh signature. Returns whether the site acknowledged it: only 200 and 204 do. */
async function send(
  pay: WechatPay,
  event: Event,
  object: Record<string, unknown>,
  told: Told,
  script: FaultScript | null,
): Promise<boolean> {
  const text = notificationText(pay, event, object, told, script);
  const at = nowOf(pay);
  const status = await fetch(event.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Mozilla/4.0',
      ...signatureOf(pay, text, { mode: pay.notifyMode, script }),
    },
    body: script?.fault === 'slowloris' ? byteByByte(pay, text, script.ms) : text,
    redirect: 'manual',
    signal: AbortSignal.any([AbortSignal.timeout(ANSWER_MS), pay.ending.signal]),
    ...HALF_DUPLEX,
  }).then(
    async (response) => {
      await response.arrayBuffer().catch(() => null);
      return response.status;
    },
    () => null,
  );
  const isAcknowledged = status === 200 || status === 204;
  told.attempts.push({ at, status, isAcknowledged });
  return isAcknowledged;
}

function notificationText(
  pay: WechatPay,
  event: Event,
  object: Record<string, unknown>,
  told: Told,
  script: FaultScript | null,
): string {
  const isWithin = script?.fault === 'dup-json-key';
  const plain = isWithin ? write(object, script) : JSON.stringify(falsify(object, script));
  const outer = {
    id: told.id,
    create_time: shanghaiTime(nowOf(pay)),
    resource_type: 'encrypt-resource',
    event_type: event.eventType,
    summary: event.summary,
    resource: { original_type: event.originalType, ...encrypt(pay, plain, event.originalType) },
  };
  const isOutside = script?.fault === 'html' || script?.fault === 'huge';
  return isOutside ? write(outer, script) : JSON.stringify(outer);
}
