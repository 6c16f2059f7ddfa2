import { mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { layIntakeFolder, type IntakeFolder } from '../../../../tests/intake-folder.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { collectFiles } from './collect-files.ts';
import { dryRun } from '../intake/dry-run.ts';
import { ingestFiles } from '../intake/ingest-files.ts';
import { inspectPdf } from '../sniff/inspect-pdf.ts';
import { pdfOf } from '../../../../tests/samples/pdf.ts';
import { identityOf, openSource } from './open-source.ts';
import { quarantineFile } from '../intake/quarantine.ts';
import { sniffFile } from '../sniff/sniff-file.ts';
import { selectItems } from '../store/items.ts';
import { runIngest } from '../intake/run-ingest.ts';

let app: TestApp;
let folder: string;
let intake: string;
/** A folder outside the intake folder, readable by the operator alone. */
let secret: string;

beforeAll(async () => {
  app = await openTestApp();
  folder = await realpath(await mkdtemp(join(tmpdir(), 'ceku-swap-')));
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

let count = 0;
let swap: IntakeFolder['swap'];

async function lay(): Promise<void> {
  ({ intake, secret, swap } = await layIntakeFolder(join(folder, String(++count))));
}

async function ingest(collected: Awaited<ReturnType<typeof collectFiles>>) {
  const { files: paths, unreachable, rootOf } = collected;
  const { batchId, stoppedBy } = await ingestFiles(app.ctx, { paths, unreachable, rootOf, factsOf: () => null });
  expect(stoppedBy).toBeUndefined();
  return selectItems(app.ctx.db, batchId, 100, 0);
}

test.each([
  ['file', 'a.pdf', 'sub/b.pdf'],
  ['folder', 'sub/b.pdf', 'a.pdf'],
] as const)('a %s that became a link after it was listed is not read; the others are', async (what, lost, kept) => {
  await lay();
  const before = await readFile(join(secret, lost));
  const collected = await collectFiles([intake]);
  await swap[what]();
  const items = await ingest(collected);
  const of = (name: string) => items.find(({ path }) => path === join(intake, name));
  expect(of(lost)).toMatchObject({ state: 'failed', reasonCode: 'unreadable', sha256: null, fileId: null });
  expect(of(lost)?.message).toContain('a link, or another file, has taken its place');
  expect(of(kept)).toMatchObject({ state: 'queued' });
  expect(await readFile(join(secret, lost))).toEqual(before);
});

test('a file that becomes a link between sniffing and storing is not stored', async () => {
  await lay();
  // The same bytes: only where they lie tells them apart.
  await writeFile(join(secret, 'a.pdf'), await readFile(join(intake, 'a.pdf')));
  const { rootOf } = await collectFiles([intake]);
  const { batchId } = await ingestFiles(app.ctx, {
    paths: [join(intake, 'a.pdf')],
    rootOf,
    factsOf: () => null,
    onStep: async (step, edge) => {
      if (step === 'store' && edge === 'begun') await swap.file();
    },
  });
  const [item] = await selectItems(app.ctx.db, batchId, 1, 0);
  expect(item).toMatchObject({ state: 'failed', reasonCode: 'unreadable', fileId: null });
});

test('a path given on the command line may be a link to a file or a folder', async () => {
  await lay();
  await symlink(join(secret, 'a.pdf'), join(folder, `deck-${count}.pdf`));
  await symlink(intake, join(folder, `in-${count}`));
  const items = await ingest(await collectFiles([join(folder, `deck-${count}.pdf`), join(folder, `in-${count}`)]));
  expect(items.map(({ state }) => state)).toEqual(['queued', 'queued', 'queued']);
  expect(items[1]?.path).toBe(join(folder, `in-${count}`, 'a.pdf'));
  // Given inside a folder that is given as well, and on its own: still by name.
  await symlink(join(secret, 'sub'), join(intake, 'linked'));
  const both = await collectFiles([intake, join(intake, 'linked')]);
  expect(both.files).toContain(join(intake, 'linked', 'b.pdf'));
  expect((await ingest(both)).map(({ state }) => state)).not.toContain('failed');
});

test('excluded paths are excluded through any link to their folder', async () => {
  await lay();
  await symlink(intake, join(folder, `in-${count}`));
  for (const [given, except] of [
    [join(folder, `in-${count}`), join(intake, 'sub')],
    [intake, join(folder, `in-${count}`, 'sub')],
  ] as const)
    expect((await collectFiles([given], [except])).files).toEqual([join(given, 'a.pdf')]);
});

test('links and pipes in a listed folder are left out', async () => {
  await lay();
  await swap.file();
  await swap.folder();
  execFileSync('mkfifo', [join(intake, 'pipe.pdf')]);
  const { files, unreachable } = await collectFiles([intake]);
  expect({ files, unreachable }).toEqual({ files: [join(intake, 'gone', 'b.pdf')], unreachable: [] });
});

test('opening a pipe in place of a file does not block', async () => {
  await lay();
  const { rootOf } = await collectFiles([intake]);
  const path = join(intake, 'a.pdf');
  await rm(path);
  execFileSync('mkfifo', [path]);
  for (const root of [rootOf(path), null])
    expect(await sniffFile(path, { root })).toMatchObject({ code: 'unknown-type', detail: 'not a regular file' });
});

test('inspectPdf refuses a file that has replaced the sniffed file', async () => {
  await lay();
  const { facts, handle } = await openSource(join(intake, 'a.pdf'), null);
  await handle.close();
  const identity = identityOf(facts);
  expect(await inspectPdf(join(intake, 'a.pdf'), { identity })).toEqual({ pageCount: 1, isEncrypted: false });
  await swap.file();
  await expect(inspectPdf(join(intake, 'a.pdf'), { identity })).rejects.toMatchObject({ code: 'unreadable' });
});

test('a dry run neither reads through a link nor stops at one', async () => {
  await lay();
  await writeFile(join(intake, 'locked.pdf'), pdfOf({ pages: [{}], userPassword: '' }));
  const collected = await collectFiles([intake]);
  await swap.folder();
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => {});
  await dryRun({ ...collected, missing: [], notesOf: () => [] }, { json: true, concurrency: 1 });
  log.mockRestore();
  quiet.mockRestore();
  process.exitCode = 0;
  const states = new Map(
    lines.map((line) => {
      const { path, state } = JSON.parse(line) as { path: string; state: string };
      return [path.slice(intake.length + 1), state];
    }),
  );
  expect(Object.fromEntries(states)).toEqual({ 'a.pdf': 'accepted', 'locked.pdf': 'accepted', 'sub/b.pdf': 'refused' });
});

/** Another thread swaps as fast as it can: file and link, or folder and link. Ends it and answers how often. */
async function keepSwapping(real: string, aside: string, link: string): Promise<() => Promise<number>> {
  const code = `
    const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
    const { workerData, parentPort } = require('node:worker_threads');
    const { real, aside, link, stop } = workerData;
    let swaps = 0;
    parentPort.postMessage('begun');
    while (Atomics.load(stop, 0) === 0) {
      renameSync(real, aside);
      symlinkSync(link, real);
      unlinkSync(real);
      renameSync(aside, real);
      swaps++;
    }
    parentPort.postMessage(swaps);`;
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(code, { eval: true, workerData: { real, aside, link, stop } });
  await once(worker, 'message');
  return async () => {
    Atomics.store(stop, 0, 1);
    return Number(...(await once(worker, 'message')));
  };
}

test.each(['a.pdf', 'sub/b.pdf'])(
  'however a link comes and goes, what is read of %s is never another file',
  async (name) => {
    await lay();
    // Both are refused, so that both would be put into quarantine.
    await writeFile(join(intake, name), 'open, no deck');
    await writeFile(join(secret, name), 'secret, no deck');
    const path = join(intake, name);
    const { rootOf } = await collectFiles([intake]);
    const [first = ''] = name.split('/');
    const end = await keepSwapping(join(intake, first), join(intake, '.aside'), join(secret, first));
    const seen = { open: 0, shut: 0 };
    const place = join(folder, `quarantine-${count}`);
    const isOver = (round: number) => round >= 300 && (round >= 30_000 || (seen.open > 0 && seen.shut > 0));
    for (let round = 0; !isOver(round); round++) {
      const source = await openSource(path, rootOf(path)).catch(() => null);
      if (source) {
        expect(await source.handle.readFile('utf8')).toBe('open, no deck');
        await source.handle.close();
        seen.open++;
      } else seen.shut++;
      const { copy } = await quarantineFile(place, { path, root: rootOf(path), reasonCode: 'corrupt', message: '' });
      const kept = await readFile(copy, 'utf8').catch(() => '');
      expect(kept).not.toContain('secret');
    }
    expect(await end()).toBeGreaterThan(0);
    expect(seen.open).toBeGreaterThan(0);
    expect(seen.shut).toBeGreaterThan(0);
  },
);

test('a folder that is swapped with a link while it is listed adds no other files', async () => {
  await lay();
  await writeFile(join(secret, 'sub', 'secret.pdf'), 'x');
  const end = await keepSwapping(join(intake, 'sub'), join(intake, '.aside'), join(secret, 'sub'));
  for (let round = 0; round < 300; round++) {
    const { files } = await collectFiles([intake]);
    expect(files.filter((path) => path.includes('secret'))).toEqual([]);
  }
  expect(await end()).toBeGreaterThan(0);
});

test('a batch goes on while its files are swapped under it', async () => {
  await lay();
  const collected = await collectFiles([intake]);
  const end = await keepSwapping(join(intake, 'a.pdf'), join(intake, '.aside'), join(secret, 'a.pdf'));
  const quiet = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')].map((spy) => spy.mockImplementation(() => {}));
  for (let round = 0; round < 10; round++) {
    const items = await ingest(collected);
    expect(items).toHaveLength(2);
    expect(['queued', 'duplicate']).toContain(items.find(({ path }) => path.endsWith('b.pdf'))?.state);
  }
  await end();
  quiet.forEach((spy) => spy.mockRestore());
  const secretHash = (await sniffFile(join(secret, 'a.pdf'))) as { sha256: string };
  expect(await app.ctx.files.stat(`originals/${secretHash.sha256}`)).toBeNull();
});

test('the whole command reports a swapped file and goes on', async () => {
  await lay();
  const collected = await collectFiles([intake]);
  await swap.folder();
  await rm(join(intake, 'a.pdf'));
  await writeFile(join(intake, 'a.pdf'), 'no deck');
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => {});
  const quarantine = join(folder, `quarantine-${count}`);
  await runIngest(app.ctx, { ...collected, matched: null }, { quarantine });
  log.mockRestore();
  quiet.mockRestore();
  process.exitCode = 0;
  expect(lines.map((line) => line.split(' ')[0])).toEqual(['refused', 'failed']);
  expect(await readdir(quarantine)).toHaveLength(2);
});
