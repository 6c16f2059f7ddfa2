import { closeSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/** Bytes in memory that threads share, or in a file from byte `at` on. The packed postings of page text (inside.ts) lie in one. */
export type PageStore = { bytes: Uint8Array } | { file: number; at: number };

/** A main segment: what every question needs, in memory (layout.ts), and the postings of page text, which are read when a question needs them. */
export type MainSegment = { buffer: SharedArrayBuffer; pages: PageStore };

/** Reads bytes from `position` on into the start of `into`: at least `min` and at most `max`. Returns their number. Throws RangeError when the store ends before. */
export function readStore(store: PageStore, position: number, into: Uint8Array, min: number, max: number): number {
  if ('bytes' in store) {
    const part = store.bytes.subarray(position, position + max);
    if (part.length < min) throw new RangeError('the postings end early');
    into.set(part);
    return part.length;
  }
  let count = 0;
  do {
    const read = readSync(store.file, into, count, max - count, store.at + position + count);
    if (read === 0 && count < min) throw new RangeError('the file of the postings ends early');
    count += read;
  } while (count < min);
  return count;
}

/** Closes the file of a segment, which no thread reads any more. A file that has been replaced in its folder is deleted by this. */
export function closeStore(store: PageStore): void {
  if ('file' in store) closeSync(store.file);
}

/** Appends bytes to a store. */
export type StoreWriter = {
  append(bytes: Uint8Array): void;
  readonly length: number;
  finish(): PageStore;
};

export function createMemoryWriter(): StoreWriter {
  let bytes = new Uint8Array(new SharedArrayBuffer(1 << 12));
  let length = 0;
  return {
    append(more) {
      if (length + more.length > bytes.length) {
        const larger = new Uint8Array(new SharedArrayBuffer(Math.max(bytes.length * 2, length + more.length)));
        larger.set(bytes.subarray(0, length));
        bytes = larger;
      }
      bytes.set(more, length);
      length += more.length;
    },
    get length() {
      return length;
    },
    finish: () => ({ bytes: bytes.subarray(0, length) }),
  };
}

/** Bytes that are collected before a write call. */
const PART_BYTES = 1 << 20;

/** Writes to a file from byte `at` on. `checksum`: the CRC-32 of all bytes, after finish(). */
export function createFileWriter(file: number, at: number): StoreWriter & { checksum(): number } {
  const part = new Uint8Array(PART_BYTES);
  let filled = 0;
  let written = 0;
  let checksum = 0;

  function flush(): void {
    checksum = crc32(part.subarray(0, filled), checksum);
    for (let from = 0; from < filled;) from += writeSync(file, part, from, filled - from, at + written + from);
    written += filled;
    filled = 0;
  }

  return {
    append(bytes) {
      for (let from = 0; from < bytes.length;) {
        const more = bytes.subarray(from, from + PART_BYTES - filled);
        part.set(more, filled);
        filled += more.length;
        from += more.length;
        if (filled === PART_BYTES) flush();
      }
    },
    get length() {
      return written + filled;
    },
    finish() {
      flush();
      return { file, at };
    },
    checksum: () => checksum,
  };
}

/** Reads a store from front to back. */
export type StoreReader = {
  /** The bytes at hand are bytes[at … filled): `need` puts at least `count` of them there, unless the range ends before. */
  bytes: Uint8Array;
  at: number;
  filled: number;
  need(count: number): void;
};

/** Reads the bytes `from` to `to` (excluded), `size` at a time. */
export function openStoreReader(store: PageStore, from: number, to: number, size: number): StoreReader {
  let position = from;
  const reader: StoreReader = {
    bytes: new Uint8Array(size),
    at: 0,
    filled: 0,
    need(count) {
      const rest = reader.filled - reader.at;
      if (rest >= count || position === to) return;
      reader.bytes.copyWithin(0, reader.at, reader.filled);
      reader.at = 0;
      reader.filled = rest;
      const max = Math.min(size - rest, to - position);
      const read = readStore(store, position, reader.bytes.subarray(rest), max, max);
      reader.filled += read;
      position += read;
    },
  };
  return reader;
}
