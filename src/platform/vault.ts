import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Seals short texts for storage, and makes the keyed hash by which a sealed one is found. */
export type Vault = {
  /** Names the key everything is sealed with: 8 bytes that tell nothing about it. */
  keyId: Buffer;
  /** AES-256-GCM under a key of the purpose: key id (8) ‖ nonce (12) ‖ ciphertext ‖ tag (16). */
  seal(purpose: string, text: string): Buffer;
  /** Throws WrongKey when another key sealed it; Node's own error when it was changed or is of another purpose. */
  open(purpose: string, sealed: Buffer): string;
  /** HMAC-SHA-256, the same for the same text: unique keys and look-ups without the text (a blind index). */
  index(purpose: string, text: string): Buffer;
};

/** What is stored was sealed with another secret than the present one. */
export class WrongKey extends Error {}

const KEY_ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** All keys come from the site's one secret by HKDF-SHA-256, one for each use and purpose. */
export function createVault(secret: Buffer): Vault {
  const keys = new Map<string, Buffer>();
  const keyOf = (use: string) => {
    const known = keys.get(use);
    if (known) return known;
    const key = Buffer.from(hkdfSync('sha256', secret, '', `ceku:vault:${use}`, 32));
    keys.set(use, key);
    return key;
  };
  const keyId = keyOf('id').subarray(0, KEY_ID_BYTES);
  return {
    keyId,
    seal(purpose, text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keyOf(`seal:${purpose}`), nonce);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([keyId, nonce, sealed, cipher.getAuthTag()]);
    },
    open(purpose, sealed) {
      if (!sealed.subarray(0, KEY_ID_BYTES).equals(keyId))
        throw new WrongKey(`a ${purpose} was sealed with another key`);
      const nonce = sealed.subarray(KEY_ID_BYTES, KEY_ID_BYTES + NONCE_BYTES);
      const body = sealed.subarray(KEY_ID_BYTES + NONCE_BYTES, -TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', keyOf(`seal:${purpose}`), nonce, { authTagLength: TAG_BYTES });
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
    },
    index: (purpose, text) =>
      createHmac('sha256', keyOf(`index:${purpose}`))
        .update(text)
        .digest(),
  };
}
