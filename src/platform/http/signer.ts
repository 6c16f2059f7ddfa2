import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Makes and verifies short signatures over a purpose and its parts. */
export type Signer = {
  sign(purpose: string, ...parts: (string | number)[]): string;
  verify(signature: string, purpose: string, ...parts: (string | number)[]): boolean;
};

/**
 * Returns a signer: HMAC-SHA-256 with a separate key for each purpose, cut to 144 bits, base64url (24 characters).
 * Parts are length-prefixed, so that ("a", "bc") and ("ab", "c") differ.
 */
export function createSigner(secret: Buffer): Signer {
  const keys = new Map<string, Buffer>();
  const keyOf = (purpose: string) => {
    const known = keys.get(purpose);
    if (known) return known;
    const key = Buffer.from(hkdfSync('sha256', secret, '', `ceku:${purpose}`, 32));
    keys.set(purpose, key);
    return key;
  };
  const sign = (purpose: string, ...parts: (string | number)[]) => {
    const mac = createHmac('sha256', keyOf(purpose));
    for (const part of parts) mac.update(`${Buffer.byteLength(String(part))}:${part};`);
    return mac.digest().subarray(0, 18).toString('base64url');
  };
  return {
    sign,
    verify(signature, purpose, ...parts) {
      const expected = Buffer.from(sign(purpose, ...parts));
      const given = Buffer.from(signature);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
