import { excerptOf, outlineFromBookmarks, outlineFromText, type WidePage } from '../../page-text.ts';
import { outlineOfSlides, slidesByPage } from '../formats/pptx-facts.ts';
import { updateOutline, selectPageTexts } from '../store/files.ts';
import type { Step, StepInput } from './step.ts';

type Outline = { page: number; title: string }[];

/** Saves the outline: the titles of the slides, or the bookmarks of a PDF, or else the first line of each page that may be a title. */
export const outlineStep: Step = {
  name: 'outline',
  async run(input) {
    const { ctx, file } = input;
    const texts = await selectPageTexts(ctx.db, file.id);
    const outline = (await titlesOf(input, texts.length)) ?? outlineFromText(texts, wideOf(input));
    const textExcerpt = excerptOf(texts, { areLinesWhole: input.file.fileType === 'pptx' });
    return {
      detail: { titles: outline.length, characters: texts.reduce((sum, text) => sum + text.length, 0) },
      save: (tx) => updateOutline(tx.db, file.id, { outline, textExcerpt }),
    };
  },
};

function wideOf({ detailOf }: StepInput): WidePage[] {
  const wide = detailOf('render')?.['wide'];
  // Safe: the render step recorded this array.
  return Array.isArray(wide) ? (wide as WidePage[]) : [];
}

async function titlesOf(input: StepInput, pageCount: number): Promise<Outline | null> {
  if (input.file.fileType !== 'pdf') {
    const slides = slidesByPage(await input.facts(), pageCount);
    return slides && outlineOfSlides(slides);
  }
  const bookmarks = input.detailOf('render')?.['bookmarks'];
  // Safe: the render step recorded this array.
  return Array.isArray(bookmarks) ? outlineFromBookmarks(bookmarks as Outline) : null;
}
