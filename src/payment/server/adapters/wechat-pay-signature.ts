import { createPublicKey, X509Certificate, type KeyObject } from 'node:crypto';
import { isSignedByAny } from './rsa-signature.ts';

/** WeChat Pay signs with the time; what is older or newer than this was not sent now. */
const MAX_AGE_SECONDS = 300;

/** The keys that sign WeChat Pay's answers and notifications, by `PUB_KEY_ID_…` or serial number of a certificate. */
export type VerifyKeys = ReadonlyMap<string, KeyObject>;

/** Returns the public key of a PEM text: of a certificate or of a public key. Throws for any other text. */
export const publicKeyOf = (pem: string): KeyObject =>
  pem.includes('BEGIN CERTIFICATE') ? new X509Certificate(pem).publicKey : createPublicKey(pem);

/** `unknown-key`: the signature may be right, by a key that we do not hold. */
export type Verdict = 'genuine' | 'not signed' | 'too old' | 'unknown-key' | 'wrong signature';

/**
 * Verifies the signature of an answer or a notification over the exact bytes, before anything parses them. WeChat Pay
 * sends wrong signatures on purpose (WECHATPAY/SIGNTEST/…), to see who verifies: they are wrong like any other.
 * https://pay.weixin.qq.com/doc/v3/merchant/4013053249
 */
export function verdictOf(
  keys: VerifyKeys,
  message: { header(name: string): string | null; body: Uint8Array },
  nowMs: number,
): Verdict {
  const [timestamp, nonce, serial, signature] = ['timestamp', 'nonce', 'serial', 'signature'].map((name) =>
    message.header(`wechatpay-${name}`),
  );
  if (!timestamp || !nonce || !serial || !signature) return 'not signed';
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowMs / 1000 - Number(timestamp)) > MAX_AGE_SECONDS) return 'too old';
  const key = keys.get(serial);
  if (!key) return 'unknown-key';
  const signed = Buffer.concat([Buffer.from(`${timestamp}\n${nonce}\n`), message.body, Buffer.from('\n')]);
  return isSignedByAny([key], signed, signature) ? 'genuine' : 'wrong signature';
}
