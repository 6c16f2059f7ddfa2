import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanPage } from '../../page-text.ts';
import { ingestLimits as limits } from '../../rules.ts';
import { copyIn, takeOut } from '../sandbox/box-files.ts';
import { findProgram } from '../sandbox/run-child.ts';
import { openBox } from '../sandbox/sandbox.ts';
import { runInBox, unlessLost } from './draw-unembedded.ts';

/**
 * Scripts that no deck is written in: New Tai Lue, Buginese, Tai Tham, Balinese and Sundanese, U+1980 to U+1BBF. PDFium's text has them
 * where the table of a Chinese font begins at U+49D0 lower than it should.
 */
const FOREIGN = /[\u1980-\u1bbf]/gu;
/** A thousand pages of as much text as is kept of each have less. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;
/** A page with at least this many of these characters was misread by PDFium. */
const MISREAD_CHARACTERS = 3;

export const isMisread = (text: string): boolean => (text.match(FOREIGN)?.length ?? 0) >= MISREAD_CHARACTERS;

/**
 * Returns the texts of pages as poppler reads them, by page number; none when poppler is missing or fails, or reads the same scripts. Throws
 * ChildLost. `runProgram` takes the place of poppler in tests.
 */
export async function readWithPoppler(
  input: { pdf: string; signal?: AbortSignal },
  pages: readonly number[],
  runProgram = runInBox,
): Promise<Map<number, string>> {
  const pdftotext = findProgram('pdftotext');
  const [first, last] = [Math.min(...pages), Math.max(...pages)];
  const texts = new Map<number, string>();
  if (pdftotext === null || pages.length === 0) return texts;
  const box = await openBox();
  try {
    const pdf = await copyIn(box, input.pdf, 'deck.pdf');
    const range = ['-f', String(first), '-l', String(last)];
    const args = ['-q', ...range, '-enc', 'UTF-8', pdf, join(box.out, 'deck.txt')];
    const { code } = unlessLost(await runProgram(input, box, pdftotext, args, limits.renderPageMs));
    const file = code === 0 ? await takeOut(box, 'deck.txt', box.folder) : null;
    if (file === null || (await stat(file)).size > MAX_TEXT_BYTES) return texts;
    const found = (await readFile(file, 'utf8')).split('\f');
    for (const page of pages) {
      const text = cleanPage(found[page - first] ?? '').text;
      if (text !== '' && !isMisread(text)) texts.set(page, text);
    }
    return texts;
  } finally {
    await rm(box.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
