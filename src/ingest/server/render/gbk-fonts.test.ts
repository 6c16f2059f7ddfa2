import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { smallPdf } from '../../../../tests/small-pdf.ts';
import { findProgram } from '../sandbox/run-child.ts';
import { drawUnembeddedPages } from './draw-unembedded.ts';
import { withGbkFonts } from './gbk-fonts.ts';

/** 中文方案 in GBK. */
const GBK_TEXT = '\xd6\xd0\xce\xc4\xb7\xbd\xb0\xb8';

/** A PDF of one page whose font has that name and is not embedded, with the cross-reference table that its objects need. */
function gbkPdf(name: string, more = ''): Buffer {
  const content = `BT /F1 96 Tf 60 200 Td (${GBK_TEXT}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 800 450] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>',
    `<< /Type /Font /Subtype /TrueType /BaseFont /${name} /Encoding /WinAnsiEncoding ${more} >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /FontDescriptor /FontFile2 5 0 R >>',
  ];
  let pdf = '%PDF-1.3\n';
  const offsets = objects.map((body, index) => {
    const at = pdf.length;
    pdf += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return at;
  });
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const start = pdf.length;
  pdf += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(pdf, 'latin1');
}

test.each([
  ['\xcb\xce\xcc\xe5', 'SimSun'],
  ['#CB#CE#CC#E5,Bold', 'SimSun,Bold'],
  ['\xbf\xac\xcc\xe5_GB2312', 'KaiTi'],
  ['#ba#da#cc#e5', 'SimHei'],
])('a font that is named %s in GBK is declared as %s', (name, face) => {
  const pdf = withGbkFonts(gbkPdf(name))?.toString('latin1') ?? '';
  expect(pdf).toContain(`4 0 obj\n<< /Type /Font /Subtype /Type0 /BaseFont /${face} /Encoding /GBK-EUC-H`);
});

test.each([
  ['another font', () => gbkPdf('Arial')],
  ['an embedded font', () => gbkPdf('#CB#CE#CC#E5', '/FontDescriptor 6 0 R')],
  ['an encrypted file', () => gbkPdf('#CB#CE#CC#E5', '/Encrypt 6 0 R')],
  ['no PDF', () => Buffer.from('no PDF /BaseFont /#CB#CE#CC#E5')],
])('%s stays as it is', (_what, bytes) => expect(withGbkFonts(bytes())).toBeNull());

/** A PDF of one page with a GBK font and 5 MB of the same text. */
const paddedPdf = (text: string) => {
  const [head = '', tail = ''] = gbkPdf('#CB#CE#CC#E5').toString('latin1').split('xref\n0 7');
  return Buffer.from(`${head}${text.repeat(5_000_000 / text.length)}\nxref\n0 7${tail}`, 'latin1');
};

test.each([
  ['names of fonts outside objects', '/BaseFont/#CB#CE#CC#E5 '],
  ['fonts of one descriptor', '9 0 obj <</Subtype/TrueType/BaseFont/#CB#CE#CC#E5/FontDescriptor 99 0 R>> endobj '],
  ['sizes', '/Size 7 '],
  ['heads of objects', '1 0 obj '],
])('a PDF with megabytes of %s is searched in one pass', (_what, text) => {
  expect(withGbkFonts(paddedPdf(text))?.toString('latin1')).toMatch(/4 0 obj\n<< \/Type \/Font \/Subtype \/Type0/);
});

test.skipIf(findProgram('pdftoppm') === null)('its pages are drawn with a real font', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ceku-gbk-'));
  try {
    const pdf = join(folder, 'deck.pdf');
    await writeFile(pdf, gbkPdf('#CB#CE#CC#E5'));
    const drawn = await drawUnembeddedPages({ pdf, folder, firstPage: 1, lastPage: 1 });
    const page = drawn['1'] ?? '';
    const ink = async (left: number) => {
      const { width, height } = await sharp(page).metadata();
      const part = { left: Math.round(width * left), top: 0, width: Math.round(width * 0.12), height };
      return (await sharp(page).extract(part).stats()).channels[0]?.mean ?? 255;
    };
    // Four characters of 96 points begin at 60 of 800 points: each has ink.
    for (const at of [0.075, 0.195, 0.315, 0.435]) expect(await ink(at)).toBeLessThan(254);
    await writeFile(pdf, smallPdf('Plan', 1));
    expect(await drawUnembeddedPages({ pdf, folder, firstPage: 1, lastPage: 1 })).toEqual({});
  } finally {
    await rm(folder, { recursive: true });
  }
});
