import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { THUMBNAIL, writeStrip, writeThumbnail } from './page-image.ts';

const GREY = [0xf1, 0xf2, 0xf4];
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ceku-page-image-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const page = (width: number, height: number, background: string) => () =>
  sharp({ create: { width, height, channels: 3, background } });

/** The colour at a place of the strip: `cell` from 0, `x` and `y` in shares of the cell. */
async function colorAt(strip: string, cell: number, x: number, y: number): Promise<number[]> {
  const left = Math.floor(x * THUMBNAIL.width);
  const top = Math.floor((cell + y) * THUMBNAIL.height);
  return [...(await sharp(strip).extract({ left, top, width: 1, height: 1 }).raw().toBuffer())];
}

/** WebP keeps colours nearly. */
function expectNear(found: number[], color: number[]): void {
  for (const [at, value] of color.entries()) expect(Math.abs((found[at] ?? -99) - value)).toBeLessThan(12);
}

describe('the strip of thumbnails', () => {
  test('has a page whole in its cell, and a grey cell for a page without a picture', async () => {
    const [wide, tall] = [join(folder, 'wide'), join(folder, 'tall')];
    await writeThumbnail(page(1280, 720, '#c02020'), wide);
    await writeThumbnail(page(600, 1280, '#2030c0'), tall);
    const strip = join(folder, 'strip.webp');
    await writeStrip([wide, null, tall], strip);
    const { width, height } = await sharp(strip).metadata();
    expect({ width, height }).toEqual({ width: THUMBNAIL.width, height: THUMBNAIL.height * 3 });
    for (const x of [0.05, 0.5, 0.95]) expectNear(await colorAt(strip, 0, x, 0.5), [0xc0, 0x20, 0x20]);
    expectNear(await colorAt(strip, 1, 0.5, 0.5), GREY);
    expectNear(await colorAt(strip, 2, 0.5, 0.5), [0x20, 0x30, 0xc0]);
    for (const x of [0.05, 0.95]) expectNear(await colorAt(strip, 2, x, 0.5), GREY);
  });

  test('leaves the cell of a missing or invalid thumbnail grey', async () => {
    const broken = join(folder, 'broken');
    await writeFile(broken, Buffer.alloc(100));
    const strip = join(folder, 'strip.webp');
    await writeStrip([join(folder, 'gone'), broken], strip);
    for (const cell of [0, 1]) expectNear(await colorAt(strip, cell, 0.5, 0.5), GREY);
  });
});
