import { createHmac, hash } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import type { Outbound } from '../../../platform/http/outbound.ts';
import type { SmsSettings } from './provider-settings.ts';
import { ProviderRefused, ProviderUnavailable, type RefusalReason, type SmsCarrier } from '../../ports.ts';
import { askProvider, jsonOf } from './read-answer.ts';

const NAME = 'tencent-sms';
const TENCENT = 'https://sms.tencentcloudapi.com/';
const CONTENT_TYPE = 'application/json; charset=utf-8';

/** Reasons by the beginning of Tencent's code. https://cloud.tencent.com/document/product/382/55981 */
const REASONS: [start: string, reason: RefusalReason][] = [
  ['LimitExceeded.PhoneNumber', 'too-many'],
  ['LimitExceeded.DeliveryFrequencyLimit', 'too-many'],
  ['LimitExceeded.AppDailyLimit', 'too-many'],
  ['InvalidParameterValue.IncorrectPhoneNumber', 'bad-number'],
  ['FailedOperation.PhoneNumberInBlacklist', 'bad-number'],
  ['UnsupportedOperation.', 'bad-number'],
  ['FailedOperation.InsufficientBalanceInSmsPackage', 'no-credit'],
  ['AuthFailure', 'not-authorised'],
  ['UnauthorizedOperation', 'not-authorised'],
  ['FailedOperation.SignatureIncorrectOrUnapproved', 'not-authorised'],
  ['FailedOperation.TemplateIncorrectOrUnapproved', 'not-authorised'],
  ['FailedOperation.TemplateParamSetNotMatchApprovedTemplate', 'not-authorised'],
];
/** Codes for a failure on the carrier's side; only with the first can the outcome be in doubt. */
const TROUBLE = /^(InternalError|RequestLimitExceeded|ResourceUnavailable|ServiceUnavailable)/;

/** Returns a carrier that calls SendSms. https://cloud.tencent.com/document/product/382/55981 */
export function createTencentSms(settings: SmsSettings, parts: { clock: Clock; outbound: Outbound }): SmsCarrier {
  const submit = async (message: { phone: string; template: string; params: string[]; reference: string }) => {
    const url = new URL(settings.apiUrl ?? TENCENT);
    const body = JSON.stringify({
      PhoneNumberSet: [`+86${message.phone}`],
      SmsSdkAppId: settings.appId,
      SignName: settings.signName,
      TemplateId: message.template,
      TemplateParamSet: message.params,
      SessionContext: message.reference,
    });
    const timestamp = Math.floor(parts.clock.now() / 1000);
    const headers = {
      'content-type': CONTENT_TYPE,
      'x-tc-action': 'SendSms',
      'x-tc-version': '2021-01-11',
      'x-tc-timestamp': String(timestamp),
      'x-tc-region': settings.region,
      authorization: signTc3({ ...settings, service: 'sms', host: url.host, body, timestamp }),
    };
    const answer = jsonOf(NAME, await askProvider(NAME, parts.outbound, { url, method: 'POST', headers, body }));
    const vendorCode = codeOf(answer['Response']);
    if (vendorCode === 'Ok') return 'sent' as const;
    if (TROUBLE.test(vendorCode)) {
      throw new ProviderUnavailable(NAME, vendorCode, vendorCode.startsWith('InternalError'));
    }
    const [, reason = 'other'] = REASONS.find(([start]) => vendorCode.startsWith(start)) ?? [];
    throw new ProviderRefused(NAME, reason, vendorCode);
  };
  const { templateId, noticeTemplateId } = settings;
  return {
    name: NAME,
    send: ({ phone, code, reference }) => submit({ phone, template: templateId, params: [code], reference }),
    tellReplaced:
      noticeTemplateId === ''
        ? null
        : ({ phone, tail, reference }) => submit({ phone, template: noticeTemplateId, params: [tail], reference }),
  };
}

/** The whole call can be refused, or the one number: HTTP 200 either way. */
function codeOf(response: unknown): string {
  const error = property(response, 'Error');
  const statuses = property(response, 'SendStatusSet');
  const code = property(error ?? (Array.isArray(statuses) ? statuses[0] : null), 'Code');
  return typeof code === 'string' ? code : 'without code';
}

const property = (of: unknown, key: string): unknown =>
  typeof of === 'object' && of !== null ? Object.entries(of).find(([name]) => name === key)?.[1] : undefined;

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/**
 * TC3-HMAC-SHA256: the Authorization header of a JSON POST, over content-type and host. `timestamp`: epoch seconds,
 * within five minutes of theirs. https://cloud.tencent.com/document/api/382/52071
 */
export function signTc3(ask: {
  keyId: string;
  keySecret: string;
  service: string;
  host: string;
  body: string;
  timestamp: number;
}): string {
  // Tencent's day is the day in UTC.
  const day = new Date(ask.timestamp * 1000).toISOString().slice(0, 10);
  const scope = `${day}/${ask.service}/tc3_request`;
  const headers = `content-type:${CONTENT_TYPE}\nhost:${ask.host}\n`;
  const canonical = ['POST', '/', '', headers, 'content-type;host', hash('sha256', ask.body)].join('\n');
  const toSign = ['TC3-HMAC-SHA256', String(ask.timestamp), scope, hash('sha256', canonical)].join('\n');
  const key = hmac(hmac(hmac(`TC3${ask.keySecret}`, day), ask.service), 'tc3_request');
  const signature = hmac(key, toSign).toString('hex');
  return `TC3-HMAC-SHA256 Credential=${ask.keyId}/${scope}, SignedHeaders=content-type;host, Signature=${signature}`;
}
