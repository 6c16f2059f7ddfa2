import { conflict, invalid, Refusal } from '../protocol/envelope.ts';
import { CODE } from '../protocol/codes.ts';
import { CHANNELS, type Channel, type Payment } from './ports.ts';

/**
 * `created`: committed, the provider may not know it yet. `pending`: its QR code is known. `closed`: nobody waits for
 * it; money that comes all the same is taken. `fulfilled`: paid, and the goods were granted in the same transaction.
 * `mismatch`: paid, and put aside for the operator. `refunding`, `refunded`: the money goes back.
 */
export type OrderStatus = 'created' | 'pending' | 'closed' | 'fulfilled' | 'mismatch' | 'refunding' | 'refunded';

/** Unpaid: a payment may still arrive. */
export const UNPAID = ['created', 'pending', 'closed'] as const satisfies OrderStatus[];
/** The buyer may be waiting at the QR code. */
export const OPEN = ['created', 'pending'] as const satisfies OrderStatus[];
/** Orders that money came for: the order list shows these (C-58). */
export const PAID = ['fulfilled', 'mismatch', 'refunding', 'refunded'] as const satisfies OrderStatus[];

export const isUnpaid = (status: OrderStatus) => UNPAID.some((each) => each === status);
export const isOpen = (status: OrderStatus) => OPEN.some((each) => each === status);

/** `pay_platform` on the wire (§3). */
export const PLATFORM = { wechat: 0, alipay: 1 } as const satisfies Record<Channel, number>;
export type Platform = (typeof PLATFORM)[Channel];

export const CHOOSE_CHANNEL = '请选择支付方式';

/** Returns the channel of a `pay_platform`. Throws the refusal of the API for a number that no channel has. */
export function channelOf(platform: number): Channel {
  const channel = CHANNELS.find((each) => PLATFORM[each] === platform);
  if (!channel) throw invalid(CHOOSE_CHANNEL, 'payPlatform');
  return channel;
}

export const CHANNEL_TEXT: Record<Channel, string> = { wechat: '微信支付', alipay: '支付宝' };

/** In words for the operator. */
export const CHANNEL_NAME: Record<Channel, string> = { wechat: 'WeChat Pay', alipay: 'Alipay' };

export const STATUS_TEXT: Record<OrderStatus, string> = {
  created: '待支付',
  pending: '待支付',
  closed: '已关闭',
  fulfilled: '已支付',
  mismatch: '处理中',
  refunding: '退款中',
  refunded: '已退款',
};
export const isOrderStatus = (text: string): text is OrderStatus => Object.hasOwn(STATUS_TEXT, text);

/** How long the provider takes money for a QR code. Some banks ask a payer for minutes; a code left open belongs to nobody. */
export const ORDER_SECONDS = 1_800;
/** Returning to the same choice within this time returns the same order (C-47). */
export const REUSE_SECONDS = 300;
/** How long the dialog asks whether somebody who has just paid really wants to pay again. */
export const JUST_PAID_SECONDS = 300;
/** The provider's code works for two hours; one that is older than this is asked for again. */
export const CODE_SECONDS = 5_400;
/** The newest order answers getLastOrderPayStatus for this long (C-50). */
export const LAST_ORDER_SECONDS = 900;
/** After this time without a word of the provider the daily bill, or the operator, decides about an order or a refund. */
export const GIVE_UP_SECONDS = 172_800;
/** A refund that the provider has not finished after this time waits for a person: refunds to a bank card take longer only now and then. */
export const SLOW_REFUND_SECONDS = 86_400;

/** Joins the notes of a refund or an invoice, the oldest first. */
export const joinNotes = (...notes: string[]): string => notes.filter(Boolean).join('; ');
/** The provider is asked at most this often about one order by those who wait for it (C-49). */
export const ASK_SECONDS = 3;

/**
 * Seconds after the order was made at which the provider is asked without anybody waiting, then once when the order expires.
 * Never more than five minutes apart: a payment without a notification is found within six minutes.
 */
const CHECKS = [30, 60, 120, 300, 600, 900, 1_200, 1_500];

/** Returns when the provider is asked next about an order, in epoch milliseconds: by the plan, at the latest when it expires. */
export function nextCheckAt(order: { createdAt: Date; expiresAt: Date }, now: number): number {
  const planned = CHECKS.map((seconds) => order.createdAt.getTime() + seconds * 1_000).find((at) => at > now);
  return Math.min(planned ?? Infinity, order.expiresAt.getTime());
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Returns a number for an order (M), a refund (R) or a trial of the operator (T): 25 characters that both providers take, the Shanghai time and ten
 * of Crockford's Base32 (C-48). `random`: ten bytes.
 */
export function tradeNumber(prefix: 'M' | 'R' | 'T', now: number, random: Uint8Array): string {
  const at = new Date(now + 8 * 3_600_000).toISOString().replace(/\D/g, '').slice(0, 14);
  return prefix + at + [...random.subarray(0, 10)].map((byte) => ALPHABET[byte % 32]).join('');
}

export const isTradeNumber = (text: string) => /^M\d{14}[0-9A-Z]{10}$/.test(text);

const SUBJECT_CHARACTERS = 40;

/** Returns what the payer reads: the site and the item, without the characters that a provider refuses. */
export function subjectOf(siteName: string, description: string): string {
  const text = `${siteName} ${description}`.replace(/[/=&<>"'\\\p{C}]+/gu, ' ').replace(/\s+/g, ' ');
  return [...text.trim()].slice(0, SUBJECT_CHARACTERS).join('');
}

/** Returns yuan with two decimals, as the providers write amounts. `fen`: a non-negative safe integer. */
export const yuanOf = (fen: number): string => `${Math.floor(fen / 100)}.${String(fen % 100).padStart(2, '0')}`;

/** Returns integer fen of yuan with exactly two decimals, without a floating-point number in between; null for any other text. */
export function fenOf(yuan: unknown): number | null {
  if (typeof yuan !== 'string' || !/^\d{1,9}\.\d{2}$/.test(yuan)) return null;
  return Number(BigInt(yuan.replace('.', '')));
}

/** Returns why a payment does not pay an order, in words for the operator; null when it does (INV-11). */
export function mismatchOf(order: { priceFen: number }, payment: Payment): string | null {
  const currency = payment.currency.replace(/[^A-Z]/g, '').slice(0, 8) || 'no currency';
  if (payment.currency !== 'CNY') return `paid in ${currency} instead of CNY`;
  if (payment.amountFen !== order.priceFen) return `paid ${payment.amountFen} fen instead of ${order.priceFen} fen`;
  return null;
}

/**
 * True when a payment of `order` is the second of what was meant once (C-57): a membership that was ordered before
 * another order of the same user for the same item was fulfilled. An order that was made afterwards is a second purchase;
 * coins are always a purchase. `others`: the orders of the user for the same item.
 */
export function isDuplicate(
  order: { kind: 'vip' | 'coin'; createdAt: Date },
  others: readonly { status: OrderStatus; fulfilledAt: Date | null }[],
): boolean {
  if (order.kind !== 'vip') return false;
  return others.some(
    ({ status, fulfilledAt }) => status === 'fulfilled' && fulfilledAt !== null && order.createdAt < fulfilledAt,
  );
}

/** The names that each provider gives to the states of an order (specification §4, C-49). */
const TRADE_STATES = {
  wechat: { waiting: 'NOTPAY', paid: 'SUCCESS', closed: 'CLOSED', refunded: 'REFUND' },
  alipay: { waiting: 'WAIT_BUYER_PAY', paid: 'TRADE_SUCCESS', closed: 'TRADE_CLOSED', refunded: 'TRADE_CLOSED' },
} as const;

const WORD_OF: Record<OrderStatus, 'waiting' | 'paid' | 'closed' | 'refunded'> = {
  created: 'waiting',
  pending: 'waiting',
  closed: 'closed',
  fulfilled: 'paid',
  // Nothing was granted: to the client it is not paid (INV-13).
  mismatch: 'waiting',
  refunding: 'refunded',
  refunded: 'refunded',
};

export const tradeStateOf = (channel: Channel, status: OrderStatus) => TRADE_STATES[channel][WORD_OF[status]];

export const itemWithdrawn = () => conflict('该商品已下架');
export const channelMissing = (channel: Channel) => conflict(`暂不支持${CHANNEL_TEXT[channel]}，请选择其他支付方式`);
export const orderPaid = () => conflict('该订单已支付，请刷新页面查看');
export const orderNotFound = () => new Refusal(CODE.notFound, '订单不存在');
/** The provider gave no QR code. The order stays, so that asking again makes no second one. */
export const codeUnavailable = () =>
  new Refusal(CODE.unavailable, '支付服务繁忙，请刷新二维码重试', { retry_after: 5 }, 503);
