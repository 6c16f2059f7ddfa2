import { RefusedError } from '../../refusals.ts';

/** The source of the bytes: a `FileHandle`, or `bytesOf` a buffer. */
type ByteSource = {
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
};

export function bytesOf(bytes: Buffer): ByteSource {
  return {
    read: async (buffer, offset, length, position) => ({
      bytesRead: bytes.copy(
        buffer,
        offset,
        Math.min(position, bytes.length),
        Math.min(position + length, bytes.length),
      ),
    }),
  };
}

/**
 * Reads the directory and the streams of an OLE compound file (MS-CFB) from disk in pieces: a 200 MB deck needs two
 * megabytes of memory, and a cyclic chain ends. Implements only what sniffing and embedded charts need.
 */
export type OleFile = {
  entries: OleEntry[];
  /** Returns bytes of a stream; fewer at its end. */
  read(entry: OleEntry, offset: number, length: number): Promise<Buffer>;
};

export type OleEntry = { name: string; kind: 'storage' | 'stream' | 'root'; start: number; size: number };

const END_OF_CHAIN = 0xfffffffe;
const MAX_DIRECTORY_BYTES = 8 * 1024 * 1024;
/** Limit of the mini FAT, which lists sectors of 64 bytes: enough for 128 MB of streams under 4 KB each. */
const MAX_MINI_FAT_BYTES = 8 * 1024 * 1024;

/** Throws RefusedError `corrupt` when tables or chains are inconsistent. */
export async function openOle(handle: ByteSource, fileBytes: number): Promise<OleFile> {
  const header = await readAt(handle, 0, 512);
  const shift = header.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) throw new RefusedError('corrupt', 'OLE sector size');
  const sectorBytes = 1 << shift;
  const sectors = Math.ceil(fileBytes / sectorBytes);
  const offsetOf = (sector: number) => (sector + 1) * sectorBytes;
  const fat = await readFat(handle, header, sectorBytes, sectors);
  const chain = (start: number) => follow(fat, start, sectors);

  const directoryChain = chain(header.readUInt32LE(48));
  if (directoryChain.length * sectorBytes > MAX_DIRECTORY_BYTES)
    throw new RefusedError('corrupt', 'OLE directory size');
  const directory = await readSectors(handle, directoryChain, sectorBytes);
  const entries = readEntries(directory, shift === 9);
  const root = entries.find((entry) => entry.kind === 'root');
  if (!root) throw new RefusedError('corrupt', 'no OLE root');

  const miniFatChain = chain(header.readUInt32LE(60));
  if (miniFatChain.length * sectorBytes > MAX_MINI_FAT_BYTES) throw new RefusedError('corrupt', 'OLE mini FAT size');
  const miniFat = toNumbers(await readSectors(handle, miniFatChain, sectorBytes));
  const miniChain = chain(root.start);
  const smallerThan = header.readUInt32LE(56);
  const chains = new Map<OleEntry, number[]>();

  const pieces = (entry: OleEntry): { at: (index: number) => number; bytes: number } => {
    const mini = entry.size < smallerThan && entry.kind === 'stream';
    const list = chains.get(entry) ?? (mini ? follow(miniFat, entry.start, miniFat.length) : chain(entry.start));
    chains.set(entry, list);
    const sectorAt = (list: number[], index: number) => {
      const sector = list[index];
      if (sector === undefined) throw new RefusedError('corrupt', `OLE stream ${entry.name} is cut`);
      return sector;
    };
    if (!mini) return { at: (index) => offsetOf(sectorAt(list, index)), bytes: sectorBytes };
    const perSector = sectorBytes / 64;
    const at = (index: number) => {
      const small = sectorAt(list, index);
      return offsetOf(sectorAt(miniChain, Math.floor(small / perSector))) + (small % perSector) * 64;
    };
    return { at, bytes: 64 };
  };

  return {
    entries,
    read: async (entry, offset, length) => {
      const { at, bytes } = pieces(entry);
      const end = Math.min(entry.size, offset + length);
      const parts: Buffer[] = [];
      for (let position = offset; position < end;) {
        const inside = position % bytes;
        const take = Math.min(bytes - inside, end - position);
        parts.push(await readAt(handle, at(Math.floor(position / bytes)) + inside, take));
        position += take;
      }
      return Buffer.concat(parts);
    },
  };
}

async function readFat(handle: ByteSource, header: Buffer, sectorBytes: number, sectors: number): Promise<Uint32Array> {
  const perSector = sectorBytes / 4;
  const wanted = Math.min(header.readUInt32LE(44), Math.ceil(sectors / perSector) + 1);
  const fatSectors: number[] = [];
  for (let at = 76; at < 512; at += 4) fatSectors.push(header.readUInt32LE(at));
  // The list of FAT sectors continues in extra sectors; the last number of each is the number of the next.
  let next = header.readUInt32LE(68);
  for (let seen = 0; next < sectors && seen <= sectors / perSector && fatSectors.length < wanted; seen++) {
    const list = toNumbers(await readAt(handle, (next + 1) * sectorBytes, sectorBytes));
    fatSectors.push(...list.subarray(0, perSector - 1));
    next = list[perSector - 1] ?? END_OF_CHAIN;
  }
  return toNumbers(
    await readSectors(
      handle,
      fatSectors.slice(0, wanted).filter((sector) => sector < sectors),
      sectorBytes,
    ),
  );
}

/** Returns the sectors of a chain in order. */
function follow(table: Uint32Array, start: number, most: number): number[] {
  const chain: number[] = [];
  for (let sector = start; sector < END_OF_CHAIN - 2;) {
    const next = table[sector];
    if (next === undefined || chain.length > most) throw new RefusedError('corrupt', 'OLE chain leaves the file');
    chain.push(sector);
    sector = next;
  }
  return chain;
}

function readEntries(directory: Buffer, smallSectors: boolean): OleEntry[] {
  const kinds = new Map<number, OleEntry['kind']>([
    [1, 'storage'],
    [2, 'stream'],
    [5, 'root'],
  ]);
  const entries: OleEntry[] = [];
  for (let at = 0; at + 128 <= directory.length; at += 128) {
    const kind = kinds.get(directory[at + 66] ?? 0);
    if (!kind) continue;
    const nameBytes = Math.min(64, Math.max(2, directory.readUInt16LE(at + 64)));
    const name = directory.toString('utf16le', at, at + nameBytes - 2);
    // Version 3 files have undefined bytes in the upper half of the size (MS-CFB 2.6.1).
    const size = directory.readUInt32LE(at + 120) + (smallSectors ? 0 : directory.readUInt32LE(at + 124) * 2 ** 32);
    entries.push({ name, kind, start: directory.readUInt32LE(at + 116), size });
  }
  return entries;
}

async function readSectors(handle: ByteSource, chain: number[], sectorBytes: number): Promise<Buffer> {
  const whole = Buffer.alloc(chain.length * sectorBytes);
  for (const [index, sector] of chain.entries()) {
    (await readAt(handle, (sector + 1) * sectorBytes, sectorBytes)).copy(whole, index * sectorBytes);
  }
  return whole;
}

/** Reads bytes at a position. The last sector of a file may be short; missing bytes are read as zeros. */
async function readAt(handle: ByteSource, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, position);
  if (bytesRead === 0 && length > 0) throw new RefusedError('corrupt', 'OLE sector past the end');
  return buffer;
}

function toNumbers(bytes: Buffer): Uint32Array {
  const numbers = new Uint32Array(Math.floor(bytes.length / 4));
  for (let index = 0; index < numbers.length; index++) numbers[index] = bytes.readUInt32LE(index * 4);
  return numbers;
}
