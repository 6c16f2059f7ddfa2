import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDocument, type StoredDocument } from '../../../tests/documents.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { typeCommand } from '../../../tests/type-command.ts';
import { libraryCommands } from './commands.ts';
import { verifyOriginalsJob } from './jobs.ts';
import { verifyOriginals } from './originals.ts';

let app: TestApp;
let log = '';
let stored: StoredDocument[];
beforeAll(async () => {
  app = await openTestApp({ logTo: { write: (line) => void (log += line) } });
  stored = await Promise.all(Array.from({ length: 5 }, () => addDocument(app, { size: 70_000 })));
});
afterAll(() => app.close());

const documentAt = (index: number) => stored[index] ?? expect.unreachable('it was not added');
const pathOf = ({ sha256 }: StoredDocument) => join(app.dataDir, 'files/originals', sha256.slice(0, 2), sha256);
const type = (...words: string[]) =>
  typeCommand((program) => libraryCommands(program, (work) => work(app.ctx)), ['document', ...words]);

test('a bounded run verifies the originals that waited longest, so that all are verified in turn', async () => {
  const first = await verifyOriginals(app.ctx, { maxBytes: 150_000 });
  expect(first).toMatchObject({ checked: 2, bytes: 140_000, lost: [] });
  app.clock.offsetMs += 60_000;
  await verifyOriginals(app.ctx, { maxBytes: 150_000 });
  app.clock.offsetMs += 60_000;
  await verifyOriginals(app.ctx, { maxBytes: 70_000 });
  const shown = await type('show', String(documentAt(4).id), '--json');
  expect(JSON.parse(shown.out)).toMatchObject({ checkedAt: expect.any(String) });
  app.clock.offsetMs += 60_000;
  expect(await verifyOriginals(app.ctx)).toMatchObject({ checked: 5, lost: [] });
});

test('an original above the bound is looked at all the same, alone', async () => {
  app.clock.offsetMs += 60_000;
  expect(await verifyOriginals(app.ctx, { maxBytes: 10 })).toMatchObject({ checked: 1 });
});

test('the command names lost originals and ends with 1, and with 0 once they are restored', async () => {
  const [flipped, short, gone] = [documentAt(0), documentAt(1), documentAt(2)];
  const bytes = Buffer.from(flipped.bytes);
  bytes[69_999] = (bytes[69_999] ?? 0) ^ 0x80;
  await writeFile(pathOf(flipped), bytes);
  await writeFile(pathOf(short), short.bytes.subarray(1));
  await rm(pathOf(gone));
  app.clock.offsetMs += 60_000;
  const said = await type('verify');
  expect(said.code).toBe(1);
  expect(said.out).toContain(`damaged: originals/${flipped.sha256} of document ${flipped.id}\n`);
  expect(said.out).toContain(`damaged: originals/${short.sha256} of document ${short.id}\n`);
  expect(said.out).toContain(`missing: originals/${gone.sha256} of document ${gone.id}\n`);
  expect(said.out).toContain('5 originals checked, 3 lost.');
  expect((await type('show', String(gone.id))).out).toMatch(/original lost, found on \d{4}-/);
  // Each loss is logged once, as an error, and not again by the next look at it.
  app.clock.offsetMs += 60_000;
  await type('verify');
  const losses = log.split('\n').filter((line) => line.includes('an original is lost'));
  expect(losses.map((line) => JSON.parse(line).level)).toEqual([50, 50, 50]);

  for (const document of [flipped, short, gone]) await writeFile(pathOf(document), document.bytes);
  app.clock.offsetMs += 60_000;
  const again = await type('verify', ...[flipped, short, gone].map(({ id }) => String(id)));
  expect(again).toMatchObject({ code: 0, out: '3 originals checked, 0 lost.\n' });
  expect(log.match(/an original is whole again/g)).toHaveLength(3);
  expect((await type('show', String(gone.id))).out).toMatch(/original verified on \d{4}-/);
});

test('the command checks the named originals also when a node whose clock is ahead has just checked them', async () => {
  app.clock.offsetMs += 60_000;
  await type('verify');
  app.clock.offsetMs -= 30_000;
  const said = await type('verify', String(documentAt(0).id), String(documentAt(0).id));
  expect(said).toMatchObject({ code: 0, out: '1 originals checked, 0 lost.\n' });
});

test('the command refuses a document that there is not', async () => {
  expect(await type('verify', '999999')).toMatchObject({ code: 65, err: 'There is no document 999999.\n' });
  expect(await type('verify', 'x')).toMatchObject({ code: 2 });
});

test('a stop ends the nightly job at once, and the job goes on with what is left', async () => {
  app.clock.offsetMs += 60_000;
  const stopped = AbortSignal.abort(new Error('stopping'));
  const attempt = { number: 1, isLast: false };
  await expect(verifyOriginalsJob.run(app.ctx, {}, { ...attempt, signal: stopped })).rejects.toThrow('stopping');
  await verifyOriginalsJob.run(app.ctx, {}, { ...attempt, signal: undefined });
  expect(await verifyOriginals(app.ctx, { maxBytes: 1 })).toMatchObject({ checked: 1, lost: [] });
});
