import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { smallPdf } from '../../../../tests/small-pdf.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { files, pages } from '../../../library/server/tables.ts';
import { progressOf, STEPS } from '../../steps.ts';
import { ingestFiles } from '../intake/ingest-files.ts';
import { deckOf } from '../../../../tests/samples/deck.ts';
import { prepareStoredFile } from './prepare-stored-file.ts';
import { prepareAgain } from './retry-files.ts';
import { createIngestPool, type IngestPool } from '../convert/converter-pool.ts';
import { findConverter } from '../convert/soffice.ts';
import { renderPages } from '../render/render-pages.ts';
import type { ChildJob } from '../render/child-jobs.ts';
import type { RendererSlot } from '../render/renderer-slot.ts';
import { selectFile } from '../store/files.ts';
import { selectItems } from '../store/items.ts';
import { upsertStepStarted, countSteps, selectSteps } from '../store/steps.ts';
import { ingestItems } from '../store/tables.ts';

let app: TestApp;
const attempt = { number: 1, isLast: false, signal: undefined };
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

async function accept(name: string, bytes: Uint8Array): Promise<number> {
  await writeFile(join(app.folder, name), bytes);
  const { batchId } = await ingestFiles(app.ctx, { paths: [join(app.folder, name)], factsOf: () => null });
  const [item] = await selectItems(app.ctx.db, batchId, 1, 0);
  return item?.fileId ?? 0;
}

async function attemptsOf(fileId: number): Promise<Record<string, number>> {
  const steps = await selectSteps(app.ctx.db, fileId);
  return Object.fromEntries(steps.map(({ step, attempts }) => [step, attempts]));
}

test('every step is recorded, and a second run does nothing', async () => {
  const id = await accept('whole.pdf', smallPdf('Whole', 2));
  await prepareStoredFile(app.ctx, id, attempt);
  const steps = await selectSteps(app.ctx.db, id);
  expect(steps.map(({ step }) => step).toSorted()).toEqual([...STEPS].toSorted());
  expect(new Set(steps.map(({ state }) => state))).toEqual(new Set(['done']));
  expect((await selectFile(app.ctx.db, id))?.progress).toBe(100);
  await prepareStoredFile(app.ctx, id, attempt);
  expect(await selectSteps(app.ctx.db, id)).toEqual(steps);
  expect((await countSteps(app.ctx.db)).perMinute).toBeGreaterThan(0);
});

test.skipIf(findConverter() === null)(
  'an interrupted run continues at its step: LibreOffice does not run twice',
  { timeout: 60_000 },
  async () => {
    const id = await accept('deck.pptx', deckOf({ slides: [{ title: '一' }, { title: '二' }, { title: '一' }] }));
    const cut = prepareStoredFile(app.ctx, id, attempt, {
      onStep(step, edge) {
        if (step === 'render' && edge === 'made') throw new Error('power cut');
      },
    });
    await expect(cut).rejects.toThrow('power cut');
    expect((await selectFile(app.ctx.db, id))?.progress).toBe(progressOf(new Set(['store', 'convert'])));
    await prepareStoredFile(app.ctx, id, attempt);
    expect(await attemptsOf(id)).toMatchObject({ convert: 1, render: 2, publish: 1 });
    expect(await selectFile(app.ctx.db, id)).toMatchObject({ state: 'ready', pageCount: 3, hasPdf: true });
    const rows = await app.ctx.db.select().from(pages).where(eq(pages.fileId, id)).orderBy(pages.pageNumber);
    // The first and the third page look the same, and are one stored image.
    expect(rows[2]?.imageName).toBe(rows[0]?.imageName);
    expect(rows[1]?.imageName).not.toBe(rows[0]?.imageName);
  },
);

test.skipIf(findConverter() === null)(
  'a deck whose dates could not be fixed shows those of the conversion, which is recorded; a killed child makes it wait',
  { timeout: 60_000 },
  async () => {
    const day = '<a:fld id="{B}" type="datetime1"><a:t>1999-01-02</a:t></a:fld>';
    const shape = `<p:sp><p:nvSpPr><p:cNvPr id="40" name="Day"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p>${day}</a:p></p:txBody></p:sp>`;
    const id = await accept('dated.pptx', deckOf({ slides: [{ title: '日期', more: shape }] }));
    const killed = prepareStoredFile(app.ctx, id, attempt, { pool: poolWithoutDates(false) });
    await expect(killed).rejects.toThrow('ended by SIGKILL');
    expect((await selectFile(app.ctx.db, id))?.state).not.toBe('ready');
    await prepareStoredFile(app.ctx, id, attempt, { pool: poolWithoutDates(true) });
    expect((await selectFile(app.ctx.db, id))?.state).toBe('ready');
    const convert = (await selectSteps(app.ctx.db, id)).find(({ step }) => step === 'convert');
    expect(convert?.detail).toMatchObject({ dates: 'of the conversion' });
  },
);

test('charts whose child was killed from outside are read another time; in the last run the document does without', async () => {
  const charts = async (id: number) => (await selectSteps(app.ctx.db, id)).find(({ step }) => step === 'charts')?.state;
  const pool = poolThatLoses('find-figures', false);
  const id = await accept('figures.pdf', smallPdf('Figures'));
  await expect(prepareStoredFile(app.ctx, id, attempt, { pool })).rejects.toThrow('ended by SIGKILL');
  expect((await selectFile(app.ctx.db, id))?.state).not.toBe('ready');
  await prepareStoredFile(app.ctx, id, attempt);
  expect(await charts(id)).toBe('done');

  const last = await accept('last.pdf', smallPdf('Last figures'));
  await prepareStoredFile(app.ctx, last, { ...attempt, isLast: true }, { pool });
  expect((await selectFile(app.ctx.db, last))?.state).toBe('ready');
  expect(await charts(last)).toBe('failed');
});

test('a page whose child was killed from outside is drawn another time; in the last run it has a placeholder', async () => {
  const pool = poolThatLosesPage(2);
  const id = await accept('two.pdf', smallPdf('Two', 2));
  await expect(prepareStoredFile(app.ctx, id, attempt, { pool })).rejects.toThrow('ended by SIGKILL');
  expect((await selectFile(app.ctx.db, id))?.state).not.toBe('ready');
  await prepareStoredFile(app.ctx, id, attempt);
  expect(await selectFile(app.ctx.db, id)).toMatchObject({ state: 'ready', flags: [] });

  const last = await accept('two-last.pdf', smallPdf('Last two', 2));
  await prepareStoredFile(app.ctx, last, { ...attempt, isLast: true }, { pool });
  expect(await selectFile(app.ctx.db, last)).toMatchObject({
    state: 'ready',
    flags: ['pages-missing', 'text-partial'],
  });
});

/** A pool whose child is killed from outside when it begins to work on a page. */
function poolThatLosesPage(lastPage: number): IngestPool {
  const pool = createIngestPool(1);
  const slotOf = (slot: RendererSlot): RendererSlot => ({
    ...slot,
    async run(request) {
      await slot.run(request);
      const lines = (await readFile(request.job.results, 'utf8')).split('\n').filter((line) => line !== '');
      const isWritten = (line: string) => !line.includes('"done"') && !line.includes(`"page":${lastPage}`);
      await writeFile(request.job.results, lines.flatMap((line) => (isWritten(line) ? `${line}\n` : [])).join(''));
      return { hasBegun: true, lastPage, timedOut: false, tookTooMuch: false, killedBy: 'SIGKILL' };
    },
  });
  return {
    ...pool,
    render: (input) => pool.run((slot) => renderPages({ ...input, slot: slotOf(slot) }), input.signal),
  };
}

const poolWithoutDates = (timedOut: boolean) => poolThatLoses('fix-dates', timedOut);

/** A pool whose child is killed in each job of one kind: from outside, or with `timedOut` by the site itself at the time limit. */
function poolThatLoses(kind: ChildJob['kind'], timedOut: boolean): IngestPool {
  const pool = createIngestPool(1);
  const slotOf = (slot: RendererSlot): RendererSlot => ({
    ...slot,
    async run(request) {
      if (request.job.kind !== kind) return slot.run(request);
      await writeFile(request.job.results, '');
      return { hasBegun: true, lastPage: 0, timedOut, tookTooMuch: false, killedBy: 'SIGKILL' };
    },
  });
  return { ...pool, run: (work, ...rest) => pool.run((slot) => work(slotOf(slot)), ...rest) };
}

test('a document stays published while it is prepared again', async () => {
  const id = await accept('anew.pdf', smallPdf('Anew'));
  await prepareStoredFile(app.ctx, id, attempt);
  const file = await selectFile(app.ctx.db, id);
  if (!file) throw new Error('no file');
  await prepareAgain(app.ctx, file);
  expect((await selectFile(app.ctx.db, id))?.state).toBe('ready');
  await prepareStoredFile(app.ctx, id, attempt);
  expect((await attemptsOf(id))['render']).toBe(1);
  expect((await selectSteps(app.ctx.db, id)).every(({ state }) => state === 'done')).toBe(true);
});

test('a step that kills the process repeatedly fails as broken-off', async () => {
  const id = await accept('killer.pdf', smallPdf('Killer'));
  for (let kill = 0; kill < 8; kill++) await upsertStepStarted(app.ctx.db, id, 'convert');
  await prepareStoredFile(app.ctx, id, attempt);
  expect(await selectFile(app.ctx.db, id)).toMatchObject({ state: 'failed', failureCode: 'broken-off' });
});

test('a broken-off step starts counting from zero on request', async () => {
  const id = await accept('asked.pdf', smallPdf('Asked'));
  for (let kill = 0; kill < 8; kill++) await upsertStepStarted(app.ctx.db, id, 'render');
  await prepareStoredFile(app.ctx, id, attempt);
  expect(await selectFile(app.ctx.db, id)).toMatchObject({ state: 'failed', failureCode: 'broken-off' });
  const step = (await selectSteps(app.ctx.db, id)).find((row) => row.step === 'render');
  expect(step).toMatchObject({ state: 'failed', error: expect.stringContaining('started 8 times') });
  await prepareStoredFile(app.ctx, id, attempt);
  expect(await selectFile(app.ctx.db, id)).toMatchObject({ state: 'ready', failureCode: null });
});

test.each([
  ['the database went away', Object.assign(new Error('terminating connection'), { code: '57P01' })],
  ['the connection broke before', new Error('Client has encountered a connection error and is not queryable')],
  ['the disk filled up', Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })],
])('an optional step that fails only because %s is done later, not left out', async (why, trouble) => {
  const id = await accept(`${why}.pdf`, smallPdf(why));
  const failing = prepareStoredFile(app.ctx, id, attempt, {
    onStep(step, edge) {
      if (step === 'fingerprint' && edge === 'made') throw trouble;
    },
  });
  await expect(failing).rejects.toThrow();
  await prepareStoredFile(app.ctx, id, attempt);
  expect((await selectSteps(app.ctx.db, id)).find((row) => row.step === 'fingerprint')?.state).toBe('done');
});

test('orderly stops are not counted as broken runs', async () => {
  const id = await accept('deploys.pdf', smallPdf('Deploys'));
  for (let deploy = 0; deploy < 9; deploy++) {
    const stop = new AbortController();
    const broken = prepareStoredFile(
      app.ctx,
      id,
      { ...attempt, isLast: true, signal: stop.signal },
      {
        onStep(step, edge) {
          if (step !== 'render' || edge !== 'made') return;
          stop.abort();
          throw new Error('called off');
        },
      },
    );
    await expect(broken).rejects.toThrow('called off');
    const [item] = await app.ctx.db.select().from(ingestItems).where(eq(ingestItems.fileId, id));
    expect(item?.state).toBe('queued');
  }
  expect((await selectSteps(app.ctx.db, id)).find((row) => row.step === 'render')).toBeUndefined();
  await prepareStoredFile(app.ctx, id, attempt);
  expect(await attemptsOf(id)).toMatchObject({ convert: 1, render: 1, publish: 1 });
});

test('broken runs are forgotten once a step has ended', async () => {
  const id = await accept('long-ago.pdf', smallPdf('Long ago'));
  for (let kill = 0; kill < 7; kill++) await upsertStepStarted(app.ctx.db, id, 'render');
  const failing = prepareStoredFile(app.ctx, id, attempt, {
    onStep(step, edge) {
      if (step === 'render' && edge === 'made') throw new Error('a passing trouble');
    },
  });
  await expect(failing).rejects.toThrow('a passing trouble');
  await upsertStepStarted(app.ctx.db, id, 'render');
  await prepareStoredFile(app.ctx, id, attempt);
  expect((await selectFile(app.ctx.db, id))?.state).toBe('ready');
});

test('a missing original is reported', async () => {
  const id = await accept('gone.pdf', smallPdf('Gone'));
  const file = await selectFile(app.ctx.db, id);
  await app.ctx.files.remove(`originals/${file?.sha256}`);
  await prepareStoredFile(app.ctx, id, attempt);
  expect(await selectFile(app.ctx.db, id)).toMatchObject({ state: 'failed', failureCode: 'unreadable' });
  const [row] = await app.ctx.db.select().from(files).where(eq(files.id, id));
  expect(row?.failureDetail).toContain('the original is not in the file store');
});
