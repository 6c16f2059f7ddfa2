import { ProviderRefused, ProviderUnavailable } from '../../../accounts/ports.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { NotificationAnswer, NotificationOutcome, PaymentGateway, RefundState } from '../../ports.ts';
import { findBill } from './wechat-pay-bill.ts';
import { createWechatPayClient, NAME } from './wechat-pay-client.ts';
import { MAX_NOTIFICATION_BYTES, readVerified, refuse } from './wechat-pay-notification.ts';
import type { WechatPaySettings } from './wechat-pay-settings.ts';
import { verdictOf } from './wechat-pay-signature.ts';
import { refundStateOf, stateOf } from './wechat-pay-values.ts';

const ORDERS = '/v3/pay/transactions/out-trade-no';
const REFUNDS = '/v3/refund/domestic/refunds';
const CURRENCY = 'CNY';

const ANSWERS: Record<NotificationOutcome, NotificationAnswer> = {
  accepted: { status: 200, contentType: 'application/json', body: '{"code":"SUCCESS","message":"成功"}' },
  refused: { status: 401, contentType: 'application/json', body: '{"code":"FAIL","message":"验签失败"}' },
  'try-later': { status: 503, contentType: 'application/json', body: '{"code":"FAIL","message":"稍后重试"}' },
};

const disbelieve = (what: string) => new ProviderUnavailable(NAME, what, true);

/**
 * WeChat Pay APIv3, native orders: the payer scans a code. An error decides something about an order only when WeChat Pay
 * signed it. https://pay.weixin.qq.com/doc/v3/merchant/4012791874
 */
export function createWechatPay(
  settings: WechatPaySettings,
  parts: { clock: Clock; log: Log; timeoutMs: number },
): PaymentGateway {
  const { clock } = parts;
  const { mchId, appId } = settings;
  const client = createWechatPayClient(settings, parts);

  /** Returns `results[code]` for the vendor's verified refusal with that code; throws any other error. */
  const onRefusal =
    <T>(results: Record<string, T>) =>
    (error: unknown): T => {
      const result = error instanceof ProviderRefused ? results[error.vendorCode] : undefined;
      if (result === undefined) throw error;
      return result;
    };

  /** Reads an answer about a refund; throws when it is about another one. */
  function readRefund(object: Record<string, unknown>, asked: { outTradeNo: string; refundNo: string }): RefundState {
    if (object['out_trade_no'] !== asked.outTradeNo || object['out_refund_no'] !== asked.refundNo)
      throw disbelieve('an answer about another refund');
    const state = refundStateOf(object);
    if (!state) throw disbelieve('a refund that is not understood');
    return state;
  }

  return {
    channel: 'wechat',
    account: `${mchId} (${appId})`,

    createCode: (request) =>
      client
        .send({
          method: 'POST',
          path: '/v3/pay/transactions/native',
          json: {
            appid: appId,
            mchid: mchId,
            description: request.subject,
            out_trade_no: request.outTradeNo,
            time_expire: `${request.expiresAt.toISOString().slice(0, 19)}Z`,
            notify_url: request.notifyUrl,
            amount: { total: request.amountFen, currency: CURRENCY },
          },
        })
        .then(({ object: { code_url: content } }) => {
          if (typeof content !== 'string' || !content.startsWith('weixin://'))
            throw disbelieve('an answer without code');
          return { state: 'created', content } as const;
        })
        .catch(
          onRefusal({
            OUT_TRADE_NO_USED: { state: 'paid' } as const,
            ORDERPAID: { state: 'paid' } as const,
            ORDER_CLOSED: { state: 'closed' } as const,
          }),
        ),

    findPayment: (outTradeNo) =>
      client
        .send({ method: 'GET', path: `${ORDERS}/${encodeURIComponent(outTradeNo)}`, query: { mchid: mchId } })
        .then(({ object }) => {
          if (object['mchid'] !== mchId || object['appid'] !== appId)
            throw disbelieve('an answer for another merchant');
          if (object['out_trade_no'] !== outTradeNo) throw disbelieve('an answer about another order');
          const state = stateOf(object);
          if (!state) throw disbelieve('an order that is not understood');
          return state;
        })
        .catch(onRefusal({ ORDER_NOT_EXIST: { state: 'unknown' } as const })),

    close: (outTradeNo) =>
      client
        .send({ method: 'POST', path: `${ORDERS}/${encodeURIComponent(outTradeNo)}/close`, json: { mchid: mchId } })
        .then(({ status }) => {
          if (status !== 204) throw disbelieve('an answer that does not say that it is closed');
          return 'closed' as const;
        })
        .catch(
          onRefusal({
            ORDER_CLOSED: 'closed',
            ORDERPAID: 'paid',
            ORDER_NOT_EXIST: 'unknown',
            INVALID_REQUEST: 'try-later',
            TRADE_ERROR: 'try-later',
          } as const),
        ),

    refund: (request) =>
      client
        .send({
          method: 'POST',
          path: REFUNDS,
          json: {
            out_trade_no: request.outTradeNo,
            out_refund_no: request.refundNo,
            reason: request.reason,
            notify_url: request.notifyUrl,
            amount: { refund: request.refundFen, total: request.totalFen, currency: CURRENCY },
          },
        })
        .then(({ object }) => readRefund(object, request)),

    findRefund: (asked) =>
      client
        .send({ method: 'GET', path: `${REFUNDS}/${encodeURIComponent(asked.refundNo)}` })
        .then(({ object }) => readRefund(object, asked))
        .catch(onRefusal<RefundState>({ RESOURCE_NOT_EXISTS: { state: 'unknown' } })),

    async readNotification({ headers, body }) {
      if (body.length > MAX_NOTIFICATION_BYTES) return refuse('too long');
      const verify = () => verdictOf(client.keys(), { header: (name) => headers.get(name), body }, clock.now());
      let verdict = verify();
      // The key may belong to a certificate newer than the last fetch, or a stranger made it up.
      if (verdict === 'unknown-key' && (await client.renewKeys())) verdict = verify();
      return verdict === 'genuine' ? readVerified(settings, body) : refuse(verdict);
    },

    tryNotificationKey: async () => ((await client.openCertificates()) ? 'right' : 'untried'),
    clockAheadSeconds: () => client.clockAheadSeconds(),
    answerNotification: (outcome) => ANSWERS[outcome],
    findBill: (day) => findBill(client, day, clock.now()),
  };
}
