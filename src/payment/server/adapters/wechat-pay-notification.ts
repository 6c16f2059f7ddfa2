import type { Notification, NotificationRequest } from '../../ports.ts';
import { decrypt } from './wechat-pay-client.ts';
import { isObject, readObject } from './strict-json.ts';
import type { WechatPaySettings } from './wechat-pay-settings.ts';
import { refundStateOf, stateOf } from './wechat-pay-values.ts';

/** Longer ones are not WeChat Pay's. */
export const MAX_NOTIFICATION_BYTES = 65_536;

export const refuse = (why: string): Notification => ({ kind: 'not-genuine', why });

/**
 * Reads a notification whose signature was verified: decrypts its content, and checks that it is for this merchant.
 * https://pay.weixin.qq.com/doc/v3/merchant/4012791882
 */
export function readVerified(settings: WechatPaySettings, body: NotificationRequest['body']): Notification {
  const event = readObject(body);
  const { id, event_type: type, resource } = event ?? {};
  if (typeof id !== 'string' || typeof type !== 'string' || !isObject(resource)) return refuse('not understood');
  const plain = decrypt(resource, settings.apiV3Key);
  if (plain === null) return refuse('cannot be decrypted');
  const content = readObject(Buffer.from(plain));
  if (!content) return refuse('content not understood');
  if (content['mchid'] !== settings.mchId) return refuse('for another merchant');
  const { out_trade_no: outTradeNo, out_refund_no: refundNo, appid } = content;
  if (typeof outTradeNo !== 'string') return refuse('content not understood');
  if (type.startsWith('REFUND.')) {
    const refund = refundStateOf(content);
    if (!refund || typeof refundNo !== 'string') return refuse('content not understood');
    return { kind: 'refund', id, outTradeNo, refundNo, refund };
  }
  if (appid !== settings.appId) return refuse('for another app');
  if (type !== 'TRANSACTION.SUCCESS') return { kind: 'other', id, what: type, outTradeNo };
  const known = stateOf(content);
  if (!known) return refuse('content not understood');
  if (known.state !== 'paid') return { kind: 'other', id, what: known.state, outTradeNo };
  return { kind: 'paid', id, payment: known.payment };
}
