import { randomUUID } from 'node:crypto';
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
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { TOKENIZER_VERSION } from '../words.ts';
import { LAYOUT_VERSION } from './format/layout.ts';
import { createFileWriter, type MainSegment, type StoreWriter } from './format/page-store.ts';

/**
 * The facts of a snapshot: a main segment as a file of one kilobyte of JSON, the postings of page text, and the bytes of the buffer. The
 * file is written under a temporary name and renamed after fsync, so that there is either a complete file or none. The postings of page text
 * are read from it while it serves, also after another snapshot has taken its place: the open file keeps them.
 */
type SnapshotFacts = {
  /** Identifies the database that the index was built from; a snapshot of another database is not used. */
  lineage: string;
  /** Transactions from this id on are not in the snapshot (server/indexing/engine-feed.ts). */
  horizon: string;
};

const HEAD_BYTES = 1_024;
/** Bytes per read or write call. */
const PART_BYTES = 8 * 1_048_576;
/**
 * A temporary file that nobody has written to for this long is abandoned. The nodes of a site may share the folder, and process ids mean nothing
 * between machines and containers. A build writes to its file all the time until it is renamed.
 */
const ABANDONED_MS = 15 * 60_000;

type Head = SnapshotFacts & {
  format: string;
  layout: number;
  tokenizer: number;
  pageBytes: number;
  bytes: number;
  checksum: number;
};

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
    [head.bytes, head.pageBytes].every((bytes) => Number.isSafeInteger(bytes) && bytes >= 0) &&
    typeof head.lineage === 'string' &&
    /^\d+$/.test(head.horizon);
  if (!isOurs || !isWhole) throw new RangeError('a snapshot of another release');
  return head;
}

/** The segment reads its postings from the file of the snapshot. `failure`: why the file could not take the place of the snapshot before it. */
type SavedSnapshot = { segment: MainSegment; failure: string | null };

/**
 * Writes a snapshot in place of an earlier one. `build` writes the postings of page text to the file and returns the rest of the segment. A file
 * that cannot take its place is unlinked, and serves until it is closed. Removes abandoned temporary files.
 */
export function saveSnapshot(
  path: string,
  facts: SnapshotFacts,
  build: (pages: StoreWriter) => MainSegment,
): SavedSnapshot {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  removeAbandoned(path);
  // A name of its own: two nodes that write at once, which may have the same process id, each rename a complete file.
  const temporary = `${path}.${randomUUID()}.tmp`;
  const file = openSync(temporary, 'wx+', 0o600);
  try {
    const writer = createFileWriter(file, HEAD_BYTES);
    const segment = build(writer);
    const bytes = new Uint8Array(segment.buffer);
    const head = {
      ...THIS_RELEASE,
      pageBytes: writer.length,
      bytes: bytes.length,
      checksum: crc32(bytes, writer.checksum()),
      ...facts,
    } satisfies Head;
    writeAll(file, bytes, HEAD_BYTES + writer.length);
    writeAll(file, new TextEncoder().encode(JSON.stringify(head).padEnd(HEAD_BYTES)), 0);
    fsyncSync(file);
    return { segment, failure: takePlace(temporary, path) };
  } catch (error) {
    rmSync(temporary, { force: true });
    closeSync(file);
    throw error;
  }
}

/** Renames the complete file. Returns the error, if any: without a snapshot only the next start takes longer. */
function takePlace(temporary: string, path: string): string | null {
  try {
    renameSync(temporary, path);
    syncFolder(dirname(path));
    return null;
  } catch (error) {
    rmSync(temporary, { force: true });
    return String(error);
  }
}

/** The file of a build's runs (build/page-runs.ts), beside the snapshot. */
export function runsPathOf(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return `${path}.${randomUUID()}.runs.tmp`;
}

/** Removes the temporary files that killed processes left beside the snapshot. */
function removeAbandoned(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(path)}.`) || !name.endsWith('.tmp')) continue;
    const file = join(folder, name);
    // Another node may rename or remove the file meanwhile.
    const writtenAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (writtenAt < Date.now() - ABANDONED_MS) rmSync(file, { force: true });
  }
}

type LoadedSnapshot = { segment: MainSegment } & SnapshotFacts;

/**
 * Opens a snapshot; its file stays open. Returns null for a snapshot that is missing, truncated, changed or of another version: the index can
 * always be built again.
 */
export function loadSnapshot(path: string): LoadedSnapshot | null {
  let file: number | null = null;
  try {
    file = openSync(path, 'r');
    const start = new Uint8Array(HEAD_BYTES);
    readAll(file, start, 0);
    const facts = readHead(new TextDecoder().decode(start));
    const { lineage, horizon, pageBytes } = facts;
    if (fstatSync(file).size === HEAD_BYTES + pageBytes + facts.bytes) {
      let checksum = 0;
      const part = new Uint8Array(PART_BYTES);
      for (let at = 0; at < pageBytes; at += PART_BYTES) {
        const bytes = part.subarray(0, Math.min(PART_BYTES, pageBytes - at));
        readAll(file, bytes, HEAD_BYTES + at);
        checksum = crc32(bytes, checksum);
      }
      const buffer = new SharedArrayBuffer(facts.bytes);
      const bytes = new Uint8Array(buffer);
      readAll(file, bytes, HEAD_BYTES + pageBytes);
      if (crc32(bytes, checksum) === facts.checksum)
        return { segment: { buffer, pages: { file, at: HEAD_BYTES } }, lineage, horizon };
    }
  } catch {
    // As a snapshot that is damaged.
  }
  if (file !== null) closeSync(file);
  return null;
}

function writeAll(file: number, bytes: Uint8Array, position: number): void {
  for (let at = 0; at < bytes.length;)
    at += writeSync(file, bytes, at, Math.min(PART_BYTES, bytes.length - at), position + at);
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
