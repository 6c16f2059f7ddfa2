import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/** `changedAt`: epoch milliseconds of the last change to the object, of its bytes or of its metadata. */
export type StoredFile = { size: number; changedAt: number };
export type ByteRange = { start: number; end: number };
/** `modifiedAt`: epoch milliseconds of the last put. */
export type ListedFile = { key: string; size: number; modifiedAt: number };

/**
 * Where originals, converted PDFs, covers and page images live. Keys are ours, never a user's:
 * `originals/<sha256>`, `pdf/<sha256>.pdf`, `media/<media key>/{cover,cover-960,cover-1600,strip,<content>}.webp` and `share.jpg`.
 * Every adapter passes tests/providers/file-store.test.ts.
 */
export type FileStore = {
  /**
   * Copies a local file in, from its path or from an open one, which stays open. Readers see the whole file or nothing; putting the same key again is harmless. With `sha256`
   * (64 hex digits) it throws ContentChanged, and stores nothing, when the bytes that were copied have another hash.
   */
  put(key: string, source: string | FileHandle, expected?: { sha256: string }): Promise<void>;
  /** Null when there is no such object. Throws only when the store cannot answer. */
  stat(key: string): Promise<StoredFile | null>;
  /** Streams the object, or bytes `start`–`end` inclusive. Throws StoreMissing. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** A path on this machine for programs that need one (the converter); a temporary copy for remote stores. */
  withLocalPath<T>(key: string, use: (path: string) => Promise<T>): Promise<T>;
  /** Everything under a first part of keys (`originals`, `pdf`, `media`), drafts of broken puts included, in no order. */
  list(kind: string): AsyncIterable<ListedFile>;
  /** No object: no error. */
  remove(key: string): Promise<void>;
};

export class StoreMissing extends Error {}
export class ContentChanged extends Error {}
