import { createHmac, hash, randomUUID } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import type { Outbound } from '../../../platform/http/outbound.ts';
import type { SmsSettings } from './provider-settings.ts';
import { ProviderRefused, ProviderUnavailable, type RefusalReason, type SmsCarrier } from '../../ports.ts';
import { askProvider, jsonOf } from './read-answer.ts';

const NAME = 'aliyun-sms';
const ALIYUN = 'https://dysmsapi.aliyuncs.com/';

/** Reasons by the beginning of Aliyun's code. https://help.aliyun.com/zh/sms/developer-reference/api-error-codes */
const REASONS: [start: string, reason: RefusalReason][] = [
  ['isv.BUSINESS_LIMIT_CONTROL', 'too-many'],
  ['isv.DAY_LIMIT_CONTROL', 'too-many'],
  ['isv.MONTH_LIMIT_CONTROL', 'too-many'],
  ['isv.MOBILE_NUMBER_ILLEGAL', 'bad-number'],
  ['isv.MOBILE_COUNT_OVER_LIMIT', 'bad-number'],
  ['isv.AMOUNT_NOT_ENOUGH', 'no-credit'],
  ['isv.OUT_OF_SERVICE', 'no-credit'],
  ['isv.SMS_SIGNATURE', 'not-authorised'],
  ['isv.SMS_SIGN', 'not-authorised'],
  ['isv.SMS_TEMPLATE', 'not-authorised'],
  ['isv.ACCOUNT', 'not-authorised'],
  ['isv.PRODUCT', 'not-authorised'],
  ['Signature', 'not-authorised'],
  ['IncompleteSignature', 'not-authorised'],
  ['MissingAuthorization', 'not-authorised'],
  ['InvalidAccessKeyId', 'not-authorised'],
  ['InvalidTimeStamp', 'not-authorised'],
  ['Forbidden', 'not-authorised'],
  ['NoPermission', 'not-authorised'],
];
/** Codes for a failure on the carrier's side. */
const TROUBLE = /^(isp\.|Throttling|ServiceUnavailable|InternalError)/;

/**
 * Returns a carrier that calls SendSms.
 * https://help.aliyun.com/zh/sms/developer-reference/api-dysmsapi-2017-05-25-sendsms
 */
export function createAliyunSms(settings: SmsSettings, parts: { clock: Clock; outbound: Outbound }): SmsCarrier {
  const submit = async (message: {
    phone: string;
    template: string;
    params: Record<string, string>;
    reference: string;
  }): Promise<'sent'> => {
    const url = new URL(settings.apiUrl ?? ALIYUN);
    url.search = canonicalQuery({
      PhoneNumbers: message.phone,
      SignName: settings.signName,
      TemplateCode: message.template,
      TemplateParam: JSON.stringify(message.params),
      OutId: message.reference,
    });
    const headers = signAcs3({
      keyId: settings.keyId,
      keySecret: settings.keySecret,
      url,
      action: 'SendSms',
      version: '2017-05-25',
      now: parts.clock.now(),
      nonce: randomUUID(),
    });
    const answer = jsonOf(NAME, await askProvider(NAME, parts.outbound, { url, method: 'POST', headers }));
    const vendorCode = typeof answer['Code'] === 'string' ? answer['Code'] : 'without code';
    if (vendorCode === 'OK') return 'sent';
    if (TROUBLE.test(vendorCode)) throw new ProviderUnavailable(NAME, vendorCode, vendorCode.startsWith('isp.'));
    const [, reason = 'other'] = REASONS.find(([start]) => vendorCode.startsWith(start)) ?? [];
    throw new ProviderRefused(NAME, reason, vendorCode);
  };
  const { templateId, noticeTemplateId } = settings;
  return {
    name: NAME,
    send: ({ phone, code, reference }) => submit({ phone, template: templateId, params: { code }, reference }),
    tellReplaced:
      noticeTemplateId === ''
        ? null
        : ({ phone, tail, reference }) => submit({ phone, template: noticeTemplateId, params: { tail }, reference }),
  };
}

/** Percent-encodes by RFC 3986: encodeURIComponent leaves these five characters as they are. */
const percent = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** Returns the parameters sorted and percent-encoded, as they are signed and sent. */
export const canonicalQuery = (values: Record<string, string>) =>
  Object.keys(values)
    .sort()
    .map((key) => `${percent(key)}=${percent(values[key] ?? '')}`)
    .join('&');

/**
 * Returns the headers of a POST without body, signed with ACS3-HMAC-SHA256. The parameters are in the query of `url`,
 * in canonical form. `now`: epoch ms.
 * https://help.aliyun.com/zh/sdk/product-overview/v3-request-structure-and-signature
 */
export function signAcs3(ask: {
  keyId: string;
  keySecret: string;
  url: URL;
  action: string;
  version: string;
  now: number;
  nonce: string;
}): Record<string, string> {
  const signed: Record<string, string> = {
    host: ask.url.host,
    'x-acs-action': ask.action,
    'x-acs-content-sha256': hash('sha256', ''),
    'x-acs-date': `${new Date(ask.now).toISOString().slice(0, 19)}Z`,
    'x-acs-signature-nonce': ask.nonce,
    'x-acs-version': ask.version,
  };
  const names = Object.keys(signed).join(';');
  const lines = Object.entries(signed).map(([name, value]) => `${name}:${value}\n`);
  const canonical = ['POST', '/', ask.url.search.slice(1), lines.join(''), names, hash('sha256', '')].join('\n');
  const signature = createHmac('sha256', ask.keySecret)
    .update(`ACS3-HMAC-SHA256\n${hash('sha256', canonical)}`)
    .digest('hex');
  const authorization = `ACS3-HMAC-SHA256 Credential=${ask.keyId},SignedHeaders=${names},Signature=${signature}`;
  // `host` is signed but not returned: the HTTP client sets that header itself.
  const { host: _host, ...headers } = signed;
  return { ...headers, authorization };
}
