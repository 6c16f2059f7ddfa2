import { ProviderRefused, ProviderUnavailable } from '../../../accounts/ports.ts';
import type { Clock } from '../../../platform/clock.ts';
import { NoResponseError, type Outbound, type OutboundAnswer } from '../../../platform/http/outbound.ts';
import type { Log } from '../../../platform/log.ts';
import type { AlipaySettings } from './alipay-settings.ts';
import { requestText, signRsa2, type AlipayKeys } from './alipay-signing.ts';
import { isSignedByAny } from './rsa-signature.ts';
import { shanghaiTimeOf } from './alipay-values.ts';
import { decodeUtf8, isObject, readTopLevel } from './strict-json.ts';

export const ALIPAY = 'alipay';
const GATEWAY = 'https://openapi.alipay.com';
const FILE_BYTES = 30_000_000;
const FILE_MS = 60_000;

/** The fields of a verified `…_response`. */
export type AlipayFields = Record<string, unknown>;

/** `refused`: Alipay says no to this order; `subCode` is its reason (`ACQ.…`). */
export type AlipayAnswer = { kind: 'ok' | 'refused'; subCode: string; fields: AlipayFields };

/** The parts that the adapter needs besides the merchant's account. */
export type AlipayParts = { clock: Clock; log: Log; outbound: Outbound };

type AlipayClient = {
  /**
   * Calls a method with its business parameters. Returns what Alipay signed and nothing else. Throws ProviderUnavailable
   * for an answer that cannot be believed or says that Alipay does not know the outcome, ProviderRefused when the account
   * itself is refused (signature, permissions).
   */
  call(method: string, biz: object, notifyUrl?: string): Promise<AlipayAnswer>;
  /** Loads a file from an address that Alipay stated in a verified answer. Throws ProviderUnavailable. */
  load(address: string): Promise<Buffer>;
  /** As PaymentGateway.clockAheadSeconds, from the Date header of the gateway's answers. */
  clockAheadSeconds(): number | null;
};

/**
 * A client of Alipay's OpenAPI 2.0 in public-key mode. It is our own, because the vendor's library believes more than was
 * signed: docs/decisions/025. https://opendocs.alipay.com/common/02mse2
 */
export function createAlipayClient(
  settings: Pick<AlipaySettings, 'appId' | 'apiUrl'>,
  keys: AlipayKeys,
  { outbound, clock, log }: AlipayParts,
): AlipayClient {
  const base = settings.apiUrl ?? GATEWAY;
  let clockAheadSeconds: number | null = null;

  const send = (request: Parameters<typeof outbound>[0]): Promise<OutboundAnswer> =>
    outbound(request).catch((error: unknown) => {
      if (!(error instanceof NoResponseError)) throw error;
      throw new ProviderUnavailable(ALIPAY, error.message, error.isOutcomeUnknown);
    });

  return {
    clockAheadSeconds: () => clockAheadSeconds,

    async call(method, biz, notifyUrl = '') {
      const params: Record<string, string> = {
        app_id: settings.appId,
        method,
        format: 'JSON',
        charset: 'utf-8',
        sign_type: 'RSA2',
        timestamp: shanghaiTimeOf(clock.now()),
        version: '1.0',
        notify_url: notifyUrl,
      };
      const content = JSON.stringify(biz);
      const sign = signRsa2(keys.privateKey, requestText({ ...params, biz_content: content }));
      const url = new URL('/gateway.do', base);
      for (const [name, value] of Object.entries(params)) if (value !== '') url.searchParams.set(name, value);
      url.searchParams.set('sign', sign);
      const answer = await send({
        url,
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8' },
        body: new URLSearchParams({ biz_content: content }).toString(),
      });
      if (answer.status !== 200) throw new ProviderUnavailable(ALIPAY, `HTTP ${answer.status}`, true);
      const sentAt = Date.parse(answer.headers.get('date') ?? '');
      if (!Number.isNaN(sentAt)) clockAheadSeconds = Math.round((sentAt - clock.now()) / 1_000);
      const fields = readSigned(answer.body, `${method.replaceAll('.', '_')}_response`, keys);
      const [code, subCode] = [textOf(fields['code']), textOf(fields['sub_code'])];
      // Logged at this level because every poll of an unscanned code is refused.
      if (code !== '10000') log.debug({ method, vendorCode: subCode || code }, 'Alipay refused');
      return judge(code, subCode, fields);
    },

    async load(address) {
      const url = URL.parse(address);
      if (!url || !isOfAlipay(url, base)) throw new ProviderUnavailable(ALIPAY, 'a file at a foreign address', false);
      const answer = await send({ url, method: 'GET', maxBytes: FILE_BYTES, timeoutMs: FILE_MS });
      if (answer.status === 200) return answer.body;
      throw new ProviderUnavailable(ALIPAY, `HTTP ${answer.status} for a file`, false);
    },
  };
}

/** Bills lie on other hosts than the gateway; none but Alipay's is asked. */
function isOfAlipay(url: URL, base: string): boolean {
  if (url.origin === new URL(base).origin) return true;
  return url.protocol === 'https:' && /\.alipay(dev)?\.com$/.test(url.hostname);
}

/**
 * Returns the response of a gateway's answer: verifies the signature over the exact characters of the response, then parses
 * those same characters. Throws ProviderUnavailable for everything else.
 */
function readSigned(body: Buffer, name: string, keys: Pick<AlipayKeys, 'alipayPublicKeys'>): AlipayFields {
  const unusable = (why: string) => new ProviderUnavailable(ALIPAY, why, true);
  const text = decodeUtf8(body);
  if (text === null) throw unusable('an answer that is not UTF-8');
  const parts = readTopLevel(text);
  if (!parts) throw unusable('an answer that is not one JSON object, or has a key twice');
  const responses = [name, 'error_response'].filter((each) => parts.has(each));
  const response = parts.get(responses[0] ?? '');
  if (responses.length !== 1 || response === undefined) throw unusable('an answer to another call');
  const fields = asObject(response);
  if (!fields) throw unusable('an answer whose response is no object');
  const signature = parseJson(parts.get('sign') ?? 'null');
  if (typeof signature !== 'string' || !isSignedByAny(keys.alipayPublicKeys, response, signature)) {
    // Alipay does not sign for an application that it does not know: the code tells the operator which key to look at.
    const code = textOf(fields['sub_code'] ?? fields['code']);
    throw unusable(`${signature === null ? 'an unsigned' : 'a wrongly signed'} answer${code && ` (${code})`}`);
  }
  return fields;
}

/** Sorts Alipay's codes. https://opendocs.alipay.com/common/02km9f */
function judge(code: string, subCode: string, fields: AlipayFields): AlipayAnswer {
  // 10003: accepted, not finished yet.
  if (code === '10000' || code === '10003') return { kind: 'ok', subCode, fields };
  if (code === '40005') throw new ProviderUnavailable(ALIPAY, `too many calls (${subCode})`, false);
  const isUnknown = code === '20000' || subCode.endsWith('SYSTEM_ERROR') || subCode === 'isp.unknow-error';
  if (isUnknown) throw new ProviderUnavailable(ALIPAY, `${code} ${subCode}`, true);
  if (code === '40004') return { kind: 'refused', subCode, fields };
  throw new ProviderRefused(ALIPAY, 'not-authorised', subCode || code);
}

/** The text has been read by readTopLevel, so it is JSON. */
const parseJson = (text: string): unknown => JSON.parse(text);

function asObject(text: string): AlipayFields | null {
  const value = parseJson(text);
  return isObject(value) ? value : null;
}

/** Returns one of Alipay's codes, fit for a log: nothing but what a code consists of. */
const textOf = (value: unknown): string => (typeof value === 'string' && /^[\w.-]{1,64}$/.test(value) ? value : '');
