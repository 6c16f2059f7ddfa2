import { createHmac, createSecretKey, hkdfSync, timingSafeEqual, type KeyObject } from 'node:crypto';

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
  // Key objects: from bytes, Node would make a new key for each signature, which takes four times as long as the signature.
  const keys = new Map<string, KeyObject>();
  const keyOf = (purpose: string) => {
    const known = keys.get(purpose);
    if (known) return known;
    const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `ceku:${purpose}`, 32)));
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

type Link = {
  /** The purpose of the link. A signature made for one kind is not valid for another. */
  kind: string;
  /** Everything the link may open, and to whom. */
  subject: (string | number)[];
  /** Epoch seconds. */
  expires: number;
};

/** Returns the epoch second at which a link that is made `now` (in milliseconds) and lives `seconds` expires. */
export const expiryAfter = (seconds: number, now: number) => Math.floor(now / 1_000) + seconds;

/** Returns the signature that a link carries beside its expiry. */
export function signLink(signer: Signer, { kind, subject, expires }: Link): string {
  return signer.sign(kind, ...subject, expires);
}

/** True for a signature of signLink over the same link that has not expired. `now` in epoch milliseconds. */
export function isLinkValid(signer: Signer, link: Link & { signature: string }, now: number): boolean {
  const { kind, subject, expires, signature } = link;
  if (!Number.isSafeInteger(expires) || expires * 1_000 <= now) return false;
  return signer.verify(signature, kind, ...subject, expires);
}
