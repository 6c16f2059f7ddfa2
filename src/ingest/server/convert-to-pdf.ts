import { copyFile, lstat, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RefusedError } from '../refusals.ts';
import { convertAloneWallMs, ingestLimits as limits } from '../rules.ts';
import type { FileType } from '../rules.ts';
import { failIfDiskIsFull } from './full-disk.ts';
import { findConverter, runSoffice } from './soffice.ts';

export { findConverter };

export type DeckType = Exclude<FileType, 'pdf'>;

export type ConvertInput = {
  path: string;
  fileType: DeckType;
  workDir: string;
  /** Gives a long deck more time; null if unknown. */
  slides: number | null;
  /** Most it may take; by default what the limits give so many slides. */
  wallMs?: number;
  /** Path of LibreOffice; null to do without; left out, it is looked up. */
  converter?: string | null;
  signal?: AbortSignal;
};

/**
 * Makes `deck.pdf` of a PPT or PPTX in the work folder and answers its path.
 * Throws RefusedError: converter-missing, convert-timeout, convert-failed.
 */
export async function convertToPdf(input: ConvertInput): Promise<string> {
  const { converter = findConverter(), signal, slides, wallMs = convertAloneWallMs(slides, 0) } = input;
  if (converter === null) throw new RefusedError('converter-missing');
  const folder = await mkdtemp(join(input.workDir, 'convert-'));
  try {
    const source = join(folder, `deck.${input.fileType}`);
    await copyFile(input.path, source);
    const end = await runSoffice({
      converter,
      folder,
      sources: [source],
      wallMs,
      cpuSeconds: limits.convertCpuSeconds + Math.ceil(((slides ?? 0) * limits.convertWallMsPerSlide) / 1000),
      ...(signal && { signal }),
    });
    signal?.throwIfAborted();
    if (end.ended === 'timeout') throw new RefusedError('convert-timeout');
    if (end.ended === 'overuse')
      throw new RefusedError('convert-failed', 'it took too much memory or too many processes');
    const made = join(folder, 'out', 'deck.pdf');
    if (!(await isWholePdf(made))) {
      await failIfDiskIsFull(folder);
      throw new RefusedError('convert-failed', lastLine(end.output));
    }
    const pdf = join(input.workDir, 'deck.pdf');
    await rename(made, pdf);
    return pdf;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

export type ConvertManyInput = Omit<ConvertInput, 'path' | 'fileType' | 'slides' | 'wallMs'> & {
  decks: readonly { path: string; fileType: DeckType }[];
};

/**
 * Makes PDFs of some decks with one start of LibreOffice, a third of the cost of one start each. Answers, in the order
 * of the decks, the path of the PDF in the work folder, or null: one bad deck may end the run, and then those without a
 * PDF are to be converted singly. Hand the path to `prepareFile` as `pdf`. Throws RefusedError converter-missing.
 */
export async function convertManyToPdf(input: ConvertManyInput): Promise<(string | null)[]> {
  const { converter = findConverter(), signal, decks } = input;
  if (converter === null) throw new RefusedError('converter-missing');
  const folder = await mkdtemp(join(input.workDir, 'convert-'));
  try {
    const sources = await Promise.all(
      decks.map(async ({ path, fileType }, index) => {
        const source = join(folder, `deck-${index + 1}.${fileType}`);
        await copyFile(path, source);
        return source;
      }),
    );
    const wallMs = limits.convertBatchWallMs + decks.length * limits.convertBatchWallMsPerFile;
    await runSoffice({
      converter,
      folder,
      sources,
      wallMs,
      cpuSeconds: Math.ceil(wallMs / 1000),
      ...(signal && { signal }),
    });
    signal?.throwIfAborted();
    return await Promise.all(
      decks.map(async (_, index) => {
        const name = `deck-${index + 1}.pdf`;
        const made = join(folder, 'out', name);
        if (!(await isWholePdf(made))) return null;
        await rename(made, join(input.workDir, name));
        return join(input.workDir, name);
      }),
    );
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** A stranger's file was at work here: no link, no other kind of file, no size that is taken on trust. */
async function isWholePdf(path: string): Promise<boolean> {
  const size = await lstat(path).then(
    (found) => (found.isFile() ? found.size : 0),
    () => 0,
  );
  if (size < 64 || size > limits.convertedBytes) return false;
  const handle = await open(path, 'r');
  try {
    const tail = Buffer.alloc(Math.min(size, 1024));
    await handle.read(tail, 0, tail.length, size - tail.length);
    const head = Buffer.alloc(5);
    await handle.read(head, 0, head.length, 0);
    return head.toString('latin1') === '%PDF-' && tail.includes('%%EOF');
  } finally {
    await handle.close();
  }
}

function lastLine(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !line.includes('javaldx'));
  return (lines.at(-1) ?? '').replace(/\/\S*\//g, '').slice(0, 160);
}
