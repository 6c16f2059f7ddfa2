import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { smallPdf } from '../../../../tests/small-pdf.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { listDocuments } from '../../../library/contract.ts';
import { documents, files, pages } from '../../../library/server/tables.ts';
import { findShownPage } from '../../../library/server/catalogue.ts';
import { closeIdleChildren } from '../convert/converter-pool.ts';
import { collectFiles } from '../source/collect-files.ts';
import { ingestFiles } from './ingest-files.ts';
import { prepareStoredFile } from '../steps/prepare-stored-file.ts';
import { selectItems, type ItemRow } from '../store/items.ts';

let app: TestApp;
const attempt = { number: 1, isLast: true, signal: undefined };

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** Ingests files under the folder and does the queued work here, as a worker would. */
async function ingest(
  names: string[],
  factsOf: Parameters<typeof ingestFiles>[1]['factsOf'] = () => null,
): Promise<ItemRow[]> {
  const paths = names.map((name) => join(app.folder, name));
  const { batchId } = await ingestFiles(app.ctx, { paths, factsOf });
  for (const item of await selectItems(app.ctx.db, batchId, 100, 0)) {
    if (item.fileId && item.state === 'queued') await prepareStoredFile(app.ctx, item.fileId, attempt);
  }
  return selectItems(app.ctx.db, batchId, 100, 0);
}

test('a good file is published with its facts, pages, cover and text; the original is kept byte for byte', async () => {
  const bytes = smallPdf('Launch', 3);
  await writeFile(join(app.folder, '2026_新品发布(1).pdf'), bytes);
  const [item] = await ingest(['2026_新品发布(1).pdf']);
  expect(item).toMatchObject({ state: 'published', reasonCode: null });

  const [document] = await app.ctx.db
    .select()
    .from(documents)
    .where(eq(documents.id, item?.documentId ?? 0));
  expect(document).toMatchObject({ name: '2026 新品发布', state: 'published', priceCoins: 0 });
  const [file] = await app.ctx.db
    .select()
    .from(files)
    .where(eq(files.id, item?.fileId ?? 0));
  expect(file).toMatchObject({
    state: 'ready',
    fileType: 'pdf',
    pageCount: 3,
    previewCount: 3,
    sizeBytes: bytes.length,
  });
  expect(await app.ctx.files.stat(`media/${file?.mediaKey}/cover.webp`)).not.toBeNull();
  const third = await findShownPage(app.ctx, file?.mediaKey ?? '', 3);
  expect(await app.ctx.files.stat(third?.key ?? '')).not.toBeNull();
  const chunks = await (await app.ctx.files.read(`originals/${file?.sha256}`)).toArray();
  expect(Buffer.concat(chunks)).toEqual(bytes);
  const [page] = await app.ctx.db
    .select()
    .from(pages)
    .where(eq(pages.fileId, file?.id ?? 0))
    .orderBy(pages.pageNumber);
  expect(page?.text).toContain('Launch 1');

  const list = await app.call(listDocuments, {});
  expect(list.data?.files.map((row) => row.name)).toContain('2026 新品发布');
});

test('the same content under another name is a duplicate, and two in one batch make one document', async () => {
  await writeFile(join(app.folder, 'a.pdf'), smallPdf('Twice'));
  await writeFile(join(app.folder, 'b.pdf'), smallPdf('Twice'));
  const [first, second] = await ingest(['a.pdf', 'b.pdf']);
  expect(first?.state).toBe('published');
  expect(second?.documentId).toBe(first?.documentId);
  const [again] = await ingest(['b.pdf']);
  expect(again).toMatchObject({ state: 'duplicate', documentId: first?.documentId });
});

test('a bad file is refused with its reason, and the batch continues', async () => {
  await writeFile(join(app.folder, 'empty.pdf'), '');
  await writeFile(join(app.folder, 'program.pptx'), Buffer.from('4d5a900003', 'hex'));
  await writeFile(join(app.folder, 'good.pdf'), smallPdf('Good'));
  const items = await ingest(['empty.pdf', 'program.pptx', 'good.pdf']);
  expect(items.map((item) => [item.state, item.reasonCode])).toEqual([
    ['refused', 'empty'],
    ['refused', 'unknown-type'],
    ['published', null],
  ]);
});

test('a manifest names the document, its themes, price and day', async () => {
  await writeFile(join(app.folder, 'named.pdf'), smallPdf('Named'));
  const createdAt = new Date('2025-09-01T01:00:00Z');
  const [item] = await ingest(['named.pdf'], () => ({
    name: '某某茶饮小红书种草方案',
    themes: ['小红书种草'],
    industry: '茶饮咖啡',
    organization: '某某传播',
    keyword: '茶饮,种草',
    priceCoins: 12,
    createdAt,
  }));
  const [document] = await app.ctx.db
    .select()
    .from(documents)
    .where(eq(documents.id, item?.documentId ?? 0));
  expect(document).toMatchObject({ name: '某某茶饮小红书种草方案', priceCoins: 12, createdAt });
  expect(document?.themeIds).toHaveLength(1);
});

test('preparing a file twice leaves one set of pages; nothing stays in the temporary folder', async () => {
  await writeFile(join(app.folder, 'again.pdf'), smallPdf('Again', 2));
  const [item] = await ingest(['again.pdf']);
  const fileId = item?.fileId ?? 0;
  await app.ctx.db.update(files).set({ state: 'waiting' }).where(eq(files.id, fileId));
  await prepareStoredFile(app.ctx, fileId, attempt);
  const rows = await app.ctx.db.select().from(pages).where(eq(pages.fileId, fileId));
  expect(rows).toHaveLength(2);
  const left = async () => (await readdir(tmpdir())).filter((name) => name.startsWith(`ceku-ingest-${process.pid}-`));
  closeIdleChildren();
  await expect.poll(left, { timeout: 15_000 }).toEqual([]);
});

test('folders are walked in a stable order; hidden and lock files are passed over; a missing path is reported', async () => {
  const folder = join(app.folder, 'walked');
  await mkdir(folder);
  for (const name of ['b.pdf', 'a.pdf', '.DS_Store', '~$a.pptx']) await writeFile(join(folder, name), 'x');
  const found = (await collectFiles([folder, join(folder, 'b.pdf')])).files;
  expect(found).toEqual([join(folder, 'a.pdf'), join(folder, 'b.pdf')]);
  await expect(collectFiles([join(folder, 'nowhere')])).rejects.toThrow('There is no file or folder');
});
