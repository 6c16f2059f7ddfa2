/** Ingests hostile files: each is refused with a reason, or published without harm. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ctx } from '../../../context.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { files } from '../../../library/server/tables.ts';
import { createIngestPool } from '../convert/converter-pool.ts';
import { findConverter } from '../convert/convert-to-pdf.ts';
import { ingestFiles } from '../intake/ingest-files.ts';
import { deckEntries, deckOf, zipOf } from '../../../../tests/samples/deck.ts';
import { pdfOf, pdfOfObjects, pdfStream } from '../../../../tests/samples/pdf.ts';
import { prepareStoredFile } from '../steps/prepare-stored-file.ts';
import { selectItems, type ItemRow } from '../store/items.ts';

const SLOW = { timeout: 120_000 };
let app: TestApp;

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** The time limit of a page is a minute, so that on a busy machine a hostile page reaches its memory limit before its time limit. */
const pool = createIngestPool(1, { pageMs: 60_000 });

async function ingest(name: string, bytes: Uint8Array, ctx: Ctx = app.ctx): Promise<ItemRow | undefined> {
  const path = join(app.folder, name);
  await writeFile(path, bytes);
  const { batchId } = await ingestFiles(ctx, { paths: [path], factsOf: () => null });
  const [item] = await selectItems(app.ctx.db, batchId, 1, 0);
  if (item?.fileId && item.state === 'queued')
    await prepareStoredFile(ctx, item.fileId, { number: 1, isLast: true, signal: undefined }, { pool });
  return (await selectItems(app.ctx.db, batchId, 1, 0))[0];
}

async function fileOf(item: ItemRow | undefined) {
  const [file] = await app.ctx.db
    .select()
    .from(files)
    .where(eq(files.id, item?.fileId ?? 0));
  return file;
}

/** 119 characters, then one that takes two places, of which only the first would be kept. */
const seam = `${'策'.repeat(119)}🎉年会`;

test('a bookmark cut in the middle of an emoji is published', SLOW, async () => {
  const bookmarks = [
    { title: seam, page: 1 },
    { title: `${'策'.repeat(119)}𠮷`, page: 2 },
  ];
  const item = await ingest('bookmarks.pdf', pdfOf({ pages: [{ text: 'One' }, { text: 'Two' }], bookmarks }));
  expect(item).toMatchObject({ state: 'published' });
  expect((await fileOf(item))?.outline[0]?.title).toBe('策'.repeat(119));
});

test.skipIf(findConverter() === null)('so is a slide title, and a font', SLOW, async () => {
  const font = `<p:sp><p:txBody><a:p><a:r><a:rPr><a:latin typeface="${'F'.repeat(79)}🎉"/></a:rPr><a:t>x</a:t></a:r></a:p></p:txBody></p:sp>`;
  const core = {
    name: 'docProps/core.xml',
    data: `<cp:coreProperties><dc:title>${seam}</dc:title></cp:coreProperties>`,
  };
  const item = await ingest('title.pptx', deckOf({ slides: [{ title: seam, more: font }], extra: [core] }));
  expect(item).toMatchObject({ state: 'published' });
  expect((await fileOf(item))?.outline).toEqual([{ page: 1, title: '策'.repeat(119) }]);
});

test('a NUL in the name of a zip entry is removed from the message', async () => {
  const zip = zipOf([...deckEntries({ slides: [{}] }), { name: 'ppt\\a\0b.xml', data: 'a' }]);
  const item = await ingest('nul.pptx', zip);
  expect(item).toMatchObject({ state: 'refused', reasonCode: 'bad-entry-name' });
  expect(item?.message).toContain('\ufffd');
});

test('a PDF of four kilobytes that unpacks to too much memory ends only the render child', SLOW, async () => {
  const twice = deflateSync(deflateSync(Buffer.alloc(200_000_000, ' ')));
  const bytes = pdfOfObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 960 540] /Contents [${'4 0 R '.repeat(8)}] >>`,
    pdfStream(twice, '/Filter [/FlateDecode /FlateDecode]'),
  ]);
  expect(bytes.length).toBeLessThan(4_000);
  const item = await ingest('memory.pdf', bytes);
  expect(item).toMatchObject({ state: 'failed', reasonCode: 'render-failed' });
  expect(item?.message).toContain('too much memory');
});

test.skipIf(findConverter() === null)(
  'macros are refused, or by configuration taken for previews alone',
  SLOW,
  async () => {
    const mainType = 'application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml';
    const bytes = deckOf({ slides: [{ title: '年会' }], mainType });
    expect(await ingest('a.pptm', bytes)).toMatchObject({ state: 'refused', reasonCode: 'macros' });
    const ctx = { ...app.ctx, config: { ...app.ctx.config, takesMacros: true } };
    const item = await ingest('b.pptm', bytes, ctx);
    expect(item).toMatchObject({ state: 'published' });
    expect((await fileOf(item))?.flags).toContain('macros');
  },
);
