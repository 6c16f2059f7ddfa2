import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { isAlive } from '../../platform/processes.ts';
import { TOKENIZER_VERSION } from '../words.ts';
import { LAYOUT_VERSION } from './format/layout.ts';

/**
 * The facts of a snapshot: a main segment as a file of one kilobyte of JSON followed by the bytes of the buffer. The
 * file is written under a temporary name and renamed after fsync, so that there is either a complete file or none.
 */
export type SnapshotFacts = {
  /** Identifies the database that the index was built from; a snapshot of another database is not used. */
  lineage: string;
  /** Transactions from this id on are not in the snapshot (server/indexing/engine-feed.ts). */
  horizon: string;
};

const HEAD_BYTES = 1_024;
/** Bytes per read or write call; Linux transfers at most 2 GB in one call. */
const PART_BYTES = 64 * 1_048_576;

type Head = SnapshotFacts & { format: string; layout: number; tokenizer: number; bytes: number; checksum: number };

const THIS_RELEASE = { format: 'ceku-search', layout: LAYOUT_VERSION, tokenizer: TOKENIZER_VERSION } as const;

/** Parses the head. Throws unless a release with this layout and this tokenizer wrote the snapshot. */
function readHead(text: string): Head {
  // Safe: every field is checked below, and the content by its length and checksum.
  const head = JSON.parse(text) as Head;
  const isOurs =
    head.format === THIS_RELEASE.format &&
    head.layout === THIS_RELEASE.layout &&
    head.tokenizer === THIS_RELEASE.tokenizer;
  const isWhole =
    Number.isSafeInteger(head.bytes) &&
    head.bytes >= 0 &&
    typeof head.lineage === 'string' &&
    /^\d+$/.test(head.horizon);
  if (!isOurs || !isWhole) throw new RangeError('a snapshot of another release');
  return head;
}

/** Writes a snapshot in place of an earlier one. Removes temporary files of processes that have ended. */
export function saveSnapshot(path: string, buffer: SharedArrayBuffer, facts: SnapshotFacts): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  removeAbandoned(path);
  // The name contains the process id: two processes that write at once each rename a complete file.
  const temporary = `${path}.${process.pid}.tmp`;
  const bytes = new Uint8Array(buffer);
  const text = JSON.stringify({
    ...THIS_RELEASE,
    bytes: bytes.length,
    checksum: crc32(bytes),
    ...facts,
  } satisfies Head);
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeAll(file, new TextEncoder().encode(text.padEnd(HEAD_BYTES)));
    writeAll(file, bytes);
    fsyncSync(file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  syncFolder(dirname(path));
}

/** Removes the temporary files that killed processes left beside the snapshot. */
function removeAbandoned(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder)) {
    const isTemporary = name.startsWith(`${basename(path)}.`) && name.endsWith('.tmp');
    const pid = Number(name.split('.').at(-2));
    if (isTemporary && !isAlive(pid)) rmSync(join(folder, name), { force: true });
  }
}

export type LoadedSnapshot = { buffer: SharedArrayBuffer } & SnapshotFacts;

/** Returns null for a snapshot that is missing, truncated, changed or of another version: the index can always be built again. */
export function loadSnapshot(path: string): LoadedSnapshot | null {
  let file: number | null = null;
  try {
    file = openSync(path, 'r');
    const start = new Uint8Array(HEAD_BYTES);
    readAll(file, start, 0);
    const facts = readHead(new TextDecoder().decode(start));
    if (fstatSync(file).size !== HEAD_BYTES + facts.bytes) return null;
    const buffer = new SharedArrayBuffer(facts.bytes);
    const bytes = new Uint8Array(buffer);
    readAll(file, bytes, HEAD_BYTES);
    return crc32(bytes) === facts.checksum ? { buffer, lineage: facts.lineage, horizon: facts.horizon } : null;
  } catch {
    return null;
  } finally {
    if (file !== null) closeSync(file);
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, Math.min(PART_BYTES, bytes.length - at));
}

function readAll(file: number, bytes: Uint8Array, position: number): void {
  for (let at = 0; at < bytes.length;) {
    const read = readSync(file, bytes, at, Math.min(PART_BYTES, bytes.length - at), position + at);
    if (read === 0) throw new RangeError('the file ends early');
    at += read;
  }
}

/** Flushes a folder, which makes the rename durable. Not every operating system can open a folder. */
function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    // Where a folder cannot be flushed, a power cut may lose the snapshot, and the index is built again.
  }
}
