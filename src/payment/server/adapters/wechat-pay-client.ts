import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { Aes, Decorator } from 'wechatpay-axios-plugin';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import { ProviderRefused, ProviderUnavailable, type RefusalReason } from '../../../accounts/ports.ts';
import { isObject, readObject } from './strict-json.ts';
import type { WechatPaySettings } from './wechat-pay-settings.ts';
import { publicKeyOf, verdictOf, type Verdict, type VerifyKeys } from './wechat-pay-signature.ts';

export const NAME = 'wechat-pay';
const WECHAT_PAY = 'https://api.mch.weixin.qq.com';
const MAX_ANSWER_BYTES = 2_000_000;
/** A bill has a line of some 400 bytes for each payment of the day. */
const MAX_FILE_BYTES = 200_000_000;
const FILE_TIMEOUT_MS = 60_000;
/** From 300 s on neither side believes the other: the operator is told earlier. */
const MAX_CLOCK_DIFFERENCE_SECONDS = 60;
/** Strangers can name keys that do not exist: the certificates are fetched at most this often. */
const MIN_FETCH_GAP_MS = 60_000;
const RETRY_FETCH_MS = 5_000;
/** The request never left this machine, so WeChat Pay cannot have acted. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);

const REASONS: Record<string, RefusalReason> = {
  SIGN_ERROR: 'not-authorised',
  APPID_MCHID_NOT_MATCH: 'not-authorised',
  MCH_NOT_EXISTS: 'not-authorised',
  NO_AUTH: 'not-authorised',
  ACCOUNT_ERROR: 'not-authorised',
  RULE_LIMIT: 'too-many',
  NOT_ENOUGH: 'no-credit',
};

type Transport = ReturnType<typeof Decorator.jsonBased>;
type Call = { method: 'GET' | 'POST'; path: string; query?: Record<string, string>; json?: object };
/** `status` 204 has no object. */
type Answer = { status: number; object: Record<string, unknown> };

/** WeChat Pay's API as the merchant calls it: signed requests, and answers that are believed only when they are signed. */
export type WechatPayClient = {
  /**
   * Sends one call. Throws ProviderRefused with the vendor's code for an error that is verified, and ProviderUnavailable
   * for an answer that cannot be believed.
   */
  send(call: Call): Promise<Answer>;
  /** Downloads a file, which is not signed: the caller compares its hash with the one in a signed answer. */
  download(call: Pick<Call, 'path' | 'query'>): Promise<Buffer>;
  keys(): VerifyKeys;
  /**
   * Fetches the platform certificates that verify WeChat Pay's signatures, unless they were fetched a moment ago. Returns whether
   * the last fetch brought keys that were unknown before; false when this merchant has no certificates. Throws
   * ProviderUnavailable when they cannot be fetched.
   */
  renewKeys(): Promise<boolean>;
  /**
   * Opens the platform certificates with the APIv3 key, and returns false when this merchant has none. Throws
   * ProviderUnavailable when they cannot be fetched or opened.
   */
  openCertificates(): Promise<boolean>;
  /** As PaymentGateway.clockAheadSeconds, from the timestamps that answers are signed with. */
  clockAheadSeconds(): number | null;
};

export function createWechatPayClient(
  settings: WechatPaySettings,
  parts: { clock: Clock; log: Log; timeoutMs: number },
): WechatPayClient {
  const { clock, log, timeoutMs } = parts;
  const keys = new Map(Object.entries(settings.verifyKeys).map(([id, pem]) => [id, publicKeyOf(pem)]));
  const privateKey = createPrivateKey(settings.privateKey);
  // Merchants with a public key name it in every call: while they switch from certificates, answers follow the call.
  const publicKeyId = [...keys.keys()].filter(isPublicKeyId).at(-1);
  const hasCertificates = [...keys.keys()].some((id) => !isPublicKeyId(id));
  let client = open();
  let mayFetchAt = Number.NEGATIVE_INFINITY;
  let broughtNews = false;
  let fetching: Promise<boolean> | null = null;
  let clockAheadSeconds: number | null = null;

  function open(): Transport {
    // The plugin hands these on to axios; its types do not say so.
    const transport = { baseURL: settings.apiUrl ?? WECHAT_PAY, maxRedirects: 0, proxy: false };
    return Decorator.jsonBased({
      mchid: settings.mchId,
      serial: settings.certSerial,
      privateKey,
      certs: Object.fromEntries(keys),
      ...transport,
    });
  }

  /** Returns status, headers and exact bytes of an answer of any status. Throws ProviderUnavailable when there is no answer. */
  async function ask(call: Call, limits: { bytes: number; deadline: AbortSignal }, transport = client) {
    const startedAt = performance.now();
    const line = (more: object) => ({
      to: `${new URL(settings.apiUrl ?? WECHAT_PAY).host}${call.path}`,
      ms: Math.round(performance.now() - startedAt),
      ...more,
    });
    const read = (answer: { status: number; headers: unknown; data: unknown }) => {
      const headers = isObject(answer.headers) ? answer.headers : {};
      const header = (name: string) => (typeof headers[name] === 'string' ? headers[name] : null);
      const body = Buffer.isBuffer(answer.data) ? answer.data : Buffer.alloc(0);
      return { status: answer.status, header, body };
    };
    try {
      const answer = await transport.request({
        method: call.method,
        url: call.path,
        ...(call.query && { params: call.query }),
        ...(call.json && { data: call.json }),
        headers: { Accept: 'application/json', ...(publicKeyId !== undefined && { 'Wechatpay-Serial': publicKeyId }) },
        responseType: 'arraybuffer',
        maxContentLength: limits.bytes,
        // axios restarts its `timeout` with each byte; this signal ends the call at the deadline.
        signal: limits.deadline,
      });
      const got = read(answer);
      log.info(line({ status: got.status, requestId: got.header('request-id') }), 'outbound');
      return got;
    } catch (error) {
      // The plugin does not verify answers that are not 2xx; they are verified below like all others. What it throws
      // for a 2xx that it does not believe begins with EV3_; the error itself holds our request with its key.
      if (isAxiosFailure(error) && error.response && !codeOf(error).startsWith('EV3_')) {
        const got = read(error.response);
        log.warn(line({ status: got.status, requestId: got.header('request-id') }), 'outbound');
        return got;
      }
      const why = reasonOf(error);
      log.warn(line({ why }), 'outbound without answer');
      if (why === UNKNOWN_KEY) throw new UnknownKey();
      throw new ProviderUnavailable(NAME, why, !NEVER_SENT.has(why));
    }
  }

  async function sendOnce(call: Call, deadline: AbortSignal): Promise<Answer> {
    const { status, header, body } = await ask(call, { bytes: MAX_ANSWER_BYTES, deadline });
    const verdict = verdictOf(keys, { header, body }, clock.now());
    if (verdict === 'genuine' || verdict === 'too old') compareClocks(header('wechatpay-timestamp'));
    if (verdict === 'unknown-key') throw new UnknownKey();
    // WeChat Pay cannot sign for a merchant that it does not know. The error is believed only for the operator's log; it
    // says nothing about an order.
    if (status === 401 && verdict === 'not signed') throw new ProviderRefused(NAME, 'not-authorised', 'SIGN_ERROR');
    if (verdict !== 'genuine') throw new ProviderUnavailable(NAME, UNBELIEVED[verdict], true);
    if (status === 204) return { status, object: {} };
    const object = readObject(body);
    if (!object) throw new ProviderUnavailable(NAME, `HTTP ${status} that is not understood`, true);
    if (status === 200) return { status, object };
    const code = typeof object['code'] === 'string' && /^\w{1,64}$/.test(object['code']) ? object['code'] : 'UNKNOWN';
    if (status === 429 || code === 'FREQUENCY_LIMITED') throw new ProviderUnavailable(NAME, 'busy', false);
    if (status >= 500) throw new ProviderUnavailable(NAME, code, true);
    throw new ProviderRefused(NAME, REASONS[code] ?? 'other', code);
  }

  function compareClocks(timestamp: string | null): void {
    const seconds = Number(timestamp) - Math.round(clock.now() / 1000);
    clockAheadSeconds = seconds;
    if (Math.abs(seconds) > MAX_CLOCK_DIFFERENCE_SECONDS)
      log.warn({ seconds }, "WeChat Pay's clock and the clock of this machine differ");
  }

  /** Fetches and opens the platform certificates. They are encrypted with the APIv3 key, which nobody else has. */
  async function fetchCertificates(): Promise<boolean> {
    // The answer may be signed by a certificate that is in it: the plugin, which knows only the older ones, leaves it to us.
    const transport = open();
    transport.defaults.validateStatus = () => false;
    const limits = { bytes: MAX_ANSWER_BYTES, deadline: AbortSignal.timeout(timeoutMs) };
    const { status, header, body } = await ask({ method: 'GET', path: '/v3/certificates' }, limits, transport);
    const fresh = new Map(certificatesIn(readObject(body), settings.apiV3Key));
    if (status === 200 && fresh.size === 0)
      throw new ProviderUnavailable(NAME, 'certificates that WECHAT_PAY_APIV3_KEY does not open', false);
    if (status !== 200 || verdictOf(fresh, { header, body }, clock.now()) !== 'genuine')
      throw new ProviderUnavailable(NAME, 'certificates that cannot be believed', false);
    const isNew = [...fresh.keys()].some((serial) => !keys.has(serial));
    for (const [serial, key] of fresh) keys.set(serial, key);
    if (isNew) client = open();
    return isNew;
  }

  async function renewKeys(): Promise<boolean> {
    if (!hasCertificates) return false;
    if (fetching) return fetching;
    if (clock.now() < mayFetchAt) return broughtNews;
    mayFetchAt = clock.now() + MIN_FETCH_GAP_MS;
    fetching = fetchCertificates()
      .then((isNew) => (broughtNews = isNew))
      .catch((error: unknown) => {
        mayFetchAt = clock.now() + RETRY_FETCH_MS;
        throw error;
      })
      .finally(() => (fetching = null));
    return fetching;
  }

  return {
    keys: () => keys,
    clockAheadSeconds: () => clockAheadSeconds,
    renewKeys,
    async openCertificates() {
      if (hasCertificates) await fetchCertificates();
      return hasCertificates;
    },
    async send(call) {
      const deadline = AbortSignal.timeout(timeoutMs);
      const isOver = new Promise<false>((resolve) => deadline.addEventListener('abort', () => resolve(false)));
      // Every call may be repeated: it names the order or the refund by our own number.
      for (let isRepeated = false; ; isRepeated = true) {
        try {
          return await sendOnce(call, deadline);
        } catch (error) {
          if (!(error instanceof UnknownKey)) throw error;
          const hasNews = !isRepeated && (await Promise.race([renewKeys(), isOver]));
          if (!hasNews) throw new ProviderUnavailable(NAME, `an answer ${UNKNOWN_KEY}`, true);
        }
      }
    },
    async download({ path, query }) {
      const { status, body } = await ask(
        { method: 'GET', path, ...(query && { query }) },
        { bytes: MAX_FILE_BYTES, deadline: AbortSignal.timeout(FILE_TIMEOUT_MS) },
      );
      if (status !== 200) throw new ProviderUnavailable(NAME, `HTTP ${status} instead of a file`, false);
      return body;
    },
  };
}

const UNBELIEVED: Record<Exclude<Verdict, 'genuine' | 'unknown-key'>, string> = {
  'not signed': 'an unsigned answer',
  'too old': 'an answer of another time: one of the two clocks is wrong',
  'wrong signature': 'a wrongly signed answer',
};

/** True for the name of a public key; certificates are named by their serial number. */
const isPublicKeyId = (id: string) => id.startsWith('PUB_KEY_ID_');

/** The answer is signed by a key that we do not hold: perhaps a new certificate. */
class UnknownKey extends Error {}
const UNKNOWN_KEY = 'signed by an unknown key';

/** Returns the keys of the certificates in the list, by the serial number that the certificate itself states. */
function certificatesIn(object: Record<string, unknown> | null, apiV3Key: string): [serial: string, key: KeyObject][] {
  const list: unknown[] = Array.isArray(object?.['data']) ? object['data'] : [];
  return list.flatMap((entry): [string, KeyObject][] => {
    if (!isObject(entry) || !isObject(entry['encrypt_certificate'])) return [];
    const pem = decrypt(entry['encrypt_certificate'], apiV3Key);
    try {
      const { serialNumber, publicKey } = new X509Certificate(pem ?? '');
      return [[serialNumber, publicKey]];
    } catch {
      return [];
    }
  });
}

/** Returns the text of an `encrypt-resource` (AES-256-GCM under the APIv3 key); null for anything that was altered. */
export function decrypt(resource: Record<string, unknown>, apiV3Key: string): string | null {
  const { algorithm, nonce, ciphertext, associated_data: associated = '' } = resource;
  if (algorithm !== 'AEAD_AES_256_GCM' || typeof nonce !== 'string' || typeof ciphertext !== 'string') return null;
  if (typeof associated !== 'string') return null;
  try {
    return Aes.AesGcm.decrypt(ciphertext, apiV3Key, nonce, associated);
  } catch {
    return null;
  }
}

type AxiosFailure = Error & { code?: unknown; response?: { status: number; headers: unknown; data: unknown } };
/** An error of axios, which the plugin uses and does not export. */
const isAxiosFailure = (error: unknown): error is AxiosFailure => error instanceof Error && 'isAxiosError' in error;
const codeOf = (error: AxiosFailure) => (typeof error.code === 'string' ? error.code : 'broken answer');

/** Returns a reason for the log; never the message of the error, which may hold the answer. */
function reasonOf(error: unknown): string {
  if (!isAxiosFailure(error))
    return error instanceof Error && error.name === 'CanceledError' ? 'time-out' : 'broken answer';
  const code = codeOf(error);
  if (code === 'EV3_RES_HEADER_PLATFORM_SERIAL') return UNKNOWN_KEY;
  if (code === 'EV3_RES_HEADER_TIMESTAMP_OFFSET') return 'an answer of another time: one of the two clocks is wrong';
  if (code.startsWith('EV3_')) return 'an answer that is not signed as it should be';
  return code === 'ERR_CANCELED' ? 'time-out' : code;
}
