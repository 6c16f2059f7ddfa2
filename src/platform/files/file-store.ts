import { buffer } from 'node:stream/consumers';
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createHash } from 'node:crypto';

/**
 * `changedAt`: epoch milliseconds of the last change to the object, of its bytes or of its metadata; `modifiedAt`: those of the last put.
 */
export type StoredFile = { size: number; changedAt: number; modifiedAt: number };
export type ByteRange = { start: number; end: number };
export type ListedFile = StoredFile & { key: string };

/**
 * Stores originals, converted PDFs, covers and page images. Keys are made by this project, never by a user:
 * `originals/<sha256>`, `pdf/<sha256>.pdf`, `media/<media key>/{cover,cover-960,cover-1600,strip,<content>,<content>-1600}.webp` and
 * `share-<version>.jpg`, `uploads/<upload key>/{original,<page>.webp}`. Every adapter passes tests/providers/file-store.test.ts.
 */
export type FileStore = {
  /**
   * Copies a local file into the store, from its path or from an open file handle, which stays open. Readers see the
   * whole file or nothing; putting the same key twice is harmless. With `sha256` (64 hex digits), throws ContentChanged
   * and stores nothing when the copied bytes have another hash. Throws StoreAway.
   */
  put(key: string, source: string | FileHandle, expected?: { sha256: string }): Promise<void>;
  /** Returns null when there is no such object. Throws only when the store cannot answer. */
  stat(key: string): Promise<StoredFile | null>;
  /** Streams the object, or bytes `start`–`end` inclusive. Throws StoreMissing. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Returns a path on this machine for programs that need one (the converter); remote stores make a temporary copy. */
  withLocalPath<T>(key: string, use: (path: string) => Promise<T>): Promise<T>;
  /**
   * Lists everything under the first part of keys (`originals`, `pdf`, `media`, `uploads`), temporary files of interrupted puts
   * included, in no order.
   */
  list(kind: string): AsyncIterable<ListedFile>;
  /** Throws StoreAway when the store is not there, as a disk that is not mounted: then no object is missing for good. */
  check(): Promise<void>;
  /** Deletes the object; does nothing when there is none. */
  remove(key: string): Promise<void>;
  /** Deletes every object whose key goes on from `key` with a slash, and the folder that held them. Does nothing when there is none. */
  removeFolder(key: string): Promise<void>;
};

export class StoreMissing extends Error {}
export class StoreAway extends Error {}
export class ContentChanged extends Error {}

/** Returns the facts of an object that was stored once; null when it is gone for good. Throws StoreAway. */
export async function statStored(files: FileStore, key: string): Promise<StoredFile | null> {
  const found = await files.stat(key);
  if (!found) await files.check();
  return found;
}

/** Returns the bytes of an object; null when there is none. Throws StoreAway. */
export async function readStored(files: FileStore, key: string): Promise<Buffer | null> {
  try {
    return await buffer(await files.read(key));
  } catch (error) {
    if (error instanceof StoreMissing) return null;
    throw error;
  }
}

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
