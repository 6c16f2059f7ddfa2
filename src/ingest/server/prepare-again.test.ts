import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addPerson } from '../../../tests/people.ts';
import { smallPdf } from '../../../tests/small-pdf.ts';
import { openTestApp, type TestApp } from '../../../tests/test-app.ts';
import { documents, files, pages } from '../../library/server/tables.ts';
import { openDatabase } from '../../platform/db/client.ts';
import { EXIT, runCommandLine } from '../../platform/command-line.ts';
import { startWorkers } from '../../platform/jobs/jobs.ts';
import { expectOk } from '../../protocol/call.ts';
import { getDetail } from '../../reading/contract.ts';
import { searchJobs } from '../../search/server/jobs.ts';
import { ingestCommands } from './commands.ts';
import { ingestFiles } from './ingest-files.ts';
import { ingestJobs } from './jobs.ts';
import { prepareStoredFile } from './prepare-stored-file.ts';
import { prepareAgain, retryFiles } from './retry-files.ts';
import { selectFile } from './store.ts';
import { selectItems } from './store-items.ts';
import { beginStep } from './store-steps.ts';

let app: TestApp;
let folder: string;
let token: string;
const attempt = { number: 1, isLast: true, signal: undefined };

beforeAll(async () => {
  app = await openTestApp();
  folder = await mkdtemp(join(tmpdir(), 'ceku-again-'));
  token = (await addPerson(app)).token;
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

/** A document on the shelf, prepared by the real pipeline, and all that is known and shown of it. */
async function shelved(name: string) {
  await writeFile(join(folder, `${name}.pdf`), smallPdf(name, 3));
  const { batchId } = await ingestFiles(app.ctx, { paths: [join(folder, `${name}.pdf`)], factsOf: () => null });
  const [item] = await selectItems(app.ctx.db, batchId, 1, 0);
  const fileId = item?.fileId ?? 0;
  await prepareStoredFile(app.ctx, fileId, attempt);
  return { fileId, documentId: item?.documentId ?? 0, before: await stateOf(fileId) };
}

async function stateOf(fileId: number) {
  const { db } = app.ctx;
  const file = await selectFile(db, fileId);
  const [document] = await db.select().from(documents).where(eq(documents.fileId, fileId));
  const shown = await db.select().from(pages).where(eq(pages.fileId, fileId)).orderBy(pages.pageNumber);
  return { state: file?.state, pageCount: file?.pageCount, hasStrip: file?.hasStrip, document, shown };
}

async function again(fileId: number): Promise<void> {
  const file = await selectFile(app.ctx.db, fileId);
  if (!file) throw new Error('no file');
  await prepareAgain(app.ctx, file);
}

test('a document on the shelf stays as it was when its file cannot be prepared again', async () => {
  const { fileId, documentId, before } = await shelved('Stays');
  const file = await selectFile(app.ctx.db, fileId);
  await app.ctx.files.remove(`originals/${file?.sha256}`);
  await again(fileId);
  await prepareStoredFile(app.ctx, fileId, attempt);
  expect(await stateOf(fileId)).toEqual(before);
  expect(await selectFile(app.ctx.db, fileId)).toMatchObject({ failureCode: 'unreadable' });
  const { detail } = expectOk(await app.call(getDetail, { fid: documentId }, token));
  expect(detail).toMatchObject({ preview_pending: 0, has_words: 1 });
  expect(detail.page_urls).toHaveLength(3);
});

test('nor does one that ends the program again and again leave the shelf; --retry-failed tries it once more', async () => {
  const { fileId, before } = await shelved('Breaks');
  await again(fileId);
  for (let kill = 0; kill < 8; kill++) await beginStep(app.ctx.db, fileId, 'convert');
  await prepareStoredFile(app.ctx, fileId, attempt);
  expect(await stateOf(fileId)).toEqual(before);
  // The job of `again` was not taken by anyone: it would keep the file from being queued once more.
  await app.ctx.db.execute(sql`select graphile_worker.remove_job(${`prepare-file:${fileId}`})`);
  expect(await retryFiles(app.ctx, ['waiting', 'pending-preview'])).not.toContain(fileId);
  expect(await retryFiles(app.ctx, ['failed'])).toContain(fileId);
});

test('ceku convert --document says that it failed, and what it is that stayed', async () => {
  const { fileId, documentId, before } = await shelved('Said');
  const file = await selectFile(app.ctx.db, fileId);
  await app.ctx.files.remove(`originals/${file?.sha256}`);
  const failed = await convert('--document', String(documentId));
  expect(failed.code).toBe(EXIT.partial);
  expect(failed.said).toContain(`document ${documentId}: the file cannot be read from disk`);
  expect(failed.said).toContain('stays on the shelf');
  expect(await stateOf(fileId)).toEqual(before);
  await app.ctx.files.put(`originals/${file?.sha256}`, join(folder, 'Said.pdf'));
  expect(await convert('--document', String(documentId))).toMatchObject({ code: EXIT.ok });
  const [row] = await app.ctx.db.select().from(files).where(eq(files.id, fileId));
  expect(row).toMatchObject({ state: 'ready', failureCode: null, failureDetail: null });
});

async function convert(...words: string[]): Promise<{ code: number; said: string }> {
  let said = '';
  const out = vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((said += String(text)), true));
  const spies = (['log', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((text) => void (said += `${String(text)}\n`)),
  );
  const exitCode = process.exitCode;
  process.exitCode = 0;
  try {
    const program = new Command('ceku');
    ingestCommands(program, async (work) => {
      const { ctx } = app;
      const { pool, close } = openDatabase(app.databaseUrl, { max: 5, log: ctx.log });
      const jobs = [...searchJobs, ...ingestJobs];
      const workers = await startWorkers({ url: app.databaseUrl, pool, jobs, ctx, concurrency: 1, log: ctx.log });
      try {
        return await work(ctx);
      } finally {
        await workers.stop();
        await close();
      }
    });
    return { code: await runCommandLine(program, ['convert', ...words]), said };
  } finally {
    process.exitCode = exitCode;
    out.mockRestore();
    for (const spy of spies) spy.mockRestore();
  }
}
