import { appendFileSync, readFileSync } from 'node:fs';
import type { PDFiumPage } from '@hyzyla/pdfium';
import type { ChartFrame } from '../../../charts/chart-data.ts';
import { closePage, inside, openPdf } from '../render/pdf-pages.ts';
import type { FigureJob, FigureLine, ReportProgress } from '../render/child-jobs.ts';

/** A page of slides has a few dozen elements; more or deeper elements are ignored. */
const MAX_ELEMENTS = 5_000;
const MAX_DEPTH = 64;
const MAX_FIGURES = 200;
const MAX_TEXT_BYTES = 4_096;
const MAX_ATTRIBUTES = 16;
/** Coordinates on the page as shown (rotated, cropped), from its upper left corner. */
const GRID = 1_000_000;

/**
 * Writes the alternative text and the position of each figure of a tagged PDF (ISO 32000-1, 14.8.4.5), in the render
 * child. A PDF without tags has no figures.
 */
export async function findFigures(job: FigureJob, reportProgress: ReportProgress): Promise<void> {
  const tell = (line: FigureLine) => appendFileSync(job.results, `${JSON.stringify(line)}\n`);
  await reportProgress(0, 0);
  const document = await openPdf(readFileSync(job.pdf));
  const { module: pdfium, documentIdx } = inside(document);
  if (!pdfium._FPDFCatalog_IsTagged(documentIdx)) return;
  const pageCount = document.getPageCount();
  tell({ kind: 'document', pageCount });
  for (let number = 1; number <= pageCount; number++) {
    await reportProgress(number, pageCount);
    const page = document.getPage(number - 1);
    for (const figure of figuresOf(page)) tell({ kind: 'figure', page: number, ...figure });
    closePage(page);
  }
}

/** Returns the figures of a page that have an alternative text and a position. */
function figuresOf(page: PDFiumPage): { alt: string; frame: ChartFrame }[] {
  const { module: pdfium, pageIdx } = inside(page);
  const tree = pageIdx === 0 ? 0 : pdfium._FPDF_StructTree_GetForPage(pageIdx);
  if (tree === 0) return [];
  const space = pdfium.wasmExports.malloc(MAX_TEXT_BYTES);
  const found: { alt: string; frame: ChartFrame }[] = [];
  try {
    const open = childrenOf(pdfium._FPDF_StructTree_CountChildren(tree), (index) =>
      pdfium._FPDF_StructTree_GetChildAtIndex(tree, index),
    ).map((element) => ({ element, depth: 0 }));
    for (let seen = 0; open.length > 0 && seen < MAX_ELEMENTS && found.length < MAX_FIGURES; seen++) {
      const { element, depth } = open.pop() ?? { element: 0, depth: 0 };
      if (textOf(page, space, pdfium._FPDF_StructElement_GetType, element) === 'Figure') {
        const alt = textOf(page, space, pdfium._FPDF_StructElement_GetAltText, element);
        const frame = alt === '' ? null : frameOf(page, space, element);
        if (frame) found.push({ alt, frame });
        continue;
      }
      if (depth >= MAX_DEPTH) continue;
      const inner = childrenOf(pdfium._FPDF_StructElement_CountChildren(element), (index) =>
        pdfium._FPDF_StructElement_GetChildAtIndex(element, index),
      );
      open.push(...inner.map((each) => ({ element: each, depth: depth + 1 })));
    }
  } finally {
    pdfium.wasmExports.free(space);
    pdfium._FPDF_StructTree_Close(tree);
  }
  return found;
}

/**
 * Returns the children in reverse order, because they are popped from the end. Marked content that is not an element
 * has the handle 0.
 */
function childrenOf(count: number, at: (index: number) => number): number[] {
  const children = Array.from({ length: Math.min(Math.max(0, count), MAX_ELEMENTS) }, (_, index) => at(index));
  return children.filter((child) => child !== 0).reverse();
}

type Text = (element: number, buffer: number, bytes: number) => number;

/** Returns a text of an element. `space` is MAX_TEXT_BYTES of PDFium's memory. */
function textOf(page: PDFiumPage, space: number, text: Text, element: number): string {
  const bytes = text(element, space, MAX_TEXT_BYTES);
  if (bytes <= 2 || bytes > MAX_TEXT_BYTES) return '';
  return new TextDecoder('utf-16le').decode(inside(page).module.HEAPU8.slice(space, space + bytes - 2));
}

/**
 * Returns the BBox attribute (ISO 32000-1, 14.8.5.4), given in coordinates of the page, as fractions of the page as
 * shown.
 */
function frameOf(page: PDFiumPage, space: number, element: number): ChartFrame | null {
  const { module: pdfium, pageIdx } = inside(page);
  const count = Math.min(pdfium._FPDF_StructElement_GetAttributeCount(element), MAX_ATTRIBUTES);
  for (let index = 0; index < count; index++) {
    const attribute = pdfium._FPDF_StructElement_GetAttributeAtIndex(element, index);
    pdfium.HEAPU8.set(Buffer.from('BBox\0'), space);
    const box = attribute === 0 ? 0 : pdfium._FPDF_StructElement_Attr_GetValue(attribute, space);
    if (box === 0 || pdfium._FPDF_StructElement_Attr_CountChildren(box) !== 4) continue;
    const sides = [0, 1, 2, 3].map((side) => {
      const value = pdfium._FPDF_StructElement_Attr_GetChildAtIndex(box, side);
      if (value === 0 || !pdfium._FPDF_StructElement_Attr_GetNumberValue(value, space)) return Number.NaN;
      // The memory may have grown, and moved, since the last call.
      return new DataView(pdfium.HEAPU8.buffer).getFloat32(space, true);
    });
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = sides;
    if (!sides.every(Number.isFinite)) continue;
    const onPage = (x: number, y: number): [number, number] => {
      pdfium._FPDF_PageToDevice(pageIdx, 0, 0, GRID, GRID, 0, x, y, space, space + 4);
      const view = new DataView(pdfium.HEAPU8.buffer);
      return [view.getInt32(space, true) / GRID, view.getInt32(space + 4, true) / GRID];
    };
    const [left, top] = onPage(x1, y1);
    const [right, bottom] = onPage(x2, y2);
    return {
      x: Math.min(left, right),
      y: Math.min(top, bottom),
      width: Math.abs(right - left),
      height: Math.abs(bottom - top),
    };
  }
  return null;
}
