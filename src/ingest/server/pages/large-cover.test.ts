import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { getFileRow, listMedia, prepareInStore } from '../../../../tests/prepared-file.ts';
import { smallPdf } from '../../../../tests/small-pdf.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import type { Ctx } from '../../../context.ts';
import { files, pages } from '../../../library/server/tables.ts';
import { unavailable } from '../../../protocol/envelope.ts';
import { sweepOrphans } from '../steps/sweep-orphans.ts';
import type { FileRow } from '../store/files.ts';
import { getLargestCover } from './large-cover.ts';
import type { PageDrawer } from './page-drawer.ts';

let app: TestApp;
let file: FileRow;
let decks = 0;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  const path = join(app.folder, 'deck.pdf');
  await writeFile(path, smallPdf(`Cover ${++decks}`, 2));
  const { fileId } = await prepareInStore(app.ctx, { path, fileType: 'pdf' });
  file = await getFileRow(app.ctx, fileId);
});

/** Returns a context whose drawer counts how often it draws, or does `instead`. */
function counted(instead?: PageDrawer['draw']): { ctx: Ctx; draws: () => number } {
  const { pageDrawer } = app.ctx;
  let draws = 0;
  const draw: PageDrawer['draw'] = (order, use) => {
    draws++;
    return instead ? instead(order, use) : pageDrawer.draw(order, use);
  };
  return { ctx: { ...app.ctx, pageDrawer: { ...pageDrawer, draw } }, draws: () => draws };
}

const widthOf = async (key: string | null) =>
  app.ctx.files.withLocalPath(key ?? '', async (path) => (await sharp(path).metadata()).width);

it('draws the largest cover once for everybody who asks for it, and keeps it', async () => {
  expect(await listMedia(app.ctx, file.id)).not.toContain('cover-1600.webp');
  const { ctx, draws } = counted();
  const keys = await Promise.all(Array.from({ length: 5 }, () => getLargestCover(ctx, file)));
  expect(new Set(keys).size).toBe(1);
  expect(draws()).toBe(1);
  expect(await widthOf(keys[0] ?? null)).toBe(1600);
  await app.ctx.files.remove(`originals/${file.sha256}`);
  expect(await getLargestCover(ctx, file)).toBe(keys[0]);
  expect(draws()).toBe(1);
});

it('draws another cover when the page has another image, and the sweeper removes the old one', async () => {
  const first = await getLargestCover(app.ctx, file);
  await app.ctx.db
    .update(pages)
    .set({ imageName: 'f'.repeat(32) })
    .where(eq(pages.fileId, file.id));
  const second = await getLargestCover(app.ctx, file);
  expect(second).not.toBe(first);
  await sweepOrphans(app.ctx, { olderThanMs: -60_000 });
  expect(await app.ctx.files.stat(first ?? '')).toBeNull();
  expect(await widthOf(second)).toBe(1600);
});

it('shows the smaller cover of a page that cannot be drawn, without trying each time', async () => {
  const { ctx, draws } = counted((_order, use) => use([{ kind: 'failed', page: 1 }]));
  expect(await widthOf(await getLargestCover(ctx, file))).toBe(960);
  expect(await widthOf(await getLargestCover(ctx, file))).toBe(960);
  expect(draws()).toBe(1);
});

it.each<[why: string, draw: PageDrawer['draw']]>([
  ['too many covers wait', () => Promise.reject(unavailable())],
  ['the child that draws was ended from outside', (_order, use) => use([])],
])('keeps nothing when %s: the next reader asks again', async (_why, draw) => {
  const { ctx } = counted(draw);
  await expect(getLargestCover(ctx, file)).rejects.toMatchObject({ status: 503 });
  expect(await widthOf(await getLargestCover(app.ctx, file))).toBe(1600);
});

it('takes the cover that an earlier release made, and the largest there is of a file without the size', async () => {
  const { ctx, draws } = counted();
  const made = `media/${file.mediaKey}/cover-1600.webp`;
  const path = join(app.folder, 'made.webp');
  await sharp({ create: { width: 1600, height: 900, channels: 3, background: '#357' } }).toFile(path);
  await app.ctx.files.put(made, path);
  expect(await getLargestCover(ctx, file)).toBe(made);
  await app.ctx.files.remove(made);
  await app.ctx.db
    .update(files)
    .set({ coverWidths: [480] })
    .where(eq(files.id, file.id));
  expect(await getLargestCover(ctx, await getFileRow(app.ctx, file.id))).toBe(`media/${file.mediaKey}/cover.webp`);
  expect(draws()).toBe(0);
});
