import sharp from 'sharp';
import type { Sharp } from 'sharp';
import type { PreparedCover } from '../prepared-file.ts';
import { ingestLimits as limits } from '../rules.ts';

const QUALITY = 80;

/** Factor from points to pixels: 1,280 px wide, unless that makes more than 4 megapixels. */
function pageScale({ width, height }: { width: number; height: number }): number {
  return Math.min(limits.pageImageWidth / width, Math.sqrt(limits.pagePixels / (width * height)));
}

/** Size of a page's image in pixels, for a page that has none. */
export function pageImageSize(page: { width: number; height: number }): { width: number; height: number } {
  const scale = pageScale(page);
  return { width: Math.max(1, Math.round(page.width * scale)), height: Math.max(1, Math.round(page.height * scale)) };
}

/** Writes a page as WebP. */
export async function writePageImage(
  image: Sharp,
  file: string,
  effort: number,
): Promise<{ width: number; height: number }> {
  const { width, height } = await image.clone().webp({ quality: QUALITY, effort }).toFile(file);
  return { width, height };
}

/** Writes the cover and finds its dominant colour. A very tall page keeps its top. */
export async function writeCover(image: Sharp, file: string, effort: number): Promise<PreparedCover> {
  const { data, info } = await image
    .clone()
    .resize({ width: limits.coverWidth, height: limits.coverWidth * 2, fit: 'inside', withoutEnlargement: false })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const small = sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
  const { dominant } = await small.stats();
  const { width, height } = await small.webp({ quality: QUALITY, effort }).toFile(file);
  return { image: file, width, height, color: hexColor(dominant) };
}

function hexColor({ r, g, b }: { r: number; g: number; b: number }): string {
  return `#${[r, g, b]
    .map((part) =>
      Math.min(255, Math.max(0, Math.round(part)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}
