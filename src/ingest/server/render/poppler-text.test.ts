import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { smallPdf } from '../../../../tests/small-pdf.ts';
import { findProgram } from '../sandbox/run-child.ts';
import { isMisread, readWithPoppler } from './poppler-text.ts';

test.each([
  ['中秋活动方案 Plan 2024', false],
  ['\u1982\u1990\u19a5 ᦂᦃ', true],
  ['ᬅᬆᬇᬈ 方案', true],
  ['ᬅ', false],
  ['', false],
])('%j is misread: %s', (text, is) => expect(isMisread(text)).toBe(is));

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
    await writeFile(pdf, 'no PDF');
    expect((await readWithPoppler({ pdf }, [1])).size).toBe(0);
  } finally {
    await rm(folder, { recursive: true });
  }
});
