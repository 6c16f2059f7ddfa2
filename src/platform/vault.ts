import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts short texts for storage, and makes the keyed hash by which an encrypted text is found. */
export type Vault = {
  /** Id of the encryption key: 8 bytes that reveal nothing about the key. */
  keyId: Buffer;
  /** Encrypts with AES-256-GCM under the key of the purpose: key id (8) ‖ nonce (12) ‖ ciphertext ‖ tag (16). */
  seal(purpose: string, text: string): Buffer;
  /**
   * Decrypts. Throws WrongKey when the text was encrypted with another key; Node's own error when it was changed or
   * belongs to another purpose.
   */
  open(purpose: string, sealed: Buffer): string;
  /**
   * Returns an HMAC-SHA-256, the same for the same text, for unique keys and look-ups without the text (a blind index).
   */
  index(purpose: string, text: string): Buffer;
};

/** The stored texts were encrypted with another secret than the present one. */
export class WrongKey extends Error {}

const KEY_ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Throws WrongKey when a stored text was sealed with another secret than the vault's. `what`: "the phones". */
export function refuseOtherKey(vault: Vault, sealed: Buffer | null, what: string): void {
  if (sealed && !sealed.subarray(0, KEY_ID_BYTES).equals(vault.keyId))
    throw new WrongKey(`${what} in the database were sealed with another secret`);
}

/** Creates a vault. All keys are derived from the site's secret by HKDF-SHA-256, one for each use and purpose. */
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
