import type { Notification, NotificationRequest, Payment } from '../../ports.ts';
import { fenOf } from '../../rules.ts';
import type { AlipaySettings } from './alipay-settings.ts';
import { notificationText, type AlipayKeys } from './alipay-signing.ts';
import { isSignedByAny } from './rsa-signature.ts';
import { instantOf } from './alipay-values.ts';

const MAX_BYTES = 65_536;
/** A margin over 24 h 24 min, after which Alipay makes the last of its eight attempts: `notify_time` may be that of the first. */
const MAX_AGE_MS = 26 * 3_600_000;

type Account = Pick<AlipaySettings, 'appId' | 'sellerId'>;

/** A genuine notification: its id, what it is about, and its parameters. */
export type Genuine = { id: string; params: Map<string, string> };

const refuse = (why: string): Notification => ({ kind: 'not-genuine', why });

/**
 * Decides whether a request is a notification of Alipay to this merchant. Only RSA2 and UTF-8: `sign_type` and `charset` are
 * part of what a stranger writes, so they never choose the algorithm. https://opendocs.alipay.com/open/270/105902
 */
export function readGenuine(
  account: Account,
  keys: Pick<AlipayKeys, 'alipayPublicKeys'>,
  { body }: Pick<NotificationRequest, 'body'>,
  nowMs: number,
): Genuine | Notification {
  if (body.length > MAX_BYTES) return refuse('too long');
  const params = readForm(Buffer.from(body).toString('latin1'));
  if (!params) return refuse('not a form in UTF-8 whose fields are unambiguous');
  if (params.get('sign_type') !== 'RSA2') return refuse('a sign_type other than RSA2');
  if (params.get('charset')?.toLowerCase() !== 'utf-8') return refuse('a charset other than utf-8');
  const signature = params.get('sign') ?? '';
  const isSigned = [false, true].some((isSignTypeSigned) =>
    isSignedByAny(keys.alipayPublicKeys, notificationText(params, isSignTypeSigned), signature),
  );
  if (!isSigned) return refuse('wrong signature');
  if (params.get('app_id') !== account.appId) return refuse('for another application');
  if (params.get('seller_id') !== account.sellerId) return refuse('for another seller');
  const sentAt = instantOf(params.get('notify_time'));
  if (!sentAt || Math.abs(nowMs - sentAt.getTime()) > MAX_AGE_MS) return refuse('too old');
  const id = params.get('notify_id') ?? '';
  return /^[\w-]{1,128}$/.test(id) ? { id, params } : refuse('without notify_id');
}

/** Returns what a genuine notification says about a payment; the caller recognises refunds. */
export function readTradeStatus({ id, params }: Genuine): Notification {
  const status = params.get('trade_status') ?? '';
  const outTradeNo = params.get('out_trade_no') ?? null;
  const what = params.get('notify_type') === 'trade_status_sync' ? status : `not a trade: ${params.get('notify_type')}`;
  // FINISHED: paid, and the time for refunds is over; a product without refunds begins there.
  if (what !== 'TRADE_SUCCESS' && what !== 'TRADE_FINISHED') return { kind: 'other', id, what, outTradeNo };
  const payment = paymentOf({
    outTradeNo,
    transactionId: params.get('trade_no'),
    amount: params.get('total_amount'),
    paidAt: instantOf(params.get('gmt_payment')) ?? instantOf(params.get('notify_time')),
  });
  return payment ? { kind: 'paid', id, payment } : { kind: 'other', id, what: `${status}, not understood`, outTradeNo };
}

/** Returns a payment when all of it is there and well-formed; null otherwise. */
export function paymentOf(stated: {
  outTradeNo: unknown;
  transactionId: unknown;
  amount: unknown;
  paidAt: Date | null;
}): Payment | null {
  const { outTradeNo, transactionId, paidAt } = stated;
  const amountFen = fenOf(stated.amount);
  if (typeof outTradeNo !== 'string' || typeof transactionId !== 'string') return null;
  if (!/^\w{1,64}$/.test(outTradeNo) || !/^\w{1,64}$/.test(transactionId)) return null;
  // Alipay states no currency for trades within China: they are in yuan.
  return amountFen === null || !paidAt ? null : { outTradeNo, transactionId, amountFen, currency: 'CNY', paidAt };
}

/**
 * Returns the fields of a form, decoded once; null when a field comes twice, a byte is not UTF-8, or a field could be read as
 * several: in the signed text `a=1&b=2` one cannot tell two fields from one whose value holds an ampersand. Our subjects hold
 * none.
 */
function readForm(text: string): Map<string, string> | null {
  const params = new Map<string, string>();
  for (const part of text.split('&')) {
    const at = part.indexOf('=');
    const name = decode(at < 0 ? part : part.slice(0, at));
    const value = decode(at < 0 ? '' : part.slice(at + 1));
    if (name === null || value === null || params.has(name)) return null;
    if (!/^\w{1,64}$/.test(name) || value.includes('&')) return null;
    params.set(name, value);
  }
  return params;
}

function decode(text: string): string | null {
  // The body was read as Latin-1, so unencoded characters must be ASCII.
  // oxlint-disable-next-line no-control-regex -- the ASCII range is meant.
  if (!/^[\u0000-\u007f]*$/.test(text)) return null;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
