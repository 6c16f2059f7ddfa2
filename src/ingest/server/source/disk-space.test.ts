import { mkdir, rename, rmdir, writeFile } from 'node:fs/promises';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { smallPdf } from '../../../../tests/small-pdf.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { EXIT } from '../../../platform/command-line.ts';
import { JobPostponed } from '../../../platform/jobs/postpone.ts';
import { files } from '../../../library/server/tables.ts';
import { ingestFiles } from '../intake/ingest-files.ts';
import { prepareStoredFile } from '../steps/prepare-stored-file.ts';
import { selectFile } from '../store/files.ts';
import { selectItems } from '../store/items.ts';

let app: TestApp;
const TMPDIR = tmpdir();
const lastTry = { number: 3, isLast: true, signal: undefined };
beforeAll(async () => {
  app = await openTestApp();
});
afterEach(() => {
  process.env['TMPDIR'] = TMPDIR;
});
afterAll(() => app.close());

async function accept(name: string) {
  await writeFile(join(app.folder, name), smallPdf(name));
  const { batchId } = await ingestFiles(app.ctx, { paths: [join(app.folder, name)], factsOf: () => null });
  const itemOf = async () => (await selectItems(app.ctx.db, batchId, 1, 0))[0];
  return { id: (await itemOf())?.fileId ?? 0, itemOf };
}

test('without a temporary folder a file waits with a message, and is prepared once the folder exists', async () => {
  const { id, itemOf } = await accept('no-tmp.pdf');
  process.env['TMPDIR'] = join(app.folder, 'missing');
  await expect(prepareStoredFile(app.ctx, id, lastTry)).rejects.toThrow(JobPostponed);
  expect(await itemOf()).toMatchObject({ state: 'queued', reasonCode: 'no-disk-space', finishedAt: null });
  expect((await itemOf())?.message).toContain('the temporary folder');
  process.env['TMPDIR'] = TMPDIR;
  await prepareStoredFile(app.ctx, id, lastTry);
  expect(await itemOf()).toMatchObject({ state: 'published', reasonCode: null, message: '' });
});

test('a file that needs more disk space than is free waits; no step has started', async () => {
  const { id, itemOf } = await accept('huge.pdf');
  await app.ctx.db.update(files).set({ sizeBytes: 1e15 }).where(eq(files.id, id));
  await expect(prepareStoredFile(app.ctx, id, lastTry)).rejects.toThrow('the data folder');
  expect(await itemOf()).toMatchObject({ state: 'queued', reasonCode: 'no-disk-space' });
});

test.each(['not there', 'empty'])(
  'a file waits while the folder of the stored files is %s, as a disk that is not mounted',
  async (state) => {
    const { id, itemOf } = await accept(`${state}.pdf`);
    const folder = join(app.dataDir, 'files');
    await rename(folder, `${folder}-away`);
    if (state === 'empty') await mkdir(folder);
    await expect(prepareStoredFile(app.ctx, id, lastTry)).rejects.toThrow(JobPostponed);
    if (state === 'empty') await rmdir(folder);
    await rename(`${folder}-away`, folder);
    expect(await itemOf()).toMatchObject({ state: 'queued', message: expect.stringContaining('not mounted') });
    await prepareStoredFile(app.ctx, id, lastTry);
    expect(await itemOf()).toMatchObject({ state: 'published' });
  },
);

test('a disk that fills up during preparation is not a failure, even in the last attempt', async () => {
  const { id, itemOf } = await accept('fills-up.pdf');
  const full = prepareStoredFile(app.ctx, id, lastTry, {
    onStep(step, edge) {
      if (step === 'render' && edge === 'made')
        throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    },
  });
  await expect(full).rejects.toThrow(JobPostponed);
  expect(await itemOf()).toMatchObject({ state: 'queued', reasonCode: 'no-disk-space' });
  expect((await selectFile(app.ctx.db, id))?.state).toBe('waiting');
  await prepareStoredFile(app.ctx, id, lastTry);
  expect(await itemOf()).toMatchObject({ state: 'published' });
});

/** A small disk of its own takes a mount namespace, which not every machine gives. */
const MOUNTED = [
  '-rm',
  'sh',
  '-c',
  'mkdir -p "$1" && mount -t tmpfs -o size=8m tmpfs "$1" && touch "$1/ceku.store" && shift && exec "$@"',
  'sh',
];
const canMount = spawnSync('unshare', [...MOUNTED, join(TMPDIR, 'ceku-mount'), 'true']).status === 0;
const CLI = fileURLToPath(new URL('../../../../bin/ceku', import.meta.url));

async function ceku(small: 'TMPDIR' | 'DATA_DIR' | 'DATA_DIR/files' | null, ...argv: string[]) {
  const places = { TMPDIR, DATA_DIR: app.dataDir };
  if (small === 'TMPDIR' || small === 'DATA_DIR') places[small] = join(app.folder, `small-${small}`);
  const disk = small === 'DATA_DIR/files' ? join(places.DATA_DIR, 'files') : small && places[small];
  const command = [process.execPath, CLI, ...argv];
  const [program = '', ...args] = disk ? ['unshare', ...MOUNTED, disk, ...command] : command;
  const env = { ...process.env, ...places, DATABASE_URL: app.databaseUrl, NODE_ENV: 'production', DEMO: 'off' };
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const [code] = await once(child, 'close');
  return { code: code as number | null, out, err };
}

test.skipIf(!canMount)(
  'a full disk ends an ingest with 73 and a message; the same command continues',
  { timeout: 120_000 },
  async () => {
    const { id, itemOf } = await accept('queued.pdf');
    const path = join(app.folder, 'command.pdf');
    await writeFile(path, smallPdf('Command', 2));
    const noData = await ceku('DATA_DIR', 'ingest', path, '--no-quarantine');
    expect(noData).toMatchObject({ code: EXIT.cannotCreate, err: expect.stringContaining('the data folder') });
    const noFiles = await ceku('DATA_DIR/files', 'ingest', path, '--no-quarantine');
    expect(noFiles).toMatchObject({ code: EXIT.cannotCreate, err: expect.stringContaining('stored files') });
    const noTemp = await ceku('TMPDIR', 'ingest', path, '--no-quarantine');
    expect(noTemp).toMatchObject({ code: EXIT.cannotCreate, err: expect.stringContaining('the temporary folder') });
    // A file that was accepted before keeps waiting, and the postponed job used no attempt.
    const queued = await ceku('TMPDIR', 'ingest', join(app.folder, 'queued.pdf'), '--no-quarantine');
    expect(queued).toMatchObject({ code: EXIT.cannotCreate, out: expect.stringMatching(/^queued /) });
    const tries = sql`select attempts from graphile_worker.jobs where key = ${`prepare-file:${id}`}`;
    expect((await app.ctx.db.execute(tries)).rows).toEqual([{ attempts: 0 }]);
    await app.ctx.db.execute(
      sql`select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs`,
    );
    const enough = await ceku(null, 'ingest', path, '--no-quarantine');
    expect(enough).toMatchObject({ code: EXIT.ok, out: expect.stringContaining('published') });
    await expect.poll(itemOf, { timeout: 30_000 }).toMatchObject({ state: 'published' });
  },
);
