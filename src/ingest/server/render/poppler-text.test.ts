import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { smallPdf } from '../../../../tests/small-pdf.ts';
import { pdfOf } from '../../../../tests/samples/pdf.ts';
import { findProgram } from '../sandbox/run-child.ts';
import { isMisread, readWithPoppler } from './poppler-text.ts';

test.each([
  ['中秋活动方案 Plan 2024', false],
  ['\u1982\u1990\u19a5 ᦂᦃ', true],
  ['ᬅᬆᬇᬈ 方案', true],
  ['ᬅ', false],
  ['', false],
])('%j is misread: %s', (text, is) => expect(isMisread(text)).toBe(is));

/** Thirty lines of twenty words. */
const LINES = `BT /F1 4 Tf 10 500 Td 5 TL ${`(${'word '.repeat(20)}) Tj T* `.repeat(30)}ET`;

test.skipIf(findProgram('pdftotext') === null)('poppler reads the pages that are asked for', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ceku-poppler-'));
  try {
    const pdf = join(folder, 'deck.pdf');
    await writeFile(pdf, smallPdf('Plan', 4));
    expect([...(await readWithPoppler({ pdf }, [2, 4]))]).toEqual([
      [2, 'Plan 2'],
      [4, 'Plan 4'],
    ]);
    expect((await readWithPoppler({ pdf }, [])).size).toBe(0);
    const long = pdfOf({
      pages: Array.from({ length: 40 }, (_, index) => ({ text: `Page ${index + 1}`, content: LINES })),
    });
    await writeFile(pdf, long);
    const all = Array.from({ length: 40 }, (_, index) => index + 1);
    const read = await readWithPoppler({ pdf }, all);
    expect([...read.keys()]).toEqual(all);
    for (const text of read.values()) expect(text.match(/word/g)).toHaveLength(600);
    const killed = () => Promise.resolve({ code: null, signal: 'SIGKILL', ended: 'exit', output: '' } as const);
    await expect(readWithPoppler({ pdf }, all, killed)).rejects.toThrow(/ended from outside by SIGKILL/);
    await writeFile(pdf, 'no PDF');
    expect((await readWithPoppler({ pdf }, [1])).size).toBe(0);
  } finally {
    await rm(folder, { recursive: true });
  }
});
