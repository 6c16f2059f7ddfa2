import { createHash, createHmac } from 'node:crypto';
import { Hono, type Context } from 'hono';
import { arrive, cut, type Env } from './answer.ts';
import { deliver, NOTICE, type World } from './world.ts';
import { letters } from './random-text.ts';

const PHONE = /^(\+?86)?1[3-9]\d{9}$/;
const CLOCK_MS = 900_000;

const hex = (data: string) => createHash('sha256').update(data).digest('hex');
/** Encodes as RFC 3986, which encodes a few more characters than encodeURIComponent. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Aliyun's SendSms, signed by ACS3-HMAC-SHA256. Business refusals are HTTP 200 with a Code other than OK.
 * https://help.aliyun.com/zh/sdk/product-overview/v3-request-structure-and-signature
 */
export function aliyunSms(world: World) {
  const { keyId, keySecret, signName, templateId, noticeTemplateId } = world.accounts.aliyun;
  const nonces = new Map<string, number>();

  return new Hono<Env>().post('/aliyun/', async (c) => {
    const body = await c.req.text();
    const arrived = await arrive(world, 'sms', c);
    if (arrived.answer) return arrived.answer;
    const refusal = arrived.fault === 'wrong-sign' ? 'SignatureDoesNotMatch' : unauthorised(c, body);
    if (refusal) return refuse(c, refusal);
    const ask = new URL(c.req.url).searchParams;
    const phone = ask.get('PhoneNumbers') ?? '';
    const param = parse(ask.get('TemplateParam'));
    const problem = businessProblem(arrived.fault) ?? paramProblem(ask, phone, param);
    if (problem) return answer(c, problem);
    const isNotice = ask.get('TemplateCode') === noticeTemplateId;
    const code = isNotice ? '' : String(param?.['code']);
    deliver(world, {
      carrier: 'aliyun',
      phone,
      code,
      value: isNotice ? String(param?.['tail']) : code,
      template: isNotice ? NOTICE : '您的验证码为：${code}，请勿泄露于他人！',
    });
    if (arrived.fault === 'lost') return cut(c);
    return answer(c, 'OK');
  });

  /** Returns Aliyun's error code for a wrong signature; null when the signature is right. */
  function unauthorised(c: Context<Env>, body: string): string | null {
    const header = /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=([0-9a-f]{64})$/.exec(
      c.req.header('authorization') ?? '',
    );
    if (!header) return 'MissingAuthorization';
    const [, credential = '', signed = '', signature = ''] = header;
    if (credential !== keyId) return 'InvalidAccessKeyId.NotFound';
    const date = c.req.header('x-acs-date') ?? '';
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(date)) return 'InvalidTimeStamp.Format';
    if (Math.abs(Date.now() - Date.parse(date)) > CLOCK_MS) return 'InvalidTimeStamp.Expired';
    const names = signed.split(';');
    const present = [...c.req.raw.headers.keys()].filter((name) => name === 'host' || name.startsWith('x-acs-'));
    if (present.some((name) => !names.includes(name))) return 'SignatureDoesNotMatch';
    if (c.req.header('x-acs-content-sha256') !== hex(body)) return 'SignatureDoesNotMatch';
    const query = [...new URL(c.req.url).searchParams]
      .map(([key, value]) => `${encode(key)}=${encode(value)}`)
      .sort()
      .join('&');
    const headers = names.map((name) => `${name}:${(c.req.header(name) ?? '').trim()}\n`).join('');
    // The signed path is that of the vendor's own host; the prefix belongs to this server.
    const canonical = [c.req.method, '/', query, headers, signed, hex(body)].join('\n');
    const expected = createHmac('sha256', keySecret)
      .update(`ACS3-HMAC-SHA256\n${hex(canonical)}`)
      .digest('hex');
    if (expected !== signature) return 'SignatureDoesNotMatch';
    const nonce = c.req.header('x-acs-signature-nonce') ?? '';
    if (nonce.length < 8 || nonces.has(nonce)) return 'SignatureNonceUsed';
    nonces.set(nonce, Date.now());
    if (c.req.header('x-acs-action') !== 'SendSms' || c.req.header('x-acs-version') !== '2017-05-25') {
      return 'InvalidAction.NotFound';
    }
    return null;
  }

  function paramProblem(ask: URLSearchParams, phone: string, param: Record<string, unknown> | null): string | null {
    if (!PHONE.test(phone)) return 'isv.MOBILE_NUMBER_ILLEGAL';
    if (ask.get('SignName') !== signName) return 'isv.SMS_SIGNATURE_ILLEGAL';
    const template = ask.get('TemplateCode');
    if (template !== templateId && template !== noticeTemplateId) return 'isv.SMS_TEMPLATE_ILLEGAL';
    if (!param || typeof param[template === templateId ? 'code' : 'tail'] !== 'string')
      return 'isv.TEMPLATE_MISSING_PARAMETERS';
    return null;
  }
}

function businessProblem(fault: string | null): string | null {
  if (fault === 'limit') return 'isv.BUSINESS_LIMIT_CONTROL';
  if (fault === 'bad-number') return 'isv.MOBILE_NUMBER_ILLEGAL';
  if (fault === 'no-credit') return 'isv.AMOUNT_NOT_ENOUGH';
  return fault === 'error-json' ? 'isp.SYSTEM_ERROR' : null;
}

const requestId = () => `${letters(8)}-${letters(4)}-${letters(4)}-${letters(12)}`.toUpperCase();

function answer(c: Context<Env>, code: string) {
  const bizId = code === 'OK' ? { BizId: `${Date.now()}^0` } : {};
  return c.json({ Code: code, Message: code, RequestId: requestId(), ...bizId }, 200);
}

const refuse = (c: Context<Env>, code: string) =>
  c.json({ Code: code, Message: code, RequestId: requestId(), HostId: 'dysmsapi.aliyuncs.com' }, 400);

function parse(text: string | null): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
