import { createServer } from 'node:http';
import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { convertManyToPdf, findConverter } from '../convert/convert-to-pdf.ts';
import { createIngestPool } from '../convert/converter-pool.ts';
import { countOwnPdfPages } from '../convert/own-pdf.ts';
import { WORK_FOLDER } from '../sandbox/work-folders.ts';
import { inspectPdf } from '../sniff/inspect-pdf.ts';
import {
  acceptPath,
  listMedia,
  listWorkFolders,
  prepareInStore,
  type PrepareInput,
} from '../../../../tests/prepared-file.ts';
import { deckOf } from '../../../../tests/samples/deck.ts';
import { pdfOf } from '../../../../tests/samples/pdf.ts';
import type { SampleDeck } from '../../../../tests/samples/deck.ts';
import type { SamplePdf } from '../../../../tests/samples/pdf.ts';
import { openTestApp, type TestApp } from '../../../../tests/test-app.ts';
import { findDocument } from '../../../library/server/catalogue.ts';
import { restoreDocument } from '../../../library/server/documents.ts';
import { selectFile } from '../store/files.ts';
import { prepareStoredFile } from './prepare-stored-file.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

async function put(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(app.folder, name);
  await writeFile(path, bytes);
  return path;
}

async function preparePdf(pdf: SamplePdf, more: Partial<PrepareInput> = {}) {
  return prepareInStore(app.ctx, { path: await put('a.pdf', pdfOf(pdf)), fileType: 'pdf', ...more });
}

async function prepareDeck(deck: SampleDeck, more: Partial<PrepareInput> = {}) {
  return prepareInStore(app.ctx, { path: await put('a.pptx', deckOf(deck)), fileType: 'pptx', ...more });
}

/** Prepares a file until `afterMs`. Returns the item of the file and what `prepareStoredFile` threw. */
async function abortAfter(afterMs: number, path: string, fileType: 'pdf' | 'pptx') {
  const { fileId, item } = await acceptPath(app.ctx, path, fileType);
  const attempt = { number: 1, isLast: true, signal: AbortSignal.timeout(afterMs) };
  const start = performance.now();
  const error = await prepareStoredFile(app.ctx, fileId, attempt).catch((thrown: unknown) => thrown);
  return { fileId, error, milliseconds: performance.now() - start, item: await item() };
}

/**
 * Ends a page that hangs after a quarter of the time of production. The other pages of these tests need a tenth of a second of
 * processor time.
 */
const impatientPool = createIngestPool(1, { pageMs: 2_000 });

/** A page on which every renderer works for minutes: millions of strokes across it. */
const hang = () =>
  Array.from({ length: 1_500_000 }, (_, index) => `${index % 960} 0 m ${(index * 7) % 960} 540 l S`).join('\n');

describe('a PDF', { timeout: 60_000 }, () => {
  test('gives images of its first pages, text of all, a cover and an outline', async () => {
    const red = '1 0 0 rg 0 0 960 540 re f 0 g';
    const blank = Array.from({ length: 8 }, () => ({}));
    const prepared = await preparePdf({
      pages: [
        { text: 'Spring launch', content: red },
        { text: 'Budget' },
        ...blank,
        { text: 'Thanks', width: 540, height: 960 },
      ],
    });
    expect(prepared).toMatchObject({
      fileType: 'pdf',
      pageCount: 11,
      pages: [
        { number: 1, width: 1280, height: 720, text: 'Spring launch' },
        { number: 2, width: 1280, height: 720, text: 'Budget' },
        ...blank,
        { number: 11, width: 1280, height: 2276, text: 'Thanks', image: null },
      ],
      cover: { width: 480, height: 270 },
      outline: [
        { page: 1, title: 'Spring launch' },
        { page: 2, title: 'Budget' },
        { page: 11, title: 'Thanks' },
      ],
      textExcerpt: '',
      pdf: null,
      flags: [],
    });
    const [r = 0, g = 0, b = 0] = (prepared.cover.color.match(/[0-9a-f]{2}/g) ?? []).map((part) =>
      Number.parseInt(part, 16),
    );
    expect([r > 240, g < 16, b < 16]).toEqual([true, true, true]);
    const image = await sharp(prepared.pages[0]?.image ?? '').metadata();
    expect(image).toMatchObject({ format: 'webp', width: 1280, height: 720 });
    // The red page, the budget and a blank page, which is stored once.
    const images = Array.from({ length: 3 }, () => 'page.webp');
    expect(await listMedia(app.ctx, prepared.fileId)).toEqual([
      'cover-960.webp',
      'cover.webp',
      ...images,
      'strip.webp',
      'words.json',
    ]);
    expect(await listWorkFolders()).toEqual([]);
  });

  test('joins letter-spaced words, and takes no title from them', async () => {
    // Each letter placed by itself, words further apart, as programs that set type do.
    const placed = (words: string[], y: number) => {
      const letters = words.map((word) => `(${[...word].join(') -600 (')})`).join(' -1600 ');
      return `BT /F1 30 Tf 60 ${y} Td [${letters}] TJ ET`;
    };
    const content = `${placed(['BRAND', 'PLAN'], 440)} ${placed(['ABCDE'], 100)}`;
    const { pages, outline } = await preparePdf({ pages: [{ text: 'Spring launch', content }] });
    expect(pages[0]?.text.split('\n').sort()).toEqual(['A B C D E', 'BRAND PLAN', 'Spring launch']);
    expect(outline).toEqual([{ page: 1, title: 'Spring launch' }]);
  });

  test('its own bookmarks are its outline', async () => {
    const bookmarks = [
      { title: '市场洞察', page: 1 },
      { title: '执行排期', page: 2 },
    ];
    expect((await preparePdf({ pages: [{ text: 'a' }, { text: 'b' }], bookmarks })).outline).toEqual([
      { page: 1, title: '市场洞察' },
      { page: 2, title: '执行排期' },
    ]);
  });

  test('a PDF with only an owner password is read', async () => {
    expect((await preparePdf({ pages: [{ text: 'Open to all' }], userPassword: '' })).pages[0]?.text).toBe(
      'Open to all',
    );
  });

  test('a page of absurd shape gets a placeholder', async () => {
    const prepared = await preparePdf({
      pages: [{ text: 'First page' }, { width: 14_000, height: 10 }, { width: 1, height: 1 }],
    });
    expect(prepared.flags).toEqual(['pages-missing']);
    expect(prepared.pages.map(({ width, height }) => [width, height])).toEqual([
      [1280, 720],
      [1280, 720],
      [1280, 720],
    ]);
    const { entropy } = await sharp(prepared.pages[1]?.image ?? '').stats();
    expect(entropy).toBeGreaterThan(0);
  });

  test('a page that hangs gets a placeholder; the pages after it are drawn', async () => {
    const pages = [{ text: 'Before' }, { content: hang() }, { text: 'After' }];
    const prepared = await preparePdf({ pages }, { pool: impatientPool });
    // On a very busy machine the text of the page that hangs may be given up as well, and is then flagged too.
    expect(prepared.flags).toContain('pages-missing');
    expect(prepared.pages.map(({ text }) => text)).toEqual(['Before', '', 'After']);
    expect(prepared.pages.every(({ image }) => image !== null)).toBe(true);
  });

  test.for<[what: string, pdf: () => SamplePdf, code: string]>([
    ['a password', () => ({ pages: [{}], userPassword: 'geheim' }), 'encrypted'],
    ['no pages', () => ({ pages: [] }), 'no-pages'],
    ['1,001 pages', () => ({ pages: Array.from({ length: 1_001 }, () => ({})) }), 'too-many-pages'],
    ['nothing but absurd pages', () => ({ pages: [{ width: 1, height: 1 }] }), 'page-size'],
    ['nothing but a page that hangs', () => ({ pages: [{ content: hang() }] }), 'render-timeout'],
  ])('%s is refused', async ([, pdf, code]) => {
    const path = await put('refused.pdf', pdfOf(pdf()));
    const { fileId, item } = await acceptPath(app.ctx, path, 'pdf');
    const attempt = { number: 1, isLast: true, signal: undefined };
    await prepareStoredFile(app.ctx, fileId, attempt, { pool: impatientPool });
    expect(await item()).toMatchObject({ reasonCode: code, finishedAt: expect.any(Date) });
    expect(await listMedia(app.ctx, fileId)).toEqual([]);
    expect(await listWorkFolders()).toEqual([]);
  });

  test('rubbish is refused', async () => {
    const path = await put('a.pdf', Buffer.from('%PDF-1.4\n1 0 obj\nrubbish'));
    await expect(prepareInStore(app.ctx, { path, fileType: 'pdf' })).rejects.toMatchObject({ code: 'corrupt' });
  });

  test('inspectPdf counts pages without drawing them', async () => {
    expect(await inspectPdf(await put('a.pdf', pdfOf({ pages: [{}, {}, {}] })))).toEqual({
      pageCount: 3,
      isEncrypted: false,
    });
  });

  test('an abort ends it at once', async () => {
    const path = await put('a.pdf', pdfOf({ pages: [{ content: hang(), text: 'Aborted' }] }));
    const { fileId, error, milliseconds, item } = await abortAfter(1_000, path, 'pdf');
    expect(error).toMatchObject({ name: 'TimeoutError' });
    expect(milliseconds).toBeLessThan(6_000);
    expect(item).toMatchObject({ state: 'queued', reasonCode: null });
    expect(await listMedia(app.ctx, fileId)).toEqual([]);
    expect(await listWorkFolders()).toEqual([]);
  });
});

describe('a deck without LibreOffice', () => {
  test('a PPTX is published with text and cover, and waits for its page images', async () => {
    const deck = {
      slides: [
        { title: '新品上市', lines: ['一句话'], notes: '慢' },
        { title: '备用', hidden: true },
        { title: '预算' },
      ],
    };
    const prepared = await prepareDeck(deck, { converter: null });
    expect(prepared).toMatchObject({
      pageCount: 2,
      pages: [
        { number: 1, width: 1280, height: 720, text: '新品上市\n一句话', image: null },
        { number: 2, text: '预算', image: null },
      ],
      cover: { width: 480, height: 270 },
      outline: [
        { page: 1, title: '新品上市' },
        { page: 2, title: '预算' },
      ],
      pdf: null,
      flags: ['preview-pending'],
    });
    expect(await listMedia(app.ctx, prepared.fileId)).toEqual(['cover-1600.webp', 'cover-960.webp', 'cover.webp']);
    expect(await listWorkFolders()).toEqual([]);
  });

  test('its own thumbnail is its cover', async () => {
    const data = await sharp({ create: { width: 256, height: 144, channels: 3, background: '#1060c0' } })
      .png()
      .toBuffer();
    const type = 'http://schemas.openxmlformats.org/package/2006/relationships/metadata/thumbnail';
    const main = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument';
    const rels = `<Relationships><Relationship Id="a" Type="${main}" Target="ppt/presentation.xml"/><Relationship Id="b" Type="${type}" Target="docProps/thumbnail.png"/></Relationships>`;
    const extra = [
      { name: 'docProps/thumbnail.png', data },
      { name: '_rels/.rels', data: rels },
    ];
    const { cover, fileId } = await prepareDeck({ slides: [{}], extra }, { converter: null });
    expect(cover.color).toBe('#1060c0');
    // It has 256 pixels: larger covers would be enlarged ones.
    expect(await listMedia(app.ctx, fileId)).toEqual(['cover.webp']);
  });

  test('a PPT waits', async () => {
    const path = await put('a.ppt', Buffer.alloc(4_096));
    await expect(prepareInStore(app.ctx, { path, fileType: 'ppt', converter: null })).rejects.toMatchObject({
      code: 'converter-missing',
      kind: 'waiting',
    });
  });
});

describe.skipIf(findConverter() === null)('a deck with LibreOffice', { timeout: 120_000 }, () => {
  test('has its visible slides as pages', async () => {
    const deck = {
      slides: [
        { title: '新品上市' },
        { title: '备用', hidden: true },
        { title: '预算', lines: ['先花在门口，再花在舞台'] },
      ],
    };
    const prepared = await prepareDeck(deck);
    expect(prepared).toMatchObject({
      pageCount: 2,
      flags: [],
      pdf: expect.stringMatching(/\.pdf$/),
      textExcerpt: '先花在门口，再花在舞台。',
    });
    expect(prepared.pages.map(({ text }) => text)).toEqual(['新品上市', '预算\n先花在门口，再花在舞台']);
    // Something is drawn: a blank page has one colour.
    expect((await sharp(prepared.pages[1]?.image ?? '').stats()).entropy).toBeGreaterThan(0);
    expect(await countOwnPdfPages(prepared.pdf ?? '')).toBe(2);
    const images = Array.from({ length: 2 }, () => 'page.webp');
    expect(await listMedia(app.ctx, prepared.fileId)).toEqual([
      'cover-960.webp',
      'cover.webp',
      ...images,
      'strip.webp',
      'words.json',
    ]);
    expect(await listWorkFolders()).toEqual([]);
  });

  test('media linked from outside are not fetched', async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked++;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    await prepareDeck({ slides: [{ title: '外链', link: `http://127.0.0.1:${port}/a.png` }] });
    server.close();
    expect(asked).toBe(0);
  });

  test('files of this machine are not read', async () => {
    const red = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#ff0000' } })
      .png()
      .toBuffer();
    const { pages } = await prepareDeck({ slides: [{ title: '本地', link: `file://${await put('red.png', red)}` }] });
    const { channels } = await sharp(pages[0]?.image ?? '').stats();
    // On a white page, red drawn somewhere would leave less green than red.
    expect(Math.abs((channels[0]?.mean ?? 0) - (channels[1]?.mean ?? 255))).toBeLessThan(0.1);
  });

  test('several decks are converted in one start; a bad deck is left to be converted alone', async () => {
    const decks = await Promise.all(
      [deckOf({ slides: [{ title: '一' }] }), Buffer.from('rubbish'), deckOf({ slides: [{ title: '二' }, {}] })].map(
        async (bytes, index) => ({ path: await put(`${index}.pptx`, bytes), fileType: 'pptx' as const }),
      ),
    );
    const workDir = await mkdtemp(join(app.folder, 'work-'));
    const [one, bad, two] = await convertManyToPdf({ decks, workDir });
    expect(one).toBe(join(workDir, 'deck-1.pdf'));
    expect(bad).toBe(null);
    expect(two).toBe(join(workDir, 'deck-3.pdf'));
    const pool = createIngestPool(1);
    const prepared = await Promise.allSettled(
      decks.map(({ path }, index) =>
        // A broken PPT reaches LibreOffice; a broken PPTX is refused when its slides are read.
        prepareInStore(app.ctx, { path, fileType: index === 1 ? 'ppt' : 'pptx', pool }),
      ),
    );
    expect(prepared).toMatchObject([
      { status: 'fulfilled', value: { pageCount: 1 } },
      { status: 'rejected', reason: { code: 'not-loadable' } },
      { status: 'fulfilled', value: { pageCount: 2 } },
    ]);
  });

  test('a deck that LibreOffice cannot load is refused', async () => {
    const path = await put('a.ppt', Buffer.from('d0cf11e0a1b11ae1', 'hex'));
    const { fileId } = await acceptPath(app.ctx, path, 'ppt');
    await expect(prepareInStore(app.ctx, { path, fileType: 'ppt' })).rejects.toMatchObject({
      code: 'not-loadable',
      kind: 'refused',
    });
    expect(await listMedia(app.ctx, fileId)).toEqual([]);
    expect(await listWorkFolders()).toEqual([]);
  });

  test('an abort ends it at once', async () => {
    const slides = Array.from({ length: 60 }, () => ({ title: '慢', lines: ['一', '二', '三'] }));
    const path = await put('slow.pptx', deckOf({ slides }));
    const { fileId, error, milliseconds, item } = await abortAfter(700, path, 'pptx');
    expect(error).toMatchObject({ name: 'TimeoutError' });
    expect(milliseconds).toBeLessThan(5_000);
    expect(item).toMatchObject({ state: 'queued', reasonCode: null });
    expect(await listMedia(app.ctx, fileId)).toEqual([]);
    expect(await listWorkFolders()).toEqual([]);
  });
});

test('the boxes of idle children are removed within seconds', async () => {
  const boxes = async () =>
    (await readdir(tmpdir())).filter((name) => name.startsWith(`${WORK_FOLDER}${process.pid}-`));
  await expect.poll(boxes, { timeout: 15_000 }).toEqual([]);
});

describe('a PDF without text', { timeout: 60_000 }, () => {
  const accepted = async (name: string, pdf: SamplePdf) => {
    const { fileId, item } = await acceptPath(app.ctx, await put(name, pdfOf(pdf)), 'pdf');
    await prepareStoredFile(app.ctx, fileId, { number: 1, isLast: true, signal: undefined });
    const row = await item();
    const document = await findDocument(app.ctx, row.documentId ?? 0);
    return { document, file: await selectFile(app.ctx.db, fileId), item: row };
  };

  test('is published with a remark for the operator', async () => {
    const { document, file, item } = await accepted('scan.pdf', {
      pages: [{ content: '1 0 0 rg 100 100 300 200 re f 0 g' }, {}],
    });
    expect(file?.flags).toEqual(['no-text']);
    expect(document?.state).toBe('published');
    expect(item).toMatchObject({ state: 'published', message: expect.stringContaining('no readable text') });
  });

  test('and without pictures is kept off the shelf until an operator shows it', async () => {
    const { document, file, item } = await accepted('blank.pdf', {
      pages: [{}, { content: '1 1 1 rg 100 100 300 200 re f 0 g', width: 540, height: 960 }],
    });
    expect(file).toMatchObject({ flags: ['blank'], state: 'ready' });
    expect(document?.state).toBe('hidden');
    expect(item).toMatchObject({ state: 'failed', reasonCode: 'blank' });
    await restoreDocument(app.ctx, document?.id ?? 0);
    expect((await findDocument(app.ctx, document?.id ?? 0))?.state).toBe('published');
  });
});
