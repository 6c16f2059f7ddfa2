import type { FileHandle } from 'node:fs/promises';
import { RefusedError } from '../../refusals.ts';
import type { FileFlag } from '../../rules.ts';
import { openOle } from '../formats/ole-file.ts';
import type { OleEntry, OleFile } from '../formats/ole-file.ts';

/** CurrentUserAtom.headerToken of an encrypted presentation (MS-PPT 2.3.2). */
const ENCRYPTED_TOKEN = 0xf3d1c4df;
const RECORD = {
  slide: 1006,
  slideList: 4080,
  document: 1000,
  docInfoList: 2000,
  vbaInfo: 1023,
  vbaInfoAtom: 1024,
} as const;
/** The containers that lead to the record about macros (MS-PPT 2.4.1, 2.4.4, 2.4.10). */
const CONTAINERS = new Set<number>([RECORD.document, RECORD.docInfoList, RECORD.vbaInfo]);
/** Instance of the SlideListWithText that lists slides; the others list masters and notes (MS-PPT 2.4.14.3). */
const SLIDES_INSTANCE = 0;
const MAX_RECORDS = 50_000;

/**
 * Checks that a PPT is a presentation with slides, not encrypted and without macros. Its slides are counted after conversion.
 * Throws RefusedError: corrupt, encrypted, drm, macros, no-pages, not-presentation.
 */
export async function sniffPpt(
  file: FileHandle,
  fileBytes: number,
  allowMacros: boolean,
): Promise<{ flags: FileFlag[] }> {
  // A header alone, or with less than one sector.
  if (fileBytes < 1_536) throw new RefusedError('corrupt', 'an OLE file without content');
  const ole = await openOle(file, fileBytes);
  const main = mainStream(ole);
  if (await isEncrypted(ole)) throw new RefusedError('encrypted');
  if (main.size === 0) throw new RefusedError('corrupt', 'the presentation stream is empty');
  // Throws when the stream is cut: its last byte must be there.
  await ole.read(main, main.size - 1, 1);
  const { hasMacros, hasSlides } = await walkRecords(ole, main);
  if (hasMacros && !allowMacros) throw new RefusedError('macros');
  if (!hasSlides) throw new RefusedError('no-pages', 'a PPT without slides');
  if (!hasMacros) return { flags: [] };
  return { flags: ['macros'] };
}

function find(ole: OleFile, name: string): OleEntry | undefined {
  return ole.entries.find((entry) => entry.name.toLowerCase() === name.toLowerCase());
}

/** Returns the stream of the presentation. `PP40` is that of PowerPoint 95, which LibreOffice reads too. */
function mainStream(ole: OleFile): OleEntry {
  if (ole.entries.some(({ name }) => /DRMContent|DRMEncrypted/.test(name)))
    throw new RefusedError('drm', 'a rights-managed Office file');
  if (find(ole, 'EncryptedPackage')) throw new RefusedError('encrypted', 'an encrypted Office package');
  const main = find(ole, 'PowerPoint Document') ?? find(ole, 'PP40');
  if (main?.kind === 'stream') return main;
  const names = ole.entries.filter((entry) => entry.kind !== 'root').map((entry) => entry.name);
  if (names.length === 0) throw new RefusedError('corrupt', 'an OLE file without streams');
  throw new RefusedError('not-presentation', `OLE streams ${JSON.stringify(names.slice(0, 4).join(', '))}`);
}

async function isEncrypted(ole: OleFile): Promise<boolean> {
  if (find(ole, 'EncryptedSummary')) return true;
  const user = find(ole, 'Current User');
  if (user?.kind !== 'stream' || user.size < 16) return false;
  const bytes = await ole.read(user, 0, 16);
  return bytes.readUInt32LE(12) === ENCRYPTED_TOKEN;
}

/**
 * Returns whether there is a VBA storage or a record which says that macros are in the main stream, and whether there is a slide. A stream
 * without a document container, as of PowerPoint 95, counts as one with slides.
 */
async function walkRecords(ole: OleFile, main: OleEntry): Promise<{ hasMacros: boolean; hasSlides: boolean }> {
  let hasMacros = ole.entries.some((entry) => /^_VBA_PROJECT/i.test(entry.name));
  let hasDocument = false;
  let hasSlides = false;
  let at = 0;
  for (let seen = 0; at + 8 <= main.size; seen++) {
    // Records past a limit could hide the record about macros.
    if (seen === MAX_RECORDS) throw new RefusedError('corrupt', `more than ${MAX_RECORDS} records`);
    const header = await ole.read(main, at, 8);
    const type = header.readUInt16LE(2);
    const bytes = header.readUInt32LE(4);
    if (type === RECORD.document) hasDocument = true;
    const listsSlides = type === RECORD.slideList && header.readUInt16LE(0) >> 4 === SLIDES_INSTANCE && bytes > 0;
    if (type === RECORD.slide || listsSlides) hasSlides = true;
    // A container is entered by reading on behind its header, so nesting costs no depth.
    if (CONTAINERS.has(type)) {
      at += 8;
      continue;
    }
    // VbaInfoAtom: persistIdRef, then fHasMacros (MS-PPT 2.4.11).
    if (type === RECORD.vbaInfoAtom && at + 16 <= main.size) {
      if ((await ole.read(main, at + 12, 4)).readUInt32LE(0) === 1) hasMacros = true;
    }
    at += 8 + bytes;
  }
  return { hasMacros, hasSlides: hasSlides || !hasDocument };
}
