import { createHash, createHmac } from 'node:crypto';
import { Hono, type Context } from 'hono';
import { arrive, cut, type Env } from './answer.ts';
import { deliver, NOTICE, type World } from './world.ts';
import { letters } from './random-text.ts';

const PHONE = /^\+861[3-9]\d{9}$/;
const CLOCK_SECONDS = 300;

const hex = (data: string) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest();

/**
 * Tencent Cloud's SendSms, signed by TC3-HMAC-SHA256. Always HTTP 200: an `Error`, or a status for each number.
 * https://cloud.tencent.com/document/product/382/55981
 */
export function tencentSms(world: World) {
  const { keyId, keySecret, signName, templateId, noticeTemplateId, appId } = world.accounts.tencent;

  return new Hono<Env>().post('/tencent/', async (c) => {
    const body = await c.req.text();
    const arrived = await arrive(world, 'sms', c);
    if (arrived.answer) return arrived.answer;
    const refusal = arrived.fault === 'wrong-sign' ? 'AuthFailure.SignatureFailure' : unauthorised(c, body);
    if (refusal) return refuse(c, refusal);
    const ask = parse(body);
    if (!ask) return refuse(c, 'InvalidParameter');
    if (arrived.fault === 'error-json') return refuse(c, 'InternalError.OtherError');
    if (ask['SmsSdkAppId'] !== appId) return refuse(c, 'UnauthorizedOperation.SdkAppIdIsDisabled');
    const [phone = '', ...others] = Array.isArray(ask['PhoneNumberSet']) ? ask['PhoneNumberSet'].map(String) : [];
    if (others.length > 0) return refuse(c, 'InvalidParameterValue.ContentLengthLimit');
    const isNotice = ask['TemplateId'] === noticeTemplateId;
    const [value] = Array.isArray(ask['TemplateParamSet']) ? ask['TemplateParamSet'].map(String) : [];
    const problem = businessProblem(arrived.fault) ?? numberProblem(ask, phone, value);
    if (problem) return answer(c, phone, problem);
    deliver(world, {
      carrier: 'tencent',
      phone,
      code: isNotice ? '' : (value ?? ''),
      value: value ?? '',
      template: isNotice ? NOTICE : '${code}为您的验证码，5分钟内有效，如非本人操作请忽略。',
    });
    if (arrived.fault === 'lost') return cut(c);
    return answer(c, phone, 'Ok');
  });

  /** Returns Tencent's error code for a wrong signature; null when the signature is right. */
  function unauthorised(c: Context<Env>, body: string): string | null {
    const header =
      /^TC3-HMAC-SHA256 Credential=([^/]+)\/(\d{4}-\d\d-\d\d)\/sms\/tc3_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
        c.req.header('authorization') ?? '',
      );
    if (!header) return 'AuthFailure.SignatureFailure';
    const [, credential = '', day = '', signed = '', signature = ''] = header;
    if (credential !== keyId) return 'AuthFailure.SecretIdNotFound';
    const timestamp = Number(c.req.header('x-tc-timestamp'));
    if (!(Math.abs(Date.now() / 1000 - timestamp) <= CLOCK_SECONDS)) return 'AuthFailure.SignatureExpire';
    if (new Date(timestamp * 1000).toISOString().slice(0, 10) !== day) return 'AuthFailure.SignatureFailure';
    const names = signed.split(';');
    if (!names.includes('content-type') || !names.includes('host')) return 'AuthFailure.SignatureFailure';
    const headers = names.map((name) => `${name}:${(c.req.header(name) ?? '').trim().toLowerCase()}\n`).join('');
    const canonical = ['POST', '/', '', headers, signed, hex(body)].join('\n');
    const scope = `${day}/sms/tc3_request`;
    const toSign = ['TC3-HMAC-SHA256', String(timestamp), scope, hex(canonical)].join('\n');
    const key = hmac(hmac(hmac(`TC3${keySecret}`, day), 'sms'), 'tc3_request');
    if (hmac(key, toSign).toString('hex') !== signature) return 'AuthFailure.SignatureFailure';
    if (c.req.header('x-tc-action') !== 'SendSms') return 'InvalidAction';
    if (c.req.header('x-tc-version') !== '2021-01-11') return 'NoSuchVersion';
    return c.req.header('x-tc-region') ? null : 'MissingParameter';
  }

  function numberProblem(ask: Record<string, unknown>, phone: string, code: string | undefined): string | null {
    if (!PHONE.test(phone)) return 'InvalidParameterValue.IncorrectPhoneNumber';
    if (ask['SignName'] !== signName) return 'FailedOperation.SignatureIncorrectOrUnapproved';
    if (ask['TemplateId'] !== templateId && ask['TemplateId'] !== noticeTemplateId)
      return 'FailedOperation.TemplateIncorrectOrUnapproved';
    return code ? null : 'FailedOperation.TemplateParamSetNotMatchApprovedTemplate';
  }
}

function businessProblem(fault: string | null): string | null {
  if (fault === 'limit') return 'LimitExceeded.PhoneNumberDailyLimit';
  if (fault === 'bad-number') return 'InvalidParameterValue.IncorrectPhoneNumber';
  return fault === 'no-credit' ? 'FailedOperation.InsufficientBalanceInSmsPackage' : null;
}

const requestId = () => `${letters(8)}-${letters(4)}-${letters(4)}-${letters(12)}`.toLowerCase();

const refuse = (c: Context<Env>, code: string) =>
  c.json({ Response: { Error: { Code: code, Message: code }, RequestId: requestId() } });

function answer(c: Context<Env>, phone: string, code: string) {
  const isSent = code === 'Ok';
  const status = {
    SerialNo: isSent ? `5000:${letters(20)}` : '',
    PhoneNumber: phone,
    Fee: isSent ? 1 : 0,
    SessionContext: '',
    Code: code,
    Message: isSent ? 'send success' : code,
    IsoCode: 'CN',
  };
  return c.json({ Response: { SendStatusSet: [status], RequestId: requestId() } });
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
