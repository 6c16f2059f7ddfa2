import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getFileRow, prepareInStore } from '../../../../tests/prepared-file.ts';
import { pdfOf } from '../../../../tests/samples/pdf.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { getPageImage } from './drawn-pages.ts';
import type { PageDrawer } from './page-drawer.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('a page that cannot be drawn is not drawn again for some minutes, and other pages of its group are', async () => {
  const path = join(app.folder, 'deck.pdf');
  await writeFile(path, pdfOf({ pages: [{ text: 'One' }, { width: 3, height: 14_400 }, { text: 'Three' }] }));
  const { fileId } = await prepareInStore(app.ctx, { path, fileType: 'pdf' });
  const file = await getFileRow(app.ctx, fileId);
  const drawn: number[] = [];
  const draw: PageDrawer['draw'] = (order, use) => {
    drawn.push(...order.pages);
    return app.ctx.pageDrawer.draw(order, use);
  };
  // Pages that nobody has asked for are not drawn here.
  const ctx = { ...app.ctx, pageDrawer: { ...app.ctx.pageDrawer, draw, isIdle: () => false } };
  const ask = async (page: number, image: 'normal' | 'thumbnail') => {
    drawn.length = 0;
    const key = await getPageImage(ctx, file, page, image, 'test');
    return [key !== null, ...drawn];
  };
  expect(await ask(2, 'normal')).toEqual([false, 2]);
  expect(await ask(2, 'normal')).toEqual([false]);
  expect(await ask(3, 'normal')).toEqual([true, 3]);
  expect(await ask(2, 'thumbnail')).toEqual([false, 1, 2]);
  expect(await ask(2, 'thumbnail')).toEqual([false]);
  expect(await ask(1, 'thumbnail')).toEqual([true]);
  app.clock.offsetMs += 4 * 60_000;
  expect(await ask(2, 'normal')).toEqual([false, 2]);
});
