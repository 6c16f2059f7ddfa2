import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { smallPdf } from '../../../../tests/small-pdf.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { EXIT, runCommandLine } from '../../../platform/command-line.ts';
import { openDatabase, rowsOf } from '../../../platform/db/client.ts';
import { startWorkers } from '../../../platform/jobs/jobs.ts';
import { ingestCommands } from '../intake/commands.ts';
import { ingestFiles } from '../intake/ingest-files.ts';
import { ingestJobs, prepareFileJob } from './jobs.ts';
import { selectFile } from '../store/files.ts';
import { selectItems } from '../store/items.ts';
import { selectOpenFiles } from '../store/problems.ts';

let app: TestApp;
let stop: () => Promise<void>;
beforeAll(async () => {
  app = await openTestApp();
  const database = openDatabase(app.databaseUrl, { max: 5, log: app.ctx.log });
  const { ctx } = app;
  const options = { url: app.databaseUrl, pool: database.pool, jobs: ingestJobs, ctx, concurrency: 1, log: ctx.log };
  const workers = await startWorkers(options);
  stop = async () => {
    await workers.stop();
    await database.close();
  };
});
afterEach(() => {
  process.exitCode = undefined;
});
afterAll(async () => {
  await stop();
  await app.close();
});

async function ceku(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' };
  const out = vi.spyOn(console, 'log').mockImplementation((text: string) => void (said.out += `${text}\n`));
  const err = vi.spyOn(console, 'error').mockImplementation((text: string) => void (said.err += `${text}\n`));
  try {
    const program = new Command('ceku');
    ingestCommands(program, (work) => work(app.ctx));
    return { code: await runCommandLine(program, argv), ...said };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

async function accept(name: string) {
  await writeFile(join(app.folder, name), smallPdf(name));
  const { batchId } = await ingestFiles(app.ctx, { paths: [join(app.folder, name)], factsOf: () => null });
  const [item] = await selectItems(app.ctx.db, batchId, 1, 0);
  const fileId = item?.fileId ?? 0;
  await expect.poll(async () => (await selectOpenFiles(app.ctx.db, [fileId])).length, { timeout: 10_000 }).toBe(0);
  return { fileId, document: String(item?.documentId) };
}

test('convert waits for its files, prints their results, and ends with 1 when a file failed', async () => {
  // A job of another command, which waits for another hour.
  await app.ctx.jobs.add(prepareFileJob, { fileId: 999_999 }, { key: 'prepare-file:999999', afterSeconds: 3_600 });
  const good = await accept('good.pdf');
  const again = await ceku('convert', '--document', good.document);
  expect(again).toMatchObject({ code: EXIT.ok, out: `prepared  good.pdf document ${good.document}\n` });
  expect(again.err).toContain('1 prepared.');

  const bad = await accept('bad.pdf');
  const file = await selectFile(app.ctx.db, bad.fileId);
  await app.ctx.files.remove(`originals/${file?.sha256}`);
  const failed = await ceku('convert', '--document', bad.document);
  expect(failed).toMatchObject({ code: EXIT.partial, out: expect.stringContaining('failed    bad.pdf') });
  expect(failed.err).toContain('1 failed.');
});

test('control characters of a file name are not printed to the terminal', async () => {
  const odd = await accept('a\u001b]0;owned\u0007\u202e.pdf');
  const again = await ceku('convert', '--document', odd.document);
  expect(again.out).toBe(`prepared  a\ufffd]0;owned\ufffd\ufffd.pdf document ${odd.document}\n`);
});

test('convert also waits for and reports files that an earlier command queued', async () => {
  const bad = await accept('interrupted.pdf');
  const file = await selectFile(app.ctx.db, bad.fileId);
  await app.ctx.files.remove(`originals/${file?.sha256}`);
  expect((await ceku('convert', '--document', bad.document)).code).toBe(EXIT.partial);
  // A command that was stopped right after it had queued them.
  await app.ctx.db.execute(sql`update ingest_batches set finished_at = now()`);
  await app.ctx.db.execute(sql`update files set state = 'waiting', failure_code = null where id = ${bad.fileId}`);
  await app.ctx.jobs.add(
    prepareFileJob,
    { fileId: bad.fileId },
    { key: `prepare-file:${bad.fileId}`, afterSeconds: 1 },
  );
  const again = await ceku('convert', '--retry-failed');
  expect(again).toMatchObject({ code: EXIT.partial, out: expect.stringContaining('failed    interrupted.pdf') });
  expect(again.err).toContain(' 1 already queued.');
});

test('convert --retry-failed counts the failed files that it does not try again', async () => {
  const hopeless = await accept('hopeless.pdf');
  await app.ctx.db.execute(sql`update files set state = 'ready', failure_code = null`);
  await app.ctx.db.execute(
    sql`update files set state = 'failed', failure_code = 'corrupt' where id = ${hopeless.fileId}`,
  );
  const { code, err } = await ceku('convert', '--retry-failed');
  expect(code).toBe(EXIT.ok);
  expect(err).toContain('0 files queued');
  expect(err).toContain('Not tried again, because the fault is in the file itself: 1 failed.\n');
});

test('convert with nothing to do succeeds and says so', async () => {
  await app.ctx.db.execute(sql`update files set state = 'ready', failure_code = null`);
  expect(await ceku('convert', '--retry-failed')).toMatchObject({ code: EXIT.ok, out: '' });
});

test('a file whose job disappeared without a result counts as failed', async () => {
  const path = join(app.folder, 'abandoned.pdf');
  await writeFile(path, smallPdf('Abandoned'));
  const key = sql`select key from graphile_worker.jobs where key like 'prepare-file:%' and key <> 'prepare-file:999999'`;
  // A job that no worker of this test takes, until the test removes it.
  await app.ctx.db.execute(sql`create function hold() returns trigger language plpgsql as
    $$ begin new.run_at := now() + interval '1 hour'; return new; end $$`);
  await app.ctx.db.execute(
    sql`create trigger hold before insert on graphile_worker._private_jobs for each row execute function hold()`,
  );
  const ended = ceku('ingest', path, '--no-quarantine');
  await expect.poll(async () => (await rowsOf(app.ctx.db, key)).length, { timeout: 10_000 }).toBe(1);
  const [job] = await rowsOf<{ key: string }>(app.ctx.db, key);
  await app.ctx.db.execute(sql`select graphile_worker.remove_job(${job?.key})`);
  expect(await ended).toMatchObject({
    code: EXIT.partial,
    out: expect.stringMatching(/^failed .*ended without a result/),
  });
});
