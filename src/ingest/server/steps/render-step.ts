import { join } from 'node:path';
import { IMAGES_VERSION, ingestLimits as limits, mergeFlags, type FileFlag } from '../../rules.ts';
import { drawMark } from '../render/draw-mark.ts';
import { missingFaces } from '../convert/drawn-fonts.ts';
import { slidesByPage } from '../formats/pptx-facts.ts';
import type { RenderedPages } from '../render/render-pages.ts';
import {
  selectImagesOfFile,
  type FileRow,
  upsertPages,
  selectShownDocuments,
  type SavedPages,
} from '../store/files.ts';
import { RefusedError } from '../../refusals.ts';
import { storeMedia } from '../store/media.ts';
import type { Step, StepInput } from './step.ts';
import type { TransactionCtx } from '../../../context.ts';
import { documentsChanged } from '../../../library/jobs.ts';

/** Reads the PDF once: draws the first pages, thumbnails and cover, and reads sizes, text and positions of words. */
export const renderStep: Step = {
  name: 'render',
  async run(input) {
    const { ctx, file } = input;
    const startedAt = Date.now();
    const mark = await markOf(input);
    const rendered = await input.withPdf((pdf) => {
      if (pdf === null) throw new Error('there is no PDF to draw');
      return input.pool.render({
        pdf,
        workDir: input.workDir,
        previewPages: limits.previewPages,
        effort: 2,
        isUploaded: file.fileType === 'pdf',
        mark,
        isLast: input.isLast,
        ...(input.signal && { signal: input.signal }),
      });
    });
    if (file.fileType !== 'pdf' && rendered.pageCount > limits.slides)
      throw new RefusedError('too-many-pages', `${rendered.pageCount} slides`);
    const facts = await input.facts();
    const slides = slidesByPage(facts, rendered.pageCount);
    const found = flagsOf(rendered, facts !== null && slides === null);
    refuseWorse(file, found);
    const pages = rendered.pages.map((page, index) => ({ ...page, text: slides?.[index]?.text || page.text }));
    const lacking = await missingFacesOf(input);
    const kept =
      lacking.length > 0 ? { pages: await selectImagesOfFile(ctx.db, file.id), coverWidths: file.coverWidths } : null;
    const media = await storeMedia(ctx.files, file.mediaKey, { ...rendered, pages }, kept);
    const cover = kept ? coverOf(file) : rendered.cover;
    const imagesVersion = kept ? file.imagesVersion : IMAGES_VERSION;
    return {
      detail: {
        pages: rendered.pageCount,
        images: new Set(media.pages.flatMap((page) => (page.image ? page.imageName : []))).size,
        missing: rendered.missing.slice(0, 50),
        unread: rendered.unread,
        ms: Date.now() - startedAt,
        bookmarks: rendered.bookmarks,
        ...(rendered.wide.length > 0 && { wide: rendered.wide }),
        ...(kept && { kept: 'the page images that were there: fonts of this deck are missing here', lacking }),
      },
      save: (tx) =>
        saveRenderedPages(tx, file.id, { ...media, cover, imagesVersion, flags: mergeFlags(file.flags, found) }),
    };
  },
};

function flagsOf({ missing, unread, isBlank, pages }: RenderedPages, pagesDiffer: boolean): FileFlag[] {
  const hasText = unread > 0 || pages.some(({ text }) => /[\p{L}\p{N}]/u.test(text));
  return [
    ...(isBlank ? (['blank'] as const) : hasText ? [] : (['no-text'] as const)),
    ...(missing.length > 0 ? (['pages-missing'] as const) : []),
    ...(unread > 0 ? (['text-partial'] as const) : []),
    ...(pagesDiffer ? (['pages-differ'] as const) : []),
  ];
}

/** Throws when the result has more flags than the published previews, which may happen on a busy machine. */
function refuseWorse(file: FileRow, found: readonly FileFlag[]): void {
  const worse = file.state === 'ready' ? found.filter((flag) => !file.flags.includes(flag)) : [];
  if (worse.length > 0)
    throw new RefusedError('render-failed', `${worse.join(', ')}: worse than the published previews`);
}

/** Returns the fonts that this machine lacks and because of which the page images of a ready-made file are kept. */
async function missingFacesOf({ file, facts, detailOf }: StepInput): Promise<string[]> {
  // A PDF brings its own fonts.
  if (file.fileType === 'pdf' || file.state !== 'ready' || !detailOf('store')?.['readyMade']) return [];
  return missingFaces((await facts())?.fonts ?? null);
}

const coverOf = ({ coverWidth: width, coverHeight: height, coverColor: color }: FileRow) => ({ width, height, color });

async function markOf({ ctx, workDir }: StepInput): Promise<string | null> {
  if (!ctx.config.hasPreviewMark) return null;
  const file = join(workDir, 'mark.png');
  return (await drawMark(file, ctx.config.site.name)) ? file : null;
}

/**
 * Saves pages, text and images of a file. When the text of a published document has changed, tells the search index at
 * once, because later steps may take long or fail. Call it in a transaction.
 */
export async function saveRenderedPages(tx: TransactionCtx, fileId: number, drawn: SavedPages): Promise<void> {
  const { isTextNew } = await upsertPages(tx.db, fileId, drawn);
  if (isTextNew) await tellSearch(tx, fileId);
}

/** Tells the search index that what it reads of a file has changed, if a published document shows the file. Call it in a transaction. */
export async function tellSearch(tx: TransactionCtx, fileId: number): Promise<void> {
  const shown = await selectShownDocuments(tx.db, fileId);
  if (shown.length > 0) await tx.jobs.add(documentsChanged, { ids: shown });
}
