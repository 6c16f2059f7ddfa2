import { Hono } from 'hono';
import type { Env } from '../answer.ts';
import type { World } from '../world.ts';
import { paramError, pause, Refusal, serve, type Arrived } from './answer.ts';
import { tellRefund } from './notify.ts';
import { isNotifyUrl } from './orders.ts';
import { nowOf, refundOf, type Order, type Refund, type RefundStatus, type WechatPay } from './wechat-pay.ts';
import { digits } from '../random-text.ts';

const NUMBER = /^[0-9A-Za-z_\-|*@]{1,64}$/;
/** Money on its way back takes some seconds; scaled like notifications. */
const UNDER_WAY_SECONDS = 15;

/** How a refund ends with a fault. */
const ENDINGS = new Map<string, RefundStatus>([
  ['refund-abnormal', 'ABNORMAL'],
  ['refund-closed', 'CLOSED'],
]);

/** Refunds of paid orders, whole or in part. https://pay.weixin.qq.com/doc/v3/merchant/4012791903 */
export function refunds(world: World) {
  const pay = world.wechatPay;
  return new Hono<Env>()
    .post('/v3/refund/domestic/refunds', (c) => serve(pay, 'refund', c, (arrived) => refundOf(pay, ask(pay, arrived))))
    .get('/v3/refund/domestic/refunds/:no', (c) =>
      serve(pay, 'refund-query', c, () => {
        const refund = pay.refunds.get(c.req.param('no'));
        if (!refund) throw new Refusal(404, 'RESOURCE_NOT_EXISTS', '退款单不存在');
        return refundOf(pay, refund);
      }),
    );
}

function ask(pay: WechatPay, { body, script }: Arrived): Refund {
  const { out_refund_no: outRefundNo, reason = '', notify_url: notifyUrl = null } = body;
  if (typeof outRefundNo !== 'string' || !NUMBER.test(outRefundNo)) throw paramError('out_refund_no格式错误');
  if (typeof reason !== 'string' || [...reason].length > 80) throw paramError('reason长度应为0-80个字符');
  if (notifyUrl !== null && !isNotifyUrl(notifyUrl)) throw paramError('notify_url格式错误');
  const amount = typeof body['amount'] === 'object' && body['amount'] !== null ? { ...body['amount'] } : {};
  const refund = 'refund' in amount ? amount.refund : null;
  const total = 'total' in amount ? amount.total : null;
  if (typeof refund !== 'number' || !Number.isSafeInteger(refund) || refund < 1) throw paramError('amount.refund错误');
  if (typeof total !== 'number' || !Number.isSafeInteger(total) || total < refund) throw paramError('amount.total错误');
  if (!('currency' in amount) || amount.currency !== 'CNY') throw paramError('amount.currency错误');
  const order = findOrder(pay, body);
  if (!order) throw new Refusal(404, 'RESOURCE_NOT_EXISTS', '订单不存在');
  const terms = JSON.stringify([order.outTradeNo, refund, total, reason]);
  const known = pay.refunds.get(outRefundNo);
  if (known) {
    if (known.terms !== terms) throw new Refusal(400, 'INVALID_REQUEST', '请求重入时，参数与首次请求时不一致');
    return known;
  }
  if (order.paidAt === null) throw new Refusal(400, 'INVALID_REQUEST', '订单未支付，无法退款');
  if (total !== order.paidFen) throw new Refusal(400, 'INVALID_REQUEST', '订单金额与下单时不一致');
  if (refundedFen(pay, order) + refund > order.paidFen)
    throw new Refusal(400, 'INVALID_REQUEST', '累计退款金额大于订单金额');
  if (script?.fault === 'no-credit') throw new Refusal(403, 'NOT_ENOUGH', '商户账户余额不足');
  const made = open(pay, order, { outRefundNo, fen: refund, reason, notifyUrl, terms });
  if (script?.fault !== 'refund-slow') void endLater(pay, made, ENDINGS.get(script?.fault ?? '') ?? 'SUCCESS');
  return { ...made };
}

/** Returns the order that the request names, by our number or by WeChat Pay's. */
function findOrder(pay: WechatPay, { out_trade_no: no, transaction_id: id }: Record<string, unknown>): Order | null {
  if (typeof no === 'string') return pay.orders.get(no) ?? null;
  return [...pay.orders.values()].find(({ transactionId }) => transactionId !== null && transactionId === id) ?? null;
}

/** Sum of the refunds of an order, in fen: sent back, or under way. */
export const refundedFen = (pay: WechatPay, order: Order) =>
  [...pay.refunds.values()]
    .filter(({ outTradeNo, status }) => outTradeNo === order.outTradeNo && status !== 'CLOSED' && status !== 'ABNORMAL')
    .reduce((sum, { fen }) => sum + fen, 0);

/** Opens a refund: by a request of the site, or by the merchant in the console. */
export function open(
  pay: WechatPay,
  order: Order,
  ask: Pick<Refund, 'outRefundNo' | 'fen' | 'reason' | 'notifyUrl' | 'terms'>,
): Refund {
  const refund: Refund = {
    ...ask,
    refundId: `5030${digits(24)}`,
    outTradeNo: order.outTradeNo,
    status: 'PROCESSING',
    createdAt: nowOf(pay),
    endedAt: null,
  };
  pay.refunds.set(ask.outRefundNo, refund);
  order.state = 'REFUND';
  return refund;
}

async function endLater(pay: WechatPay, refund: Refund, status: RefundStatus): Promise<void> {
  await pause(pay, UNDER_WAY_SECONDS * 1000 * pay.retryScale);
  if (!pay.ending.signal.aborted) await end(pay, refund, status);
}

/** Ends a refund and tells the site. */
export async function end(pay: WechatPay, refund: Refund, status: RefundStatus): Promise<void> {
  if (refund.status !== 'PROCESSING') return;
  refund.status = status;
  if (status === 'SUCCESS') refund.endedAt = nowOf(pay);
  await tellRefund(pay, refund);
}
