import { expect, test } from 'vitest';
import { hasUnembeddedCjk } from './draw-unembedded.ts';

const heading = `name                                 type              encoding         emb sub uni object ID
------------------------------------ ----------------- ---------------- --- --- --- ---------`;

test.for<[row: string, is: boolean]>([
  ['MS-PGothic                           CID TrueType      Identity-H       no  no  no       6  0', true],
  ['STSong-Light                         CID Type 0        GBK-EUC-H        no  no  yes    112  0', true],
  ['SimSun                               CID Type 0C (OT)  UniGB-UCS2-H     no  no  no       9  0', true],
  ['BAAAAA+NotoSansCJKsc-Regular         CID Type 0C (OT)  Identity-H       yes yes yes      9  0', false],
  ['Helvetica                            Type 1            WinAnsi          no  no  no       3  0', false],
])('%s', ([row, is]) => expect(hasUnembeddedCjk(`${heading}\n${row}\n`)).toBe(is));
