import { PDFiumLibrary } from '@hyzyla/pdfium';
import type { PDFiumDocument, PDFiumPage } from '@hyzyla/pdfium';
import { cleanText } from '../page-text.ts';
import { RefusedError } from '../refusals.ts';
import { ingestLimits as limits } from '../rules.ts';

/** The part of PDFium's C functions that the package loads but does not wrap. Handles are numbers, 0 is none. */
type Handles = {
  _FPDF_ClosePage(page: number): void;
  _FPDFBookmark_GetFirstChild(document: number, parent: number): number;
  _FPDFBookmark_GetNextSibling(document: number, bookmark: number): number;
  _FPDFBookmark_GetTitle(bookmark: number, buffer: number, bytes: number): number;
  _FPDFBookmark_GetDest(document: number, bookmark: number): number;
  _FPDFBookmark_GetAction(bookmark: number): number;
  _FPDFAction_GetDest(document: number, action: number): number;
  _FPDFDest_GetDestPageIndex(document: number, dest: number): number;
  HEAPU8: Uint8Array;
  wasmExports: { malloc(bytes: number): number; free(pointer: number): void };
};

type Inside = { module: Handles; documentIdx: number; pageIdx: number };

// The package keeps these in private fields; its version is pinned and pdf-pages.test.ts fails if they move.
const inside = (wrapped: PDFiumDocument | PDFiumPage) => wrapped as unknown as Inside;

/** Opens a PDF. Throws RefusedError: encrypted, corrupt, no-pages, too-many-pages. */
export async function openPdf(bytes: Uint8Array): Promise<PDFiumDocument> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(bytes).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    throw new RefusedError(/password|security/i.test(message) ? 'encrypted' : 'corrupt', message.slice(0, 120));
  });
  const pages = document.getPageCount();
  if (pages < 1) throw new RefusedError('no-pages');
  if (pages > limits.pdfPages) throw new RefusedError('too-many-pages', `${pages} pages`);
  return document;
}

/** Size in points; null if the page cannot be loaded. */
export function pageSize(page: PDFiumPage): { width: number; height: number } | null {
  if (inside(page).pageIdx === 0) return null;
  const { originalWidth, originalHeight } = page.getOriginalSize();
  return { width: originalWidth, height: originalHeight };
}

export function isSanePage({ width, height }: { width: number; height: number }): boolean {
  const long = Math.max(width, height);
  const short = Math.min(width, height);
  return short >= limits.pageSideMinPt && long <= limits.pageSideMaxPt && long / short <= limits.pageAspect;
}

/** Drawing closes a page; one of which only the text was read is closed here. */
export function closePage(page: PDFiumPage): void {
  if (inside(page).pageIdx !== 0) inside(page).module._FPDF_ClosePage(inside(page).pageIdx);
}

const MAX_BOOKMARKS = 200;

/** The first two levels of the document's own outline, in order. */
export function bookmarksOf(document: PDFiumDocument): { page: number; title: string }[] {
  const { module: pdfium, documentIdx } = inside(document);
  const found: { page: number; title: string }[] = [];
  const seen = new Set<number>();
  const walk = (parent: number, depth: number) => {
    let bookmark = pdfium._FPDFBookmark_GetFirstChild(documentIdx, parent);
    // A damaged outline may run in a ring.
    while (bookmark !== 0 && !seen.has(bookmark) && found.length < MAX_BOOKMARKS) {
      seen.add(bookmark);
      const title = cleanText(bookmarkTitle(pdfium, bookmark)).replace(/\n/g, ' ').slice(0, limits.titleChars);
      const page = bookmarkPage(pdfium, documentIdx, bookmark);
      if (title !== '' && page >= 0) found.push({ page: page + 1, title });
      if (depth < 2) walk(bookmark, depth + 1);
      bookmark = pdfium._FPDFBookmark_GetNextSibling(documentIdx, bookmark);
    }
  };
  walk(0, 1);
  return found;
}

function bookmarkTitle(pdfium: Handles, bookmark: number): string {
  const bytes = pdfium._FPDFBookmark_GetTitle(bookmark, 0, 0);
  if (bytes <= 2 || bytes > 4_096) return '';
  const buffer = pdfium.wasmExports.malloc(bytes);
  if (buffer === 0) return '';
  try {
    pdfium._FPDFBookmark_GetTitle(bookmark, buffer, bytes);
    return new TextDecoder('utf-16le').decode(pdfium.HEAPU8.slice(buffer, buffer + bytes - 2));
  } finally {
    pdfium.wasmExports.free(buffer);
  }
}

function bookmarkPage(pdfium: Handles, document: number, bookmark: number): number {
  const direct = pdfium._FPDFBookmark_GetDest(document, bookmark);
  if (direct !== 0) return pdfium._FPDFDest_GetDestPageIndex(document, direct);
  const action = pdfium._FPDFBookmark_GetAction(bookmark);
  const dest = action === 0 ? 0 : pdfium._FPDFAction_GetDest(document, action);
  return dest === 0 ? -1 : pdfium._FPDFDest_GetDestPageIndex(document, dest);
}
