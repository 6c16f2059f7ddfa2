import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import type { DrawnImage, PreparedCover } from '../../prepared-file.ts';
import { ingestLimits as limits, LARGEST_COVER_WIDTH } from '../../rules.ts';

/**
 * Creates a sharp pipeline for an image that is written several times. `clone` of sharp copies the raw pixels, which
 * costs more than encoding them.
 */
export type Picture = () => Sharp;

const QUALITY = 80;
/**
 * At twice the density the quality loss is invisible, and effort 0 halves the time for a sixth more bytes (decision
 * 011).
 */
const LARGE = { quality: 75, effort: 0 } as const;

type Size = { width: number; height: number };

/** Returns the size in pixels of a page of `page` points: `width` wide, or less when that exceeds `pixels`. */
export function fitPage(page: Size, width: number, pixels: number): Size {
  const scale = Math.min(width / page.width, Math.sqrt(pixels / (page.width * page.height)));
  return { width: Math.max(1, Math.round(page.width * scale)), height: Math.max(1, Math.round(page.height * scale)) };
}

/** Returns the size of a page image in pixels: 1,280 wide, or less when that exceeds 4 megapixels. */
export function pageImageSize(page: Size): Size {
  return fitPage(page, limits.pageImageWidth, limits.pagePixels);
}

/**
 * Returns the size of a large page image in pixels: 2,560 wide, 8 megapixels at most, and no wider than `sourceWidth`,
 * the width in pixels of the page's source (Infinity for drawings and text). Null when that is hardly larger than the
 * normal image.
 */
export function largePageSize(page: Size, sourceWidth: number): Size | null {
  const large = fitPage(page, Math.min(limits.largePageWidth, sourceWidth), limits.largePagePixels);
  return large.width >= pageImageSize(page).width * limits.largePageMinGain ? large : null;
}

/** Returns raw pixels in three channels as a picture. */
export function pictureOf({ data, width, height }: Size & { data: Uint8Array }): Picture {
  return () => sharp(data, { raw: { width, height, channels: 3 } });
}

/** Returns the raw pixels of a picture in another size. */
export async function scalePicture(picture: Picture, size: Size): Promise<Size & { data: Uint8Array }> {
  const data = await picture()
    .resize({ ...size, fit: 'fill', kernel: 'cubic' })
    .raw()
    .toBuffer();
  return { data, ...size };
}

/** Writes a page as WebP, with `mark` (a transparent PNG, or null) in its lower right corner. */
export async function writePageImage(
  picture: Picture,
  file: string,
  effort: number,
  mark: string | null = null,
): Promise<DrawnImage> {
  return writeMarked(picture, file, { quality: QUALITY, effort }, await scaleMark(mark, 1 / MARK_SCALE));
}

/**
 * Writes the large image of a page. `mark` is as in `writePageImage`; `scale` is the size relative to the normal image.
 */
export async function writeLargePageImage(
  picture: Picture,
  file: string,
  scale: number,
  mark: string | null,
): Promise<DrawnImage> {
  return writeMarked(picture, file, LARGE, await scaleMark(mark, scale / MARK_SCALE));
}

async function writeMarked(
  picture: Picture,
  file: string,
  encoding: { quality: number; effort: number },
  mark: Buffer | null,
): Promise<DrawnImage> {
  const marked = mark === null ? picture() : picture().composite([{ input: mark, gravity: 'southeast' }]);
  const { width, height } = await marked.webp(encoding).toFile(file);
  return { image: file, width, height };
}

/** The mark is drawn for images of twice the normal size. */
export const MARK_SCALE = 2;

async function scaleMark(mark: string | null, scale: number): Promise<Buffer | null> {
  if (mark === null) return null;
  const { width } = await sharp(mark).metadata();
  return sharp(mark)
    .resize({ width: Math.max(1, Math.round(width * scale)) })
    .png()
    .toBuffer();
}

/** Size of a cell of the strip: twice the 96 CSS pixels of the thumbnails beside the preview. */
export const THUMBNAIL = { width: 192, height: 108 } as const;

const THUMBNAIL_BYTES = THUMBNAIL.width * THUMBNAIL.height * 3;
const GREY = '#f1f2f4';

/** Writes a small copy of a page that fits into a cell of the strip, as raw pixels: red, green, blue, row by row. */
export async function writeThumbnail(picture: Picture, file: string): Promise<void> {
  const cell = picture().resize({ ...THUMBNAIL, fit: 'contain', kernel: 'linear', background: GREY });
  await writeFile(file, await cell.raw().toBuffer());
}

/** Writes thumbnails one below the other into one WebP; the cell of a page without a thumbnail is grey. */
export async function writeStrip(thumbnails: readonly (string | null)[], file: string): Promise<void> {
  const cells = await Promise.all(thumbnails.map(readCell));
  const raw = { width: THUMBNAIL.width, height: THUMBNAIL.height * cells.length, channels: 3 as const };
  await sharp(Buffer.concat(cells), { raw }).webp({ quality: 70, effort: 2 }).toFile(file);
}

/** Reads the raw pixels of a cell: cells of one size are stacked by concatenating their pixels. */
async function readCell(thumbnail: string | null): Promise<Buffer> {
  const pixels = thumbnail === null ? null : await readFile(thumbnail).catch(() => null);
  if (pixels?.length === THUMBNAIL_BYTES) return pixels;
  return Buffer.alloc(THUMBNAIL_BYTES, Buffer.from(GREY.slice(1), 'hex'));
}

/** A level of a colour that the noise of a scan or of a compressed picture does not reach. */
const PLAIN_LEVELS = 12;

/** Whether the thumbnail of a page has one colour; beside the page it has the grey of the strip. False without a thumbnail. */
export async function isPlainThumbnail(thumbnail: string | null): Promise<boolean> {
  const cell = thumbnail === null ? null : await readFile(thumbnail).catch(() => null);
  if (cell?.length !== THUMBNAIL_BYTES) return false;
  const beside = Buffer.from(GREY.slice(1), 'hex');
  let first: number | null = null;
  for (let at = 0; at < cell.length; at += 3) {
    const isBeside = [0, 1, 2].every((channel) => cell[at + channel] === beside[channel]);
    if (isBeside) continue;
    const start = (first ??= at);
    if ([0, 1, 2].some((channel) => Math.abs((cell[at + channel] ?? 0) - (cell[start + channel] ?? 0)) > PLAIN_LEVELS))
      return false;
  }
  return true;
}

/** Returns the name of a cover image without extension; the name of the smallest cover has no number. */
export const coverName = (width: number) => (width === limits.coverWidths[0] ? 'cover' : `cover-${width}`);

/** Returns the name of the largest cover, without extension, when it is drawn from the page that has the image `imageName`. */
export const largeCoverName = (imageName: string) => `${imageName}-${LARGEST_COVER_WIDTH}`;

/**
 * Returns the size in pixels at which a page is drawn for its largest cover; null when its source (see `largePageSize`)
 * has too little detail for one.
 */
export function largeCoverSize(page: Size, sourceWidth: number): Size | null {
  const size = largePageSize(page, Math.min(sourceWidth, LARGEST_COVER_WIDTH));
  return size && hasPixels(size, boxOf(LARGEST_COVER_WIDTH)) ? size : null;
}

/** Writes the largest cover. */
export async function writeLargeCover(picture: Picture, file: string): Promise<void> {
  await picture()
    .resize({ ...boxOf(LARGEST_COVER_WIDTH), fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .webp(LARGE)
    .toFile(file);
}

/**
 * Writes the cover to `cover.webp` in a folder and its larger sizes beside it, and finds the dominant colour. A very
 * tall page becomes narrower. Only the first size may be enlarged from a small picture. `page` is the page that the picture
 * shows: `sourceWidth` is the width in pixels of its source (Infinity for drawings and text), and its largest cover, if it
 * `hasLargest`, is not written but drawn when somebody asks for it. Without `page`, the largest is written like the others.
 */
export async function writeCover(
  picture: Picture,
  folder: string,
  effort: number,
  page: { sourceWidth: number; hasLargest: boolean } | null,
): Promise<PreparedCover> {
  const [smallest, ...larger] = limits.coverWidths;
  const source = atMost(await sizeOf(picture), page?.sourceWidth ?? Infinity);
  const { data, info } = await picture()
    .resize({ ...boxOf(smallest), fit: 'inside', withoutEnlargement: false })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const small = sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
  const image = join(folder, `${coverName(smallest)}.webp`);
  const { width, height } = await small.webp({ quality: QUALITY, effort }).toFile(image);
  const cover: PreparedCover = { image, width, height, color: dominantColor(data, info.channels), larger: [] };
  for (const wanted of larger) {
    if (page && wanted === LARGEST_COVER_WIDTH) {
      if (page.hasLargest) cover.larger?.push({ width: wanted, image: null });
      continue;
    }
    const box = boxOf(wanted);
    if (!hasPixels(source, box)) continue;
    const file = join(folder, `${coverName(wanted)}.webp`);
    if (wanted === LARGEST_COVER_WIDTH) await writeLargeCover(picture, file);
    else
      await picture()
        .resize({ ...box, fit: 'inside', kernel: 'cubic' })
        .toColourspace('srgb')
        .webp(LARGE)
        .toFile(file);
    cover.larger?.push({ width: wanted, image: file });
  }
  return cover;
}

/** Whether a picture fills a box in one direction without being enlarged. */
const hasPixels = (picture: Size, box: Size) => picture.width >= box.width || picture.height >= box.height;

const atMost = ({ width, height }: Size, most: number): Size =>
  width <= most ? { width, height } : { width: most, height: (height * most) / width };

const boxOf = (width: number) => ({ width, height: width * 2 });

/** Returns the size of a picture as drawn: width and height of the file are swapped when it is rotated. */
async function sizeOf(picture: Picture): Promise<Size> {
  const { width, height } = await picture().metadata();
  return { width, height };
}

/**
 * Returns the dominant colour as `#rrggbb`: the mean of the fullest bin of 16 × 16 × 16 bins. The centre of the bin,
 * which sharp returns, is off by up to eight steps: a white slide would be grey.
 */
function dominantColor(pixels: Uint8Array, channels: number): string {
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
