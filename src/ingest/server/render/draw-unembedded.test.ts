import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { smallPdf } from '../../../../tests/small-pdf.ts';
import { findProgram, type ChildEnd } from '../sandbox/run-child.ts';
import { drawUnembeddedPages, hasUnembeddedCjk, mayHaveUnembedded, runInBox } from './draw-unembedded.ts';

const heading = `name                                 type              encoding         emb sub uni object ID
------------------------------------ ----------------- ---------------- --- --- --- ---------`;

test.for<[row: string, is: boolean]>([
  ['MS-PGothic                           CID TrueType      Identity-H       no  no  no       6  0', true],
  ['STSong-Light                         CID Type 0        GBK-EUC-H        no  no  yes    112  0', true],
  ['SimSun                               CID Type 0C (OT)  UniGB-UCS2-H     no  no  no       9  0', true],
  ['BAAAAA+NotoSansCJKsc-Regular         CID Type 0C (OT)  Identity-H       yes yes yes      9  0', false],
  ['Helvetica                            Type 1            WinAnsi          no  no  no       3  0', false],
  ['STSong-Light                         CID Type 0        Identity-H       no  no  no      12  0', true],
  ['STSong-Light                         CID Type 0                         no  no  no      12  0', true],
  ['A CID TrueType face                  Type 1            WinAnsi          no  no  no       3  0', false],
  [`${'x CID no '.repeat(6_000)}          Type 1            WinAnsi          no  no  no       3  0`, false],
])('%s', ([row, is]) => expect(hasUnembeddedCjk(`${heading}\n${row}\n`)).toBe(is));

test.skipIf(findProgram('pdffonts') === null)(
  'a PDF without such fonts is known by all its pages; a file that cannot be read may have some',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'unembedded-'));
    try {
      const pdf = join(folder, 'deck.pdf');
      const latin = smallPdf('Plan', 3).toString('latin1');
      const files: [string, boolean][] = [
        [latin, false],
        [latin.replace('/Subtype/Type1/BaseFont/Helvetica', CHINESE), true],
        ['no PDF', true],
      ];
      for (const [bytes, may] of files) {
        await writeFile(pdf, bytes, 'latin1');
        expect(await mayHaveUnembedded({ pdf })).toBe(may);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);

test.skipIf(findProgram('pdftoppm') === null)(
  'pages of any shape are drawn no larger than they are shown',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'unembedded-'));
    try {
      const pdf = join(folder, 'deck.pdf');
      const boxes = [
        '0 0 720 405',
        '0 0 375 2250',
        '0 0 375 2250',
        '-10 -10 610 838',
        '0 0 2250 375]/Rotate 90/A[',
        CROPPED,
      ];
      const pages = smallPdf('Plan', boxes.length)
        .toString('latin1')
        .replace('/Subtype/Type1/BaseFont/Helvetica', CHINESE);
      let page = 0;
      const bytes = pages.replace(/\/MediaBox\[0 0 720 405\]/g, () => `/MediaBox[${boxes[page++] ?? ''}]`);
      await writeFile(pdf, bytes, 'latin1');
      const drawn = await drawUnembeddedPages({ pdf, folder, firstPage: 1, lastPage: boxes.length });
      const sizes = await Promise.all(
        Object.entries(drawn).map(async ([number, file]) => {
          const { width, height } = await sharp(file).metadata();
          return [Number(number), Math.round(width / 20) * 20, Number((height / width).toFixed(1))];
        }),
      );
      expect(sizes).toEqual([
        [1, 2_560, 0.6],
        [2, 1_160, 6],
        [3, 1_160, 6],
        [4, 2_420, 1.4],
        [5, 1_160, 6],
        [6, 2_560, 0.5],
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);

/** The box of a page of which the middle is shown. */
const CROPPED = '0 0 800 800]/CropBox[100 200 700 500';

/** A composite font that every viewer is expected to have. */
const CHINESE =
  '/Subtype/Type0/BaseFont/STSong-Light/Encoding/UniGB-UCS2-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/BaseFont/STSong-Light' +
  '/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>>>]';

test.skipIf(findProgram('pdftoppm') === null)(
  'a program of poppler that is ended from outside is an error, and not a page without such fonts; one that fails by itself is none',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'unembedded-'));
    const pdf = join(folder, 'deck.pdf');
    await writeFile(pdf, smallPdf('Plan').toString('latin1').replace('/Subtype/Type1/BaseFont/Helvetica', CHINESE));
    // The named program ends so, and the others run.
    const draw = (name: string, end: Partial<ChildEnd>) =>
      drawUnembeddedPages({ pdf, folder, firstPage: 1, lastPage: 1 }, async (input, box, program, ...run) =>
        program.endsWith(name)
          ? { code: null, signal: null, ended: 'exit', output: '', ...end }
          : runInBox(input, box, program, ...run),
      );
    try {
      for (const name of ['pdffonts', 'pdfinfo', 'pdftoppm'])
        await expect(draw(name, { signal: 'SIGKILL' })).rejects.toThrow(/ended from outside by SIGKILL/);
      await expect(draw('pdffonts', { code: 143, ended: 'stopped' })).rejects.toThrow(/ended from outside by 143/);
      for (const end of [{ code: 1 }, { signal: 'SIGSEGV' }, { signal: 'SIGKILL', ended: 'timeout' }] as const)
        expect(await draw('pdffonts', end)).toEqual({});
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
