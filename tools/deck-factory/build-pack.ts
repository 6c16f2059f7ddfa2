import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import type { PreparedFile } from '../../src/ingest/prepared-file.ts';
import { excerptOf } from '../../src/ingest/page-text.ts';
import type { Ctx } from '../../src/context.ts';
import { outlineOfSlides, readPptxFacts } from '../../src/ingest/server/formats/pptx-facts.ts';
import { coverName } from '../../src/ingest/server/render/page-image.ts';
import { openApp } from '../../src/open-app.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/platform/log.ts';
import { drawLargestCover, prepareInStore } from '../../tests/prepared-file.ts';
import type { Entry } from './catalogue.ts';
import { generateFiles } from './generate.ts';
import { packCharts } from './pack-charts.ts';

/** How many decks are prepared at once: LibreOffice keeps one core busy, the page encoder another. */
const WORKERS = 2;
/** WebP quality of page images, lower than the site's: the whole pack must stay below PACK_LIMIT bytes. */
const PAGE_QUALITY = 35;
/** WebP quality of page images of the decks with a script, whose pictures are soft: a lower quality is not seen. */
const SCRIPT_PAGE_QUALITY = 30;
const COVER_QUALITY = 66;
/** WebP quality of the covers for dense screens, on which a lower quality is not seen. */
const LARGE_COVER_QUALITY = 60;
const PACK_LIMIT = 50_000_000;

/**
 * The content of `prepared.json`: a PreparedFile whose image names are relative to its folder, and the file that was prepared. The larger
 * covers and the strip of thumbnails lie beside it under the names that ingest gives them.
 */
export type PackedPreview = PreparedFile & {
  /** Name of the file in `files/`. */
  file: string;
  /** SHA-256 of the file, 64 hex digits; the folder is named by the first 16. */
  sha256: string;
  bytes: number;
};

/** Encodes an image again at `quality`, in the same size, unless that makes it larger. Returns `name`. */
async function pack(image: string, folder: string, name: string, quality: number): Promise<string> {
  const tight = await sharp(image).webp({ quality, effort: 6 }).toBuffer();
  if (tight.length < (await stat(image)).size) await writeFile(join(folder, name), tight);
  else await copyFile(image, join(folder, name));
  return name;
}

/** Returns the number of pages of a file whose previews exist, or null. The folder is named by the content of the file. */
async function readPageCount(folder: string): Promise<number | null> {
  const text = await readFile(join(folder, 'prepared.json'), 'utf8').catch(() => null);
  // Safe: packPreview wrote it from a PreparedFile.
  return text === null ? null : (JSON.parse(text) as PackedPreview).pageCount;
}

/** Prepares a deck with the ingest steps of the site and writes its previews. Returns the number of its pages. Throws when a flag is set. */
export async function packPreview(
  ctx: Ctx,
  packDir: string,
  entry: Pick<Entry, 'file' | 'fileType' | 'script'>,
): Promise<number> {
  const path = join(packDir, 'files', entry.file);
  const content = await readFile(path);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const folder = join(packDir, 'previews', sha256.slice(0, 16));
  const done = await readPageCount(folder);
  if (done !== null) return done;
  const stored = await prepareInStore(ctx, { path, fileType: entry.fileType, workers: WORKERS });
  const { fileId, strip, words: _words, ...prepared } = stored;
  if (prepared.flags.length > 0) throw new Error(`${entry.file}: ${prepared.flags.join(', ')}`);
  await mkdir(folder, { recursive: true });
  const quality = entry.script ? SCRIPT_PAGE_QUALITY : PAGE_QUALITY;
  const pages: PreparedFile['pages'] = [];
  for (const page of prepared.pages) {
    const { largeWidth: _largeWidth, ...rest } = page;
    pages.push({
      ...rest,
      image: page.image === null ? null : await pack(page.image, folder, `p${page.number}.webp`, quality),
    });
  }
  const { larger = [], ...smallest } = prepared.cover;
  const cover = { ...smallest, image: await pack(smallest.image, folder, 'cover.webp', COVER_QUALITY) };
  for (const { width, image } of larger)
    await pack(image ?? (await drawLargestCover(ctx, fileId)), folder, `${coverName(width)}.webp`, LARGE_COVER_QUALITY);
  if (strip) await copyFile(strip, join(folder, 'strip.webp'));
  const charts = await packCharts({ path, fileType: entry.fileType, folder, pages });
  const packed: PackedPreview = {
    ...prepared,
    pages,
    cover,
    charts,
    pdf: null,
    file: entry.file,
    sha256,
    bytes: content.length,
  };
  await writeFile(join(folder, 'prepared.json'), `${JSON.stringify(packed)}\n`);
  return prepared.pageCount;
}

async function sizeOf(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    files.filter((file) => file.isFile()).map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Removes the decks and previews that are no longer in the catalogue. */
async function sweep(packDir: string, entries: readonly Entry[]): Promise<void> {
  const files = new Set(entries.map((entry) => entry.file));
  for (const file of await readdir(join(packDir, 'files'))) {
    if (!files.has(file)) await rm(join(packDir, 'files', file));
  }
  const folders = new Set<string>();
  for (const file of files) {
    const content = await readFile(join(packDir, 'files', file));
    folders.add(createHash('sha256').update(content).digest('hex').slice(0, 16));
  }
  for (const folder of await readdir(join(packDir, 'previews'))) {
    if (!folders.has(folder)) await rm(join(packDir, 'previews', folder), { recursive: true });
  }
}

/**
 * Opens the site's database and file store in a temporary data folder, and removes them afterwards. Decks are prepared there by the
 * steps that prepare them on a site.
 */
async function withApp<T>(use: (ctx: Ctx) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ceku-pack-'));
  try {
    const config = readConfig({ DATA_DIR: dataDir, DEMO: 'off', LOG_LEVEL: 'error' });
    const app = await openApp(config, createLog(config.logLevel), 'tool');
    try {
      return await use(app.ctx);
    } finally {
      await app.close();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/**
 * Generates the whole demo library and its previews into `packDir`. Previews of unchanged files are kept; with `again` all previews are
 * made again. Throws when the pack is larger than PACK_LIMIT.
 */
export async function buildPack(packDir: string, again = false): Promise<void> {
  if (again) await rm(packDir, { recursive: true, force: true });
  const entries = await generateFiles(packDir);
  let pages = 0;
  const queue = [...entries];
  const worker = async (ctx: Ctx) => {
    for (let entry = queue.shift(); entry; entry = queue.shift()) {
      const count = await packPreview(ctx, packDir, entry);
      pages += count;
      console.log(`${entries.length - queue.length}/${entries.length} ${entry.file}`);
    }
  };
  await withApp((ctx) => Promise.all(Array.from({ length: WORKERS }, () => worker(ctx))));
  await sweep(packDir, entries);
  const [files, previews, all] = await Promise.all([
    sizeOf(join(packDir, 'files')),
    sizeOf(join(packDir, 'previews')),
    sizeOf(packDir),
  ]);
  console.log(`${entries.length} decks, ${pages} pages; files ${files}, previews ${previews}, all ${all} bytes`);
  if (all > PACK_LIMIT) throw new Error(`the pack is larger than ${PACK_LIMIT} bytes`);
}

/**
 * Reads titles and text of every deck of the pack again and writes them into its `prepared.json`; images are kept. Use it after a change
 * of how outlines are read: a whole build would commit 30 MB of new images.
 */
export async function readOutlinesAgain(ctx: Ctx, packDir: string): Promise<void> {
  for (const name of await readdir(join(packDir, 'previews'))) {
    const path = join(packDir, 'previews', name, 'prepared.json');
    // Safe: packPreview wrote it from a PreparedFile.
    const packed = JSON.parse(await readFile(path, 'utf8')) as PackedPreview;
    const { file, fileType } = packed;
    const { outline, texts } = await readOutline(ctx, join(packDir, 'files', file), fileType);
    if (texts.length !== packed.pageCount) throw new Error(`${file}: ${texts.length} pages`);
    const pages = packed.pages.map((page, index) => ({ ...page, text: texts[index] || page.text }));
    const pageTexts = pages.map((page) => page.text);
    const textExcerpt = excerptOf(pageTexts, { areLinesWhole: fileType === 'pptx' });
    await writeFile(path, `${JSON.stringify({ ...packed, pages, outline, textExcerpt })}\n`);
    console.log(`${file}: ${outline.map(({ page, title }) => `${page} ${title}`).join(' | ')}`);
  }
}

/** Reads the charts of every deck of the pack again and writes them into its `prepared.json`, with their pictures beside it. */
export async function readChartsAgain(packDir: string): Promise<void> {
  for (const name of await readdir(join(packDir, 'previews'))) {
    const folder = join(packDir, 'previews', name);
    const path = join(folder, 'prepared.json');
    // Safe: packPreview wrote it from a PreparedFile.
    const packed = JSON.parse(await readFile(path, 'utf8')) as PackedPreview;
    const { file, fileType, pages } = packed;
    const charts = await packCharts({ path: join(packDir, 'files', file), fileType, folder, pages });
    await writeFile(path, `${JSON.stringify({ ...packed, charts })}\n`);
    console.log(`${file}: ${charts.map((chart) => `${chart.page} ${chart.title || chart.type}`).join(' | ')}`);
  }
}

/** Reads titles and text of a PPTX without LibreOffice, and prepares any other file. */
async function readOutline(ctx: Ctx, path: string, fileType: PreparedFile['fileType']) {
  if (fileType === 'pptx') {
    const { slides } = await readPptxFacts(path);
    return { outline: outlineOfSlides(slides), texts: slides.map((slide) => slide.text) };
  }
  const { outline, pages } = await prepareInStore(ctx, { path, fileType, workers: WORKERS });
  return { outline, texts: pages.map((page) => page.text) };
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: {
      again: { type: 'boolean', default: false },
      outlines: { type: 'boolean', default: false },
      charts: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const packDir = positionals[0] ?? join(import.meta.dirname, '../../demo/pack');
  if (values.charts) await readChartsAgain(packDir);
  else if (values.outlines) await withApp((ctx) => readOutlinesAgain(ctx, packDir));
  else await buildPack(packDir, values.again);
}
