import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { acceptPath, listMedia } from '../../../../tests/prepared-file.ts';
import { deckOf } from '../../../../tests/samples/deck.ts';
import { pdfOf } from '../../../../tests/samples/pdf.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { JobPostponed } from '../../../platform/jobs/postpone.ts';
import type { StepName } from '../../steps.ts';
import { findConverter } from '../convert/convert-to-pdf.ts';
import { createIngestPool } from '../convert/converter-pool.ts';
import { sniffFile } from '../sniff/sniff-file.ts';
import { prepareStoredFile } from '../steps/prepare-stored-file.ts';
import { selectFile } from '../store/files.ts';
import { selectSteps } from '../store/steps.ts';
import { NO_DISK_SPACE } from './disk-space.ts';
import { failIfDiskIsFull } from './full-disk.ts';

const MiB = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'ceku-full-'));
const small = join(folder, 'small');
await mkdir(small);
// The disk is empty when a preparation begins, so it is larger than freeTempBytes. Only root may mount a disk.
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=140m', 'tmpfs', small]).status === 0;
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(async () => {
  await app.close();
  if (isMounted) spawnSync('umount', [small]);
  rmSync(folder, { recursive: true, force: true });
});

/** Fills the small disk but for `freeBytes` bytes. */
async function fillDisk(freeBytes: number): Promise<void> {
  const file = await open(join(small, 'fill'), 'w');
  const chunk = Buffer.alloc(MiB);
  let size = 0;
  try {
    for (;;) size += (await file.write(chunk)).bytesWritten;
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
    await file.truncate(Math.max(0, size - freeBytes));
  } finally {
    await file.close();
  }
}

test('a disk with free space is no reason to fail', async () => {
  await expect(failIfDiskIsFull(tmpdir())).resolves.toBeUndefined();
});

test.skipIf(!isMounted)('a PDF that a full disk keeps from being opened is not called damaged', async () => {
  const path = join(folder, 'owner.pdf');
  await writeFile(path, pdfOf({ pages: [{}], userPassword: '' }));
  vi.stubEnv('TMPDIR', small);
  await fillDisk(0);
  await expect(sniffFile(path)).rejects.toMatchObject({ code: 'ENOSPC' });
  await rm(join(small, 'fill'));
  expect(await sniffFile(path)).toMatchObject({ ok: true, flags: ['owner-password'] });
  vi.unstubAllEnvs();
});

describe.skipIf(!isMounted)('a disk that fills up during a step postpones the job', { timeout: 120_000 }, () => {
  const pages = Array.from({ length: 6 }, (_, index) => ({ text: `Page ${index}` }));
  type Row = [what: string, freeBytes: number, fileType: 'pdf' | 'pptx', step: StepName, bytes: () => Uint8Array];
  const rows: Row[] = [
    ['a PDF of which nothing can be written', 0, 'pdf', 'render', () => pdfOf({ pages })],
    ['a PDF of which some pages can be written', 40 * 1024, 'pdf', 'render', () => pdfOf({ pages: pages.slice(1) })],
    ['a deck', 64 * 1024, 'pptx', 'convert', () => deckOf({ slides: [{ title: '年会' }] })],
  ];

  test.for(rows)('%s', async ([, freeBytes, fileType, full, bytes], { skip }) => {
    skip(fileType === 'pptx' && findConverter() === null, 'LibreOffice is not there');
    vi.stubEnv('TMPDIR', small);
    const path = join(folder, 'file');
    await writeFile(path, bytes());
    const { fileId, item } = await acceptPath(app.ctx, path, fileType);
    const attempt = { number: 3, isLast: true, signal: undefined };
    // A pool of its own: a render child that is idle keeps its box on the disk where it was started.
    const pool = createIngestPool(1);
    const postponed = prepareStoredFile(app.ctx, fileId, attempt, {
      pool,
      async onStep(step, edge) {
        if (step === full && edge === 'begun') await fillDisk(freeBytes);
      },
    });
    await expect(postponed).rejects.toThrow(JobPostponed);
    await expect(postponed).rejects.toThrow('waits for disk space: the temporary folder');
    const steps = await selectSteps(app.ctx.db, fileId);
    expect(steps.find(({ step }) => step === full)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('ENOSPC'),
    });
    expect(await item()).toMatchObject({ state: 'queued', reasonCode: NO_DISK_SPACE, finishedAt: null });
    expect(await selectFile(app.ctx.db, fileId)).toMatchObject({ state: 'waiting', failureCode: null });
    expect(await listMedia(app.ctx, fileId)).toEqual([]);
    await rm(join(small, 'fill'));
    await prepareStoredFile(app.ctx, fileId, attempt, { pool });
    expect(await item()).toMatchObject({ state: 'published', reasonCode: null });
  });
});
