import { call } from '../../accounts/web/call.ts';
import { isSessionOver } from '../../accounts/web/credentials.ts';
import { listPrices } from '../../prices/contract.ts';
import { CallError, expectOk } from '../../protocol/call.ts';
import { CODE } from '../../protocol/codes.ts';
import type { Answer } from '../../protocol/endpoint.ts';
import {
  alipayQrcode,
  checkAlipayOrder,
  checkOrder,
  getLastOrderPayStatus,
  listOrders,
  wxpayQrcode,
} from '../contract.ts';
import type { Channel } from '../ports.ts';
import type { OrderStatus } from '../rules.ts';
import {
  expiryOf,
  paidBeforeOf,
  type PaidBefore,
  type PayChoice,
  type PayCode,
  type PayFailure,
  type SitePoll,
} from './pay-state.ts';

/** The calls of the pay dialogs. A chunk that is loaded with the dialog. */

const CODE_CALLS = { wechat: wxpayQrcode, alipay: alipayQrcode } satisfies Record<Channel, object>;
const STATUS_CALLS = { wechat: checkOrder, alipay: checkAlipayOrder } satisfies Record<Channel, object>;

export type Prices = Answer<typeof listPrices>;

export const askPrices = async (): Promise<Prices> => expectOk(await call(listPrices, {}));

/** The newest orders that money came for; null when the server cannot tell. */
const askPaidOrders = async () =>
  (await call(listOrders, { page: 1, pageSize: 20 }).catch(() => null))?.data?.items ?? null;

/** Returns whether the member has never bought anything; true as well when the server cannot tell (C-45). Money that went back bought nothing. */
export async function isFirstPurchase(): Promise<boolean> {
  const orders = await askPaidOrders();
  return !orders?.some(({ status }) => status === 'fulfilled');
}

/** Returns the payments of a kind that a buyer has to know of before there is another code (`paidBeforeOf`); null when the server cannot tell. */
export async function askPaidBefore(kind: PayChoice['kind']): Promise<PaidBefore[] | null> {
  const orders = await askPaidOrders();
  return orders && paidBeforeOf(orders, kind);
}

const NO_ANSWER = '网络不通，请检查网络后重试';
const LATER = '暂时无法生成二维码，请重试';

/** Asks for the QR code of a choice; an order is made, or the one of the last five minutes is returned (C-46, C-47). */
export async function askCode(choice: PayChoice, fid: number | undefined): Promise<PayCode | PayFailure> {
  try {
    const reply = await call(CODE_CALLS[choice.channel], { item_id: choice.itemId, ...(fid && { file_id: fid }) });
    if (reply.code !== CODE.ok || !reply.data) return failureOf(reply);
    const { code_uri: content, out_trade_no: outTradeNo, total_fee: totalFen, expire_at: expireAt } = reply.data;
    return { ...choice, content, outTradeNo, totalFen, expiresAt: expiryOf(expireAt, Date.now()) };
  } catch (error) {
    // A gateway that is away answers 503 with words of its own; anything else is the network or an unnamed error.
    if (!(error instanceof CallError)) return { text: NO_ANSWER, retryAt: null };
    const isProviderAway = error.status === CODE.unavailable;
    return { text: isProviderAway ? error.message : LATER, retryAt: null, isProviderAway };
  }
}

function failureOf({ code, message, data }: { code: number; message: string; data: object | null }): PayFailure {
  if (isSessionOver(code)) return { text: '登录已失效，请重新登录', retryAt: null };
  const seconds = data && 'retry_after' in data ? Number(data.retry_after) : Number.NaN;
  if (code !== CODE.tooFrequent || !(seconds > 0))
    return { text: message || LATER, retryAt: null, isRefused: code === CODE.conflict };
  return { text: '切换得太快了，二维码稍后自动出现', retryAt: Date.now() + seconds * 1_000 };
}

/** Returns where an order stands; null when the server cannot tell. */
export async function askStatus(order: { channel: Channel; outTradeNo: string }): Promise<OrderStatus | null> {
  const reply = await call(STATUS_CALLS[order.channel], { out_trade_no: order.outTradeNo }).catch(() => null);
  const state = reply?.data?.trade_state;
  // §4: the words of either provider for paid goods that were granted.
  if (state === 'SUCCESS' || state === 'TRADE_SUCCESS') return 'fulfilled';
  return reply?.data?.status ?? null;
}

/** The message by which a server says that the pending payment was taken off its list because it was fulfilled (C-53). */
const TAKEN_OFF = /^(订单信息不存在|order info does not exist)$/i;

/** Returns whether a poll of the site dialog says that it is paid; `unsure` when the order itself has to be asked (C-53). */
export async function askLastOrder(poll: SitePoll): Promise<'paid' | 'unsure' | 'unpaid'> {
  const reply = await call(getLastOrderPayStatus, poll).catch(() => null);
  if (reply?.data === 1) return 'paid';
  return reply && TAKEN_OFF.test(reply.message) ? 'unsure' : 'unpaid';
}
