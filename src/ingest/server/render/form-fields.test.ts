import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { pdfOf } from '../../../../tests/samples/pdf.ts';
import { findProgram } from '../sandbox/run-child.ts';
import { drawUnembeddedPages, hasUndrawnParts } from './draw-unembedded.ts';

/** A PDF of one page with a text field, which has that value and no appearance. */
function formPdf(value: string, more = ''): Buffer {
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R] /NeedAppearances true /DR << /Font << /Helv 5 0 R >> >> /DA (/Helv 48 Tf 0 g) >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 800 450] /Annots [4 0 R] /Resources << >> >>',
    `<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V ${value} /F 4 /Rect [100 200 700 280] /DA (/Helv 48 Tf 0 g) /P 3 0 R ${more} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let pdf = '%PDF-1.4\n';
  const offsets = objects.map((body, index) => {
    const at = pdf.length;
    pdf += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return at;
  });
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  return Buffer.from(
    `${pdf}xref\n0 6\n0000000000 65535 f \n${rows}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`,
    'latin1',
  );
}

test.each([
  ['a filled field', () => formPdf('(Filled in)'), true],
  ['an empty field', () => formPdf('()'), false],
  ['a scan in JBIG2', () => pdfOf({ pages: [{}], catalog: '/Note /JBIG2Decode' }), true],
  ['no form', () => pdfOf({ pages: [{ text: 'Plan' }] }), false],
])('%s', (_what, bytes, has) => expect(hasUndrawnParts(bytes())).toBe(has));

test.skipIf(findProgram('pdftoppm') === null)('the value of a filled field is drawn', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ceku-form-'));
  try {
    const pdf = join(folder, 'deck.pdf');
    await writeFile(pdf, formPdf('(Filled in)'));
    const drawn = await drawUnembeddedPages({ pdf, folder, firstPage: 1, lastPage: 1 });
    const { channels } = await sharp(drawn['1'] ?? '').stats();
    expect(channels[0]?.min ?? 255).toBeLessThan(100);
  } finally {
    await rm(folder, { recursive: true });
  }
});
