import { rmSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, rmdir, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { smallPdf } from '../../../../tests/small-pdf.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { ingestFiles } from './ingest-files.ts';
import { zipOf } from '../../../../tests/samples/deck.ts';
import { matchManifest } from '../manifest/match-manifest.ts';
import { prepareStoredFile } from '../steps/prepare-stored-file.ts';
import { quarantineFile } from './quarantine.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import { retryFiles } from '../steps/retry-files.ts';
import { countItemsOfOpenBatches, selectItems, selectLastProblem, type ListedItem } from '../store/items.ts';
import { countOpenItemsOfBatch } from '../store/batches.ts';
import { sweepOrphans } from '../steps/sweep-orphans.ts';
import { writeResults } from './write-results.ts';
import { StoreAway } from '../../../platform/files/file-store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

async function put(name: string, bytes: Uint8Array | string): Promise<string> {
  const path = join(app.folder, name);
  await writeFile(path, bytes);
  return path;
}

const attempt = { number: 1, isLast: true, signal: undefined };

/** Takes files in and, unless it is to be left undone, prepares them. */
async function ingest(paths: string[], isPrepared = true) {
  const { batchId } = await ingestFiles(app.ctx, { paths, factsOf: () => null });
  const items = await selectItems(app.ctx.db, batchId, 100, 0);
  for (const { fileId, state } of items)
    if (isPrepared && fileId && state === 'queued') await prepareStoredFile(app.ctx, fileId, attempt);
  return { batchId, items: await selectItems(app.ctx.db, batchId, 100, 0) };
}

test('a second run knows a file by path, size and time, and does not read it', async () => {
  const bytes = smallPdf('Known');
  const path = await put('known.pdf', bytes);
  const at = new Date('2026-01-02T03:04:05.678Z');
  await utimes(path, at, at);
  const first = await ingest([path]);
  // Rubbish of the same size and time: read, it would be refused.
  await writeFile(path, Buffer.alloc(bytes.length, 0x20));
  await utimes(path, at, at);
  const again = await ingest([path]);
  expect(again.items[0]).toMatchObject({ state: 'duplicate', documentId: first.items[0]?.documentId });
  await utimes(path, at, new Date(at.getTime() + 1));
  expect((await ingest([path])).items[0]).toMatchObject({ state: 'refused' });
});

test('a run that was stopped after accepting files continues without storing them again', async () => {
  const path = await put('stopped.pdf', smallPdf('Stopped'));
  const stopped = await ingest([path], false);
  expect(stopped.items[0]?.state).toBe('queued');
  const next = await ingest([path]);
  expect(next.items[0]).toMatchObject({ state: 'published', documentId: stopped.items[0]?.documentId });
  const [old] = await selectItems(app.ctx.db, stopped.batchId, 1, 0);
  expect(old?.state).toBe('published');
});

test('the same content twice in one run is one document and one duplicate', async () => {
  const bytes = smallPdf('Same in one run');
  const { items } = await ingest([await put('one.pdf', bytes), await put('two.pdf', bytes)]);
  expect(items.map((item) => item.state)).toEqual(['published', 'duplicate']);
  expect(items[0]?.documentId).toBe(items[1]?.documentId);
});

test('a refused file is put into quarantine beside its reason, once, and stays where it is', async () => {
  const path = await put('bad: "name".pptx', 'MZ not a deck');
  const { items, batchId } = await ingest([path]);
  const [item] = items;
  expect(item).toMatchObject({ state: 'refused', reasonCode: 'unknown-type' });
  const place = join(app.folder, 'quarantine');
  const refused = { path, reasonCode: item?.reasonCode ?? '', message: item?.message ?? '' };
  await quarantineFile(place, refused);
  await quarantineFile(place, refused);
  const names = (await readdir(place)).toSorted();
  expect(names).toHaveLength(2);
  expect(names[0]).toMatch(/^[0-9a-f]{8}-bad_ _name_\.pptx$/);
  expect(await readFile(join(place, names[0] ?? ''), 'utf8')).toBe('MZ not a deck');
  expect(await readFile(join(place, names[1] ?? ''), 'utf8')).toContain('the content is not PPTX, PPT or PDF');
  expect(await readFile(path, 'utf8')).toBe('MZ not a deck');
  expect(await selectLastProblem(app.ctx.db, batchId)).toMatchObject({ path });
});

test('results as CSV: a line a file, missing ones too, no formula from a file name', async () => {
  const { batchId } = await ingest([await put('fine, indeed.pdf', smallPdf('Fine', 2)), await put('=1+1.pdf', 'x')]);
  const result = join(app.folder, 'out.csv');
  await writeResults(app.ctx, batchId, result, ['/nowhere/c.pdf']);
  const lines = (await readFile(result, 'utf8')).split('\n');
  expect(lines[0]).toBe('\ufefffile,state,document,pages,reason,message,sha256');
  expect(lines[1]).toMatch(/^"[^"]*fine, indeed\.pdf",published,\d+,2,,,[0-9a-f]{64}$/);
  expect(lines[2]).toMatch(/,refused,,,unknown-type,/);
  expect(lines[3]).toMatch(/^\/nowhere\/c\.pdf,missing,/);
  const strange = ['＝1+1.pdf', 'a\u001b[31m.pdf'];
  await writeResults(app.ctx, batchId, result, strange);
  const ends = (await readFile(result, 'utf8')).trimEnd().split('\n').slice(-2);
  expect(ends.map((line) => line.split(',')[0])).toEqual(["'＝1+1.pdf", 'a\ufffd[31m.pdf']);
  await expect(writeResults(app.ctx, batchId, '/nowhere/out.csv', [])).rejects.toMatchObject({ exitCode: 73 });
});

test('a manifest may be XLSX, with day cells; what it names and is not there is said', async () => {
  const sheet = (rows: string) =>
    `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`;
  const text = (cell: string, value: string) => `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const path = await put(
    'manifest.xlsx',
    zipOf([
      {
        name: '[Content_Types].xml',
        data: '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
      },
      {
        name: 'xl/workbook.xml',
        data: '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>',
      },
      {
        name: 'xl/_rels/workbook.xml.rels',
        data: '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
      },
      {
        name: 'xl/styles.xml',
        data: '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
      },
      {
        name: 'xl/worksheets/sheet1.xml',
        data: sheet(
          `<row r="1">${text('A1', 'file')}${text('B1', 'name')}${text('C1', 'price')}${text('D1', 'date')}</row>` +
            `<row r="2">${text('A2', 'known.pdf')}${text('B2', '年会策划')}<c r="C2"><v>12</v></c><c r="D2" s="1"><v>45901</v></c></row>` +
            `<row r="3">${text('A3', 'nowhere.pdf')}</row>`,
        ),
      },
    ]),
  );
  const known = join(app.folder, 'known.pdf');
  const manifest = matchManifest(path, await readManifest(path, Date.now()), [known]);
  expect(manifest.factsOf(known)).toMatchObject({
    name: '年会策划',
    priceCoins: 12,
    createdAt: new Date('2025-09-01T09:00:00+08:00'),
  });
  expect(manifest.missing).toEqual([join(app.folder, 'nowhere.pdf')]);
});

test('a file store that is away stops the run, which says so; what was recorded stays', async () => {
  const other = await openTestApp();
  try {
    await rm(join(other.dataDir, 'files'), { recursive: true });
    await writeFile(join(other.dataDir, 'files'), 'in the way');
    const paths = [
      await put('bad.pdf', 'no deck'),
      await put('good.pdf', smallPdf('No room')),
      await put('z.pdf', 'x'),
    ];
    const { batchId, stoppedBy } = await ingestFiles(other.ctx, { paths, factsOf: () => null });
    expect(stoppedBy).toMatchObject({ code: 'ENOTDIR' });
    expect((await selectItems(other.ctx.db, batchId, 100, 0)).map(({ state }) => state)).toEqual(['refused']);
  } finally {
    await other.close();
  }
});

test('a run stops at the first file that cannot be stored while the disk of the stored files is not mounted', async () => {
  const folder = join(app.dataDir, 'files');
  await rename(folder, `${folder}-away`);
  await mkdir(folder);
  const paths = [await put('first.pdf', smallPdf('First of two')), await put('second.pdf', smallPdf('Second of two'))];
  const { batchId, stoppedBy } = await ingestFiles(app.ctx, { paths, factsOf: () => null });
  expect(await readdir(folder)).toEqual([]);
  await rmdir(folder);
  await rename(`${folder}-away`, folder);
  expect(stoppedBy).toBeInstanceOf(StoreAway);
  expect(await selectItems(app.ctx.db, batchId, 10, 0)).toEqual([]);
});

test('a thousand known files and more among new ones keep their order', async () => {
  const known = await put('again.pdf', smallPdf('Again and again'));
  await ingest([known]);
  const refused = await put('refused.pdf', 'no deck');
  const fresh = await put('fresh.pdf', smallPdf('Fresh among known'));
  const paths = [...Array<string>(1_001).fill(known), refused, fresh, known];
  const { batchId } = await ingestFiles(app.ctx, { paths, factsOf: () => null });
  const items: ListedItem[] = [];
  for (let after = 0; ; after = items.at(-1)?.id ?? 0) {
    const page = await selectItems(app.ctx.db, batchId, 400, after);
    items.push(...page);
    if (page.length < 400) break;
  }
  expect(items.map(({ path }) => path)).toEqual(paths);
  expect(Map.groupBy(items, ({ state }) => state).get('duplicate')).toHaveLength(1_002);
  expect(await countOpenItemsOfBatch(app.ctx.db, batchId)).toBe(1);
  await prepareStoredFile(app.ctx, items[1_002]?.fileId ?? 0, attempt);
});

test('the sweeper removes only files that no row names, after an hour', async () => {
  await ingest([await put('kept.pdf', smallPdf('Kept', 2))]);
  const before = await listAll();
  const orphans = [
    `originals/${'0'.repeat(64)}`,
    `pdf/${'0'.repeat(64)}.pdf`,
    'media/nobodysmediakey0000000/cover.webp',
    `${before.find((key) => key.startsWith('media/'))?.replace(/[^/]*$/, '')}${'0'.repeat(32)}.webp`,
    `${before.find((key) => key.startsWith('originals/'))}.draft.tmp`,
  ];
  for (const key of orphans) await app.ctx.files.put(key, join(app.folder, 'kept.pdf'));
  expect(await sweepOrphans(app.ctx)).toMatchObject({ removed: 0 });
  app.clock.offsetMs = 61 * 60_000;
  expect(await sweepOrphans(app.ctx)).toMatchObject({ removed: orphans.length });
  expect(await listAll()).toEqual(before);
  app.clock.offsetMs = 0;
});

async function listAll(): Promise<string[]> {
  const lists = ['originals', 'pdf', 'media'].map((kind) => Array.fromAsync(app.ctx.files.list(kind)));
  return (await Promise.all(lists))
    .flat()
    .map((file) => file.key)
    .toSorted();
}

test('a file with an unexpected error fails alone; the others are ingested', async () => {
  const gone = await put('gone.pdf', smallPdf('Gone meanwhile'));
  const named = ['odd.pdf', 'early.pdf', 'sound.pdf'].map((name) => put(name, smallPdf(name)));
  const paths = [gone, ...(await Promise.all(named))];
  const { batchId, stoppedBy } = await ingestFiles(app.ctx, {
    paths,
    factsOf(path) {
      if (path === gone) rmSync(gone);
      // PostgreSQL knows no year before -4712.
      if (path.endsWith('early.pdf')) return { createdAt: new Date(-270_000_000_000_000) };
      return path.endsWith('odd.pdf') ? { name: '\u200b' } : null;
    },
  });
  expect(stoppedBy).toBeUndefined();
  const items = await selectItems(app.ctx.db, batchId, 100, 0);
  expect(items.map(({ path, state, reasonCode }) => [basename(path), state, reasonCode])).toEqual([
    ['gone.pdf', 'failed', 'unreadable'],
    ['odd.pdf', 'failed', 'unexpected'],
    ['early.pdf', 'failed', 'unexpected'],
    ['sound.pdf', 'queued', null],
  ]);
  // The reason of the database, without the statement and its values.
  expect(items[2]?.message).toMatch(/^error: /);
  await prepareStoredFile(app.ctx, items[3]?.fileId ?? 0, attempt);
});

test('nothing is left open', async () => {
  expect(await countItemsOfOpenBatches(app.ctx.db)).toMatchObject({ queued: 0, running: 0 });
});

test('a file whose job waits is not queued again; a file without a job is', async () => {
  const path = await put('forgotten.pdf', smallPdf('Forgotten'));
  const { items } = await ingest([path], false);
  const open = () => app.ctx.jobs.countOpen(['ingest-prepare-file']);
  const before = await open();
  await retryFiles(app.ctx, ['waiting']);
  expect(await open()).toBe(before);
  await app.ctx.db.execute(sql`select graphile_worker.remove_job(${`prepare-file:${items[0]?.fileId}`})`);
  expect(await open()).toBe(before - 1);
  expect(await retryFiles(app.ctx, ['waiting'])).toEqual([items[0]?.fileId]);
  expect(await open()).toBe(before);
});
