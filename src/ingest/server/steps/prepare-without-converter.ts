import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanText, excerptOf } from '../../page-text.ts';
import type { PreparedCover, PreparedFile, PreparedPage } from '../../prepared-file.ts';
import { ingestLimits as limits } from '../../rules.ts';
import { outlineOfSlides, type PptxFacts } from '../formats/pptx-facts.ts';
import { pageImageSize } from '../render/page-image.ts';
import { coverOfLine } from '../render/render-pages.ts';
import { failIfLost, readResults, runRenderChild, type RendererSlot } from '../render/renderer-slot.ts';
import { drawTitleCard } from '../render/title-card.ts';

/** WebP effort, 0 (fast) to 6 (small). */
const COVER_EFFORT = 2;

/** `isLast`: whether the deck is not prepared again when this fails. `run` takes the place of a render child in tests. */
type Work = { workDir: string; isLast: boolean; signal?: AbortSignal; run?: RendererSlot['run'] };

/**
 * Returns everything that a PPTX says without LibreOffice: text, outline, a cover, but no page images. The cover is the thumbnail of the
 * file, or else a card with the title of the deck. Flags the file `preview-pending`. Throws the reason of the signal, and ChildLost unless `isLast`.
 */
export async function prepareWithoutConverter(input: Work, facts: PptxFacts): Promise<PreparedFile> {
  const size = pageImageSize(facts);
  const pages: PreparedPage[] = facts.slides.map(({ text }, index) => ({
    number: index + 1,
    ...size,
    text,
    image: null,
  }));
  const texts = facts.slides.map((slide) => slide.text);
  return {
    fileType: 'pptx',
    pageCount: pages.length,
    pages,
    cover: (await coverOfThumbnail(input, facts)) ?? (await coverOfTitle(input, facts)),
    outline: outlineOfSlides(facts.slides),
    textExcerpt: excerptOf(texts, { areLinesWhole: true }),
    pdf: null,
    flags: ['preview-pending'],
  };
}

function coverOfTitle(input: Work, facts: PptxFacts): Promise<PreparedCover> {
  const title = facts.slides[0]?.title || facts.title || cleanText(facts.slides[0]?.text ?? '').split('\n')[0] || '';
  return drawTitleCard(input.workDir, title, facts.width / facts.height);
}

/** Makes a cover of the thumbnail that the author's program left in the file. The thumbnail is untrusted: the render child decodes it. */
async function coverOfThumbnail(input: Work, facts: PptxFacts): Promise<PreparedCover | null> {
  if (facts.thumbnail === null) return null;
  const picture = join(input.workDir, 'thumbnail');
  const results = join(input.workDir, 'thumbnail.jsonl');
  await writeFile(picture, facts.thumbnail);
  try {
    const job = {
      kind: 'render' as const,
      pdf: null,
      picture,
      outDir: input.workDir,
      results,
      firstPage: 1,
      previewPages: 0,
      effort: COVER_EFFORT,
    };
    const end = Date.now() + limits.renderPageMs * 2;
    const { signal, isLast, run = runRenderChild } = input;
    const outcome = await run({
      job: { ...job, needCover: true, needBookmarks: false, drawn: {}, mark: null },
      until: () => end,
      signal,
    });
    signal?.throwIfAborted();
    const line = (await readResults(results)).find((each) => each.kind === 'cover');
    if (!line && !outcome.timedOut && !isLast) failIfLost(outcome, 'draws the thumbnail');
    return line ? coverOfLine(line) : null;
  } finally {
    for (const file of [picture, results]) await rm(file, { force: true });
  }
}
