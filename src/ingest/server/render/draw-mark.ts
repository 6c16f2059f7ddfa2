import sharp from 'sharp';
import { canDraw, escapeXml } from '../../../platform/draw-text.ts';
import { MARK_SCALE } from './page-image.ts';

/** Font size in pixels of the large page images; the mark is scaled down for the normal images. */
const SIZE = 22 * MARK_SCALE;
const MARGIN = 18 * MARK_SCALE;

/**
 * Writes the preview mark as a PNG: small, half transparent, white with a thin dark edge, so that it is unobtrusive on
 * any background. Returns false, and writes nothing, when this machine has no font for the text.
 */
export async function drawMark(file: string, text: string): Promise<boolean> {
  if (!(await canDraw(text))) return false;
  const wide = [...text].reduce((sum, char) => sum + ((char.codePointAt(0) ?? 0) > 0x2e7f ? 1 : 0.62), 0);
  const width = Math.ceil(wide * SIZE + MARGIN * 2);
  const height = SIZE + MARGIN * 2;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `<text x="${width - MARGIN}" y="${height - MARGIN}" text-anchor="end" font-size="${SIZE}" font-weight="600" ` +
    `font-family="Noto Sans CJK SC, Noto Sans SC, PingFang SC, Microsoft YaHei, sans-serif" fill="#ffffff" fill-opacity="0.55" ` +
    `stroke="#000000" stroke-opacity="0.28" stroke-width="${0.8 * MARK_SCALE}" paint-order="stroke">${escapeXml(text)}</text></svg>`;
  await sharp(Buffer.from(svg)).png().toFile(file);
  return true;
}
