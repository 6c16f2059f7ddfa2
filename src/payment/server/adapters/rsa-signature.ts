import { createPublicKey, verify, type KeyObject } from 'node:crypto';

/** SHA256withRSA, which both providers sign with; Alipay calls it RSA2. SHA-1 is never used and never accepted. */
export const RSA_SHA256 = 'RSA-SHA256';

/**
 * True when any of the keys made this signature of the bytes, or of a text in UTF-8: Base64 as it is written, without other characters and without
 * bits to spare, so that one signature has one spelling. Anything that is no signature is false.
 */
export function isSignedByAny(
  publicKeys: readonly KeyObject[],
  signed: string | Uint8Array,
  signature: string,
): boolean {
  if (!/^[A-Za-z0-9+/]{300,1400}={0,2}$/.test(signature)) return false;
  const bytes = Buffer.from(signature, 'base64');
  if (bytes.toString('base64') !== signature) return false;
  const data = typeof signed === 'string' ? Buffer.from(signed, 'utf8') : signed;
  return publicKeys.some((key) => verify(RSA_SHA256, data, key, bytes));
}

/** True when the two keys are one pair. */
export const isPair = (privateKey: KeyObject, publicKey: KeyObject): boolean =>
  createPublicKey(privateKey).equals(publicKey);
