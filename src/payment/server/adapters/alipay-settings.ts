import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { readSecretFiles, readWholeSet, withLineBreaks, type Given } from '../../../platform/environment.ts';
import { canSign, readPrivateKey, readPublicKey } from './alipay-signing.ts';
import { isPair } from './rsa-signature.ts';

/** Alipay's gateway for trying things out, with an account and keys of its own. */
const SANDBOX = 'https://openapi-sandbox.dl.alipaydev.com';

/** The merchant's account with Alipay. `apiUrl`: null for the vendor's own address. */
export const alipaySettings = z.object({
  appId: z.string(),
  /** The merchant's account that receives the money (2088…). */
  sellerId: z.string(),
  /** PEM, or the Base64 inside it: the key of the application, RSA2. */
  privateKey: z.string(),
  /**
   * PEM, or the Base64 inside it: verify Alipay's answers and notifications. Alipay's keys, not the application's. Two while
   * Alipay's key is replaced: either is believed.
   */
  alipayPublicKeys: z.array(z.string()).min(1),
  apiUrl: z.string().nullable(),
});
export type AlipaySettings = z.infer<typeof alipaySettings>;

const given = z.string().trim().optional();

/** The environment variables of Alipay. */
export const alipayKeys = {
  ALIPAY_APP_ID: z
    .string()
    .trim()
    .regex(/^\d{16}$/, 'must be the 16 digits of the application, as on open.alipay.com')
    .optional(),
  ALIPAY_SELLER_ID: z
    .string()
    .trim()
    .regex(/^2088\d{12}$/, 'must be the 16 digits of the account (2088…) that receives the money')
    .optional(),
  ALIPAY_PRIVATE_KEY: given,
  ALIPAY_PRIVATE_KEY_FILE: given,
  ALIPAY_PUBLIC_KEY: given,
  ALIPAY_PUBLIC_KEY_FILE: given,
  ALIPAY_SANDBOX: z.enum(['on', 'off']).optional(),
};

/** Returns the account; null when no variable is given. Problems begin with the name of a variable and hold no value. */
export function readAlipaySettings(environment: Given): { settings: AlipaySettings | null; problems: string[] } {
  const { given: keys, problems } = readSecretFiles(environment, ['ALIPAY_PRIVATE_KEY', 'ALIPAY_PUBLIC_KEY']);
  const set = readWholeSet(
    keys,
    ['ALIPAY_APP_ID', 'ALIPAY_SELLER_ID', 'ALIPAY_PRIVATE_KEY', 'ALIPAY_PUBLIC_KEY'],
    Object.keys(alipayKeys),
    problems,
  );
  if (!set) return { settings: null, problems };
  const privateKey = withLineBreaks(set.ALIPAY_PRIVATE_KEY);
  const alipayPublicKeys = splitKeys(withLineBreaks(set.ALIPAY_PUBLIC_KEY));
  problems.push(...keyProblems(privateKey, alipayPublicKeys));
  const settings = {
    appId: set.ALIPAY_APP_ID,
    sellerId: set.ALIPAY_SELLER_ID,
    privateKey,
    alipayPublicKeys,
    apiUrl: keys['ALIPAY_SANDBOX'] === 'on' ? SANDBOX : null,
  };
  return { settings: problems.length === 0 ? settings : null, problems };
}

/** Several keys: PEM blocks one after the other, or the Base64 of each with a comma between. */
const splitKeys = (text: string): string[] =>
  text.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g) ??
  text
    .split(',')
    .map((key) => key.trim())
    .filter(Boolean);

/** Returns what is wrong with the keys, as far as this machine can know without asking Alipay. */
function keyProblems(privateText: string, publicTexts: string[]): string[] {
  const privateKey = tryKey(() => readPrivateKey(privateText));
  const publicKeys = publicTexts.map((text) => tryKey(() => readPublicKey(text)));
  const problems: string[] = [];
  if (!privateKey || !canSign(privateKey))
    problems.push(
      'ALIPAY_PRIVATE_KEY: must be an RSA private key of 2048 bits or more, PEM or Base64 (PKCS#8 or PKCS#1)',
    );
  if (publicKeys.length === 0 || publicKeys.includes(null))
    problems.push(
      'ALIPAY_PUBLIC_KEY: must be an RSA public key of 2048 bits or more, PEM or Base64, or several (PEM blocks, or Base64 with commas between)',
    );
  // The console shows both public keys beside each other, and the wrong one makes every answer of Alipay look forged.
  if (privateKey && publicKeys.some((key) => key && isPair(privateKey, key)))
    problems.push(
      "ALIPAY_PUBLIC_KEY: is the public key of your own application (应用公钥); what belongs here is Alipay's (支付宝公钥)",
    );
  return problems;
}

function tryKey(read: () => KeyObject): KeyObject | null {
  try {
    return read();
  } catch {
    return null;
  }
}
