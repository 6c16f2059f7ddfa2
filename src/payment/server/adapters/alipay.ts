import { ProviderRefused, ProviderUnavailable } from '../../../accounts/ports.ts';
import type {
  CloseResult,
  Notification,
  NotificationAnswer,
  NotificationOutcome,
  PaymentGateway,
  PaymentState,
  RefundState,
} from '../../ports.ts';
import { fenOf, yuanOf } from '../../rules.ts';
import { readBill } from './alipay-bill.ts';
import { ALIPAY, createAlipayClient, type AlipayAnswer, type AlipayFields, type AlipayParts } from './alipay-client.ts';
import { paymentOf, readGenuine, readTradeStatus, type Genuine } from './alipay-notification.ts';
import type { AlipaySettings } from './alipay-settings.ts';
import { readPrivateKey, readPublicKey } from './alipay-signing.ts';
import { instantOf, shanghaiTimeOf } from './alipay-values.ts';

const UNKNOWN_TRADE = 'ACQ.TRADE_NOT_EXIST';
/** Codes by which Alipay says that the trade has been paid. */
const PAID = new Set(['ACQ.TRADE_HAS_SUCCESS', 'ACQ.TRADE_HAS_FINISHED']);
/** Close was not possible in the state that the trade is in. */
const OTHER_STATE = new Set([
  ...PAID,
  'ACQ.TRADE_HAS_CLOSE',
  'ACQ.TRADE_STATUS_ERROR',
  'ACQ.REASON_TRADE_STATUS_INVALID',
  'ACQ.REASON_ILLEGAL_STATUS',
]);

/** Business parameters of a call about one order. */
type OrderBiz = { out_trade_no: string } & Record<string, unknown>;

/** Alipay makes the bill of a day by nine in the morning of the next, in Shanghai; an hour more for a late one. */
const BILL_READY_MS = 34 * 3_600_000;

const ANSWERS: Record<NotificationOutcome, NotificationAnswer> = {
  // Exactly these seven letters. Anything else is repeated, up to 25 hours.
  accepted: { status: 200, contentType: 'text/plain; charset=utf-8', body: 'success' },
  refused: { status: 400, contentType: 'text/plain; charset=utf-8', body: 'fail' },
  'try-later': { status: 503, contentType: 'text/plain; charset=utf-8', body: 'fail' },
};

/**
 * Alipay's payment by a code that the buyer scans (当面付, `alipay.trade.precreate`). A trade exists from the scan on. Refunds
 * are carried out at once; Alipay does not say of a trade with money left in it that a part went back, so such a trade is
 * `paid`.
 */
export function createAlipay(settings: AlipaySettings, parts: AlipayParts): PaymentGateway {
  const { appId, sellerId } = settings;
  const keys = {
    privateKey: readPrivateKey(settings.privateKey),
    alipayPublicKeys: settings.alipayPublicKeys.map(readPublicKey),
  };
  const client = createAlipayClient(settings, keys, parts);

  /** Calls a method about one order. An answer about another order is not believed. */
  const ask = async (method: string, biz: OrderBiz, notifyUrl?: string): Promise<AlipayAnswer> => {
    const answer = await client.call(method, biz, notifyUrl);
    const { out_trade_no: stated } = answer.fields;
    // Refusals, and the answer that there is no such refund, need not name the order.
    if (stated === undefined || stated === biz.out_trade_no) return answer;
    throw new ProviderUnavailable(ALIPAY, 'an answer about another order', true);
  };

  const findPayment = async (outTradeNo: string): Promise<PaymentState> => {
    const answer = await ask('alipay.trade.query', { out_trade_no: outTradeNo });
    if (answer.kind === 'ok') return stateOf(answer.fields, outTradeNo, parts.clock.now());
    if (answer.subCode === UNKNOWN_TRADE) return { state: 'unknown' };
    throw refused(answer.subCode);
  };

  const findRefund: PaymentGateway['findRefund'] = async ({ outTradeNo, refundNo }) => {
    const answer = await ask('alipay.trade.fastpay.refund.query', {
      out_trade_no: outTradeNo,
      out_request_no: refundNo,
      query_options: ['gmt_refund_pay'],
    });
    if (answer.kind === 'refused' && answer.subCode !== UNKNOWN_TRADE) throw refused(answer.subCode);
    const { refund_status: status, refund_amount: amount, out_request_no: stated, gmt_refund_pay: at } = answer.fields;
    // Alipay says that it knows no such refund by a success without fields.
    if (answer.kind === 'refused' || (status === undefined && amount === undefined)) return { state: 'unknown' };
    const refundFen = fenOf(amount);
    if (answer.fields['out_trade_no'] !== outTradeNo || stated !== refundNo || refundFen === null)
      throw notUnderstood();
    return status === 'REFUND_SUCCESS'
      ? { state: 'succeeded', refundFen, refundedAt: instantOf(at) }
      : { state: 'processing' };
  };

  return {
    channel: 'alipay',
    account: `app ${appId} of ${sellerId}`,

    async createCode({ outTradeNo, amountFen, subject, expiresAt, notifyUrl }) {
      const biz = {
        out_trade_no: outTradeNo,
        total_amount: yuanOf(amountFen),
        // The bill is CSV without quotes.
        subject: subject.replaceAll(',', '，'),
        seller_id: sellerId,
        time_expire: shanghaiTimeOf(expiresAt.getTime()),
      };
      const answer = await ask('alipay.trade.precreate', biz, notifyUrl);
      if (answer.kind === 'refused') {
        if (PAID.has(answer.subCode)) return { state: 'paid' };
        if (answer.subCode === 'ACQ.TRADE_HAS_CLOSE') return { state: 'closed' };
        throw refused(answer.subCode);
      }
      const { out_trade_no: stated, qr_code: content } = answer.fields;
      if (
        stated === outTradeNo &&
        typeof content === 'string' &&
        /^https:\/\/qr\.alipay\.com\/[\w-]{1,100}$/.test(content)
      )
        return { state: 'created', content };
      throw notUnderstood();
    },

    findPayment,

    async close(outTradeNo): Promise<CloseResult> {
      const answer = await ask('alipay.trade.close', { out_trade_no: outTradeNo });
      if (answer.kind === 'ok' && answer.fields['out_trade_no'] !== outTradeNo) throw notUnderstood();
      if (answer.kind === 'ok') return 'closed';
      if (answer.subCode === UNKNOWN_TRADE) return 'unknown';
      if (!OTHER_STATE.has(answer.subCode)) throw refused(answer.subCode);
      const { state } = await findPayment(outTradeNo);
      if (state === 'paid' || state === 'refunded') return 'paid';
      return state === 'unpaid' ? 'try-later' : state;
    },

    async refund({ outTradeNo, refundNo, refundFen, reason }): Promise<RefundState> {
      const answer = await ask('alipay.trade.refund', {
        out_trade_no: outTradeNo,
        out_request_no: refundNo,
        refund_amount: yuanOf(refundFen),
        refund_reason: reason,
      });
      const { out_trade_no: stated, fund_change: change, gmt_refund_pay: at } = answer.fields;
      if (answer.kind === 'ok' && stated === outTradeNo && change === 'Y')
        return { state: 'succeeded', refundFen, refundedAt: instantOf(at) };
      // Without fund_change=Y, and after a refusal, the query decides: the same request may have been carried out before.
      const known = await findRefund({ outTradeNo, refundNo }).catch((error: unknown) => {
        if (!(error instanceof ProviderRefused)) throw error;
        // A refused query says nothing about the refund.
        throw new ProviderUnavailable(ALIPAY, `a refused query of a refund (${error.vendorCode})`, true);
      });
      if (known.state !== 'unknown') return known;
      if (answer.kind === 'refused') throw refused(answer.subCode);
      return { state: 'processing' };
    },

    findRefund,

    async readNotification(request): Promise<Notification> {
      const genuine = readGenuine(settings, keys, request, parts.clock.now());
      if ('kind' in genuine) return genuine;
      return isOfRefund(genuine) ? readRefund(genuine) : readTradeStatus(genuine);
    },

    clockAheadSeconds: () => client.clockAheadSeconds(),
    answerNotification: (outcome) => ANSWERS[outcome],

    async findBill(day) {
      const answer = await client.call('alipay.data.dataservice.bill.downloadurl.query', {
        bill_type: 'trade',
        bill_date: day,
      });
      if (answer.kind === 'refused') {
        // Alipay gives the same answer for a bill that is not ready and for a day without payments.
        if (/bill_not_exist$/i.test(answer.subCode))
          return parts.clock.now() - Date.parse(`${day}T00:00:00+08:00`) < BILL_READY_MS ? 'not-ready' : [];
        throw refused(answer.subCode);
      }
      const { bill_download_url: address } = answer.fields;
      if (typeof address !== 'string') throw notUnderstood();
      const lines = readBill(await client.load(address));
      if (lines) return lines;
      throw new ProviderUnavailable(ALIPAY, 'a bill that is not whole or not understood', false);
    },
  };

  /** A notification states the sum of all refunds of the trade: how much this one was is asked for. */
  async function readRefund({ id, params }: Genuine): Promise<Notification> {
    const [outTradeNo = '', refundNo = ''] = [params.get('out_trade_no'), params.get('out_biz_no')];
    if (!outTradeNo || !refundNo) return { kind: 'other', id, what: 'a refund without its number', outTradeNo };
    const refund = await findRefund({ outTradeNo, refundNo }).catch((error: unknown): RefundState => {
      if (error instanceof ProviderUnavailable || error instanceof ProviderRefused) return { state: 'processing' };
      throw error;
    });
    return { kind: 'refund', id, outTradeNo, refundNo, refund };
  }
}

/** A notification of a payment may state the refund_fee as well: 0.00. */
const isOfRefund = ({ params }: Genuine) =>
  Boolean(params.get('out_biz_no') || params.get('gmt_refund')) || Number(params.get('refund_fee') ?? 0) > 0;

const refused = (subCode: string) =>
  new ProviderRefused(ALIPAY, subCode === 'ACQ.SELLER_BALANCE_NOT_ENOUGH' ? 'no-credit' : 'other', subCode);
const notUnderstood = () => new ProviderUnavailable(ALIPAY, 'an answer that is not understood', true);

function stateOf(fields: AlipayFields, outTradeNo: string, nowMs: number): PaymentState {
  const { trade_status: status } = fields;
  if (fields['out_trade_no'] !== outTradeNo) throw notUnderstood();
  if (status === 'WAIT_BUYER_PAY') return { state: 'unpaid' };
  const sentAt = instantOf(fields['send_pay_date']);
  // Closed because nobody paid in time; or paid, and all of it was sent back.
  if (status === 'TRADE_CLOSED' && !sentAt) return { state: 'closed' };
  const payment = paymentOf({
    outTradeNo,
    transactionId: fields['trade_no'],
    amount: fields['total_amount'],
    paidAt: sentAt ?? new Date(nowMs),
  });
  if (!payment) throw notUnderstood();
  if (status === 'TRADE_CLOSED') return { state: 'refunded', payment };
  if (status === 'TRADE_SUCCESS' || status === 'TRADE_FINISHED') return { state: 'paid', payment };
  throw notUnderstood();
}
