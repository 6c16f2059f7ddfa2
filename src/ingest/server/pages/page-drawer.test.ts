import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { smallPdf } from '../../../../tests/small-pdf.ts';
import { mayHaveUnembedded } from '../render/draw-unembedded.ts';
import { ChildLost } from '../render/renderer-slot.ts';
import { WORK_FOLDER } from '../sandbox/work-folders.ts';
import { createPageDrawer, type PageDrawer } from './page-drawer.ts';

let drawer: PageDrawer;
let folder: string;
let before: string[];
beforeEach(async () => {
  before = listBoxes();
  drawer = createPageDrawer();
  folder = await mkdtemp(join(tmpdir(), 'page-drawer-'));
});
afterEach(async () => {
  drawer.close();
  await rm(folder, { recursive: true });
  await expect.poll(newBoxes).toEqual([]);
});

/** Each render child of this process has a box of its own. */
const listBoxes = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`${WORK_FOLDER}${process.pid}-box-`));
const newBoxes = () => listBoxes().filter((box) => !before.includes(box));

async function draw(page: number, size: 'normal' | 'large' = 'normal') {
  const pdf = join(folder, 'deck.pdf');
  await writeFile(pdf, smallPdf('Warm', 12));
  return drawer.draw(
    { pdf, uploadedSha256: null, pages: [page], size, mark: null, client: 'reader' },
    async (drawn) => drawn,
  );
}

it('starts one child for the reader to come, who is drawn for by it', async () => {
  await Promise.all([drawer.warm(), drawer.warm()]);
  const warmed = newBoxes();
  expect(warmed).toHaveLength(1);
  expect(await draw(11)).toMatchObject([{ kind: 'page', page: 11, large: null, largeWidth: 2560 }]);
  await drawer.warm();
  expect(newBoxes()).toEqual(warmed);
});

it('draws the large image when it is asked for', async () => {
  expect(await draw(12, 'large')).toMatchObject([{ page: 12, normal: { width: 1280 }, large: { width: 2560 } }]);
});

it('refuses covers when many wait, and draws the pages of readers beside them', async () => {
  const pdf = join(folder, 'covers.pdf');
  await writeFile(pdf, smallPdf('Covers', 1));
  const order = { pdf, uploadedSha256: null, pages: [1], size: 'cover', mark: null, client: 'covers' } as const;
  const covers = Array.from({ length: 26 }, () =>
    drawer.draw({ ...order, pages: [1] }, async ([drawn]) => drawn?.kind).catch((error: unknown) => error),
  );
  expect(await covers.at(-1)).toMatchObject({ status: 503 });
  expect(await draw(11)).toMatchObject([{ kind: 'page', page: 11 }]);
  expect(await covers[0]).toBe('cover');
  await Promise.all(covers);
});

it('leaves no child behind that starts while it is closed', async () => {
  const warming = drawer.warm();
  drawer.close();
  await warming;
  await expect.poll(newBoxes).toEqual([]);
});

it('looks for unembedded fonts once for a file, also when two readers come at once, and again after a failure', async () => {
  const asked: string[] = [];
  let isBroken = false;
  drawer.close();
  drawer = createPageDrawer(async (input) => {
    asked.push(input.pdf);
    if (isBroken) throw new Error('the disk is full');
    return mayHaveUnembedded(input);
  });
  const pdf = join(folder, 'uploaded.pdf');
  await writeFile(pdf, smallPdf('Fonts', 12));
  const drawOf = (uploadedSha256: string | null, page: number, size: 'normal' | 'thumbnail' = 'normal') =>
    drawer.draw({ pdf, uploadedSha256, pages: [page], size, mark: null, client: `reader ${page}` }, async () => null);
  await Promise.all([drawOf('one', 1), drawOf('one', 2)]);
  await drawOf('one', 3);
  await drawOf(null, 4);
  await drawOf('two', 4, 'thumbnail');
  expect(asked).toHaveLength(1);
  isBroken = true;
  await expect(drawOf('two', 5)).rejects.toThrow('the disk is full');
  isBroken = false;
  await drawOf('two', 5);
  expect(asked).toHaveLength(3);
});

it('draws with the same child after a failed look for fonts, which the drawing beside it outlasts', async () => {
  drawer.close();
  let isBroken = true;
  drawer = createPageDrawer(async (input) => {
    if (isBroken) throw new Error('the disk is full');
    return mayHaveUnembedded(input);
  });
  const pdf = join(folder, 'uploaded.pdf');
  await writeFile(pdf, smallPdf('Fonts', 12));
  const drawOf = (page: number) =>
    drawer.draw(
      { pdf, uploadedSha256: 'one', pages: [page], size: 'normal', mark: null, client: 'reader' },
      async (drawn) => drawn,
    );
  for (const page of [1, 2, 3, 4]) await expect(drawOf(page)).rejects.toThrow('the disk is full');
  isBroken = false;
  expect(await drawOf(5)).toMatchObject([{ kind: 'page', page: 5 }]);
  expect(newBoxes()).toHaveLength(1);
});

it('a page for which poppler was ended from outside is neither shown without its fonts nor taken for one that cannot be drawn', async () => {
  drawer.close();
  let isKilled = true;
  drawer = createPageDrawer(
    () => Promise.resolve(true),
    () => (isKilled ? Promise.reject(new ChildLost('killed')) : Promise.resolve({})),
  );
  const pdf = join(folder, 'uploaded.pdf');
  await writeFile(pdf, smallPdf('Fonts', 2));
  const order = { pdf, uploadedSha256: 'one', pages: [1], size: 'normal', mark: null, client: 'reader' } as const;
  const draw = () => drawer.draw({ ...order, pages: [1] }, async (drawn) => drawn);
  expect(await draw()).toEqual([]);
  isKilled = false;
  expect(await draw()).toMatchObject([{ kind: 'page', page: 1 }]);
});
