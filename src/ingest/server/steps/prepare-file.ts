import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanText, excerptOf, outlineFromBookmarks, outlineFromText } from '../../page-text.ts';
import type { PreparedCover, PreparedFile, PreparedPage, PrepareFileInput } from '../../prepared-file.ts';
import { RefusedError } from '../../refusals.ts';
import { ingestLimits as limits } from '../../rules.ts';
import type { FileFlag } from '../../rules.ts';
import { convertToPdf, findConverter } from '../convert/convert-to-pdf.ts';
import { drawTitleCard } from '../render/title-card.ts';
import { pageImageSize } from '../render/page-image.ts';
import type { PptxFacts } from '../formats/pptx-facts.ts';
import { readFactsInChild } from '../charts/read-deck.ts';
import { coverOfLine, renderPages } from '../render/render-pages.ts';
import type { RenderedPages } from '../render/render-pages.ts';
import { openRendererSlot, readResults, runRenderChild } from '../render/renderer-slot.ts';

const DEFAULT_EFFORT = 2;

/**
 * Turns one sniffed file into page images, a cover, text and an outline, all in `workDir`. Touches neither database nor
 * store. Without LibreOffice a PPTX is prepared from its own facts and flagged `preview-pending`. Throws RefusedError;
 * `kind` says whether it is the file (`refused`), this attempt (`failed`) or this machine (`waiting`). Throws the
 * signal's reason when aborted.
 */
export async function prepareFile(input: PrepareFileInput): Promise<PreparedFile> {
  input.signal?.throwIfAborted();
  const prepared = input.fileType === 'pdf' ? await preparePdf(input) : await prepareDeck(input);
  input.onProgress?.({ stage: 'done', done: prepared.pageCount, total: prepared.pageCount });
  return prepared;
}

async function preparePdf(input: PrepareFileInput): Promise<PreparedFile> {
  const rendered = await render(input, input.path, true);
  const texts = rendered.pages.map((page) => page.text);
  return {
    fileType: 'pdf',
    pageCount: rendered.pageCount,
    pages: rendered.pages,
    cover: rendered.cover,
    outline: outlineFromBookmarks(rendered.bookmarks) ?? outlineFromText(texts, rendered.wide),
    textExcerpt: excerptOf(texts),
    notes: [],
    pdf: null,
    flags: missingFlag(rendered),
    strip: rendered.strip,
    words: rendered.words,
  };
}

async function prepareDeck(input: PrepareFileInput): Promise<PreparedFile> {
  input.onProgress?.({ stage: 'facts', done: 0, total: 1 });
  const facts = input.fileType === 'pptx' ? await factsOf(input) : null;
  const converter = input.converter === undefined ? findConverter() : input.converter;
  if (converter === null && input.pdf === undefined) {
    if (facts === null) throw new RefusedError('converter-missing');
    return prepareWithoutConverter(input, facts);
  }
  input.onProgress?.({ stage: 'convert', done: 0, total: 1 });
  const pdf = input.pdf ?? (await convertToPdf({ ...deckOf(input), converter, slides: facts?.slides.length ?? null }));
  const rendered = await render(input, pdf, false);
  const { texts, slides, flags } = readDeck(rendered, facts);
  return {
    fileType: input.fileType,
    pageCount: rendered.pageCount,
    pages: rendered.pages.map((page, index) => ({ ...page, text: texts[index] ?? '' })),
    cover: rendered.cover,
    outline: slides ? outlineOf(slides) : outlineFromText(texts, rendered.wide),
    textExcerpt: excerptOf(texts),
    notes: slides ? notesOf(slides) : [],
    pdf,
    flags,
    strip: rendered.strip,
    words: rendered.words,
  };
}

async function factsOf({ path, workDir, signal }: PrepareFileInput): Promise<PptxFacts> {
  const slot = openRendererSlot();
  try {
    return await readFactsInChild({ path, workDir, slot, signal });
  } finally {
    slot.close();
  }
}

/**
 * What a drawn deck says: its slides' own text where it is known, else that of the PDF. Slides and pages that differ in
 * number cannot be told apart by position: then `slides` is null and only the PDF speaks. Throws RefusedError
 * too-many-pages.
 */
export function readDeck(
  rendered: RenderedPages,
  facts: PptxFacts | null,
): { texts: string[]; slides: PptxFacts['slides'] | null; flags: FileFlag[] } {
  if (rendered.pageCount > limits.slides) throw new RefusedError('too-many-pages', `${rendered.pageCount} slides`);
  const flags = missingFlag(rendered);
  const slides = facts?.slides.length === rendered.pageCount ? facts.slides : null;
  if (facts !== null && slides === null) flags.push('pages-differ');
  return { texts: rendered.pages.map((page, index) => slides?.[index]?.text || page.text), slides, flags };
}

function deckOf({ path, fileType, workDir, signal }: PrepareFileInput) {
  if (fileType === 'pdf') throw new TypeError('a PDF needs no conversion');
  return { path, fileType, workDir, signal };
}

function render(input: PrepareFileInput, pdf: string, foreign: boolean): Promise<RenderedPages> {
  return renderPages({
    pdf,
    workDir: input.workDir,
    previewPages: input.previewPages ?? limits.previewPages,
    effort: input.encodeEffort ?? DEFAULT_EFFORT,
    foreign,
    signal: input.signal,
    mark: input.mark ?? null,
    onPage: (done, total) => input.onProgress?.({ stage: 'render', done, total }),
  });
}

export function missingFlag({ missing, unread }: RenderedPages): FileFlag[] {
  return [
    ...(missing.length > 0 ? (['pages-missing'] as const) : []),
    ...(unread > 0 ? (['text-partial'] as const) : []),
  ];
}

export function outlineOf(slides: PptxFacts['slides']): PreparedFile['outline'] {
  return slides.flatMap(({ title }, index) => (title === '' ? [] : [{ page: index + 1, title }]));
}

function notesOf(slides: PptxFacts['slides']): PreparedFile['notes'] {
  return slides.flatMap(({ notes }, index) => (notes === '' ? [] : [{ page: index + 1, text: notes }]));
}

/** What can be said of a PPTX before LibreOffice is installed: everything but the page images. */
export async function prepareWithoutConverter(
  input: Pick<PrepareFileInput, 'workDir' | 'signal'>,
  facts: PptxFacts,
): Promise<PreparedFile> {
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
    outline: outlineOf(facts.slides),
    textExcerpt: excerptOf(texts),
    notes: notesOf(facts.slides),
    pdf: null,
    flags: ['preview-pending'],
  };
}

function coverOfTitle(input: Pick<PrepareFileInput, 'workDir'>, facts: PptxFacts): Promise<PreparedCover> {
  const title = facts.slides[0]?.title || facts.title || cleanText(facts.slides[0]?.text ?? '').split('\n')[0] || '';
  return drawTitleCard(input.workDir, title, facts.width / facts.height);
}

/** The picture the author's program left in the file. It is a stranger's: the render child decodes it. */
async function coverOfThumbnail(
  input: Pick<PrepareFileInput, 'workDir' | 'signal'>,
  facts: PptxFacts,
): Promise<PreparedCover | null> {
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
      effort: DEFAULT_EFFORT,
    };
    const end = Date.now() + limits.renderPageMs * 2;
    await runRenderChild({
      job: { ...job, needCover: true, needBookmarks: false, isLarge: false, drawn: {}, mark: null },
      until: () => end,
      signal: input.signal,
    });
    const line = (await readResults(results)).find((one) => one.kind === 'cover');
    return line ? coverOfLine(line) : null;
  } finally {
    for (const file of [picture, results]) await rm(file, { force: true });
  }
}
