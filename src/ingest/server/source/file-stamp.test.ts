import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { smallPdf } from '../../../../tests/small-pdf.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { isSameStamp, stampOf } from './open-source.ts';
import { ingestFiles } from '../intake/ingest-files.ts';
import { selectItems } from '../store/items.ts';

/** Its times have no bounds; elsewhere the system keeps the nearest it can. */
const MEMORY = '/dev/shm';

let app: TestApp;
let folder: string;
beforeAll(async () => {
  app = await openTestApp();
  folder = await mkdtemp(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'ceku-times-'));
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

test('times that neither Date nor the database can write are the nearest that they can', () => {
  const at = (mtimeMs: number) => stampOf({ size: 1, mtimeMs });
  expect(at(1.5).modifiedAt.getTime()).toBe(1);
  for (const seconds of [-9e15, -99_999_999_999, 300_000_000_000, 9e15])
    expect(at(seconds * 1_000).modifiedAt.toISOString()).toMatch(/^(0001|9999)-/);
  expect(isSameStamp(at(9e18), at(8e18))).toBe(true);
});

test('files of the years -1199 and 287168 are ingested, and recognised again', async () => {
  const paths: string[] = [];
  for (const seconds of ['-99999999999', '9000000000000', '0']) {
    const path = join(folder, `${seconds}.pdf`);
    await writeFile(path, smallPdf(`Time ${seconds}`));
    execFileSync('touch', ['-d', `@${seconds}`, path]);
    paths.push(path);
  }
  for (const round of [1, 2]) {
    const { batchId, stoppedBy } = await ingestFiles(app.ctx, { paths, factsOf: () => null });
    expect({ round, stoppedBy }).toEqual({ round, stoppedBy: undefined });
    const items = await selectItems(app.ctx.db, batchId, 10, 0);
    expect(items.map(({ state }) => state)).toEqual(['queued', 'queued', 'queued']);
  }
});
