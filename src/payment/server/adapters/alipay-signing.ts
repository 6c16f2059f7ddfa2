import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { isSignedByAny, RSA_SHA256 } from './rsa-signature.ts';

/** The merchant's key that signs, and Alipay's keys, any of which may verify: two while Alipay's key is replaced. */
export type AlipayKeys = { privateKey: KeyObject; alipayPublicKeys: KeyObject[] };

/**
 * Reads a private key: PEM, or the Base64 inside it (PKCS#8 or PKCS#1), which is what Alipay's key tool writes. Throws for any
 * other text; the error does not hold the text.
 */
export function readPrivateKey(text: string): KeyObject {
  if (text.includes('-----')) return checkRsa(createPrivateKey(text));
  const der = derOf(text);
  for (const type of ['pkcs8', 'pkcs1'] as const) {
    try {
      return checkRsa(createPrivateKey({ key: der, format: 'der', type }));
    } catch {
      // Not in this format.
    }
  }
  throw new Error('not a private RSA key');
}

/** Reads a public key: PEM, or the Base64 inside it, as Alipay's console shows it. Throws for any other text. */
export function readPublicKey(text: string): KeyObject {
  // Node derives the public key of a private one: here that is a mistake of the operator.
  if (text.includes('PRIVATE KEY')) throw new Error('a private key');
  if (text.includes('-----')) return checkRsa(createPublicKey(text));
  return checkRsa(createPublicKey({ key: derOf(text), format: 'der', type: 'spki' }));
}

const derOf = (text: string) => Buffer.from(text.replace(/\s+/g, ''), 'base64');

function checkRsa(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== 'rsa') throw new Error('not an RSA key');
  if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < 2048) throw new Error('an RSA key of fewer than 2048 bits');
  return key;
}

export const signRsa2 = (privateKey: KeyObject, text: string): string =>
  sign(RSA_SHA256, Buffer.from(text, 'utf8'), privateKey).toString('base64');

/** True when the key makes signatures that its public half verifies: a damaged key can be read all the same. */
export function canSign(privateKey: KeyObject): boolean {
  return isSignedByAny([createPublicKey(privateKey)], 'ceku', signRsa2(privateKey, 'ceku'));
}

/** Returns what a request's signature covers: parameters with a value, sorted by name, not URL-encoded. */
export const requestText = (params: Record<string, string>): string =>
  joined(Object.entries(params).filter(([name, value]) => value !== '' && name !== 'sign'));

/**
 * Returns what a notification's signature covers: all parameters but `sign` and, for most kinds, `sign_type`; also empty ones.
 */
export const notificationText = (params: Map<string, string>, isSignTypeSigned: boolean): string =>
  joined([...params].filter(([name]) => name !== 'sign' && (isSignTypeSigned || name !== 'sign_type')));

const joined = (entries: [name: string, value: string][]): string =>
  entries
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
