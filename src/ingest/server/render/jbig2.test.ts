import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { pdfOfObjects, pdfStream } from '../../../../tests/samples/pdf.ts';
import { findProgram } from '../sandbox/run-child.ts';
import { drawUnembeddedPages } from './draw-unembedded.ts';

const SIDE = 64;

/** A segment of JBIG2 on page 1 that refers to no other (ITU-T T.88, 7.2). */
function segment(number: number, type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(11);
  head.writeUInt32BE(number, 0);
  head.writeUInt8(type, 4);
  head.writeUInt8(1, 6);
  head.writeUInt32BE(data.length, 7);
  return Buffer.concat([head, data]);
}

const numbers = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
};

/**
 * A scan of 64 × 64 pixels in MMR (ITU-T T.6): white, with a black square of half the width in the middle. V0 is `1`: an edge stands where
 * it stands in the row above.
 */
function mmrSquare(): Buffer {
  const white = '1';
  // Horizontal mode, 16 white pixels, 32 black pixels, and the end of the row.
  const upperEdge = `001${'101010'}${'000001101010'}1`;
  const sides = '111';
  // Pass mode: the square of the row above has ended.
  const belowSquare = '00011';
  const rows = [
    ...Array<string>(16).fill(white),
    upperEdge,
    ...Array<string>(31).fill(sides),
    belowSquare,
    ...Array<string>(15).fill(white),
  ];
  const endOfBlock = '000000000001000000000001';
  const bits = `${rows.join('')}${endOfBlock}`;
  const bytes = bits.match(/.{1,8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)));
}

function scannedPdf(): Buffer {
  const page = segment(0, 48, Buffer.concat([numbers(SIDE, SIDE, 0, 0), Buffer.alloc(3)]));
  const MMR = 1;
  const region = segment(1, 38, Buffer.concat([numbers(SIDE, SIDE, 0, 0), Buffer.from([0, MMR]), mmrSquare()]));
  const image = `/Type /XObject /Subtype /Image /Width ${SIDE} /Height ${SIDE} /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /JBIG2Decode`;
  return pdfOfObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Resources << /XObject << /Scan 4 0 R >> >> /Contents 5 0 R >>',
    pdfStream(Buffer.concat([page, region]), image),
    pdfStream('400 0 0 400 0 0 cm /Scan Do'),
  ]);
}

test.skipIf(findProgram('pdftoppm') === null)('a scan in JBIG2 with MMR is drawn as it is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ceku-jbig2-'));
  try {
    const pdf = join(folder, 'scan.pdf');
    await writeFile(pdf, scannedPdf());
    const drawn = await drawUnembeddedPages({ pdf, folder, firstPage: 1, lastPage: 1 });
    const { data } = await sharp(drawn['1'] ?? '')
      .greyscale()
      .resize(8, 8, { kernel: 'nearest' })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const rows = Array.from({ length: 8 }, (_, row) =>
      [...data.subarray(row * 8, row * 8 + 8)].map((level) => (level < 128 ? '#' : '.')).join(''),
    );
    expect(rows).toEqual([
      ...Array<string>(2).fill('........'),
      ...Array<string>(4).fill('..####..'),
      ...Array<string>(2).fill('........'),
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
