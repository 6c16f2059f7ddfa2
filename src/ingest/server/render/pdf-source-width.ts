import type { PDFiumPage } from '@hyzyla/pdfium';
import { inside } from './pdf-pages.ts';

/** Types of page objects in PDFium (fpdf_edit.h). */
const TEXT = 1;
const PATH = 2;
const IMAGE = 3;
const FORM = 5;
/** FPDF_TEXTRENDERMODE_INVISIBLE: the text that OCR adds to a scanned page. */
const INVISIBLE = 3;

/** A page of pictures has few objects; a page with more is a drawing. */
const MAX_OBJECTS = 200;
const MAX_FORM_DEPTH = 3;

type Size = { width: number; height: number };

/**
 * Returns the width in pixels up to which a page of `size` points can be drawn without enlarging its pictures: Infinity
 * when it shows text or a drawing, which are sharp at any size. A scan, or slides exported as pictures, have no more
 * detail than their images. Call it before drawing, which closes the page.
 */
export function sourceWidthOf(page: PDFiumPage, size: Size): number {
  const { module: pdfium, pageIdx } = inside(page);
  const space = pdfium.wasmExports.malloc(32);
  if (space === 0) return Infinity;
  const count = pdfium._FPDFPage_CountObjects(pageIdx);
  let looked = 0;
  let pixelsPerPoint = 0;

  /**
   * Returns false when an object is found that is sharp at any size. `scale` is that of the form which holds the
   * objects.
   */
  const look = (total: number, objectAt: (index: number) => number, scale: number, depth: number): boolean => {
    for (let index = 0; index < total; index++) {
      if (++looked > MAX_OBJECTS) return false;
      const object = objectAt(index);
      const type = pdfium._FPDFPageObj_GetType(object);
      if (type === TEXT && pdfium._FPDFTextObj_GetTextRenderMode(object) === INVISIBLE) continue;
      if (type === PATH && isBackground(object, scale)) continue;
      if (type === IMAGE) {
        pixelsPerPoint = Math.max(pixelsPerPoint, densityOf(object) / scale);
        continue;
      }
      if (type !== FORM || depth === 0) return false;
      const inner = (at: number) => pdfium._FPDFFormObj_GetObject(object, at);
      const innerScale = scale * scaleOf(object);
      if (!look(pdfium._FPDFFormObj_CountObjects(object), inner, innerScale, depth - 1)) return false;
    }
    return true;
  };

  const floatsAt = (length: number) => {
    // The memory may have grown, and moved, since the last call.
    const view = new DataView(pdfium.HEAPU8.buffer);
    return Array.from({ length }, (_, index) => view.getFloat32(space + index * 4, true));
  };

  /** Whether an object is a white or coloured background that covers the page. */
  const isBackground = (object: number, scale: number): boolean => {
    if (pdfium._FPDFPath_CountSegments(object) > 5) return false;
    if (!pdfium._FPDFPageObj_GetBounds(object, space, space + 4, space + 8, space + 12)) return false;
    const [left = 0, bottom = 0, right = 0, top = 0] = floatsAt(4);
    return (right - left) * (top - bottom) * scale * scale > size.width * size.height * 0.9;
  };

  /** Returns the scale of an object's matrix. */
  const scaleOf = (object: number): number => {
    if (!pdfium._FPDFPageObj_GetMatrix(object, space)) return 1;
    const [a = 1, b = 0, c = 0, d = 1] = floatsAt(4);
    return Math.sqrt(Math.abs(a * d - b * c)) || 1;
  };

  /** Returns the pixels of an image for each point that it covers. Its matrix maps the unit square to its position. */
  const densityOf = (object: number): number => {
    if (!pdfium._FPDFPageObj_GetMatrix(object, space)) return Infinity;
    const [a = 1, b = 0, c = 0, d = 1] = floatsAt(4);
    if (!pdfium._FPDFImageObj_GetImagePixelSize(object, space, space + 4)) return Infinity;
    const view = new DataView(pdfium.HEAPU8.buffer);
    const across = view.getUint32(space, true) / (Math.hypot(a, b) || 1);
    const down = view.getUint32(space + 4, true) / (Math.hypot(c, d) || 1);
    return Math.max(across, down);
  };

  try {
    const isPictures = look(count, (index) => pdfium._FPDFPage_GetObject(pageIdx, index), 1, MAX_FORM_DEPTH);
    return isPictures && pixelsPerPoint > 0 ? Math.floor(pixelsPerPoint * size.width) : Infinity;
  } finally {
    pdfium.wasmExports.free(space);
  }
}
