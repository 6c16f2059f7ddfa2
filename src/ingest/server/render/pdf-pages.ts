import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import type { PDFiumDocument, PDFiumPage } from '@hyzyla/pdfium';
import { loadOnce } from '../../../platform/load-once.ts';
import { beginningOf, cleanText } from '../../page-text.ts';
import { RefusedError } from '../../refusals.ts';
import { ingestLimits as limits } from '../../rules.ts';
import { joinWords, type CharBox } from '../../word-boxes.ts';
import type { WordBox } from '../../word-boxes.ts';

/** The C functions of PDFium that the package loads but does not wrap. Handles are numbers; 0 is none. */
type Handles = {
  _FPDF_ClosePage(page: number): void;
  _FPDF_GetSecurityHandlerRevision(document: number): number;
  _FPDFBookmark_GetFirstChild(document: number, parent: number): number;
  _FPDFBookmark_GetNextSibling(document: number, bookmark: number): number;
  _FPDFBookmark_GetTitle(bookmark: number, buffer: number, bytes: number): number;
  _FPDFBookmark_GetDest(document: number, bookmark: number): number;
  _FPDFBookmark_GetAction(bookmark: number): number;
  _FPDFAction_GetDest(document: number, action: number): number;
  _FPDFDest_GetDestPageIndex(document: number, dest: number): number;
  _FPDFText_LoadPage(page: number): number;
  _FPDFText_ClosePage(text: number): void;
  _FPDFText_CountChars(text: number): number;
  _FPDFText_GetUnicode(text: number, index: number): number;
  _FPDFText_GetCharBox(text: number, index: number, left: number, right: number, bottom: number, top: number): number;
  _FPDF_PageToDevice(
    page: number,
    startX: number,
    startY: number,
    sizeX: number,
    sizeY: number,
    rotate: number,
    pageX: number,
    pageY: number,
    deviceX: number,
    deviceY: number,
  ): number;
  _FPDFBitmap_CreateEx(width: number, height: number, format: number, buffer: number, stride: number): number;
  _FPDFBitmap_FillRect(bitmap: number, left: number, top: number, width: number, height: number, argb: number): number;
  _FPDFBitmap_Destroy(bitmap: number): void;
  _FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    startX: number,
    startY: number,
    sizeX: number,
    sizeY: number,
    rotate: number,
    flags: number,
  ): void;
  _FPDFPage_CountObjects(page: number): number;
  _FPDFPage_GetObject(page: number, index: number): number;
  _FPDFFormObj_CountObjects(form: number): number;
  _FPDFFormObj_GetObject(form: number, index: number): number;
  _FPDFPageObj_GetType(object: number): number;
  _FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number;
  _FPDFPageObj_GetMatrix(object: number, matrix: number): number;
  _FPDFPath_CountSegments(path: number): number;
  _FPDFTextObj_GetTextRenderMode(text: number): number;
  _FPDFImageObj_GetImagePixelSize(image: number, width: number, height: number): number;
  _FPDFCatalog_IsTagged(document: number): number;
  _FPDF_StructTree_GetForPage(page: number): number;
  _FPDF_StructTree_Close(tree: number): void;
  _FPDF_StructTree_CountChildren(tree: number): number;
  _FPDF_StructTree_GetChildAtIndex(tree: number, index: number): number;
  _FPDF_StructElement_GetType(element: number, buffer: number, bytes: number): number;
  _FPDF_StructElement_GetAltText(element: number, buffer: number, bytes: number): number;
  _FPDF_StructElement_CountChildren(element: number): number;
  _FPDF_StructElement_GetChildAtIndex(element: number, index: number): number;
  _FPDF_StructElement_GetAttributeCount(element: number): number;
  _FPDF_StructElement_GetAttributeAtIndex(element: number, index: number): number;
  _FPDF_StructElement_Attr_GetValue(attribute: number, name: number): number;
  _FPDF_StructElement_Attr_CountChildren(value: number): number;
  _FPDF_StructElement_Attr_GetChildAtIndex(value: number, index: number): number;
  _FPDF_StructElement_Attr_GetNumberValue(value: number, number: number): number;
  HEAPU8: Uint8Array;
  wasmExports: { malloc(bytes: number): number; free(pointer: number): void };
};

type Inside = { module: Handles; documentIdx: number; pageIdx: number };

/** Returns private fields of the package. Its version is pinned, and tests of this folder fail when they change. */
export const inside = (wrapped: PDFiumDocument | PDFiumPage) => wrapped as unknown as Inside;

const WASM = fileURLToPath(import.meta.resolve('@hyzyla/pdfium/pdfium.wasm'));
const compileLibrary = loadOnce(async () => WebAssembly.compile(await readFile(WASM)));

/** Loads a new PDFium for each document (4 ms): damage by one file cannot affect the next. */
async function freshLibrary(): Promise<PDFiumLibrary> {
  const module = await compileLibrary();
  return PDFiumLibrary.init({
    instantiateWasm(imports, ready) {
      // The type of the package names the module; emscripten calls back with the instance and takes its exports.
      const done = ready as unknown as (instance: WebAssembly.Instance, module: WebAssembly.Module) => void;
      done(new WebAssembly.Instance(module, imports), module);
      return {};
    },
  });
}

/** Opens a PDF. Throws RefusedError: encrypted, corrupt, no-pages, too-many-pages. */
export async function openPdf(bytes: Uint8Array): Promise<PDFiumDocument> {
  const library = await freshLibrary();
  const document = await library.loadDocument(bytes).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    throw new RefusedError(/password|security/i.test(message) ? 'encrypted' : 'corrupt', message.slice(0, 120));
  });
  const pages = document.getPageCount();
  if (pages < 1) throw new RefusedError('no-pages');
  if (pages > limits.pdfPages) throw new RefusedError('too-many-pages', `${pages} pages`);
  return document;
}

/** Whether the content of a PDF that was opened is encrypted. PDFium returns -1 for a file without a security handler. */
export const isEncrypted = (document: PDFiumDocument): boolean =>
  inside(document).module._FPDF_GetSecurityHandlerRevision(inside(document).documentIdx) !== -1;

/** Returns the size in points; null when the page cannot be loaded. */
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

/** Closes a page of which only the text was read. Drawing closes a page itself. */
export function closePage(page: PDFiumPage): void {
  if (inside(page).pageIdx !== 0) inside(page).module._FPDF_ClosePage(inside(page).pageIdx);
}

export type Pixels = { data: Uint8Array; width: number; height: number };

/** FPDFBitmap_BGR: three bytes a pixel without alpha, which no page image needs. */
const BGR = 2;
/** FPDF_ANNOT | FPDF_REVERSE_BYTE_ORDER: draws stamps and form fields too, with red first. */
const DRAW_FLAGS = 0x01 | 0x10;

/** Holds the pixels of the last page that was drawn; grows to the largest page. */
let lastPixels = Buffer.alloc(0);

/**
 * Draws a page on white as red, green, blue bytes, and closes it. The pixels are valid until the next page is drawn: with a new
 * buffer for each page a tenth of the time went into collecting old ones. Throws when memory is short.
 */
export function drawPixels(page: PDFiumPage, { width, height }: { width: number; height: number }): Pixels {
  const { module: pdfium, pageIdx } = inside(page);
  const bytes = width * height * 3;
  const buffer = pdfium.wasmExports.malloc(bytes);
  try {
    const bitmap = buffer === 0 ? 0 : pdfium._FPDFBitmap_CreateEx(width, height, BGR, buffer, width * 3);
    if (bitmap === 0) throw new Error(`no memory for a page of ${width} × ${height} pixels`);
    pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff);
    pdfium._FPDF_RenderPageBitmap(bitmap, pageIdx, 0, 0, width, height, 0, DRAW_FLAGS);
    pdfium._FPDFBitmap_Destroy(bitmap);
    // The pixels are copied, because PDFium reuses its memory.
    if (lastPixels.length < bytes) lastPixels = Buffer.allocUnsafeSlow(bytes);
    lastPixels.set(pdfium.HEAPU8.subarray(buffer, buffer + bytes));
    return { data: lastPixels.subarray(0, bytes), width, height };
  } finally {
    closePage(page);
    pdfium.wasmExports.free(buffer);
  }
}

/** Coordinates are ten-thousandths of the page's width and height, from its upper left corner. */
const GRID = 10_000;
const MAX_CHARS = 20_000;
const MAX_WORDS = 4_000;

/**
 * Returns the words of a page and their positions on the page as shown (rotated, cropped). Call it before drawing,
 * which closes the page.
 */
export function wordsOf(page: PDFiumPage): WordBox[] {
  const { module: pdfium, pageIdx } = inside(page);
  const text = pdfium._FPDFText_LoadPage(pageIdx);
  if (text === 0) return [];
  const space = pdfium.wasmExports.malloc(40);
  try {
    const chars: CharBox[] = [];
    const count = Math.min(pdfium._FPDFText_CountChars(text), MAX_CHARS);
    for (let index = 0; index < count; index++) {
      const code = pdfium._FPDFText_GetUnicode(text, index);
      chars.push({ char: charOf(code), ...charBox(pdfium, pageIdx, text, index, space) });
    }
    return joinWords(chars).slice(0, MAX_WORDS);
  } finally {
    pdfium.wasmExports.free(space);
    pdfium._FPDFText_ClosePage(text);
  }
}

function charOf(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
}

/** Returns the box of a character. `space` is 40 bytes of PDFium's memory: four doubles, two integers. */
function charBox(pdfium: Handles, page: number, text: number, index: number, space: number) {
  const isKnown = pdfium._FPDFText_GetCharBox(text, index, space, space + 8, space + 16, space + 24);
  if (!isKnown) return { left: 0, top: 0, right: 0, bottom: 0 };
  // The memory may have grown, and moved, since the last call.
  const view = new DataView(pdfium.HEAPU8.buffer);
  const [left = 0, right = 0, bottom = 0, top = 0] = [0, 8, 16, 24].map((at) => view.getFloat64(space + at, true));
  const onGrid = (x: number, y: number): [number, number] => {
    pdfium._FPDF_PageToDevice(page, 0, 0, GRID, GRID, 0, x, y, space + 32, space + 36);
    return [view.getInt32(space + 32, true), view.getInt32(space + 36, true)];
  };
  const [x1, y1] = onGrid(left, top);
  const [x2, y2] = onGrid(right, bottom);
  return { left: Math.min(x1, x2), top: Math.min(y1, y2), right: Math.max(x1, x2), bottom: Math.max(y1, y2) };
}

const MAX_BOOKMARKS = 200;

/** Returns the first two levels of the bookmarks, in order. */
export function bookmarksOf(document: PDFiumDocument): { page: number; title: string }[] {
  const { module: pdfium, documentIdx } = inside(document);
  const found: { page: number; title: string }[] = [];
  const seen = new Set<number>();
  const walk = (parent: number, depth: number) => {
    let bookmark = pdfium._FPDFBookmark_GetFirstChild(documentIdx, parent);
    // A damaged list of bookmarks may be cyclic.
    while (bookmark !== 0 && !seen.has(bookmark) && found.length < MAX_BOOKMARKS) {
      seen.add(bookmark);
      const title = beginningOf(cleanText(bookmarkTitle(pdfium, bookmark)).replace(/\n/g, ' '), limits.titleChars);
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
