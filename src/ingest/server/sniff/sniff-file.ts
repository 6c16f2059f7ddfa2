import type { FileType } from '../../../library/file-types.ts';
import type { Ctx } from '../../../context.ts';
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Sniffed } from '../../prepared-file.ts';
import { RefusedError, refuse } from '../../refusals.ts';
import type { Refused } from '../../refusals.ts';
import { ingestLimits as limits } from '../../rules.ts';
import type { FileFlag } from '../../rules.ts';
import { inspectPdf, isMachineFault } from './inspect-pdf.ts';
import { readPdfNames } from './pdf-names.ts';
import { identityOf, openSource, type Root, type Source } from '../source/open-source.ts';
import { sniffPpt } from './sniff-ole.ts';
import { sniffPptx } from './sniff-zip.ts';

export type SniffOptions = {
  /** Accepts decks with macros (flagged `macros`), of which only previews are shown. Default false. */
  allowMacros?: boolean;
  /** The name of the file, when `path` has another name. */
  name?: string;
  /** The folder that was listed to find the file: links below it are not followed. */
  root?: Root | null;
};

/** Returns the sniff options that the configuration of the site sets. */
export const sniffOptions = ({ config }: Pick<Ctx, 'config'>): SniffOptions => ({ allowMacros: config.takesMacros });

/**
 * Returns the type of a file by its content, or the reason why it is refused. Converts nothing and inflates only within
 * the limits; starts a child only for a PDF that may need a password. Pages of a PPT or PDF are counted by
 * `prepareStoredFile`. Throws what says nothing about the file: a full disk, a child that cannot be started or was killed.
 */
export async function sniffFile(path: string, options: SniffOptions = {}): Promise<Sniffed | Refused> {
  try {
    const source = await openSource(path, options.root ?? null);
    try {
      return await sniff(source, options.name ?? path, options);
    } finally {
      await source.handle.close();
    }
  } catch (error) {
    if (error instanceof RefusedError) return refuse(error.code, error.detail);
    if (isMachineFault(error)) throw error;
    // Errors of the file system have a code such as ENOENT.
    if (error instanceof Error && 'code' in error && typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code)) {
      return refuse('unreadable', error.code);
    }
    // Any other error is caused by the bytes of this file.
    return refuse('corrupt', String(error));
  }
}

async function sniff(source: Source, name: string, options: SniffOptions): Promise<Sniffed> {
  const { handle, facts } = source;
  if (facts.size === 0) throw new RefusedError('empty');
  if (facts.size > limits.fileBytes) throw new RefusedError('too-large', `${facts.size} bytes`);
  const fileType = await typeOf(handle);
  const flags: FileFlag[] = hasOtherExtension(name, fileType) ? ['extension-mismatch'] : [];
  let slideCount: number | null = null;
  if (fileType === 'pptx') {
    const deck = await sniffPptx(handle, options.allowMacros ?? false);
    slideCount = deck.slideCount;
    flags.push(...deck.flags);
  } else if (fileType === 'ppt') {
    flags.push(...(await sniffPpt(handle, facts.size, options.allowMacros ?? false)).flags);
  }
  const { sha256, seen } = await readThrough(handle, fileType === 'pdf');
  if (fileType === 'pdf') flags.push(...(await pdfFlags(source, seen)));
  return { ok: true, fileType, bytes: facts.size, sha256, slideCount, flags };
}

/** First bytes of programs for Windows, Linux, macOS and Java, of scripts, web pages and pictures. */
const ANOTHER_FILE =
  /^(MZ|.ELF|\xca\xfe\xba\xbe|[\xcf\xce]\xfa\xed\xfe|#!|\s*<(!doctype|html|script|svg|\?xml|\?php)|GIF8|\x89PNG|\xff\xd8\xff|RIFF|Rar!)/i;

/** The heads that document security software puts before the encrypted content: 亿赛通 has written both. */
const SEALED = /^%TSD-Header-###%|^.{0,8}E-SafeNet\s*LOCK/s;

/** Returns the file type by the first bytes. Throws RefusedError: unknown-type, empty, drm. */
async function typeOf(file: FileHandle): Promise<FileType> {
  const head = Buffer.alloc(1024);
  const start = head.subarray(0, (await file.read(head, 0, head.length, 0)).bytesRead);
  if (start.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'))) return 'pptx';
  if (SEALED.test(start.subarray(0, 64).toString('latin1'))) throw new RefusedError('drm');
  if (start.subarray(0, 4).equals(Buffer.from('PK\x05\x06', 'latin1')))
    throw new RefusedError('not-presentation', 'an empty zip');
  if (start.subarray(0, 8).toString('hex') === 'd0cf11e0a1b11ae1') return 'ppt';
  // PDF readers skip up to a kilobyte before the header (ISO 32000 note 13). A file that is also of another type is
  // refused.
  if (start.includes('%PDF-') && !ANOTHER_FILE.test(start.toString('latin1'))) return 'pdf';
  throw new RefusedError('unknown-type');
}

const EXTENSIONS: Record<FileType, readonly string[]> = {
  pptx: ['.pptx', '.ppsx', '.potx', '.pptm', '.ppsm', '.potm'],
  ppt: ['.ppt', '.pps', '.pot'],
  pdf: ['.pdf'],
};

function hasOtherExtension(path: string, fileType: FileType): boolean {
  const extension = extname(path).toLowerCase();
  return extension !== '' && !EXTENSIONS[fileType].includes(extension);
}

/** Any white space may stand before the keyword of an object (ISO 32000 7.2.3, 7.3.10). */
const OBJECT_MARKS = [' obj', '\nobj', '\robj', '\tobj', '\fobj', '\0obj'] as const;
const PDF_MARKS = [...OBJECT_MARKS, '/Encrypt', 'PK\x05\x06'] as const;
/** Actions that run a script or start a program (ISO 32000-1, 12.6.4). */
const SCRIPTS = ['JavaScript', 'Launch'] as const;
type PdfMark = (typeof PDF_MARKS)[number] | (typeof SCRIPTS)[number];

/** Reads the file once and returns its hash; of a PDF also the marks that occur and the names among its objects. */
async function readThrough(file: FileHandle, isPdf: boolean): Promise<{ sha256: string; seen: Set<PdfMark> }> {
  const hash = createHash('sha256');
  const seen = new Set<PdfMark>();
  const names = readPdfNames(SCRIPTS);
  let tail: Buffer = Buffer.alloc(0);
  for await (const read of file.createReadStream({ start: 0, autoClose: false, highWaterMark: 1024 * 1024 })) {
    const chunk = read as Buffer; // no encoding is set
    hash.update(chunk);
    if (!isPdf) continue;
    await names.push(chunk);
    // A mark may span two chunks.
    const seam = Buffer.concat([tail, chunk.subarray(0, 16)]);
    for (const mark of PDF_MARKS) {
      if (!seen.has(mark) && (chunk.includes(mark, 0, 'latin1') || seam.includes(mark, 0, 'latin1'))) seen.add(mark);
    }
    tail = chunk.subarray(-16);
  }
  await names.end();
  return { sha256: hash.digest('hex'), seen: seen.union(names.seen) };
}

async function pdfFlags({ place, facts }: Source, seen: Set<PdfMark>): Promise<FileFlag[]> {
  if (!OBJECT_MARKS.some((mark) => seen.has(mark))) throw new RefusedError('corrupt', 'a PDF without objects');
  const flags: FileFlag[] = [];
  if (seen.has('/Encrypt')) {
    // Throws `encrypted` when a user password is needed; an owner password only forbids changes. The mark may also be text of a page.
    const { isEncrypted } = await inspectPdf(place, { identity: identityOf(facts) });
    if (isEncrypted) flags.push('owner-password');
  }
  if (SCRIPTS.some((name) => seen.has(name))) flags.push('scripts');
  if (seen.has('PK\x05\x06')) flags.push('trailing-data');
  return flags;
}
