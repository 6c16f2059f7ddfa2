import { appendFileSync } from 'node:fs';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { ingestLimits as limits } from '../../rules.ts';
import { openZip, type Zip } from '../formats/open-zip.ts';
import { tagEnd } from '../formats/xml-events.ts';
import type { FixDatesJob, ReportProgress } from '../render/child-jobs.ts';
import { zipEnd, zipHeaders, type ZipPart } from '../formats/zip-headers.ts';
import { failIfLost, type RendererSlot } from '../render/renderer-slot.ts';
import { failIfDiskIsFull } from '../source/full-disk.ts';

/** Maximum size of a deck whose dates are fixed: a larger one is converted without a copy. */
const MAX_BYTES = 40 * 1024 * 1024;

const SLIDE = /^ppt\/slides\/[^/]+\.xml$/;
/** What is looked at of a slide: fields, paragraph properties, and what hides text that looks like them. */
const MARKUP = /<!--|<!\[CDATA\[|<(\/?)a:(fld|pPr)(?=[\s/>])/g;
const DATE = /\stype\s*=\s*["']datetime/;

type Edit = { from: number; to: number; by: string };

/**
 * Returns the XML of a slide with its date fields as text: the day on which the author's program has shown them last. The XML is read
 * once from its beginning to its end.
 */
export function fixDatesOf(xml: string): string {
  let fixed = '';
  let copied = 0;
  for (const { from, to, by } of editsOf(xml)) {
    fixed += xml.slice(copied, from) + by;
    copied = to;
  }
  return fixed + xml.slice(copied);
}

function* editsOf(xml: string): Generator<Edit> {
  /** The edits of a date field that has not ended yet; null outside date fields. */
  let field: Edit[] | null = null;
  let paragraphAt: number | null = null;
  MARKUP.lastIndex = 0;
  for (let found = MARKUP.exec(xml); found !== null; found = MARKUP.exec(xml)) {
    const [mark, slash, name] = found;
    const from = found.index;
    const to = endOf(xml, mark, MARKUP.lastIndex);
    if (to < 0) return;
    MARKUP.lastIndex = to;
    const isEmpty = xml[to - 2] === '/';
    if (name === 'fld' && slash === '') {
      const isDate = !isEmpty && DATE.test(xml.slice(from, to));
      field = isDate ? [{ from, to, by: '<a:r>' }] : null;
      paragraphAt = null;
    } else if (name === 'fld' && field !== null) {
      yield* field;
      yield { from, to, by: '</a:r>' };
      field = null;
    } else if (name === 'pPr' && slash === '') {
      if (isEmpty) field?.push({ from, to, by: '' });
      else paragraphAt = from;
    } else if (name === 'pPr' && paragraphAt !== null) {
      field?.push({ from: paragraphAt, to, by: '' });
      paragraphAt = null;
    }
  }
}

/** Returns where the markup ends that begins with this mark; -1 when it does not end. */
function endOf(xml: string, mark: string, from: number): number {
  if (!mark.startsWith('<!')) return tagEnd(xml, from) + 1 || -1;
  const last = mark === '<!--' ? '-->' : ']]>';
  const at = xml.indexOf(last, from);
  return at < 0 ? -1 : at + last.length;
}

const FIXED = 'fixed-dates.pptx';

/**
 * Makes a copy of a PPTX in the work folder, whose date fields are the text that they have in the file, and returns its path. LibreOffice
 * would fill them with the day of the conversion. Returns the path of the PPTX itself when the deck is very large, or the render child was
 * too slow, took too much memory, crashed or could not read the deck: the deck is then shown with another day. The deck must have passed
 * `sniffFile`. Throws the reason of the signal, and ChildLost.
 */
export async function withFixedDates(order: {
  path: string;
  workDir: string;
  slot: RendererSlot;
  signal: AbortSignal | undefined;
}): Promise<string> {
  const { path, workDir, slot, signal } = order;
  if ((await stat(path)).size > MAX_BYTES) return path;
  const results = join(workDir, 'fix-dates.jsonl');
  const end = Date.now() + limits.renderWallMs;
  try {
    const job: FixDatesJob = { kind: 'fix-dates', deck: path, outDir: workDir, results };
    const outcome = await slot.run({ job, until: () => end, signal });
    signal?.throwIfAborted();
    // The child writes a line when the copy is complete.
    if ((await readFile(results, 'utf8')).endsWith('\n')) return join(workDir, FIXED);
    await failIfDiskIsFull(workDir);
    failIfLost(outcome, 'fixes the dates of the deck');
    // A child that is killed leaves a part of the copy.
    await rm(join(workDir, FIXED), { force: true });
    return path;
  } finally {
    await rm(results, { force: true });
  }
}

/** Runs in the render child: writes the copy, and then a line to the results file. */
export async function fixDates(job: FixDatesJob, reportProgress: ReportProgress): Promise<void> {
  await reportProgress(0, 0);
  const zip = await openZip(job.deck);
  const copy = await open(join(job.outDir, FIXED), 'w');
  try {
    await copy.writeFile(fixedParts(zip));
  } finally {
    await copy.close();
    zip.close();
  }
  appendFileSync(job.results, '{}\n');
}

/** Yields the bytes of the copy. Parts that do not change keep theirs, compressed as they are. */
async function* fixedParts(zip: Zip): AsyncGenerator<Buffer> {
  const directory: Buffer[] = [];
  let at = 0;
  for (const name of zip.names) {
    const part = await partOf(zip, name);
    const { local, central } = zipHeaders(part, at);
    yield local;
    at += local.length + part.storedBytes;
    yield* part.chunks;
    directory.push(central);
  }
  yield* [...directory, zipEnd(directory, at)];
}

type CopiedPart = ZipPart & { chunks: Iterable<Buffer> | AsyncIterable<Buffer> };

async function partOf(zip: Zip, name: string): Promise<CopiedPart> {
  const entry = zip.entry(name);
  if (!entry) throw new Error(`no part ${name}`);
  const slide = SLIDE.test(name) ? await zip.read(name) : null;
  const fixed = slide && withoutDates(slide);
  // The text is not compressed: LibreOffice reads the copy once.
  if (slide && fixed && !fixed.equals(slide))
    return { name, method: 0, crc32: crc32(fixed), storedBytes: fixed.length, bytes: fixed.length, chunks: [fixed] };
  return {
    name,
    method: entry.compressionMethod,
    crc32: entry.crc32,
    storedBytes: entry.compressedSize,
    bytes: entry.uncompressedSize,
    chunks: zip.storedChunks(name),
  };
}

/**
 * The markup is ASCII in UTF-8 and in the other encodings of one byte and more; as Latin-1 every byte comes back as it was. A slide in
 * UTF-16 has no such markup and stays as it is.
 */
const withoutDates = (bytes: Buffer): Buffer => Buffer.from(fixDatesOf(bytes.toString('latin1')), 'latin1');
