import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { checkFiles } from '../../../../tests/chaos/catalogue.ts';
import { smallPdf } from '../../../../tests/small-pdf.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { ingestFiles } from './ingest-files.ts';
import { selectItems } from '../store/items.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** Accepts a file; `meanwhile` runs between sniffing and storing. */
async function take(path: string, meanwhile: () => Promise<void> | void) {
  const { batchId } = await ingestFiles(app.ctx, {
    paths: [path],
    factsOf: () => null,
    onStep: (step, edge) => (step === 'store' && edge === 'begun' ? meanwhile() : undefined),
  });
  return (await selectItems(app.ctx.db, batchId, 1, 0))[0];
}

test('a file that is replaced while it is accepted is stored with its new content and hash', async () => {
  const path = join(app.folder, 'replaced.pdf');
  await writeFile(path, smallPdf('Before'));
  const after = smallPdf('Afterwards', 3);
  const item = await take(path, () => writeFile(path, after));
  const sha256 = createHash('sha256').update(after).digest('hex');
  expect(item).toMatchObject({ state: 'queued', sha256, sizeBytes: after.length });
  expect(await checkFiles(app.ctx.db, app.ctx.files)).toEqual([]);
  const stored = await (await app.ctx.files.read(`originals/${sha256}`)).toArray();
  expect(Buffer.concat(stored)).toEqual(Buffer.from(after));
});

test('the new content is sniffed: a deck that is replaced by a program is refused', async () => {
  const path = join(app.folder, 'turned.pdf');
  await writeFile(path, smallPdf('Turned'));
  const item = await take(path, () => writeFile(path, 'MZ not a deck'));
  expect(item).toMatchObject({ state: 'refused', reasonCode: 'unknown-type' });
});

test('a file that keeps changing fails with a message', async () => {
  const path = join(app.folder, 'growing.pdf');
  await writeFile(path, Buffer.concat([smallPdf('Growing'), Buffer.alloc(20_000_000, '\n')]));
  let writing: NodeJS.Timeout | undefined;
  onTestFinished(() => clearInterval(writing));
  const item = await take(path, () => {
    writing = setInterval(() => appendFileSync(path, '\n'), 1);
  });
  expect(item).toMatchObject({
    state: 'failed',
    reasonCode: 'unreadable',
    message: expect.stringContaining('the file changes while it is being read'),
  });
  expect(await checkFiles(app.ctx.db, app.ctx.files)).toEqual([]);
});
