import { excerptOf, outlineFromBookmarks, outlineFromText, type WidePage } from '../../page-text.ts';
import { outlineOf } from './prepare-file.ts';
import { saveOutline, selectPageTexts } from '../store/files.ts';
import type { Step, StepInput } from './step.ts';

type Outline = { page: number; title: string }[];

/** The outline: a deck's own titles, a PDF's bookmarks, else the first line of each page that may be a title. */
export const outlineStep: Step = {
  name: 'outline',
  async run(input) {
    const { ctx, file } = input;
    const texts = await selectPageTexts(ctx.db, file.id);
    const outline = (await titlesOf(input, texts.length)) ?? outlineFromText(texts, wideOf(input));
    const textExcerpt = excerptOf(texts);
    return {
      detail: { titles: outline.length, characters: texts.reduce((sum, text) => sum + text.length, 0) },
      save: (tx) => saveOutline(tx.db, file.id, { outline, textExcerpt }),
    };
  },
};

function wideOf({ detailOf }: StepInput): WidePage[] {
  const wide = detailOf('render')?.['wide'];
  // Written by the render step, as it found them.
  return Array.isArray(wide) ? (wide as WidePage[]) : [];
}

async function titlesOf(input: StepInput, pageCount: number): Promise<Outline | null> {
  if (input.file.fileType !== 'pdf') {
    const slides = (await input.facts())?.slides;
    return slides?.length === pageCount ? outlineOf(slides) : null;
  }
  const bookmarks = input.detailOf('render')?.['bookmarks'];
  // Written by the render step, as it found them.
  return Array.isArray(bookmarks) ? outlineFromBookmarks(bookmarks as Outline) : null;
}
