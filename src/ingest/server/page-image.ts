import { readFile, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import type { PreparedCover } from '../prepared-file.ts';
import { ingestLimits as limits } from '../rules.ts';

/**
 * A picture that is written more than once, begun anew for each time: sharp's own `clone` copies the bare pixels it was given, which
 * costs more than what is made of them.
 */
export type Picture = () => Sharp;

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

/** Writes a page as WebP, with the `mark` (a transparent PNG, or null) burnt into its lower right corner. */
export async function writePageImage(
  picture: Picture,
  file: string,
  effort: number,
  mark: string | null = null,
): Promise<{ width: number; height: number }> {
  const marked = mark === null ? picture() : picture().composite([{ input: mark, gravity: 'southeast' }]);
  const { width, height } = await marked.webp({ quality: QUALITY, effort }).toFile(file);
  return { width, height };
}

export const THUMBNAIL = { width: 160, height: 90 } as const;

const THUMBNAIL_BYTES = THUMBNAIL.width * THUMBNAIL.height * 3;
const GREY = '#f1f2f4';

/** Writes a small copy of a page that fits the strip's cell whole, as bare pixels: red, green, blue, row by row. */
export async function writeThumbnail(picture: Picture, file: string): Promise<void> {
  const cell = picture().resize({ ...THUMBNAIL, fit: 'contain', kernel: 'linear', background: GREY });
  await writeFile(file, await cell.raw().toBuffer());
}

/** Puts thumbnails one below the other into one WebP; a page without one leaves its cell grey. */
export async function writeStrip(thumbnails: readonly (string | null)[], file: string): Promise<void> {
  const cells = await Promise.all(thumbnails.map(readCell));
  const raw = { width: THUMBNAIL.width, height: THUMBNAIL.height * cells.length, channels: 3 as const };
  await sharp(Buffer.concat(cells), { raw }).webp({ quality: 70, effort: 2 }).toFile(file);
}

/** Bare pixels of one size lie one below the other when they follow each other. */
async function readCell(thumbnail: string | null): Promise<Buffer> {
  const pixels = thumbnail === null ? null : await readFile(thumbnail).catch(() => null);
  if (pixels?.length === THUMBNAIL_BYTES) return pixels;
  return Buffer.alloc(THUMBNAIL_BYTES, Buffer.from(GREY.slice(1), 'hex'));
}

/** Writes the cover and finds its dominant colour. A very tall page keeps its top. */
export async function writeCover(picture: Picture, file: string, effort: number): Promise<PreparedCover> {
  const { data, info } = await picture()
    .resize({ width: limits.coverWidth, height: limits.coverWidth * 2, fit: 'inside', withoutEnlargement: false })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const small = sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
  const { width, height } = await small.webp({ quality: QUALITY, effort }).toFile(file);
  return { image: file, width, height, color: dominantColor(data, info.channels) };
}

/**
 * The colour most of a picture is made of, as `#rrggbb`: the mean of its fullest bin of 16 × 16 × 16. The bin's own centre, which
 * sharp answers, is off by up to eight steps, and a white slide would look grey.
 */
export function dominantColor(pixels: Uint8Array, channels: number): string {
  const bins = new Map<number, { count: number; sum: [number, number, number] }>();
  let fullest = { count: 0, sum: [0, 0, 0] as [number, number, number] };
  for (let at = 0; at + 2 < pixels.length; at += channels) {
    const r = pixels[at] ?? 0;
    const g = pixels[at + (channels > 2 ? 1 : 0)] ?? 0;
    const b = pixels[at + (channels > 2 ? 2 : 0)] ?? 0;
    const key = ((r >> 4) << 8) | ((g >> 4) << 4) | (b >> 4);
    let bin = bins.get(key);
    if (!bin) bins.set(key, (bin = { count: 0, sum: [0, 0, 0] }));
    bin.count++;
    bin.sum[0] += r;
    bin.sum[1] += g;
    bin.sum[2] += b;
    if (bin.count > fullest.count) fullest = bin;
  }
  const parts = fullest.sum.map((sum) => Math.round(sum / Math.max(1, fullest.count)));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
