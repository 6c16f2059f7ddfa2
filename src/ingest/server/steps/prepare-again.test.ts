import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addPerson } from '../../../../tests/people.ts';
import { smallPdf } from '../../../../tests/small-pdf.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { transact } from '../../../context.ts';
import { documents, files, pages } from '../../../library/server/tables.ts';
import { openDatabase, rowsOf } from '../../../platform/db/client.ts';
import { EXIT, runCommandLine } from '../../../platform/command-line.ts';
import { startWorkers } from '../../../platform/jobs/jobs.ts';
import { expectOk } from '../../../protocol/call.ts';
import { getDetail } from '../../../reading/contract.ts';
import { searchDocuments } from '../../../search/contract.ts';
import { searchJobs } from '../../../search/server/jobs.ts';
import { upsertPageEntries, selectUnindexedPages } from '../../../search/server/indexing/store-pages.ts';
import { ingestCommands } from '../intake/commands.ts';
import { ingestFiles } from '../intake/ingest-files.ts';
import { ingestJobs } from './jobs.ts';
import { prepareStoredFile } from './prepare-stored-file.ts';
import { prepareAgain, retryFiles } from './retry-files.ts';
import { selectFile } from '../store/files.ts';
import { selectItems } from '../store/items.ts';
import { upsertStepStarted } from '../store/steps.ts';

let app: TestApp;
let token: string;
const attempt = { number: 1, isLast: true, signal: undefined };

beforeAll(async () => {
  app = await openTestApp();
  token = (await addPerson(app)).token;
});
afterAll(() => app.close());

/** Publishes a document by the real pipeline. Returns all its facts as lists and pages show them. */
async function shelved(name: string) {
  await writeFile(join(app.folder, `${name}.pdf`), smallPdf(name, 3));
  const { batchId } = await ingestFiles(app.ctx, { paths: [join(app.folder, `${name}.pdf`)], factsOf: () => null });
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

test('a published document stays as it was when preparing its file again fails', async () => {
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

test('a document whose preparation kills the process stays published; --retry-failed tries again', async () => {
  const { fileId, before } = await shelved('Breaks');
  await again(fileId);
  for (let kill = 0; kill < 8; kill++) await upsertStepStarted(app.ctx.db, fileId, 'convert');
  await prepareStoredFile(app.ctx, fileId, attempt);
  expect(await stateOf(fileId)).toEqual(before);
  // The job of `again` was not taken by anyone: it would keep the file from being queued once more.
  await app.ctx.db.execute(sql`select graphile_worker.remove_job(${`prepare-file:${fileId}`})`);
  expect(await retryFiles(app.ctx, ['waiting', 'pending-preview'])).not.toContain(fileId);
  expect(await retryFiles(app.ctx, ['failed'])).toContain(fileId);
});

test('ceku convert --document reports the failure and that the document stays published', async () => {
  const { fileId, documentId, before } = await shelved('Said');
  const file = await selectFile(app.ctx.db, fileId);
  await app.ctx.files.remove(`originals/${file?.sha256}`);
  const failed = await convert('--document', String(documentId));
  expect(failed.code).toBe(EXIT.partial);
  expect(failed.said).toContain(`document ${documentId}: the file cannot be read`);
  expect(failed.said).toContain('stays published');
  expect(await stateOf(fileId)).toEqual(before);
  await app.ctx.files.put(`originals/${file?.sha256}`, join(app.folder, 'Said.pdf'));
  expect(await convert('--document', String(documentId))).toMatchObject({ code: EXIT.ok });
  const [row] = await app.ctx.db.select().from(files).where(eq(files.id, fileId));
  expect(row).toMatchObject({ state: 'ready', failureCode: null, failureDetail: null });
});

test('ceku convert --outdated-images draws only files without the larger sizes, once', async () => {
  const { fileId, documentId } = await shelved('Older');
  const { fileId: sharp } = await shelved('Sharp');
  const { fileId: kept } = await shelved('Kept');
  // Their own jobs from when they came in: a file with an open job is left to it.
  await runJobs();
  const { db } = app.ctx;
  await db.execute(sql`update files set images_version = 1, cover_widths = '{480}' where id in (${fileId}, ${kept})`);
  await db.execute(sql`update pages set large_width = 0 where file_id in (${fileId}, ${kept})`);
  await db.execute(
    sql`update ingest_steps set detail = detail || '{"kept": "fonts"}' where file_id = ${kept} and step = 'render'`,
  );
  const others = () => rowsOf(db, sql`select * from ingest_steps where file_id in (${sharp}, ${kept}) order by 1, 2`);
  const steps = await others();
  const detail = async () => expectOk(await app.call(getDetail, { fid: documentId }, token)).detail;
  expect(await detail()).toMatchObject({ page_urls_2x: ['', '', ''], page_urls: { length: 3 } });
  expect((await detail()).cover_srcset).not.toContain('960');

  const first = await convert('--outdated-images');
  expect(first).toMatchObject({ code: EXIT.ok });
  expect(first.said).toContain('1 file queued');
  expect(first.said).toContain(`document ${documentId}`);
  const { page_urls_2x: large, cover_srcset: covers } = await detail();
  expect(large.every((url) => url.includes('-2x.webp'))).toBe(true);
  expect(covers).toContain('cover-1600.webp 1600w');
  expect(await others()).toEqual(steps);
  expect((await convert('--outdated-images')).said).toContain('0 files queued');
  expect((await convert('--outdated-images', '--retry-failed')).code).toBe(EXIT.usage);
});

test('search finds the new text of a document prepared again, and no longer the old text', async () => {
  const { fileId, documentId } = await shelved('Zeppelin');
  const token = await subscriber();
  const found = async (word: string) => {
    app.clock.offsetMs += 1_001;
    const { item_list } = expectOk(await app.call(searchDocuments, { search_key: word }, token));
    return item_list
      .filter(({ id }) => id === documentId)
      .flatMap(({ page_hits }) => page_hits.map(({ page }) => page));
  };
  await runJobs();
  expect(await found('zeppelin')).toEqual([2, 3]);
  expect(await found('gondola')).toEqual([]);

  // The same content read another way, as by a better converter.
  const { sha256 = '' } = (await selectFile(app.ctx.db, fileId)) ?? {};
  await writeFile(join(app.folder, 'other.pdf'), smallPdf('Gondola', 2));
  await app.ctx.files.put(`originals/${sha256}`, join(app.folder, 'other.pdf'));
  expect(await convert('--document', String(documentId))).toMatchObject({ code: EXIT.ok });
  await runJobs();
  expect(await found('gondola')).toEqual([2, 1]);
  expect(await found('zeppelin')).toEqual([]);
});

test('a document prepared again with the same text is not written to search again', async () => {
  const { fileId, documentId } = await shelved('Steady');
  await runJobs();
  const before = await searchRowsOf(fileId, documentId);
  expect(before).toMatchObject({ entry: expect.any(String), changed: expect.any(String), pages: { length: 3 } });
  expect(await convert('--document', String(documentId))).toMatchObject({ code: EXIT.ok });
  await runJobs();
  expect(await searchRowsOf(fileId, documentId)).toEqual(before);
});

test('an indexing job that read the old text does not overwrite the new text', async () => {
  const { fileId } = await shelved('Race');
  await runJobs();
  const { db } = app.ctx;
  await db.execute(sql`delete from page_entries where file_id = ${fileId}`);
  const read = await selectUnindexedPages(db, [fileId], 10);
  const { indexing } = await transact(app.ctx, async (tx) => {
    await tx.db.execute(sql`update pages set text = 'Later' where file_id = ${fileId} and page_number = 2`);
    const indexing = upsertPageEntries(
      db,
      read.map((page) => ({ ...page, tokens: `'old'` })),
    );
    await expect
      .poll(async () => (await rowsOf(db, sql`select from pg_locks where not granted`)).length, { timeout: 30_000 })
      .toBeGreaterThan(0);
    return { indexing };
  });
  await indexing;
  expect((await selectUnindexedPages(db, [fileId], 10)).map(({ page }) => page)).toEqual([2]);
});

/** The transactions that last wrote what search knows of a document. */
async function searchRowsOf(fileId: number, documentId: number) {
  const [row] = await rowsOf<{ entry: string; changed: string; pages: string[] }>(
    app.ctx.db,
    sql`select (select xmin::text from search_entries where document_id = ${documentId}) as entry,
      (select noted_in::text from search_changes where document_id = ${documentId}) as changed,
      (select array_agg(xmin::text order by page_number) from page_entries where file_id = ${fileId}) as pages`,
  );
  return row;
}

async function subscriber(): Promise<string> {
  const { id, token: theirs } = await addPerson(app);
  await app.ctx.db.execute(
    sql`insert into memberships (user_id, standard_end_at) values (${id}, now() + interval '30 days')`,
  );
  return theirs;
}

/** Until none is left. */
async function runJobs(): Promise<void> {
  const open = sql`select from graphile_worker.jobs where run_at <= now() and attempts < max_attempts`;
  await withWorkers(() =>
    expect.poll(async () => (await rowsOf(app.ctx.db, open)).length, { timeout: 20_000 }).toBe(0),
  );
}

async function withWorkers<T>(work: () => Promise<T>): Promise<T> {
  const { ctx } = app;
  const { pool, close } = openDatabase(app.databaseUrl, { max: 5, log: ctx.log });
  const jobs = [...searchJobs, ...ingestJobs];
  const workers = await startWorkers({ url: app.databaseUrl, pool, jobs, ctx, concurrency: 1, log: ctx.log });
  try {
    return await work();
  } finally {
    await workers.stop();
    await close();
  }
}

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
    ingestCommands(program, (work) => withWorkers(() => work(app.ctx)));
    return { code: await runCommandLine(program, ['convert', ...words]), said };
  } finally {
    process.exitCode = exitCode;
    out.mockRestore();
    for (const spy of spies) spy.mockRestore();
  }
}
