import { join } from 'node:path';
import { updateFile } from '../store/files.ts';
import type { Step, StepInput } from './step.ts';
import { withFixedDates } from '../convert/fix-dates.ts';
import { countOwnPdfPages, fontsOfOwnPdf } from '../convert/own-pdf.ts';
import { substitutionsOf } from '../convert/drawn-fonts.ts';
import type { RendererSlot } from '../render/renderer-slot.ts';
import { RefusedError } from '../../refusals.ts';

/**
 * The key of the PDF of a deck in the file store. The PDF is kept: pages are drawn from it now and shown in full later
 * (C-41).
 */
export const pdfKey = (sha256: string) => `pdf/${sha256}.pdf`;

/**
 * Converts a deck to PDF with LibreOffice. Exit codes are not trusted: a deck whose PDF has another number of pages
 * than visible slides is converted again alone. A PDF needs no conversion.
 */
export const convertStep: Step = {
  name: 'convert',
  async run(input) {
    const { file, ctx, pool, signal } = input;
    if (file.fileType === 'pdf') return { detail: { skipped: 'a PDF is drawn as it is' } };
    if (input.converter === null) throw new RefusedError('converter-missing');
    const facts = await input.facts();
    const slides = facts?.slides.length ?? null;
    const startedAt = Date.now();
    const { original: path, workDir } = input;
    const fixDates = (slot: RendererSlot) => withFixedDates({ path, workDir, slot, signal });
    const deck = facts?.hasDateFields ? await pool.run(fixDates, signal) : path;
    const made = await pool.toPdf({
      path: deck,
      fileType: file.fileType,
      workDir,
      slides,
      bytes: file.sizeBytes,
      signal,
    });
    await ctx.files.put(pdfKey(file.sha256), made.pdf);
    const fonts = await fontsOf(input, made.pdf);
    return {
      detail: {
        slides,
        hiddenSlides: facts?.hiddenSlides ?? null,
        pages: await countOwnPdfPages(made.pdf),
        batch: made.batch,
        ms: Date.now() - startedAt,
        ...(facts?.hasDateFields && deck === path && { dates: 'of the conversion' }),
        drawnFonts: fonts.drawn.slice(0, 40),
      },
      save: (tx) => updateFile(tx.db, file.id, { hasPdf: true, fonts: fonts.substituted }),
    };
  },
};

async function fontsOf(input: StepInput, pdf: string) {
  const drawn = await fontsOfOwnPdf(pdf);
  const named = (await input.facts())?.fonts ?? [];
  return { drawn, substituted: await substitutionsOf(named, drawn) };
}

/** Path of the PDF that this run has made. */
export const pdfInWorkDir = (workDir: string) => join(workDir, 'deck.pdf');
