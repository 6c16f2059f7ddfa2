import { createFaultScripts, type FaultScripts } from '../fault-scripts.ts';
import type { WechatPayCall, FaultScript } from './faults.ts';
import { newCertified, newNamedKey, type Certified, type NamedKey } from './keys.ts';
import { digits, letters } from '../random-text.ts';

/** `CLOSED` is also what an order becomes when its time is over. */
type OrderState = 'NOTPAY' | 'SUCCESS' | 'REFUND' | 'CLOSED';

/** One native order. `payer`: key of the person who paid. */
export type Order = {
  outTradeNo: string;
  description: string;
  attach: string;
  totalFen: number;
  notifyUrl: string;
  createdAt: number;
  /** After that it cannot be paid. */
  expiresAt: number;
  /** Distinguishes a repeated request from a different one for the same number. */
  terms: string;
  state: OrderState;
  transactionId: string | null;
  paidAt: number | null;
  /** The amount that was paid; differs from the price only when a test asks for it. */
  paidFen: number;
  payer: string | null;
};

export type RefundStatus = 'PROCESSING' | 'SUCCESS' | 'CLOSED' | 'ABNORMAL';
export type Refund = {
  outRefundNo: string;
  refundId: string;
  outTradeNo: string;
  fen: number;
  reason: string;
  notifyUrl: string | null;
  terms: string;
  status: RefundStatus;
  createdAt: number;
  endedAt: number | null;
};

/** One attempt to tell the site of something. `status`: null when there was no answer in time. */
type Attempt = { at: number; status: number | null; isAcknowledged: boolean };
export type Told = { id: string; eventType: string; outTradeNo: string; attempts: Attempt[] };

/** How answers and notifications are signed. An answer follows what its request names; a notification follows this. */
export type SigningMode = 'public-key' | 'certificate';

type Keys = {
  /** The merchant's certificate (apiclient_cert.pem) and its key (apiclient_key.pem). */
  merchant: Certified;
  /** WeChat Pay's certificates, the newest last: it signs. The older ones are still listed. */
  platform: Certified[];
  /** WeChat Pay's public keys for this merchant, the newest last: it signs. */
  named: NamedKey[];
};

/** WeChat Pay, as far as one merchant sees it. `orders` and `refunds` are the truth that a test compares the site with. */
export type WechatPay = {
  appId: string;
  mchId: string;
  merchantName: string;
  /** 32 characters, set by the merchant. */
  apiV3Key: string;
  /** Made when they are first asked for: three pairs of keys take a moment, and not every test pays. */
  readonly keys: Keys;
  notifyMode: SigningMode;
  orders: Map<string, Order>;
  /** Contents of QR codes: the `pr` of `weixin://wxpay/bizpayurl?pr=…`. A code works for two hours. */
  codes: Map<string, { outTradeNo: string; expiresAt: number }>;
  refunds: Map<string, Refund>;
  told: Told[];
  faults: FaultScripts<WechatPayCall, FaultScript>;
  /** How often each call came. */
  calls: Map<string, number>;
  /** Milliseconds by which WeChat Pay's clock is ahead of this machine's. */
  skewMs: number;
  /** Factor on the waits between attempts to notify: a thousandth, so that 15 s are 15 ms. */
  retryScale: number;
  /** Tokens of download addresses of bills. */
  bills: Map<string, { text: string; expiresAt: number }>;
  /** A notification that is held back until another one was sent. */
  held: (() => void)[];
  /** Aborted when this world ends, so that nothing is sent after that. */
  ending: AbortController;
};

/** `appId`: the official account that the merchant is bound to. */
export function createWechatPay(appId: string): WechatPay {
  const mchId = `1900${digits(6)}`;
  let keys: Keys | null = null;
  return {
    appId,
    mchId,
    merchantName: '策库科技（演示商户）',
    apiV3Key: letters(32),
    get keys() {
      keys ??= {
        merchant: newCertified(mchId, Date.now()),
        platform: [newCertified('Tenpay.com sign', Date.now())],
        named: [newNamedKey(mchId, Date.now())],
      };
      return keys;
    },
    notifyMode: 'public-key',
    orders: new Map(),
    codes: new Map(),
    refunds: new Map(),
    told: [],
    faults: createFaultScripts(({ call }) => call),
    calls: new Map(),
    skewMs: 0,
    retryScale: 0.001,
    bills: new Map(),
    held: [],
    ending: new AbortController(),
  };
}

/** The account as the merchant's console shows it: in public-key mode, or with the platform certificate as older merchants. */
export function wechatPayAccountOf(pay: WechatPay, apiUrl: string, mode: SigningMode = 'public-key') {
  const { merchant, platform, named } = pay.keys;
  const verifyKeys =
    mode === 'public-key'
      ? named.map(({ id, publicKey }) => [id, publicKey.export({ format: 'pem', type: 'spki' }).toString()])
      : platform.map(({ serial, certificate }) => [serial, certificate]);
  const privateKey = merchant.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  return {
    mchId: pay.mchId,
    appId: pay.appId,
    certSerial: merchant.serial,
    privateKey,
    apiV3Key: pay.apiV3Key,
    // Safe: both branches above list pairs of an id and a PEM text.
    verifyKeys: Object.fromEntries(verifyKeys) as Record<string, string>,
    apiUrl,
  };
}

export const nowOf = (pay: WechatPay) => Date.now() + pay.skewMs;

/** Signs with a new key from now on. The older ones stay known, as while a merchant switches. */
export function rotateKey(pay: WechatPay, mode: SigningMode): string {
  if (mode === 'certificate') {
    const certified = newCertified('Tenpay.com sign', Date.now());
    pay.keys.platform.push(certified);
    return certified.serial;
  }
  const named = newNamedKey(pay.mchId, Date.now());
  pay.keys.named.push(named);
  return named.id;
}

const SHANGHAI_MS = 8 * 3_600_000;
/** RFC 3339 in Asia/Shanghai, which has no summer time. */
export const shanghaiTime = (at: number) => `${new Date(at + SHANGHAI_MS).toISOString().slice(0, 19)}+08:00`;
export const shanghaiDay = (at: number) => new Date(at + SHANGHAI_MS).toISOString().slice(0, 10);

/** Closes the order when its time is over, as WeChat Pay does by itself. */
export function orderNow(pay: WechatPay, outTradeNo: string): Order | null {
  const order = pay.orders.get(outTradeNo) ?? null;
  if (order?.state === 'NOTPAY' && order.expiresAt <= nowOf(pay)) order.state = 'CLOSED';
  return order;
}

/** The object of a query and of a notification. */
export function transactionOf(pay: WechatPay, order: Order, openid: string | null): Record<string, unknown> {
  const isPaid = order.paidAt !== null;
  const words = { NOTPAY: '订单未支付', SUCCESS: '支付成功', REFUND: '转入退款', CLOSED: '已关闭' };
  return {
    appid: pay.appId,
    mchid: pay.mchId,
    out_trade_no: order.outTradeNo,
    ...(isPaid && { transaction_id: order.transactionId, trade_type: 'NATIVE' }),
    trade_state: order.state,
    trade_state_desc: words[order.state],
    ...(isPaid && { bank_type: 'OTHERS', success_time: shanghaiTime(order.paidAt ?? 0) }),
    attach: order.attach,
    payer: openid === null ? {} : { openid },
    amount: isPaid
      ? { total: order.paidFen, payer_total: order.paidFen, currency: 'CNY', payer_currency: 'CNY' }
      : { total: order.totalFen, currency: 'CNY' },
    promotion_detail: [],
  };
}

/** The object of a refund query; `user_received_account` is where the money goes. */
export function refundOf(pay: WechatPay, refund: Refund): Record<string, unknown> {
  const order = pay.orders.get(refund.outTradeNo);
  const total = order?.paidFen ?? 0;
  return {
    refund_id: refund.refundId,
    out_refund_no: refund.outRefundNo,
    transaction_id: order?.transactionId ?? '',
    out_trade_no: refund.outTradeNo,
    channel: 'ORIGINAL',
    user_received_account: '支付用户零钱',
    ...(refund.endedAt !== null && { success_time: shanghaiTime(refund.endedAt) }),
    create_time: shanghaiTime(refund.createdAt),
    status: refund.status,
    funds_account: 'AVAILABLE',
    amount: {
      total,
      refund: refund.fen,
      payer_total: total,
      payer_refund: refund.fen,
      settlement_refund: refund.fen,
      settlement_total: total,
      discount_refund: 0,
      currency: 'CNY',
    },
    promotion_detail: [],
  };
}
