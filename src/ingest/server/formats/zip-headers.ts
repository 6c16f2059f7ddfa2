/** A part of a zip to be written. `storedBytes` is its size in the archive, `bytes` its size when inflated. */
export type ZipPart = { name: string; method: number; crc32: number; storedBytes: number; bytes: number };

/** The version of the format that a reader needs (4.4.3): 2.0, which has Deflate but no ZIP64. */
const VERSION = 20;
/** Names are in UTF-8. No other flag: parts are not encrypted, and sizes stand before a part, in no data descriptor behind it. */
const FLAGS = 0x0800;
/** 1 January 1980, the earliest date of the format (4.4.6). */
const DAY = 0x0021;

/**
 * Returns the two headers of a part (APPNOTE.TXT 4.3.7 and 4.3.12): the one before its bytes, and the one in the directory, which says that
 * the first stands at `offset`. No size or offset may reach 4 GiB.
 */
export function zipHeaders(part: ZipPart, offset: number): { local: Buffer; central: Buffer } {
  const name = Buffer.from(part.name);
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(VERSION, 0);
  facts.writeUInt16LE(FLAGS, 2);
  facts.writeUInt16LE(part.method, 4);
  facts.writeUInt16LE(DAY, 8);
  facts.writeUInt32LE(part.crc32, 10);
  facts.writeUInt32LE(part.storedBytes, 14);
  facts.writeUInt32LE(part.bytes, 18);
  facts.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, name]);
  const start = Buffer.alloc(6, 'PK\x01\x02', 'latin1');
  start.writeUInt16LE(VERSION, 4);
  const place = Buffer.alloc(14);
  place.writeUInt32LE(offset, 10);
  return { local, central: Buffer.concat([start, facts, place, name]) };
}

/** Returns the end of a zip (4.3.16) whose directory stands at `offset`. */
export function zipEnd(directory: readonly Buffer[], offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(
    directory.reduce((sum, header) => sum + header.length, 0),
    12,
  );
  end.writeUInt32LE(offset, 16);
  return end;
}
