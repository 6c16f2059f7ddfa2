import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { smallPdf } from '../../../../tests/small-pdf.ts';
import { findProgram, type ChildEnd } from '../sandbox/run-child.ts';
import { renderPages } from './render-pages.ts';
import { openRendererSlot } from './renderer-slot.ts';

test.skipIf(findProgram('pdftoppm') === null)(
  'pages for which poppler was ended from outside are drawn another time; in the last run they stay as PDFium draws them',
  async () => {
    const workDir = await mkdtemp(join(tmpdir(), 'ceku-render-'));
    const pdf = join(workDir, 'deck.pdf');
    await writeFile(pdf, smallPdf('Plan', 2));
    const slot = openRendererSlot();
    const end: ChildEnd = { code: null, signal: 'SIGKILL', ended: 'exit', output: '' };
    const runProgram = () => Promise.resolve(end);
    const render = (isLast: boolean) =>
      renderPages({ pdf, workDir, previewPages: 2, effort: 0, isUploaded: true, slot, isLast, runProgram });
    try {
      await expect(render(false)).rejects.toThrow(/ended from outside/);
      expect(await render(true)).toMatchObject({ pageCount: 2, missing: [] });
    } finally {
      slot.close();
      await rm(workDir, { recursive: true });
    }
  },
);
