import { text } from 'node:stream/consumers';
import type { Ctx } from '../../context.ts';
import { findDocument, listPreviewPages } from '../../library/server/catalogue.ts';
import { getPageWords } from '../../ingest/server/pages/drawn-pages.ts';
import { StoreMissing } from '../../platform/files/file-store.ts';
import { failed, notFound, notLoggedIn } from '../../protocol/envelope.ts';
import type { PageWord } from '../contract.ts';
import { PREVIEW_PAGES } from '../../library/limits.ts';
import { openForReading, refusalOf, refusePageBeyond } from './whole/open-for-reading.ts';

/** The words as ingest stores them: for each preview page, words with boxes in ten-thousandths of the page. */
type StoredWords = [text: string, x: number, y: number, width: number, height: number][][];
const GRID = 10_000;

/**
 * Returns the words of the preview pages, or of one page, with their positions. Pages without known words have none.
 * Throws code 4 like getDetail, 40 for a page that the document does not have, 34 and 50 for a page that this member may
 * not read.
 */
export async function getPageText(
  ctx: Ctx,
  documentId: number,
  page: number | null,
): Promise<{ pages: { page: number; words: PageWord[] }[] }> {
  if (!ctx.session) throw notLoggedIn();
  if (page !== null && page > PREVIEW_PAGES) return { pages: [await wholePageText(ctx, documentId, page)] };
  const document = documentId > 0 ? await findDocument(ctx, documentId) : null;
  if (document?.state !== 'published') throw notFound();
  if (page !== null) refusePageBeyond(document, page);
  const shown = await listPreviewPages(ctx, document.fileId, PREVIEW_PAGES);
  const stored = document.hasWords ? await readWords(ctx, document.mediaKey) : [];
  return {
    pages: shown
      .filter(({ page: number }) => page === null || number === page)
      .map(({ page: number }) => ({ page: number, words: wordsOf(stored[number - 1] ?? []) })),
  };
}

const wordsOf = (words: StoredWords[number]): PageWord[] =>
  words.map(([text, x, y, width, height]) => ({
    text,
    x: x / GRID,
    y: y / GRID,
    width: width / GRID,
    height: height / GRID,
  }));

async function wholePageText(ctx: Ctx, documentId: number, page: number) {
  const opened = await openForReading(ctx, documentId);
  refusePageBeyond(opened.document, page);
  if (page > opened.readablePages) {
    if (opened.isPending) throw failed('全文正在准备，请稍后再试');
    throw await refusalOf(ctx, opened);
  }
  return { page, words: wordsOf(await getPageWords(ctx, opened.file, page, `s${opened.sessionId}`)) };
}

async function readWords(ctx: Ctx, mediaKey: string): Promise<StoredWords> {
  try {
    // Safe: ingest writes the file in this shape (ingest/server/store/media.ts).
    return JSON.parse(await text(await ctx.files.read(`media/${mediaKey}/words.json`))) as StoredWords;
  } catch (error) {
    if (error instanceof StoreMissing) return [];
    throw error;
  }
}
