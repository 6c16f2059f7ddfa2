import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawLargestCover, getFileRow, prepareInStore } from '../../../../tests/prepared-file.ts';
import { smallPdf } from '../../../../tests/small-pdf.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { getPageImage } from '../pages/drawn-pages.ts';
import { drawMark } from './draw-mark.ts';
import { pdfOf, type SamplePage } from '../../../../tests/samples/pdf.ts';
import { largePageSize } from './page-image.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

async function prepare(bytes: Uint8Array, ctx = app.ctx) {
  const path = join(app.folder, 'deck.pdf');
  await writeFile(path, bytes);
  return prepareInStore(ctx, { path, fileType: 'pdf' });
}

/** Returns the path of the large image of a page, drawn as for the first reader who asks for it. */
async function drawLarge(fileId: number, page: number, ctx = app.ctx): Promise<string> {
  const file = await getFileRow(ctx, fileId);
  const key = await getPageImage(ctx, file, page, 'large', 'test');
  return ctx.files.withLocalPath(key ?? '', (path) => Promise.resolve(path));
}

const sizeOf = async (image: string) => {
  const { width, height, format } = await sharp(image).metadata();
  return { width, height, format };
};

/** Returns a page of 960 × 540 points that is covered by a grey picture of the given size in pixels. */
function pictured(width: number, height: number, more: Partial<SamplePage> = {}): SamplePage {
  const pixels = Buffer.alloc(width * height, 0x99);
  const head = `q 960 0 0 540 0 0 cm BI /W ${width} /H ${height} /CS /G /BPC 8 ID `;
  const before = more.content ? `${String(more.content)}\n` : '';
  return { ...more, content: Buffer.concat([Buffer.from(before + head), pixels, Buffer.from('\nEI Q')]) };
}

test('text and drawings are drawn twice as large, and the cover in two sizes, the largest when it is asked for', async () => {
  const { fileId, pages, cover } = await prepare(smallPdf('Sharp', 11));
  expect(pages[0]).toMatchObject({ width: 1280, height: 720, largeWidth: 2560 });
  expect(await sizeOf(await drawLarge(fileId, 1))).toEqual({ width: 2560, height: 1440, format: 'webp' });
  expect(await sizeOf(pages[0]?.image ?? '')).toEqual({ width: 1280, height: 720, format: 'webp' });
  expect(pages[10]).toMatchObject({ image: null, largeWidth: 0 });
  expect(cover).toMatchObject({ width: 480, height: 270 });
  expect(cover.larger?.map(({ width }) => width)).toEqual([960, 1600]);
  const [wide, largest] = cover.larger ?? [];
  expect(await sizeOf(wide?.image ?? '')).toEqual({ width: 960, height: 540, format: 'webp' });
  expect(largest?.image).toBeNull();
  expect(await sizeOf(await drawLargestCover(app.ctx, fileId))).toEqual({ width: 1600, height: 900, format: 'webp' });
});

test('the large image is drawn, not enlarged: an edge is as sharp as at the normal size', async () => {
  const content = '0 0 0 rg 100 0 380.25 540 re f';
  const { fileId } = await prepare(pdfOf({ pages: [{ text: 'Edge', content }] }));
  const row = sharp(await drawLarge(fileId, 1))
    .extract({ left: 1200, top: 20, width: 160, height: 1 })
    .greyscale()
    .raw();
  const values = [...(await row.toBuffer())];
  // An enlarged edge has a ramp of several grey pixels.
  expect(values.filter((value) => value > 40 && value < 215).length).toBeLessThanOrEqual(2);
});

test('a page that is only a picture is drawn no larger than the picture', async () => {
  const ground = '1 1 1 rg 0 0 960 540 re f';
  const { fileId, pages, cover } = await prepare(
    pdfOf({
      pages: [
        pictured(800, 450),
        pictured(1920, 1080),
        pictured(1920, 1080, { content: `${ground} BT 3 Tr /F1 12 Tf 40 40 Td (found by OCR) Tj ET 0 Tr` }),
        pictured(800, 450, { text: 'a caption in letters' }),
      ],
    }),
  );
  expect(pages.map(({ largeWidth }) => largeWidth)).toEqual([0, 1920, 1920, 2560]);
  expect(await sizeOf(await drawLarge(fileId, 2))).toMatchObject({ width: 1920, height: 1080 });
  expect(pages[0]).toMatchObject({ width: 1280, height: 720 });
  // The first page has 800 pixels: a cover of 960 would be enlarged.
  expect(cover.larger).toEqual([]);
});

test('tall pages are limited to eight megapixels, and a large image that gains little is not made', () => {
  expect(largePageSize({ width: 595, height: 842 }, Infinity)).toEqual({ width: 2378, height: 3365 });
  expect(largePageSize({ width: 960, height: 540 }, 1_500)).toBeNull();
  expect(largePageSize({ width: 960, height: 540 }, 1_600)).toEqual({ width: 1_600, height: 900 });
  const tall = largePageSize({ width: 100, height: 2_000 }, Infinity);
  expect((tall?.width ?? 0) * (tall?.height ?? 0)).toBeLessThan(8_100_000);
});

test('the preview mark is burnt into both sizes, as large beside the page', async () => {
  expect(await drawMark(join(app.folder, 'mark.png'), 'CEKU')).toBe(true);
  const { config } = app.ctx;
  const marked = { ...app.ctx, config: { ...config, hasPreviewMark: true, site: { ...config.site, name: 'CEKU' } } };
  const bytes = pdfOf({ pages: [{ content: '0.2 0.3 0.4 rg 0 0 960 540 re f', text: 'x' }] });
  const { fileId, pages } = await prepare(bytes, marked);
  const boxes = await Promise.all([markBox(pages[0]?.image ?? ''), markBox(await drawLarge(fileId, 1, marked))]);
  const [normal, large] = boxes;
  expect(normal?.width).toBeGreaterThan(0.02);
  for (const side of ['left', 'top', 'width'] as const)
    expect(Math.abs((large?.[side] ?? 0) - (normal?.[side] ?? 0))).toBeLessThan(0.004);
});

/** Where the lower right quarter of an image is brighter than its ground, in shares of the image. */
async function markBox(image: string) {
  const { data, info } = await sharp(image).greyscale().raw().toBuffer({ resolveWithObject: true });
  const ground = data[info.width * 10 + 10] ?? 0;
  let [left, right, top] = [info.width, 0, info.height];
  for (let y = info.height >> 1; y < info.height; y++)
    for (let x = info.width >> 1; x < info.width; x++)
      if (Math.abs((data[y * info.width + x] ?? 0) - ground) > 40) {
        left = Math.min(left, x);
        right = Math.max(right, x);
        top = Math.min(top, y);
      }
  return { left: left / info.width, top: top / info.height, width: (right - left) / info.width };
}
