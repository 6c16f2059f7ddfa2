import { createPublicKey, createSign, createVerify, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** A pair of RSA keys. `publicText` and `privateText` are DER in Base64, as Alipay's key tool and its console show keys. */
export type KeyPair = { privateKey: KeyObject; publicText: string; privateText: string };

export function newKeyPair(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    privateKey,
    publicText: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    privateText: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  };
}

/** Signs with RSA2, which is SHA256withRSA; `RSA` is the old SHA1withRSA. */
export const signText = (pair: KeyPair, text: string | Uint8Array, type: 'RSA2' | 'RSA' = 'RSA2') =>
  createSign(type === 'RSA2' ? 'RSA-SHA256' : 'RSA-SHA1')
    .update(text)
    .sign(pair.privateKey, 'base64');

export function isSignedBy(publicText: string, text: string, signature: string): boolean {
  const key = createPublicKey({ key: Buffer.from(publicText, 'base64'), format: 'der', type: 'spki' });
  return createVerify('RSA-SHA256').update(text, 'utf8').verify(key, signature, 'base64');
}

/**
 * Returns the text that is signed: all parameters that have a value and are not in `without`, sorted by name, not URL-encoded.
 * https://opendocs.alipay.com/common/02khjm
 */
export const signedText = (params: Record<string, string>, without: string[]) =>
  Object.keys(params)
    .filter((name) => params[name] !== '' && !without.includes(name))
    .toSorted()
    .map((name) => `${name}=${params[name]}`)
    .join('&');
