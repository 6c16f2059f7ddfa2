/** Small OLE files for tests, as PPT are, made by hand so that every byte can be wrong on purpose. */
import CFB from 'cfb';

/** The first bytes of an OLE file. */
export const oleHead = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/** As long as a stream must be to stand in sectors of its own. */
export const filler = Buffer.alloc(8_192);

/** An OLE file with these streams. */
export function oleOf(streams: Record<string, Uint8Array>): Uint8Array {
  const file = CFB.utils.cfb_new();
  for (const [name, content] of Object.entries(streams)) CFB.utils.cfb_add(file, `/${name}`, content);
  // Type 'buffer' answers bytes.
  return CFB.write(file, { type: 'buffer' }) as Uint8Array;
}

/** Returns a container record of a PPT (version 15) with this type, body and instance. */
function record(type: number, body: Buffer, instance = 0): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt16LE((instance << 4) | 15, 0);
  header.writeUInt16LE(type, 2);
  header.writeUInt32LE(body.length, 4);
  return Buffer.concat([header, body]);
}

/** Returns a Document container with a list of `slides` slides; without a list for 0. With instance 1 the list is one of masters. */
export function pptDocument(slides = 0, { instance = 0 } = {}): Buffer {
  const atoms = Array.from({ length: slides }, () => record(1011, Buffer.alloc(20)));
  return record(1000, slides > 0 ? record(4080, Buffer.concat(atoms), instance) : Buffer.alloc(0));
}

/** A Document container that says its macros are stored. */
export function pptWithMacros(): Buffer {
  const atom = Buffer.alloc(12);
  atom.writeUInt32LE(1, 4);
  return record(1000, record(2000, record(1023, record(1024, atom))));
}

/** Containers within containers: 250,000 headers, the length of each going to the end. */
export function pptTower(): Buffer {
  const headers = 250_000;
  const tower = Buffer.alloc(headers * 8);
  for (let index = 0; index < headers; index++) {
    tower.writeUInt16LE(15, index * 8);
    tower.writeUInt16LE(index === 0 ? 1000 : 2000, index * 8 + 2);
    tower.writeUInt32LE((headers - index - 1) * 8, index * 8 + 4);
  }
  return tower;
}

/** The stream that says whether a PPT is encrypted. */
export function currentUser(token: number): Buffer {
  const bytes = Buffer.alloc(32);
  bytes.writeUInt32LE(token, 12);
  return bytes;
}
