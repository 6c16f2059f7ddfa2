import { createPrivateKey, createPublicKey, X509Certificate, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { readSecretFiles, readWholeSet, withLineBreaks, type Given } from '../../../platform/environment.ts';
import { isPair } from './rsa-signature.ts';

/** The merchant's account with WeChat Pay. `apiUrl`: null for the vendor's own address. */
export const wechatPaySettings = z.object({
  mchId: z.string(),
  appId: z.string(),
  /** Serial number of the merchant's certificate, whose key is `privateKey` (PEM). */
  certSerial: z.string(),
  privateKey: z.string(),
  /** 32 characters: decrypts notifications. */
  apiV3Key: z.string(),
  /**
   * The keys that sign WeChat Pay's answers and notifications, PEM of a public key or of a platform certificate, by
   * `PUB_KEY_ID_…` or serial number. While keys are rotated there are several.
   */
  verifyKeys: z.record(z.string(), z.string()),
  apiUrl: z.string().nullable(),
});
export type WechatPaySettings = z.infer<typeof wechatPaySettings>;

const given = z.string().trim().optional();

/** The environment variables of WeChat Pay. */
export const wechatPayKeys = {
  WECHAT_PAY_MCHID: z
    .string()
    .trim()
    .regex(/^\d{8,10}$/, 'must be the merchant number: 8–10 digits')
    .optional(),
  WECHAT_PAY_APPID: z
    .string()
    .trim()
    .regex(/^wx[0-9a-zA-Z]{16}$/, 'must be an appid of 18 characters that begins with wx')
    .optional(),
  WECHAT_PAY_CERT_SERIAL: z
    .string()
    .trim()
    .regex(/^[0-9a-fA-F]{40}$/, "must be the serial number of the merchant's certificate: 40 hexadecimal digits")
    .optional(),
  WECHAT_PAY_CERT: given,
  WECHAT_PAY_CERT_FILE: given,
  WECHAT_PAY_PRIVATE_KEY: given,
  WECHAT_PAY_PRIVATE_KEY_FILE: given,
  WECHAT_PAY_APIV3_KEY: given,
  WECHAT_PAY_APIV3_KEY_FILE: given,
  WECHAT_PAY_PUBLIC_KEY_ID: z
    .string()
    .trim()
    .regex(/^PUB_KEY_ID_\w+$/, 'must begin with PUB_KEY_ID_')
    .optional(),
  WECHAT_PAY_PUBLIC_KEY: given,
  WECHAT_PAY_PUBLIC_KEY_FILE: given,
  WECHAT_PAY_PLATFORM_CERTS: given,
  WECHAT_PAY_PLATFORM_CERTS_FILE: given,
};

const FILES = [
  'WECHAT_PAY_CERT',
  'WECHAT_PAY_PRIVATE_KEY',
  'WECHAT_PAY_APIV3_KEY',
  'WECHAT_PAY_PUBLIC_KEY',
  'WECHAT_PAY_PLATFORM_CERTS',
];
const MIN_BITS = 2048;
const KEY_WORDS =
  'PEM without a pass phrase, at least 2048 bits; the path of a file belongs in WECHAT_PAY_PRIVATE_KEY_FILE';
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Returns the account; null when no variable is given, or when something is missing or cannot be used: then `problems` says
 * what. They begin with the name of a variable and hold no value. The keys are tried out: that the private key is that of the
 * certificate, that the public key is WeChat Pay's and not the merchant's own.
 */
export function readWechatPaySettings(environment: Given): { settings: WechatPaySettings | null; problems: string[] } {
  const { given: keys, problems } = readSecretFiles(environment, FILES);
  // Also a file that cannot be read: what is wrong with it has been said.
  const isGiven = (key: string) => Boolean(keys[key] ?? keys[`${key}_FILE`]);
  // Either of the two; the certificate states its serial number.
  const serial = isGiven('WECHAT_PAY_CERT') ? 'WECHAT_PAY_CERT' : 'WECHAT_PAY_CERT_SERIAL';
  // Public-key mode, unless the merchant still verifies by platform certificates alone.
  const isNamed = Boolean(keys['WECHAT_PAY_PUBLIC_KEY_ID'] ?? keys['WECHAT_PAY_PUBLIC_KEY']);
  const verifying =
    isGiven('WECHAT_PAY_PLATFORM_CERTS') && !isNamed
      ? ['WECHAT_PAY_PLATFORM_CERTS']
      : ['WECHAT_PAY_PUBLIC_KEY_ID', 'WECHAT_PAY_PUBLIC_KEY'];
  const required = [
    'WECHAT_PAY_MCHID',
    'WECHAT_PAY_APPID',
    serial,
    'WECHAT_PAY_PRIVATE_KEY',
    'WECHAT_PAY_APIV3_KEY',
    ...verifying,
  ];
  const missing: string[] = [];
  const set = readWholeSet(keys, required, Object.keys(wechatPayKeys), missing);
  problems.push(...missing.map(withOther));
  if (!set) return { settings: null, problems };

  const text = (key: string) => withLineBreaks(keys[key] ?? '');
  const say = (key: string, must: string) => void problems.push(`${key}: must ${must}`);
  const privateKey = privateKeyIn(text('WECHAT_PAY_PRIVATE_KEY'));
  if (!privateKey) say('WECHAT_PAY_PRIVATE_KEY', `be the RSA private key of apiclient_key.pem, ${KEY_WORDS}`);
  const apiV3Key = keys['WECHAT_PAY_APIV3_KEY'] ?? '';
  if (Buffer.byteLength(apiV3Key) !== 32) say('WECHAT_PAY_APIV3_KEY', 'be 32 characters, as set on pay.weixin.qq.com');

  const certSerial = merchantSerial(keys, text('WECHAT_PAY_CERT'), privateKey, say);
  const verifyKeys: Record<string, string> = {};
  const id = keys['WECHAT_PAY_PUBLIC_KEY_ID'];
  if (isNamed && id) {
    const pem = text('WECHAT_PAY_PUBLIC_KEY');
    const key = publicKeyIn(pem);
    if (!key)
      say('WECHAT_PAY_PUBLIC_KEY', "be WeChat Pay's public key (pub_key.pem), not a certificate or a private key");
    else if (privateKey && isPair(privateKey, key))
      say('WECHAT_PAY_PUBLIC_KEY', "be WeChat Pay's public key, not the merchant's own");
    verifyKeys[id] = pem;
  }
  for (const pem of platformCerts(text('WECHAT_PAY_PLATFORM_CERTS'), keys, say)) {
    const certificate = certificateIn(pem);
    const isOwn = certificate?.serialNumber === certSerial || (privateKey && certificate?.checkPrivateKey(privateKey));
    if (isOwn) say('WECHAT_PAY_PLATFORM_CERTS', "hold WeChat Pay's platform certificates, not the merchant's own");
    else if (certificate) verifyKeys[certificate.serialNumber] = pem;
  }
  const settings: WechatPaySettings = {
    mchId: keys['WECHAT_PAY_MCHID'] ?? '',
    appId: keys['WECHAT_PAY_APPID'] ?? '',
    certSerial,
    privateKey: text('WECHAT_PAY_PRIVATE_KEY'),
    apiV3Key,
    verifyKeys,
    apiUrl: null,
  };
  return { settings: problems.length === 0 ? settings : null, problems };
}

/** Variables that may stand in for another variable. */
const OTHERS: Record<string, string> = {
  WECHAT_PAY_CERT_SERIAL: 'WECHAT_PAY_CERT',
  WECHAT_PAY_PUBLIC_KEY: 'WECHAT_PAY_PLATFORM_CERTS of an older merchant',
  WECHAT_PAY_PUBLIC_KEY_ID: 'WECHAT_PAY_PLATFORM_CERTS of an older merchant',
};

function withOther(problem: string): string {
  const other = OTHERS[problem.split(':')[0] ?? ''];
  return other ? problem.replace('is missing', `is missing (or ${other})`) : problem;
}

type Say = (key: string, must: string) => void;

/** Returns the serial number of the merchant's certificate, and tries the certificate out where it is given. */
function merchantSerial(keys: Given, pem: string, privateKey: KeyObject | null, say: Say): string {
  const named = keys['WECHAT_PAY_CERT_SERIAL']?.toUpperCase();
  if (!keys['WECHAT_PAY_CERT']) return named ?? '';
  const certificate = certificateIn(pem);
  if (!certificate) {
    say('WECHAT_PAY_CERT', 'be the certificate of apiclient_cert.pem');
    return '';
  }
  if (privateKey && !certificate.checkPrivateKey(privateKey))
    say('WECHAT_PAY_PRIVATE_KEY', 'be the key of the certificate in WECHAT_PAY_CERT');
  const [from, to] = [certificate.validFromDate, certificate.validToDate];
  if (to.getTime() < Date.now())
    say('WECHAT_PAY_CERT', `be a certificate that has not expired: it ended on ${dayOf(to)}`);
  if (from.getTime() > Date.now())
    say('WECHAT_PAY_CERT', `be a certificate that is valid already: it begins on ${dayOf(from)}; is the clock right?`);
  if (named !== undefined && named !== certificate.serialNumber)
    say('WECHAT_PAY_CERT_SERIAL', 'be the serial number of the certificate in WECHAT_PAY_CERT');
  return certificate.serialNumber;
}

/** YYYY-MM-DD, UTC: certificates state their days in UTC. */
export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/** Returns the platform certificates, PEM, without those that have expired. */
function platformCerts(text: string, keys: Given, say: Say): string[] {
  if (!keys['WECHAT_PAY_PLATFORM_CERTS']) return [];
  const pems = text.match(CERTIFICATE) ?? [];
  const certificates = pems.map(certificateIn);
  if (pems.length === 0 || certificates.includes(null))
    say('WECHAT_PAY_PLATFORM_CERTS', "hold WeChat Pay's platform certificates, one behind the other");
  const alive = pems.filter((_pem, index) => (certificates[index]?.validToDate.getTime() ?? 0) > Date.now());
  if (pems.length > 0 && alive.length === 0)
    say('WECHAT_PAY_PLATFORM_CERTS', 'hold a platform certificate that has not expired');
  return alive;
}

const bitsOf = (key: KeyObject) => key.asymmetricKeyDetails?.modulusLength ?? 0;
const isRsa = (key: KeyObject) => key.asymmetricKeyType === 'rsa' && bitsOf(key) >= MIN_BITS;

function privateKeyIn(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem);
    return isRsa(key) ? key : null;
  } catch {
    return null;
  }
}

function publicKeyIn(pem: string): KeyObject | null {
  // Node would also take the public half of a private key or of a certificate.
  if (!/^-----BEGIN (RSA )?PUBLIC KEY-----/.test(pem)) return null;
  try {
    const key = createPublicKey(pem);
    return isRsa(key) ? key : null;
  } catch {
    return null;
  }
}

/** Returns the certificate in a PEM text; null: there is none that can be read. */
export function certificateIn(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}
