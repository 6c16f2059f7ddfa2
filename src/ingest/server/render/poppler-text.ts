import { rm } from 'node:fs/promises';
import { cleanPage } from '../../page-text.ts';
import { ingestLimits as limits } from '../../rules.ts';
import { copyIn } from '../sandbox/box-files.ts';
import { findProgram } from '../sandbox/run-child.ts';
import { openBox } from '../sandbox/sandbox.ts';
import { runInBox } from './draw-unembedded.ts';

/**
 * Scripts that no deck is written in: New Tai Lue, Buginese, Tai Tham, Balinese and Sundanese, U+1980 to U+1BBF. PDFium's text has them
 * where the table of a Chinese font begins at U+49D0 lower than it should.
 */
const FOREIGN = /[\u1980-\u1bbf]/gu;
/** A page with at least this many of these characters was misread by PDFium. */
const MISREAD_CHARACTERS = 3;

export const isMisread = (text: string): boolean => (text.match(FOREIGN)?.length ?? 0) >= MISREAD_CHARACTERS;

/**
 * Returns the texts of pages as poppler reads them, by page number; none when poppler is missing or fails, or reads the same scripts.
 */
export async function readWithPoppler(
  input: { pdf: string; signal?: AbortSignal },
  pages: readonly number[],
): Promise<Map<number, string>> {
  const pdftotext = findProgram('pdftotext');
  const [first, last] = [Math.min(...pages), Math.max(...pages)];
  const texts = new Map<number, string>();
  if (pdftotext === null || pages.length === 0) return texts;
  const box = await openBox();
  try {
    const pdf = await copyIn(box, input.pdf, 'deck.pdf');
    const range = ['-f', String(first), '-l', String(last)];
    const { code, output } = await runInBox(
      input,
      box,
      pdftotext,
      ['-q', ...range, '-enc', 'UTF-8', pdf, '-'],
      limits.renderPageMs,
    );
    if (code !== 0) return texts;
    // The output keeps only the end of a long text, so pages are counted from the last one.
    const found = output.replace(/\f$/, '').split('\f');
    for (const page of pages) {
      const text = cleanPage(found[found.length - 1 - (last - page)] ?? '').text;
      if (text !== '' && !isMisread(text)) texts.set(page, text);
    }
    return texts;
  } finally {
    await rm(box.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
