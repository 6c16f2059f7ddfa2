import sharp from 'sharp';
import type { Ctx } from '../../context.ts';
import { readStored } from '../../platform/files/file-store.ts';
import { canDraw, CHINESE_FONTS, escapeXml, textWidth, wrapText } from '../../platform/draw-text.ts';
import { chartKeys } from './record-charts.ts';

/** The source line in parts of the picture's width, in pixels within these limits. */
const FONT_SHARE = 1 / 60;
const MIN_FONT = 13;
const MAX_FONT = 26;
const MAX_LINES = 8;
const LINE_HEIGHT = 1.5;
const INK = '#6b665e';

/**
 * Returns the picture of a chart as it was cut from its page, with its source on a white strip below, as PNG: programs
 * that show slides do not all read WebP. Null when the store has no such picture. On a machine without Chinese fonts the
 * picture is returned without the strip.
 */
export async function drawOriginal(
  ctx: Ctx,
  { mediaKey, number }: { mediaKey: string; number: number },
  source: string,
): Promise<Buffer | null> {
  const keys = chartKeys(mediaKey, number);
  const picture = (await readStored(ctx.files, keys.original)) ?? (await readStored(ctx.files, keys.display));
  if (!picture) return null;
  const { width, height } = await sharp(picture).metadata();
  if (!(await canDraw(source))) return sharp(picture).png().toBuffer();
  const strip = drawStrip(source, width);
  return sharp(picture)
    .flatten({ background: '#ffffff' })
    .extend({ bottom: strip.height, background: '#ffffff' })
    .composite([{ input: Buffer.from(strip.svg), top: height, left: 0 }])
    .png()
    .toBuffer();
}

function drawStrip(source: string, width: number): { svg: string; height: number } {
  const font = Math.round(Math.min(Math.max(width * FONT_SHARE, MIN_FONT), MAX_FONT));
  const margin = font;
  const lines = wrapText(source, (width - 2 * margin) / font, MAX_LINES);
  const step = Math.round(font * LINE_HEIGHT);
  const height = lines.length * step + margin;
  const texts = lines.map((line, index) => {
    // The width is an estimate: a line that would be drawn wider is set to fit.
    const fit = textWidth(line) * font > width - 2 * margin ? ` textLength="${width - 2 * margin}"` : '';
    return `<text x="${margin}" y="${margin / 2 + step * (index + 0.75)}"${fit}>${escapeXml(line)}</text>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="${CHINESE_FONTS}" font-size="${font}" fill="${INK}">${texts.join('')}</svg>`;
  return { svg, height };
}
