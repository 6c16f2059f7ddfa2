import type { FileType } from '../../../library/file-types.ts';
import { open, rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { RefusedError } from '../../refusals.ts';
import { convertAloneWallMs, convertTogetherWallMs, ingestLimits as limits } from '../../rules.ts';
import { ChildLost, isCrash } from '../render/renderer-slot.ts';
import { isEndedFromOutside, type ChildEnd } from '../sandbox/run-child.ts';
import { copyIn, takeOut } from '../sandbox/box-files.ts';
import { failIfDiskIsFull } from '../source/full-disk.ts';
import { openBox, type Box } from '../sandbox/sandbox.ts';
import { findConverter, runSoffice } from './soffice.ts';

export { findConverter };

export type DeckType = Exclude<FileType, 'pdf'>;

/** LibreOffice prints this for a file that none of its filters can read. */
const NOT_LOADED = /source file could not be loaded/i;

/** LibreOffice prints this when it crashes, and the frames of its stack after it. */
const CRASHED = /^(?:Fatal exception: Signal \d+|Unspecified Application Error|terminate called )/m;

type ConvertInput = {
  path: string;
  fileType: DeckType;
  workDir: string;
  /** Number of visible slides, which gives a long deck more time; null when unknown. */
  slides: number | null;
  /** Time limit in milliseconds; `convertAloneWallMs(slides, 0)` by default. */
  wallMs?: number;
  /** Path of LibreOffice; null when it is not installed; looked up when left out. */
  converter?: string | null;
  signal?: AbortSignal;
};

/**
 * Converts a PPT or PPTX to `deck.pdf` in the work folder and returns the path of the PDF. Throws RefusedError:
 * converter-missing, convert-timeout, convert-failed, not-loadable. Throws ChildLost, so that the conversion is tried
 * again, when LibreOffice was ended from outside, which says nothing about the deck.
 */
export async function convertToPdf(input: ConvertInput): Promise<string> {
  const { converter = findConverter(), signal, slides, wallMs = convertAloneWallMs(slides, 0) } = input;
  if (converter === null) throw new RefusedError('converter-missing');
  const box = await openBox();
  try {
    const source = await copyIn(box, input.path, `deck.${input.fileType}`);
    const end = await runSoffice({
      converter,
      box,
      sources: [source],
      wallMs,
      cpuSeconds: limits.convertCpuSeconds + Math.ceil(((slides ?? 0) * limits.convertWallMsPerSlide) / 1000),
      ...(signal && { signal }),
    });
    signal?.throwIfAborted();
    if (end.ended === 'timeout') throw new RefusedError('convert-timeout');
    if (end.ended === 'overuse') throw new RefusedError('convert-failed', 'too much memory or too many processes');
    const pdf = await takePdf(box, 'deck.pdf', input.workDir);
    if (pdf === null) {
      await failIfDiskIsFull(box.folder);
      if (isEndedFromOutside(end) && !CRASHED.test(end.output))
        throw new ChildLost(`LibreOffice was ${end.ended === 'stopped' ? 'told to end' : 'killed from outside'}`);
      if (end.ended === 'exit' && NOT_LOADED.test(end.output)) throw new RefusedError('not-loadable');
      throw new RefusedError('convert-failed', hasCrashed(end) ? 'LibreOffice crashed' : lastLine(end.output));
    }
    return pdf;
  } finally {
    await rm(box.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

type ConvertManyInput = Omit<ConvertInput, 'path' | 'fileType' | 'slides' | 'wallMs'> & {
  decks: readonly { path: string; fileType: DeckType }[];
};

/**
 * Converts several decks with one start of LibreOffice, which costs a third of one start each. Returns, in the order of
 * the decks, the path of the PDF in the work folder, or null: a bad deck may end LibreOffice, so the decks without a
 * PDF must be converted one by one. Throws RefusedError converter-missing.
 */
export async function convertManyToPdf(input: ConvertManyInput): Promise<(string | null)[]> {
  const { converter = findConverter(), signal, decks } = input;
  if (converter === null) throw new RefusedError('converter-missing');
  const box = await openBox();
  try {
    const sources = await Promise.all(
      decks.map(({ path, fileType }, index) => copyIn(box, path, `deck-${index + 1}.${fileType}`)),
    );
    const wallMs = convertTogetherWallMs(decks.length);
    await runSoffice({
      converter,
      box,
      sources,
      wallMs,
      cpuSeconds: Math.ceil(wallMs / 1000),
      ...(signal && { signal }),
    });
    signal?.throwIfAborted();
    return await Promise.all(decks.map((_, index) => takePdf(box, `deck-${index + 1}.pdf`, input.workDir)));
  } finally {
    await rm(box.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Moves a PDF out of the box. Returns null, and removes the PDF, when it is incomplete. */
async function takePdf(box: Box, name: string, folder: string): Promise<string | null> {
  const pdf = await takeOut(box, name, folder);
  if (pdf === null || (await isWholePdf(pdf))) return pdf;
  await rm(pdf);
  return null;
}

/** Checks size, header and end of a PDF that LibreOffice wrote. */
async function isWholePdf(path: string): Promise<boolean> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    if (size < 64 || size > limits.convertedBytes) return false;
    const tail = Buffer.alloc(Math.min(size, 1024));
    await handle.read(tail, 0, tail.length, size - tail.length);
    const head = Buffer.alloc(5);
    await handle.read(head, 0, head.length, 0);
    return head.toString('latin1') === '%PDF-' && tail.includes('%%EOF');
  } finally {
    await handle.close();
  }
}

/** Whether LibreOffice crashed. The shell that starts LibreOffice ends with 128 and the number of its signal. */
function hasCrashed({ signal, code, output }: ChildEnd): boolean {
  const signals = Object.entries(constants.signals).filter(([, number]) => code === 128 + number);
  // Safe: the keys of `constants.signals` are the names of signals.
  return CRASHED.test(output) || [signal, ...signals.map(([name]) => name as NodeJS.Signals)].some(isCrash);
}

function lastLine(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !line.includes('javaldx'));
  return (lines.at(-1) ?? '').replace(/\/\S*\//g, '').slice(0, 160);
}
