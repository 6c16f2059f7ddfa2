import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countOwnPdfPages, fontsOfOwnPdf } from './own-pdf.ts';

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'ceku-own-pdf-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function put(text: string | Buffer): Promise<string> {
  const path = join(folder, 'deck.pdf');
  await writeFile(path, text);
  return path;
}

const kids = Array.from({ length: 500 }, (_, index) => `${index + 1} 0 R`).join(' ');
const tree = (inner: string) => `9 0 obj\n<<${inner}>>\nendobj\n`;
const outlines = tree('/Type/Outlines/Count 77');
const filler = 'x'.repeat(3 * 1024 * 1024);

test.for<[how: string, text: string, pages: number | null]>([
  ['the type first', tree(`/Type/Pages\n/MediaBox[ 0 0 9 9 ]\n/Kids[ ${kids} ]\n/Count 500`), 500],
  ['the count first', tree(`/Count 3/Kids[ ]/Type /Pages`), 3],
  ['an outline beside it', `${outlines}${tree('/Type/Pages/Count 2')}${outlines}`, 2],
  ['far into the file', `${filler}${tree('/Type/Pages/Count 4')}${filler}`, 4],
  ['no tree', `${outlines}/PageMode`, null],
  ['nothing', '', null],
])('%s', async ([, text, pages]) => expect(await countOwnPdfPages(await put(text))).toBe(pages));

test('an object that spans two pieces is read whole, wherever the boundary is', async () => {
  const object = tree('/Type/Pages/Kids[ 1 0 R ]/Count 6');
  for (let shift = 0; shift <= object.length; shift += 7)
    expect(await countOwnPdfPages(await put(`${'x'.repeat(1024 * 1024 - shift)}${object}`))).toBe(6);
  for (let shift = 0; shift <= object.length; shift += 7)
    expect(await countOwnPdfPages(await put(`${'x'.repeat(1024 * 1024 - 16_384 - shift)}${object}${filler}`))).toBe(6);
});

test('font names come once, without the mark of a subset', async () => {
  const font = (name: string) => tree(`/Type/FontDescriptor/FontName/${name}\n/Flags 4`);
  const path = await put(font('BAAAAA+NotoSansCJKsc-Regular') + font('CAAAAA+NotoSansCJKsc-Regular') + font('Carlito'));
  expect(await fontsOfOwnPdf(path)).toEqual(['Carlito', 'NotoSansCJKsc-Regular']);
});

test('a file that contains only marks is read in linear time', { timeout: 20_000 }, async () => {
  // Looked for with one expression over the whole, each mark would search to the end: hours.
  expect(await countOwnPdfPages(await put('/Type/Pages /Count '.repeat(800_000)))).toBeNull();
  expect(await fontsOfOwnPdf(await put('/FontName '.repeat(1_600_000)))).toEqual(['FontName']);
});
