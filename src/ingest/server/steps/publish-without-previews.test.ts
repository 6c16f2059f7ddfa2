import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { strToU8, unzipSync, zipSync } from 'fflate';
import PptxGenJS from 'pptxgenjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { findChartData, listCharts } from '../../../charts/server/list-charts.ts';
import { editDocument } from '../../../library/server/documents.ts';
import { findDocument } from '../../../library/server/catalogue.ts';
import { documents, files } from '../../../library/server/tables.ts';
import { ingestFiles } from '../intake/ingest-files.ts';
import { createIngestPool, type IngestPool } from '../convert/converter-pool.ts';
import { readPptxFacts } from '../formats/pptx-facts.ts';
import { ChildLost } from '../render/renderer-slot.ts';
import { prepareStoredFile } from './prepare-stored-file.ts';
import { publishWithoutPreviews } from './publish-step.ts';
import { findConverter } from '../convert/soffice.ts';
import { selectFile } from '../store/files.ts';
import { selectItems } from '../store/items.ts';

let app: TestApp;
const pool = createIngestPool(1);
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** Three slides in two sections, as PowerPoint keeps them, with a chart on the second. */
async function sectionedDeck(name: string): Promise<string> {
  const deck = new PptxGenJS();
  deck.addSection({ title: '开场' });
  deck.addSection({ title: '数据' });
  deck.addSlide({ sectionTitle: '开场' }).addText(`${name}城市灯会招商方案`, { x: 1, y: 1, w: 8, h: 2, fontSize: 40 });
  const slide = deck.addSlide({ sectionTitle: '数据' });
  slide.addText('客流预估', { x: 1, y: 0, w: 8, h: 1, fontSize: 32 });
  slide.addChart('bar', [{ name: '客流', labels: ['一周', '二周'], values: [1_200, 3_400] }], {
    x: 1,
    y: 1,
    w: 6,
    h: 4,
  });
  deck.addSlide({ sectionTitle: '数据' }).addText('谢谢', { x: 1, y: 1, w: 8, h: 2 });
  const path = join(app.folder, `${name}.pptx`);
  await deck.writeFile({ fileName: path });
  const written = unzipSync(await readFile(path))['ppt/presentation.xml'] ?? new Uint8Array();
  expect(new TextDecoder().decode(written)).toContain('<p14:sldId ');
  return path;
}

async function runIngest(path: string, name = ''): Promise<{ documentId: number; fileId: number; state: string }> {
  const { batchId } = await ingestFiles(app.ctx, { paths: [path], factsOf: () => (name ? { name } : null) });
  const [item] = await selectItems(app.ctx.db, batchId, 10, 0);
  if (!item?.fileId || !item.documentId) throw new Error(`not accepted: ${item?.message}`);
  return { documentId: item.documentId, fileId: item.fileId, state: item.state };
}

async function publishPending(
  path: string,
  fileId: number,
  run: { isLast?: boolean; pool?: IngestPool } = {},
): Promise<void> {
  const file = await selectFile(app.ctx.db, fileId);
  if (!file) throw new Error('no file');
  const workDir = await mkdtemp(join(app.folder, 'work-'));
  await publishWithoutPreviews({
    ctx: app.ctx,
    file,
    original: path,
    workDir,
    pool,
    converter: null,
    signal: undefined,
    isLast: true,
    ...run,
    facts: () => readPptxFacts(path),
    withPdf: (use) => use(null),
  });
}

const attempt = { number: 1, isLast: true, signal: undefined };

describe('a deck in sections, without LibreOffice', () => {
  it('is published with pages and charts as numbers; chart ids stay when pictures are added', async ({ skip }) => {
    const path = await sectionedDeck('江南');
    const { documentId, fileId } = await runIngest(path);
    await publishPending(path, fileId);
    expect(await findDocument(app.ctx, documentId)).toMatchObject({ state: 'published', pageCount: 3 });
    const pending = await listCharts(app.ctx, fileId);
    expect(pending).toMatchObject([{ number: 1, page: 2, typeCode: 'column', name: '客流', width: 0 }]);
    expect((await findChartData(app.ctx, fileId, 1))?.series).toMatchObject([{ name: '客流', values: [1_200, 3_400] }]);
    await publishPending(path, fileId);
    expect(await listCharts(app.ctx, fileId)).toEqual(pending);
    skip(findConverter() === null, 'LibreOffice is not there to draw the pictures');
    await prepareStoredFile(app.ctx, fileId, attempt);
    expect((await selectFile(app.ctx.db, fileId))?.state).toBe('ready');
    const drawn = await listCharts(app.ctx, fileId);
    expect(drawn.map(({ id }) => id)).toEqual(pending.map(({ id }) => id));
    expect(drawn[0]?.width).toBeGreaterThan(0);
  }, 120_000);

  it('is published even when its charts cannot be read', async () => {
    const path = await sectionedDeck('塞北');
    const { documentId, fileId } = await runIngest(path);
    const entries = unzipSync(await readFile(path));
    const chart = Object.keys(entries).find((name) => /charts\/chart\d*\.xml$/.test(name)) ?? '';
    await writeFile(path, zipSync({ ...entries, [chart]: strToU8('<c:chartSpace') }));
    await publishPending(path, fileId);
    expect(await findDocument(app.ctx, documentId)).toMatchObject({ state: 'published', pageCount: 3 });
    expect(await listCharts(app.ctx, fileId)).toEqual([]);
  });
});

it('a deck whose charts were not read because their child was ended from outside waits for the next run, unless it was the last', async () => {
  const path = await sectionedDeck('陇右');
  const { documentId, fileId } = await runIngest(path);
  const losing = { ...pool, run: () => Promise.reject(new ChildLost('killed')) };
  await expect(publishPending(path, fileId, { isLast: false, pool: losing })).rejects.toThrow('killed');
  expect((await findDocument(app.ctx, documentId))?.state).not.toBe('published');
  await publishPending(path, fileId, { pool: losing });
  expect(await findDocument(app.ctx, documentId)).toMatchObject({ state: 'published', pageCount: 3 });
  expect(await listCharts(app.ctx, fileId)).toEqual([]);
});

describe('the name of a deck whose file name says nothing', () => {
  it('is the title of its first page, unless a name was given', async () => {
    const path = await sectionedDeck('演示文稿1');
    const guessed = await runIngest(path);
    await publishPending(path, guessed.fileId);
    expect((await findDocument(app.ctx, guessed.documentId))?.name).toBe('演示文稿1城市灯会招商方案');

    const other = await sectionedDeck('演示文稿2');
    const given = await runIngest(other, '演示文稿2');
    await publishPending(other, given.fileId);
    expect((await findDocument(app.ctx, given.documentId))?.name).toBe('演示文稿2');
  });

  it('stays when an operator gave it while the deck waited', async () => {
    const path = await sectionedDeck('演示文稿3');
    const { documentId, fileId } = await runIngest(path);
    await editDocument(app.ctx, documentId, { name: '演示文稿3' });
    await publishPending(path, fileId);
    expect((await findDocument(app.ctx, documentId))?.name).toBe('演示文稿3');
  });
});

describe('a deck that was refused for its sections', () => {
  /** As it was left by the reader that took the slides of sections for slides. */
  async function refusedDeck(name: string) {
    const path = await sectionedDeck(name);
    const taken = await runIngest(path);
    const failure = { failureCode: 'corrupt', failureDetail: 'the file is damaged (slide 4 is missing)' };
    await app.ctx.db
      .update(files)
      .set({ state: 'failed', ...failure })
      .where(eq(files.id, taken.fileId));
    await app.ctx.db.update(documents).set({ state: 'failed' }).where(eq(documents.id, taken.documentId));
    return { path, ...taken };
  }

  it('is accepted by the same command', async () => {
    const { path, documentId, fileId } = await refusedDeck('岭南');
    expect(await runIngest(path)).toEqual({ documentId, fileId, state: 'queued' });
    await publishPending(path, fileId);
    expect(await findDocument(app.ctx, documentId)).toMatchObject({ state: 'published', pageCount: 3 });
  });

  it('waits for the next start after the migration; a deck that is really damaged does not', async () => {
    const [one, other] = [await refusedDeck('关中'), await refusedDeck('巴蜀')];
    await app.ctx.db.update(files).set({ failureDetail: 'no presentation part' }).where(eq(files.id, other.fileId));
    const migration = await readFile(new URL('../../../../db/migrations/0042-about.sql', import.meta.url), 'utf8');
    await app.ctx.db.execute(/update files[^;]*;/.exec(migration)?.[0] ?? '');
    expect(await selectFile(app.ctx.db, one.fileId)).toMatchObject({ state: 'waiting', failureCode: null });
    expect(await selectFile(app.ctx.db, other.fileId)).toMatchObject({ state: 'failed', failureCode: 'corrupt' });
    await publishPending(one.path, one.fileId);
    expect(await findDocument(app.ctx, one.documentId)).toMatchObject({ state: 'published' });
  });
});
