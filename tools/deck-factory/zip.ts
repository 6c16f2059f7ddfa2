import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

/**
 * Writes zips whose bytes depend only on their content: fixed times, best compression, also inside nested .xlsx files,
 * equal pictures stored once. Use it only for archives that this tool has just written (no zip64).
 */
export interface ZipEntry {
  name: string;
  data: Buffer;
}

/** Returns the entries of a zip in memory, by its central directory. Throws when it has none. */
export function readZip(zip: Buffer): ZipEntry[] {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0) throw new Error('not a zip');
  const count = zip.readUInt16LE(end + 10);
  let at = zip.readUInt32LE(end + 16);
  const entries: ZipEntry[] = [];
  for (let i = 0; i < count; i++) {
    const method = zip.readUInt16LE(at + 10);
    const packed = zip.readUInt32LE(at + 20);
    const nameLength = zip.readUInt16LE(at + 28);
    const skip = nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    const local = zip.readUInt32LE(at + 42);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const body = zip.subarray(start, start + packed);
    if (!name.endsWith('/')) entries.push({ name, data: method === 8 ? inflateRawSync(body) : Buffer.from(body) });
    at += 46 + skip;
  }
  return entries;
}

/** 1980-01-01 00:00 as a DOS date. */
const DOS_DATE = 33;

/** Returns a zip of `entries` in their order: deflate level 9, or stored when that is smaller. */
export function writeZip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, data } of entries) {
    const deflated = deflateRawSync(data, { level: 9 });
    const stored = deflated.length >= data.length;
    const body = stored ? data : deflated;
    const nameBytes = Buffer.from(name, 'utf8');
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(0x0800, 2);
    head.writeUInt16LE(stored ? 0 : 8, 4);
    head.writeUInt16LE(DOS_DATE, 8);
    head.writeUInt32LE(crc32(data), 10);
    head.writeUInt32LE(body.length, 14);
    head.writeUInt32LE(data.length, 18);
    head.writeUInt16LE(nameBytes.length, 22);
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), head, nameBytes, body);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    central.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), head, tail, nameBytes);
    offset += 30 + nameBytes.length + body.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directory, end]);
}

/** Makes a freshly written PPTX deterministic and small. `created` is the ISO time in its properties. */
export function normalizePptx(pptx: Buffer, created: string): Buffer {
  const entries = readZip(pptx);
  const first = new Map<string, string>();
  const alias = new Map<string, string>();
  for (const entry of entries) {
    if (!entry.name.startsWith('ppt/media/')) continue;
    const key = entry.data.toString('latin1');
    const known = first.get(key);
    if (known) alias.set(entry.name.slice('ppt/media/'.length), known.slice('ppt/media/'.length));
    else first.set(key, entry.name);
  }
  // pptxgenjs writes an empty notes page for every slide, a tenth of the file.
  const kept = entries.filter(
    (entry) => !entry.name.startsWith('ppt/notesSlides/') && !alias.has(entry.name.replace('ppt/media/', '')),
  );
  // pptxgenjs numbers chart parts over the whole run; they are numbered within the file here.
  const numbers = kept.flatMap(({ name }) => /^ppt\/charts\/chart(\d+)\.xml$/.exec(name)?.[1] ?? []);
  const renumber = (text: string): string =>
    text.replaceAll(/(chart|Worksheet)(\d+)(\.(?:xml|xlsx))/g, (whole, kind: string, old: string, end: string) => {
      const index = numbers.indexOf(old);
      return index < 0 ? whole : `${kind}${index + 1}${end}`;
    });
  const isIndex = (name: string): boolean => name.endsWith('.rels') || name === '[Content_Types].xml';
  return writeZip(
    kept.map((entry) => {
      const data = normalizeEntry(entry, alias, created);
      return {
        name: renumber(entry.name),
        data: isIndex(entry.name) ? Buffer.from(renumber(data.toString('utf8'))) : data,
      };
    }),
  );
}

function normalizeEntry({ name, data }: ZipEntry, alias: ReadonlyMap<string, string>, created: string): Buffer {
  if (name.endsWith('.xlsx'))
    return writeZip(readZip(data).map((inner) => ({ name: inner.name, data: stamp(inner.name, inner.data, created) })));
  if (name.endsWith('.rels')) {
    const text = data
      .toString('utf8')
      .replaceAll(/media\/([^"]+)"/g, (_, file: string) => `media/${alias.get(file) ?? file}"`);
    return Buffer.from(text.replaceAll(/<Relationship [^>]*notesSlide\d+\.xml"[^>]*\/>/g, ''));
  }
  if (name === '[Content_Types].xml')
    return Buffer.from(data.toString('utf8').replaceAll(/<Override [^>]*notesSlide\d+\.xml"[^>]*\/>/g, ''));
  return stamp(name, data, created);
}

function stamp(name: string, data: Buffer, created: string): Buffer {
  if (!name.endsWith('core.xml')) return data;
  return Buffer.from(data.toString('utf8').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, created));
}
