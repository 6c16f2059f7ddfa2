import { Hono } from 'hono';
import type { Env } from '../answer.ts';
import { openidOf, type Person, type World } from '../world.ts';
import { paramError, Refusal, serve } from './answer.ts';
import { tellPaid } from './notify.ts';
import { nowOf, orderNow, transactionOf, type Order, type WechatPay } from './wechat-pay.ts';
import { digits } from '../random-text.ts';

const NUMBER = /^[0-9A-Za-z_\-|*]{6,32}$/;
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const CODE_MS = 7_200_000;
const DEFAULT_MS = 7 * 86_400_000;
const MIN_MS = 60_000;
const MAX_MS = 90 * 86_400_000;

/**
 * Native orders: create, query, close.
 * https://pay.weixin.qq.com/doc/v3/merchant/4012791877
 */
export function orders(world: World) {
  const pay = world.wechatPay;
  return new Hono<Env>()
    .post('/v3/pay/transactions/native', (c) =>
      serve(pay, 'native', c, async ({ body, script }) => {
        const order = create(pay, body);
        const pr = `${digits(8)}${digits(8)}zz`;
        pay.codes.set(pr, { outTradeNo: order.outTradeNo, expiresAt: nowOf(pay) + CODE_MS });
        if (script?.fault === 'paid-first') {
          const [person] = world.people.values();
          const paid = person && payOrder(world, order, { person });
          if (paid?.refusal === null) await paid.told;
        }
        return { code_url: `weixin://wxpay/bizpayurl?pr=${pr}` };
      }),
    )
    .get('/v3/pay/transactions/out-trade-no/:no', (c) =>
      serve(pay, 'query', c, () => {
        checkMerchant(pay, c.req.query('mchid'));
        return describe(world, orderNow(pay, c.req.param('no')));
      }),
    )
    .get('/v3/pay/transactions/id/:id', (c) =>
      serve(pay, 'query', c, () => {
        checkMerchant(pay, c.req.query('mchid'));
        const found = [...pay.orders.values()].find(({ transactionId }) => transactionId === c.req.param('id'));
        return describe(world, found ?? null);
      }),
    )
    .post('/v3/pay/transactions/out-trade-no/:no/close', (c) =>
      serve(pay, 'close', c, ({ body }) => {
        checkMerchant(pay, body['mchid']);
        const order = orderNow(pay, c.req.param('no'));
        if (!order) throw new Refusal(404, 'ORDER_NOT_EXIST', '订单不存在');
        if (order.state === 'CLOSED') throw new Refusal(400, 'ORDER_CLOSED', '订单已关闭');
        if (order.state !== 'NOTPAY') throw new Refusal(400, 'ORDERPAID', '订单已支付，不能关闭');
        order.state = 'CLOSED';
        return null;
      }),
    );
}

function checkMerchant(pay: WechatPay, mchid: unknown): void {
  if (typeof mchid !== 'string') throw paramError('缺少mchid');
  if (mchid !== pay.mchId) throw new Refusal(400, 'MCH_NOT_EXISTS', '商户号不存在');
}

function describe(world: World, order: Order | null): Record<string, unknown> {
  if (!order) throw new Refusal(404, 'ORDER_NOT_EXIST', '订单不存在');
  return transactionOf(world.wechatPay, order, openidOfPayer(world, order));
}

/** Returns the payer's openid in the merchant's official account; null before somebody has paid. */
function openidOfPayer(world: World, order: Order): string | null {
  const person = order.payer === null ? undefined : world.people.get(order.payer);
  return person ? openidOf(world.wechatPay.appId, person) : null;
}

/** Creates the order, or finds the one of the same number and the same terms. Throws Refusal. */
function create(pay: WechatPay, body: Record<string, unknown>): Order {
  const now = nowOf(pay);
  const { out_trade_no: outTradeNo, description, attach = '', notify_url: notifyUrl, time_expire: expire } = body;
  checkMerchant(pay, body['mchid']);
  if (body['appid'] !== pay.appId) throw new Refusal(400, 'APPID_MCHID_NOT_MATCH', 'appid和mchid不匹配');
  if (typeof outTradeNo !== 'string' || !NUMBER.test(outTradeNo)) throw paramError('out_trade_no格式错误');
  if (typeof description !== 'string' || description === '' || [...description].length > 127)
    throw paramError('description长度应为1-127个字符');
  if (typeof attach !== 'string' || attach.length > 128) throw paramError('attach长度应为0-128个字符');
  if (!isNotifyUrl(notifyUrl)) throw paramError('notify_url格式错误');
  const amount = typeof body['amount'] === 'object' && body['amount'] !== null ? { ...body['amount'] } : {};
  const total = 'total' in amount ? amount.total : null;
  const currency = 'currency' in amount ? amount.currency : 'CNY';
  if (typeof total !== 'number' || !Number.isSafeInteger(total) || total < 1)
    throw paramError('amount.total应为正整数');
  if (currency !== 'CNY') throw paramError('amount.currency仅支持CNY');
  const known = orderNow(pay, outTradeNo);
  const terms = JSON.stringify([description, attach, notifyUrl, expire ?? null, total]);
  if (known) return sameOrder(known, terms);
  const order: Order = {
    outTradeNo,
    description,
    attach,
    totalFen: total,
    notifyUrl,
    createdAt: now,
    expiresAt: expiryOf(expire, now),
    terms,
    state: 'NOTPAY',
    transactionId: null,
    paidAt: null,
    paidFen: 0,
    payer: null,
  };
  pay.orders.set(outTradeNo, order);
  return order;
}

function sameOrder(order: Order, terms: string): Order {
  if (order.state === 'CLOSED') throw new Refusal(400, 'ORDER_CLOSED', '订单已关闭');
  if (order.state !== 'NOTPAY') throw new Refusal(403, 'OUT_TRADE_NO_USED', '商户订单号重复');
  if (order.terms !== terms) throw new Refusal(400, 'INVALID_REQUEST', '请求重入时，参数与首次请求时不一致');
  return order;
}

function expiryOf(expire: unknown, now: number): number {
  if (expire === undefined) return now + DEFAULT_MS;
  if (typeof expire !== 'string' || !RFC_3339.test(expire)) throw paramError('time_expire格式错误');
  const at = Date.parse(expire);
  if (!(at >= now + MIN_MS && at <= now + MAX_MS)) throw paramError('time_expire应在1分钟后、90天内');
  return at;
}

/** A public https address without a query; http only for a site on this machine, which the vendor would not reach. */
export function isNotifyUrl(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > 255) return false;
  const url = URL.parse(text);
  if (!url || url.search !== '' || text.includes('?')) return false;
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isHere);
}

/**
 * Pays an order and starts to notify the site. `fen`: another amount than asked for. `isLate`: also an order that is closed,
 * as when the money was under way. Returns the reason when it cannot be paid; else `told`, which resolves when the first
 * attempt to notify has ended.
 */
export function payOrder(
  world: World,
  order: Order,
  options: { person: Person; fen?: number | undefined; isLate?: boolean },
): { refusal: string } | { refusal: null; told: Promise<void> } {
  const pay = world.wechatPay;
  orderNow(pay, order.outTradeNo);
  if (order.paidAt !== null) return { refusal: '该订单已支付' };
  if (order.state === 'CLOSED' && !options.isLate) return { refusal: '该订单已失效' };
  order.state = 'SUCCESS';
  order.transactionId = `4200${digits(24)}`;
  order.paidAt = nowOf(pay);
  order.paidFen = options.fen ?? order.totalFen;
  order.payer = options.person.key;
  return { refusal: null, told: tellPaid(world, order) };
}
