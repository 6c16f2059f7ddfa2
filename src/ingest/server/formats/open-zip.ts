import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { callbackify } from 'node:util';
import yauzl from 'yauzl';
import type { Entry, ZipFile, ZipFileOptions } from 'yauzl';
import { RefusedError } from '../../refusals.ts';
import { ingestLimits as limits } from '../../rules.ts';

/** A zip whose directory has been checked. Names are looked up without regard to case, as OPC requires. */
export type Zip = {
  /** Names as written in the archive, in the order of the archive. */
  names: string[];
  /** True when the end record lacked bytes or was followed by others. */
  repaired: boolean;
  has(name: string): boolean;
  entry(name: string): Entry | undefined;
  /** Yields the inflated bytes of a part. Refuses a part that inflates to another size than it claims. */
  chunks(name: string): AsyncGenerator<Buffer>;
  /** Yields the bytes of a part as they are in the archive: compressed, or not, as its entry says. */
  storedChunks(name: string): AsyncGenerator<Buffer>;
  /** Returns a whole part; null when there is no such part. Refuses a part larger than `maxBytes`. */
  read(name: string, maxBytes?: number): Promise<Buffer | null>;
  /**
   * Refuses a part whose local header has another name or compression than the directory: programs disagree on such a
   * part.
   */
  checkHeader(name: string): Promise<void>;
  close(): void;
};

export const XML_NAME = /\.(xml|rels|vml)$/i;
export const RELS_NAME = /\.rels$/i;

/**
 * Opens a zip by its path, an open file (which stays open) or a buffer, and checks its directory against the limits
 * without inflating any part. Throws RefusedError: zip-corrupt, zip-bomb, bad-entry-name, encrypted.
 */
export async function openZip(source: string | FileHandle | Buffer): Promise<Zip> {
  const { file, repaired } = Buffer.isBuffer(source) ? await openInMemory(source) : await openTolerant(source);
  const entries = new Map<string, Entry>();
  try {
    await checkDirectory(file, entries);
  } catch (error) {
    file.close();
    throw asRefusal(error);
  }
  async function* chunksOf(name: string, options: ZipFileOptions): AsyncGenerator<Buffer> {
    const entry = entries.get(name.toLowerCase());
    if (!entry) throw new RefusedError('zip-corrupt', `no part ${name}`);
    try {
      // Safe: yauzl streams bytes.
      for await (const chunk of await file.openReadStreamPromise(entry, options)) yield chunk as Buffer;
    } catch (error) {
      throw asRefusal(error);
    }
  }
  const chunks = (name: string) => chunksOf(name, {});
  return {
    names: [...entries.values()].map((entry) => entry.fileName),
    repaired,
    has: (name) => entries.has(name.toLowerCase()),
    entry: (name) => entries.get(name.toLowerCase()),
    chunks,
    storedChunks: (name) => chunksOf(name, { decodeFileData: false }),
    read: async (name, maxBytes = limits.zipXmlBytes) => {
      const entry = entries.get(name.toLowerCase());
      if (!entry) return null;
      if (entry.uncompressedSize > maxBytes)
        throw new RefusedError('zip-bomb', `${name} is ${entry.uncompressedSize} bytes`);
      return Buffer.concat(await Array.fromAsync(chunks(name)));
    },
    checkHeader: async (name) => {
      const entry = entries.get(name.toLowerCase());
      if (entry) await checkHeader(file, entry);
    },
    close: () => file.close(),
  };
}

async function checkHeader(file: ZipFile, entry: Entry): Promise<void> {
  const header = await file.readLocalFileHeaderPromise(entry).catch((error: unknown) => {
    throw asRefusal(error);
  });
  const isSame =
    header.fileName.equals(entry.fileNameRaw) &&
    header.compressionMethod === entry.compressionMethod &&
    (header.generalPurposeBitFlag & 1) === (entry.generalPurposeBitFlag & 1);
  if (!isSame) throw new RefusedError('zip-corrupt', `${entry.fileName} is told of in two ways`);
}

async function checkDirectory(file: ZipFile, entries: Map<string, Entry>): Promise<void> {
  const ranges: { start: number; end: number }[] = [];
  let total = 0;
  let xmlTotal = 0;
  if (file.entryCount > limits.zipEntries) throw new RefusedError('zip-bomb', `${file.entryCount} entries`);
  for await (const entry of file.eachEntry()) {
    checkEntry(entry);
    const key = entry.fileName.toLowerCase();
    if (entries.has(key)) throw new RefusedError('bad-entry-name', `twice ${entry.fileName}`);
    entries.set(key, entry);
    total += entry.uncompressedSize;
    if (XML_NAME.test(key)) xmlTotal += entry.uncompressedSize;
    if (entries.size > limits.zipEntries) throw new RefusedError('zip-bomb', `more than ${limits.zipEntries} entries`);
    if (total > limits.zipTotalBytes) throw new RefusedError('zip-bomb', `${total} bytes in all`);
    if (xmlTotal > limits.zipXmlTotalBytes) throw new RefusedError('zip-bomb', `${xmlTotal} bytes of XML`);
    // A local header has at least 30 bytes before the name.
    const start = entry.relativeOffsetOfLocalHeader;
    ranges.push({ start, end: start + 30 + entry.compressedSize });
  }
  ranges.sort((a, b) => a.start - b.start);
  ranges.reduce(
    (before, range) => {
      if (range.start < before.end) throw new RefusedError('zip-bomb', 'entries overlap');
      return range;
    },
    { start: 0, end: 0 },
  );
}

function checkEntry(entry: Entry): void {
  const { fileName, uncompressedSize, compressedSize } = entry;
  // oxlint-disable-next-line no-control-regex -- the expression looks for control characters
  if (/[\x00-\x1f\x7f]/.test(fileName)) throw new RefusedError('bad-entry-name', JSON.stringify(fileName.slice(0, 80)));
  if (entry.generalPurposeBitFlag & 1) throw new RefusedError('encrypted', fileName);
  const max = maxBytesOf(fileName);
  const ratio = uncompressedSize / Math.max(1, compressedSize);
  if (uncompressedSize > max) throw new RefusedError('zip-bomb', `${fileName} is ${uncompressedSize} bytes`);
  if (uncompressedSize > limits.zipRatioFromBytes && ratio > limits.zipRatio) {
    throw new RefusedError('zip-bomb', `${fileName} shrinks ${Math.round(ratio)} times`);
  }
}

const CONTENT_TYPES = /^\[content_types\]\.xml$/i;

/** Relationships and content types are read whole and at once, also by the site for a member's upload. */
function maxBytesOf(name: string): number {
  if (RELS_NAME.test(name) || CONTENT_TYPES.test(name)) return limits.zipRelsBytes;
  return XML_NAME.test(name) ? limits.zipXmlBytes : limits.zipEntryBytes;
}

/** Returns the refusal that matches an error of yauzl. */
function asRefusal(error: unknown): RefusedError {
  if (error instanceof RefusedError) return error;
  // A fault of the disk (ENOENT, EIO), not of the archive.
  if (error instanceof Error && 'syscall' in error) return new RefusedError('unreadable', error.message.slice(0, 120));
  const message = error instanceof Error ? error.message : String(error);
  if (/relative path|absolute path|invalid characters/i.test(message))
    return new RefusedError('bad-entry-name', message);
  if (/encrypt/i.test(message)) return new RefusedError('encrypted', message);
  return new RefusedError('zip-corrupt', message.slice(0, 120));
}

const COMMENT_LENGTH = /^Invalid comment length\. Expected: (\d+)\. Found: (\d+)\./;

const options = { lazyEntries: true, autoClose: false, strictFileNames: true, validateEntrySizes: true };

async function openInMemory(bytes: Buffer): Promise<{ file: ZipFile; repaired: boolean }> {
  try {
    return { file: await yauzl.fromBufferPromise(bytes, options), repaired: false };
  } catch (error) {
    throw asRefusal(error);
  }
}

/**
 * Opens a zip whose end record lacks its last bytes or is followed by others, which yauzl refuses: the end is repaired
 * once.
 */
async function openTolerant(source: string | FileHandle): Promise<{ file: ZipFile; repaired: boolean }> {
  const handle = typeof source === 'string' ? await open(source).catch(rejectAsRefusal) : source;
  const close = () => (typeof source === 'string' ? handle.close() : Promise.resolve());
  try {
    const { size } = await handle.stat();
    const openAs = (length: number) =>
      yauzl.fromRandomAccessReaderPromise(new HandleReader(handle, size, close), length, options);
    try {
      return { file: await openAs(size), repaired: false };
    } catch (error) {
      const found = COMMENT_LENGTH.exec(error instanceof Error ? error.message : '');
      if (!found) throw error;
      return { file: await openAs(size + Number(found[2]) - Number(found[1])), repaired: true };
    }
  } catch (error) {
    await close();
    throw asRefusal(error);
  }
}

function rejectAsRefusal(error: unknown): never {
  throw asRefusal(error);
}

const CHUNK = 65_536;

/** Reads an open file as if zeros followed its end. */
class HandleReader extends yauzl.RandomAccessReader {
  readonly handle: FileHandle;
  readonly size: number;
  readonly whenClosed: () => Promise<void>;

  constructor(handle: FileHandle, size: number, whenClosed: () => Promise<void>) {
    super();
    this.handle = handle;
    this.size = size;
    this.whenClosed = whenClosed;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.range(start, end), { objectMode: false });
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    callbackify(() => this.fill(buffer.subarray(offset, offset + length), position))(callback);
  }

  override close(callback: (error: Error | null) => void): void {
    callbackify(this.whenClosed)(callback);
  }

  async *range(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end; at += CHUNK) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK, end - at));
      await this.fill(chunk, at);
      yield chunk;
    }
  }

  async fill(buffer: Buffer, position: number): Promise<void> {
    let filled = 0;
    while (filled < buffer.length && position + filled < this.size) {
      const { bytesRead } = await this.handle.read(buffer, filled, buffer.length - filled, position + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    buffer.fill(0, filled);
  }
}
