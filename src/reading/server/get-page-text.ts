import { text } from 'node:stream/consumers';
import type { Ctx } from '../../context.ts';
import { findDocument, listPreviewPages } from '../../library/server/catalogue.ts';
import { StoreMissing } from '../../platform/files/file-store.ts';
import { notFound, notLoggedIn } from '../../protocol/envelope.ts';
import type { PageWord } from '../contract.ts';
import { PREVIEW_PAGES } from '../preview-pages.ts';

/** The words as ingest stores them: for each preview page, words with boxes in ten-thousandths of the page. */
type StoredWords = [text: string, x: number, y: number, width: number, height: number][][];
const GRID = 10_000;

/**
 * Returns the words of the pages that this member sees, with their positions. Pages without known words have none.
 * Throws code 4 like getDetail.
 */
export async function getPageText(
  ctx: Ctx,
  documentId: number,
): Promise<{ pages: { page: number; words: PageWord[] }[] }> {
  if (!ctx.session) throw notLoggedIn();
  const document = documentId > 0 ? await findDocument(ctx, documentId) : null;
  if (document?.state !== 'published') throw notFound();
  const shown = await listPreviewPages(ctx, document.fileId, PREVIEW_PAGES);
  const stored = document.hasWords ? await readWords(ctx, document.mediaKey) : [];
  return {
    pages: shown.map(({ page }) => ({
      page,
      words: (stored[page - 1] ?? []).map(([word, x, y, width, height]) => ({
        text: word,
        x: x / GRID,
        y: y / GRID,
        width: width / GRID,
        height: height / GRID,
      })),
    })),
  };
}

async function readWords(ctx: Ctx, mediaKey: string): Promise<StoredWords> {
  try {
    // Written by ingest (store-media.ts), in this shape.
    return JSON.parse(await text(await ctx.files.read(`media/${mediaKey}/words.json`))) as StoredWords;
  } catch (error) {
    if (error instanceof StoreMissing) return [];
    throw error;
  }
}
