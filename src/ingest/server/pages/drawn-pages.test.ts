import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { getFileRow, prepareInStore } from '../../../../tests/prepared-file.ts';
import { pdfOf } from '../../../../tests/samples/pdf.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { getPageImage } from './drawn-pages.ts';
import { createPageDrawer, type PageDrawer } from './page-drawer.ts';

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

/** The render children of this process. */
function listChildren(): number[] {
  const listed = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  return listed
    .split('\n')
    .filter((line) => line.includes('render-child'))
    .map((line) => Number.parseInt(line, 10));
}

test.for<[signal: NodeJS.Signals, again: (boolean | number)[], next: (boolean | number)[]]>([
  ['SIGSEGV', [false], [true, 2, 3]],
  ['SIGKILL', [true, 1, 2, 3], [true]],
])(
  'pages that were not reached are drawn when they are asked for, and so is a page whose child was ended from outside: %s',
  async ([signal, again, next]) => {
    const path = join(app.folder, `${signal}.pdf`);
    await writeFile(path, pdfOf({ pages: [{ text: signal }, { text: 'Two' }, { text: 'Three' }] }));
    const { fileId } = await prepareInStore(app.ctx, { path, fileType: 'pdf' });
    const file = await getFileRow(app.ctx, fileId);
    const drawn: number[] = [];
    // Without a warm child, which would draw before it is ended.
    const drawer = createPageDrawer();
    onTestFinished(() => drawer.close());
    const draw: PageDrawer['draw'] = (order, use) => {
      drawn.push(...order.pages);
      return drawer.draw(order, use);
    };
    const ctx = { ...app.ctx, pageDrawer: { ...drawer, draw } };
    const ask = async (page: number) => {
      drawn.length = 0;
      const key = await getPageImage(ctx, file, page, 'thumbnail', 'test');
      return [key !== null, ...drawn];
    };
    const killing = setInterval(() => {
      for (const pid of listChildren()) process.kill(pid, signal);
    }, 20);
    try {
      expect(await ask(1)).toEqual([false, 1, 2, 3]);
    } finally {
      clearInterval(killing);
    }
    expect(await ask(1)).toEqual(again);
    expect(await ask(2)).toEqual(next);
  },
);
