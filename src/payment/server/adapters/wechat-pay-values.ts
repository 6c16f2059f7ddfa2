import type { Payment, PaymentState, RefundState } from '../../ports.ts';
import { isObject } from './strict-json.ts';

/** RFC 3339 with a zone, as WeChat Pay writes all its times. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** Returns the instant of such a text; null for any other text or an impossible date. */
function instantOf(text: unknown): Date | null {
  if (typeof text !== 'string' || !TIME.test(text)) return null;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? null : at;
}

const isFen = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 64;

/** `total` is the amount of the order; `payer_total` is less when the payer used a coupon. */
function paymentIn(transaction: Record<string, unknown>): Payment | null {
  const { out_trade_no: outTradeNo, transaction_id: transactionId, amount, success_time: time } = transaction;
  const paidAt = instantOf(time);
  if (!isText(outTradeNo) || !isText(transactionId) || !isObject(amount) || !paidAt) return null;
  const { total, currency } = amount;
  if (!isFen(total) || !isText(currency)) return null;
  return { outTradeNo, transactionId, amountFen: total, currency, paidAt };
}

/**
 * Returns what a transaction (of a query or a notification, verified) says; null when it is not understood.
 * https://pay.weixin.qq.com/doc/v3/merchant/4012791880
 */
export function stateOf(transaction: Record<string, unknown>): PaymentState | null {
  switch (transaction['trade_state']) {
    case 'SUCCESS': {
      const payment = paymentIn(transaction);
      return payment && { state: 'paid', payment };
    }
    case 'REFUND': {
      const payment = paymentIn(transaction);
      return payment && { state: 'refunded', payment };
    }
    case 'NOTPAY':
    case 'USERPAYING':
    case 'PAYERROR':
      return { state: 'unpaid' };
    case 'CLOSED':
    case 'REVOKED':
      return { state: 'closed' };
    default:
      return null;
  }
}

/**
 * Returns what a refund says; null when it is not understood. The state is `status` in an answer and `refund_status` in a
 * notification. https://pay.weixin.qq.com/doc/v3/merchant/4012791904
 */
export function refundStateOf(refund: Record<string, unknown>): RefundState | null {
  const { amount } = refund;
  const status = refund['status'] ?? refund['refund_status'];
  switch (status) {
    case 'PROCESSING':
      return { state: 'processing' };
    case 'SUCCESS': {
      const refundFen = isObject(amount) ? amount['refund'] : null;
      return isFen(refundFen) ? { state: 'succeeded', refundFen, refundedAt: instantOf(refund['success_time']) } : null;
    }
    // The same number again returns the closed refund for ever.
    case 'CLOSED':
      return { state: 'failed', why: status, isNumberClosed: true };
    // May still end well under the same number, after the merchant has named another account on the console.
    case 'ABNORMAL':
      return { state: 'failed', why: status };
    default:
      return null;
  }
}
