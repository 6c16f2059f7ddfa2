import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asc, eq, sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addPerson } from '../tests/people.ts';
import { smallPdf } from '../tests/small-pdf.ts';
import { openTestApp, type TestApp } from '../tests/test-app.ts';
import { deckOf } from '../tests/samples/deck.ts';
import { missingFaces } from '../src/ingest/server/convert/drawn-fonts.ts';
import { prepareStoredFile } from '../src/ingest/server/steps/prepare-stored-file.ts';
import { prepareAgain } from '../src/ingest/server/steps/retry-files.ts';
import { selectFile } from '../src/ingest/server/store/files.ts';
import { selectOutcomes } from '../src/ingest/server/store/problems.ts';
import { findConverter } from '../src/ingest/server/convert/soffice.ts';
import { prepareFileJob } from '../src/ingest/server/steps/jobs.ts';
import { selectSteps } from '../src/ingest/server/store/steps.ts';
import { documents, files, pages } from '../src/library/server/tables.ts';
import { expectOk } from '../src/protocol/call.ts';
import { getDetail } from '../src/reading/contract.ts';
import { completeDemo } from './complete-pack.ts';
import { loadDemoPack } from './load-pack.ts';

let app: TestApp;
let folder: string;
const options = () => ({ folder, afterUptimeSeconds: 0 });

beforeEach(async () => {
  app = await openTestApp();
  folder = await mkdtemp(join(tmpdir(), 'ceku-pack-'));
  await mkdir(join(folder, 'files'));
});
afterEach(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

/** Loads a pack of these files, with previews of low resolution like those of the pack. */
async function loadPack(decks: Record<string, Uint8Array>): Promise<void> {
  const rows = ['file,name,themes,industry,organization,keyword,price,date,type,researcher'];
  for (const [name, bytes] of Object.entries(decks)) {
    await writeFile(join(folder, 'files', name), bytes);
    const previews = join(folder, 'previews', createHash('sha256').update(bytes).digest('hex').slice(0, 16));
    await mkdir(previews, { recursive: true });
    const image = await sharp({ create: { width: 48, height: 27, channels: 3, background: '#c33' } })
      .webp()
      .toBuffer();
    for (const file of ['cover.webp', 'p1.webp', 'p2.webp']) await writeFile(join(previews, file), image);
    const page = (number: number) => ({ number, width: 1280, height: 720, text: name, image: `p${number}.webp` });
    const facts = { fileType: name.split('.')[1], pageCount: 2, pages: [page(1), page(2)], outline: [] };
    const cover = { image: 'cover.webp', width: 480, height: 270, color: '#cc3333' };
    const rest = { textExcerpt: '', pdf: null, flags: [] };
    await writeFile(join(previews, 'prepared.json'), JSON.stringify({ ...facts, cover, ...rest }));
    rows.push(`files/${name},云栖里${name}游园会,节日营销,房地产,青禾社,"中秋,游园",12,2026-09-01,策划方案,林溪`);
  }
  await writeFile(join(folder, 'manifest.csv'), rows.join('\n'));
  await loadDemoPack(app.ctx, () => undefined, folder);
}

/** Returns all rows of documents without the fields that a preparation may improve. */
async function publishedDocuments() {
  const { db } = app.ctx;
  const rows = await db.select().from(documents).orderBy(asc(documents.id));
  return rows.map((row) => ({ ...row, updatedAt: null }));
}

const filesByDocument = () =>
  app.ctx.db
    .select({ id: files.id, state: files.state, hasStrip: files.hasStrip, failureCode: files.failureCode })
    .from(files)
    .innerJoin(documents, eq(documents.fileId, files.id))
    .orderBy(asc(documents.id));

test('the demo documents get sharp pages, thumbnails and words, in their order, and stay what they are called', async () => {
  await loadPack({ 'b.pdf': smallPdf('B', 2), 'a.pdf': smallPdf('A', 2) });
  const before = await publishedDocuments();
  expect(await completeDemo(app.ctx, options())).toBe(2);
  expect(await publishedDocuments()).toEqual(before);
  expect(before.map(({ state }) => state)).toEqual(['published', 'published']);
  const rows = await filesByDocument();
  expect(rows).toMatchObject([
    { state: 'ready', hasStrip: true },
    { state: 'ready', hasStrip: true },
  ]);
  const starts = await Promise.all(rows.map(async ({ id }) => (await selectSteps(app.ctx.db, id)).length));
  expect(starts).toEqual([7, 7]);
  const { token } = await addPerson(app);
  const { detail } = expectOk(await app.call(getDetail, { fid: before[0]?.id }, token));
  expect(detail).toMatchObject({ has_words: 1, preview_pending: 0, name: '云栖里b.pdf游园会' });
  expect(detail.strip_url).not.toBe('');
  const [page] = await app.ctx.db
    .select()
    .from(pages)
    .where(eq(pages.fileId, rows[0]?.id ?? 0))
    .limit(1);
  const [file] = await app.ctx.db
    .select()
    .from(files)
    .where(eq(files.id, rows[0]?.id ?? 0));
  const image = await readStored(`media/${file?.mediaKey}/${page?.imageName}.webp`);
  expect((await sharp(image).metadata()).width).toBe(1280);
});

test('a second run finds nothing to do', async () => {
  await loadPack({ 'once.pdf': smallPdf('Once', 2) });
  expect(await completeDemo(app.ctx, options())).toBe(1);
  const [file] = await filesByDocument();
  const steps = await selectSteps(app.ctx.db, file?.id ?? 0);
  expect(await completeDemo(app.ctx, options())).toBe(0);
  expect(await selectSteps(app.ctx.db, file?.id ?? 0)).toEqual(steps);
});

test('a file that fails stays published as it was, does not stop the others, and is skipped after three failures', async () => {
  // Pages of one point: nothing that could be drawn.
  const tiny = Buffer.from(smallPdf('Torn', 2).toString('latin1').replaceAll('720 405', '001 001'), 'latin1');
  await loadPack({
    'gone.pdf': smallPdf('Gone', 2),
    'good.pdf': smallPdf('Good', 2),
    'torn.pdf': tiny,
  });
  const before = await publishedDocuments();
  const shown = await app.ctx.db.select().from(pages).orderBy(pages.fileId, pages.pageNumber);
  for (let run = 0; run < 4; run++) await completeDemo(app.ctx, options());
  expect(await publishedDocuments()).toEqual(before);
  const rows = await filesByDocument();
  expect(rows).toMatchObject([{ hasStrip: true }, { hasStrip: true }, { state: 'ready', hasStrip: false }]);
  expect(rows[2]?.failureCode).not.toBeNull();
  const torn = rows[2]?.id ?? 0;
  const now = await app.ctx.db.select().from(pages).where(eq(pages.fileId, torn)).orderBy(pages.pageNumber);
  expect(now).toEqual(shown.filter(({ fileId }) => fileId === torn));
  const render = (await selectSteps(app.ctx.db, torn)).find(({ step }) => step === 'render');
  expect(render).toMatchObject({ state: 'failed', attempts: 3 });
});

test('it waits while an operator ingests files, and a stop ends it at once', async () => {
  await loadPack({ 'waits.pdf': smallPdf('Waits', 2) });
  await app.ctx.jobs.add(prepareFileJob, { fileId: 999 }, { key: 'prepare-file:999' });
  const stop = new AbortController();
  const work = completeDemo(app.ctx, { ...options(), signal: stop.signal });
  const ended = work.then(
    () => 'done',
    () => 'stopped',
  );
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await filesByDocument()).toMatchObject([{ hasStrip: false }]);
  stop.abort();
  expect(await ended).toBe('stopped');
  await app.ctx.db.execute(sql`select graphile_worker.remove_job('prepare-file:999')`);
  expect(await completeDemo(app.ctx, options())).toBe(1);
});

test.skipIf(findConverter() === null)(
  'an interrupted run leaves no work folder; the next run continues, and LibreOffice converts each deck once',
  { timeout: 90_000 },
  async () => {
    const slides = [{ title: '一' }, { title: '二' }];
    await loadPack({ 'deck.pptx': deckOf({ slides }) });
    const before = await publishedDocuments();
    const stop = new AbortController();
    const work = completeDemo(app.ctx, { ...options(), signal: stop.signal });
    const ended = work.then(
      () => 'done',
      () => 'stopped',
    );
    const [file] = await filesByDocument();
    const convert = async () => (await selectSteps(app.ctx.db, file?.id ?? 0)).find(({ step }) => step === 'convert');
    await expect.poll(async () => (await convert())?.state, { timeout: 40_000, interval: 20 }).toBe('done');
    stop.abort();
    expect(await ended).toBe('stopped');
    // The box of the warm renderer goes with it, some seconds later.
    await expect.poll(workFolders, { timeout: 30_000 }).toEqual([]);
    await completeDemo(app.ctx, options());
    expect(await convert()).toMatchObject({ state: 'done', attempts: 1 });
    expect(await filesByDocument()).toMatchObject([{ state: 'ready', hasStrip: true }]);
    expect(await publishedDocuments()).toEqual(before);
  },
);

const lacksSmiley = (await missingFaces(['Smiley Sans'])).length > 0;

test.skipIf(findConverter() === null || !lacksSmiley)(
  'where its fonts are missing a deck keeps its page images, in the background and by command; --redraw draws them',
  { timeout: 120_000 },
  async () => {
    const more =
      '<p:sp><p:txBody><a:p><a:r><a:rPr><a:latin typeface="Smiley Sans"/></a:rPr><a:t>灯会</a:t></a:r></a:p></p:txBody></p:sp>';
    await loadPack({ 'lantern.pptx': deckOf({ slides: [{ title: '一', more }, { title: '二' }] }) });
    const [row] = await filesByDocument();
    const fileId = row?.id ?? 0;
    const images = async () => {
      const rows = await app.ctx.db.select().from(pages).where(eq(pages.fileId, fileId)).orderBy(pages.pageNumber);
      return rows.map(({ imageName }) => imageName);
    };
    const again = async (redraws: boolean) => {
      const file = await selectFile(app.ctx.db, fileId);
      if (file) await prepareAgain(app.ctx, file, redraws);
      await prepareStoredFile(app.ctx, fileId, { number: 1, isLast: true, signal: undefined });
      return (await selectOutcomes(app.ctx.db, [fileId]))[0];
    };
    const packed = await images();
    expect(await again(false)).toMatchObject({ isPublished: true, keptFor: ['Smiley Sans'] });
    expect(await images()).toEqual(packed);
    expect(await completeDemo(app.ctx, options())).toBe(0);
    expect(await again(true)).toMatchObject({
      isPublished: true,
      keptFor: [],
      fonts: { 'Smiley Sans': expect.any(String) },
    });
    expect(await images()).not.toEqual(packed);
  },
);

async function workFolders(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith(`ceku-ingest-${process.pid}-`));
}

function readStored(key: string): Promise<Buffer> {
  return app.ctx.files.withLocalPath(key, (path) => readFile(path));
}
