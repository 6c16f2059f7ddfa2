import { createHash } from 'node:crypto';

/** The bytes of a file do not have the hash that the file was stored with. */
export class BytesChanged extends Error {}

/**
 * Passes bytes on while hashing them, and holds the last part back until the hash is known: a reader who receives all
 * bytes has the right ones. Throws BytesChanged instead of yielding the last part when the hash differs. `sha256`: 64
 * hex digits.
 */
export async function* checkedBytes(bytes: AsyncIterable<Buffer>, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let last: Buffer | null = null;
  for await (const part of bytes) {
    hash.update(part);
    if (last) yield last;
    last = part;
  }
  if (hash.digest('hex') !== sha256) throw new BytesChanged('the stored bytes have another SHA-256');
  if (last) yield last;
}
