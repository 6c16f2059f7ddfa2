import { createHash } from 'node:crypto';

/** The bytes in a file are not those it was stored with. */
export class BytesChanged extends Error {}

/**
 * Passes bytes on while it hashes them, and keeps the last part back until the hash is known: whoever receives all of
 * them has the right ones. Throws BytesChanged instead of yielding the last part of others. `sha256`: 64 hex digits.
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
