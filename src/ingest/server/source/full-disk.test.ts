import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findConverter } from '../convert/convert-to-pdf.ts';
import { failIfDiskIsFull } from './fail-if-disk-is-full.ts';
import { deckOf } from '../../../../tests/samples/deck.ts';
import { pdfOf } from '../../../../tests/samples/pdf.ts';
import { prepareFile } from '../steps/prepare-file.ts';

const MiB = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'ceku-full-'));
const small = join(folder, 'small');
await mkdir(small);
// A disk of its own: only root may mount one.
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=20m', 'tmpfs', small]).status === 0;
afterAll(() => {
  if (isMounted) spawnSync('umount', [small]);
  rmSync(folder, { recursive: true, force: true });
});

test('a disk with room is no reason', async () => {
  await expect(failIfDiskIsFull(tmpdir())).resolves.toBeUndefined();
});

describe.skipIf(!isMounted)(
  'what fails on a full disk says so, and is no fault of the file',
  { timeout: 120_000 },
  () => {
    const pages = Array.from({ length: 6 }, (_, index) => ({ text: `Page ${index}` }));
    test.for<[what: string, free: number, fileType: 'pdf' | 'pptx', bytes: () => Uint8Array]>([
      ['a PDF that cannot be begun', 0, 'pdf', () => pdfOf({ pages })],
      ['a PDF of whose pages some find room', 40 * 1024, 'pdf', () => pdfOf({ pages })],
      ['a deck', 64 * 1024, 'pptx', () => deckOf({ slides: [{ title: '年会' }] })],
    ])('%s', async ([, free, fileType, bytes], { skip }) => {
      skip(fileType === 'pptx' && findConverter() === null, 'LibreOffice is not there');
      const path = join(folder, 'file');
      await writeFile(path, bytes());
      const workDir = join(small, 'work');
      await mkdir(workDir);
      await writeFile(join(small, 'fill'), Buffer.alloc(20 * MiB - free - 8 * 1024)).catch(() => {});
      await expect(prepareFile({ path, fileType, workDir })).rejects.toMatchObject({ code: 'ENOSPC' });
      await rm(workDir, { recursive: true });
      await rm(join(small, 'fill'));
    });
  },
);
