import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { listCharts } from '../../src/charts/server/list-charts.ts';
import { chartKeys, recordCharts } from '../../src/charts/server/record-charts.ts';
import type { Ctx } from '../../src/context.ts';
import { describeMissing } from '../../src/ingest/server/about/describe-missing.ts';
import { editDocument } from '../../src/library/server/documents.ts';
import { documents, files } from '../../src/library/server/tables.ts';
import { addPublished } from '../published-document.ts';
import { pdfOf } from '../samples/pdf.ts';
import type { Standing } from './rights.ts';

/** The word of every name and the word of every page, for searches that find all documents. */
export const NAME_WORD = '预算';
export const PAGE_WORD = 'budget';
/** The word of the pages after the tenth. */
export const LATE_WORD = 'lighthouse';

/** In coins. */
export const PRICE = 5;
const PAGES = 12;
const SHORT_PAGES = 8;
/** Pages with a chart: one of the preview, one after it. */
const CHART_PAGES = [2, 12];

export type LibraryDocument = {
  /** The number in its marks, from 1. */
  number: number;
  id: number;
  mediaKey: string;
  sha256: string;
  pageCount: number;
  standing: Standing;
  chartIds: number[];
};

/** An image or a PDF that is recognised by its bytes. `page` 0: the whole document. */
type KnownBytes = { number: number; page: number };

export type Library = {
  documents: LibraryDocument[];
  /** By SHA-256 of the bytes in hexadecimal. */
  bytes: Map<string, KnownBytes>;
};

/**
 * The marks that a document carries, one for each thing a reader may or may not see. A mark that turns up in an answer
 * says what was shown, wherever in the answer it stands.
 */
export const marks = {
  name: (number: number) => `zn${number}e`,
  page: (number: number, page: number) => `zq${number}p${page}e`,
  chart: (number: number, page: number) => `zc${number}p${page}e`,
};

/**
 * Adds `count` documents to a site: PDFs of twelve pages, each tenth of eight; of each ten, one each is owned by the reader `owner`,
 * off the shelf, taken down and unpublished in the end (standingOf). Every page, name and
 * chart has a mark. `ingest` takes files in as an operator does (null: none); it gets one document of twenty.
 */
export async function addLibrary(
  ctx: Ctx,
  count: number,
  ingest: ((folder: string) => Promise<void>) | null,
): Promise<Library> {
  const library: Library = { documents: [], bytes: new Map() };
  const folder = await mkdtemp(join(tmpdir(), 'ceku-crawl-'));
  try {
    const ingested: number[] = [];
    for (let number = 1; number <= count; number++) {
      if (ingest !== null && number % 20 === 4) ingested.push(number);
      else library.documents.push(await addStored(ctx, library, number, folder));
    }
    const taken = join(folder, 'ingest');
    await mkdir(taken);
    for (const number of ingested) await writeFile(join(taken, `${nameOf(number)}.pdf`), pdfBytes(number, PAGES));
    if (ingested.length > 0) await ingest?.(taken);
    for (const number of ingested) library.documents.push(await findIngested(ctx, library, number));
    // The site does so every ten minutes: much alike as they are, the documents become versions of a few plans, folded in lists.
    await describeMissing(ctx);
  } finally {
    await rm(folder, { recursive: true });
  }
  return library;
}

const nameOf = (number: number) => `${NAME_WORD}方案 ${marks.name(number)}`;

/** Returns the final state of the document of that number; all are published first. */
export function standingOf(number: number): Standing {
  const kinds: Record<number, Standing> = { 3: 'owned', 7: 'hidden', 8: 'removed', 9: 'unpublished' };
  return kinds[number % 10] ?? 'published';
}

const textOf = (number: number, page: number) =>
  `${page > 10 ? `${LATE_WORD} ` : ''}${PAGE_WORD} ${marks.page(number, page)}`;

function pdfBytes(number: number, pageCount: number): Buffer {
  const pages = Array.from({ length: pageCount }, (_, index) => ({
    // The outline, which is public (C-21), takes the largest line.
    content: `BT /F1 60 Tf 40 440 Td (Chapter ${index + 1}) Tj ET`,
    text: textOf(number, index + 1),
  }));
  return pdfOf({ pages });
}

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Adds a document by its rows and files, without ingest. Its preview pages and charts are small pictures, each different. */
async function addStored(ctx: Ctx, library: Library, number: number, folder: string): Promise<LibraryDocument> {
  const pageCount = number % 10 === 0 ? SHORT_PAGES : PAGES;
  const bytes = pdfBytes(number, pageCount);
  const sha256 = sha256Of(bytes);
  const { id, mediaKey } = await addPublished(
    { ctx },
    {
      name: nameOf(number),
      fileType: 'pdf',
      pageCount,
      priceCoins: PRICE,
      isPublished: standingOf(number) !== 'unpublished',
      texts: Array.from({ length: pageCount }, (_, index) => textOf(number, index + 1)),
    },
  );
  const put = async (key: string, data: Buffer, known?: KnownBytes) => {
    const file = join(folder, 'part');
    await writeFile(file, data);
    await ctx.files.put(key, file);
    if (known) library.bytes.set(sha256Of(data), known);
  };
  await put(`originals/${sha256}`, bytes, { number, page: 0 });
  for (let page = 1; page <= Math.min(pageCount, 10); page++)
    await put(`media/${mediaKey}/p${page}.webp`, await picture(number, page, 1), { number, page });
  await put(`media/${mediaKey}/strip.webp`, await picture(number, 1, 2), { number, page: 1 });
  await put(`media/${mediaKey}/cover.webp`, await picture(number, 1, 3));
  const [file] = await ctx.db
    .update(files)
    .set({ sha256, sizeBytes: bytes.length, hasStrip: true })
    .where(eq(files.mediaKey, mediaKey))
    .returning({ id: files.id });
  if (!file) throw new Error(`document ${id} has no file`);
  const chartPages = CHART_PAGES.filter((page) => page <= pageCount);
  await recordCharts(
    ctx,
    file.id,
    chartPages.map((page) => ({
      page,
      type: 'pie',
      title: `图表 ${page}`,
      data: {
        categories: [marks.chart(number, page)],
        series: [{ name: marks.chart(number, page), type: 'pie', values: [page], unit: '%' }],
        categoryAxis: '',
        valueAxis: '',
      },
      frame: { x: 0, y: 0, width: 0.5, height: 0.5 },
      image: { width: 16, height: 9 },
    })),
  );
  for (const [index, page] of chartPages.entries()) {
    const { display, original } = chartKeys(mediaKey, index + 1);
    await put(display, await picture(number, page, 4), { number, page });
    await put(original, await picture(number, page, 5), { number, page });
  }
  const chartIds = (await listCharts(ctx, file.id)).map((chart) => chart.id);
  return { number, id, mediaKey, sha256, pageCount, standing: standingOf(number), chartIds };
}

/** A picture that no other page, document or kind of picture has. */
function picture(number: number, page: number, kind: number): Promise<Buffer> {
  const background = { r: number % 256, g: Math.floor(number / 256) * 16 + kind, b: page };
  return sharp({ create: { width: 16, height: 9, channels: 3, background } })
    .webp({ lossless: true })
    .toBuffer();
}

async function findIngested(ctx: Ctx, library: Library, number: number): Promise<LibraryDocument> {
  const sha256 = sha256Of(pdfBytes(number, PAGES));
  const [found] = await ctx.db
    .select({ id: documents.id, mediaKey: files.mediaKey, pageCount: files.pageCount, state: documents.state })
    .from(files)
    .innerJoin(documents, eq(documents.fileId, files.id))
    .where(eq(files.sha256, sha256));
  if (found?.state !== 'published') throw new Error(`the file ${nameOf(number)} was not published by ingest`);
  library.bytes.set(sha256, { number, page: 0 });
  const { id, mediaKey, pageCount } = found;
  // A document without a manifest costs nothing, and a download for nothing would make the crawling reader its owner.
  await editDocument(ctx, id, { priceCoins: PRICE });
  return { number, id, mediaKey, sha256, pageCount, standing: standingOf(number), chartIds: [] };
}
