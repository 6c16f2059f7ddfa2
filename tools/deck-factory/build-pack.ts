import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import type { PreparedFile } from '../../src/ingest/prepared-file.ts';
import { excerptOf } from '../../src/ingest/page-text.ts';
import { coverName } from '../../src/ingest/server/render/page-image.ts';
import { readPptxFacts } from '../../src/ingest/server/formats/pptx-facts.ts';
import { outlineOf, prepareFile } from '../../src/ingest/server/steps/prepare-file.ts';
import type { Entry } from './catalogue.ts';
import { generateFiles } from './generate.ts';

const PREVIEW_PAGES = 10;
/** Previews are packed tighter than the site's own: the whole pack has to stay below PACK_LIMIT bytes. */
const PAGE_QUALITY = 35;
/** Their pictures are softer: they bear more. */
const SCRIPT_PAGE_QUALITY = 30;
const COVER_QUALITY = 66;
/** The larger covers are what a first visitor looks at; at their density a lower quality is not seen. */
const LARGE_COVER_QUALITY = 60;
const PACK_LIMIT = 50_000_000;

/**
 * `prepared.json`: what ingest found out, with image names relative to its own folder, and which file it is of. The larger covers and
 * the thumbnails lie beside it under the names that ingest gives them.
 */
export type PackedPreview = PreparedFile & {
  /** File name under `files/`. */
  file: string;
  /** SHA-256 of the file, 64 hex digits; the folder is named by the first 16. */
  sha256: string;
  bytes: number;
};

/** Encode again at the pack's quality; keeps the size in pixels. Returns `name`. */
async function pack(image: string, folder: string, name: string, quality: number): Promise<string> {
  const tight = await sharp(image).webp({ quality, effort: 6 }).toBuffer();
  if (tight.length < (await stat(image)).size) await writeFile(join(folder, name), tight);
  else await copyFile(image, join(folder, name));
  return name;
}

/** Pages of a file whose previews stand already: they are named by its content, so they are still right. */
async function readPageCount(folder: string): Promise<number | null> {
  const text = await readFile(join(folder, 'prepared.json'), 'utf8').catch(() => null);
  // Safe: written below, from a PreparedFile.
  return text === null ? null : (JSON.parse(text) as PackedPreview).pageCount;
}

/** Prepare one file through the ingest pipeline and store its previews; returns its pages. */
export async function packPreview(packDir: string, entry: Entry): Promise<number> {
  const path = join(packDir, 'files', entry.file);
  const content = await readFile(path);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const folder = join(packDir, 'previews', sha256.slice(0, 16));
  const done = await readPageCount(folder);
  if (done !== null) return done;
  await mkdir(folder, { recursive: true });
  const workDir = await mkdtemp(join(tmpdir(), 'ceku-pack-'));
  try {
    const prepared = await prepareFile({ path, fileType: entry.fileType, workDir, previewPages: PREVIEW_PAGES });
    if (prepared.flags.length > 0) throw new Error(`${entry.file}: ${prepared.flags.join(', ')}`);
    const quality = entry.script ? SCRIPT_PAGE_QUALITY : PAGE_QUALITY;
    const pages: PreparedFile['pages'] = [];
    for (const page of prepared.pages) {
      const { large: _large, ...rest } = page;
      pages.push({
        ...rest,
        image: page.image === null ? null : await pack(page.image, folder, `p${page.number}.webp`, quality),
      });
    }
    const { larger = [], ...smallest } = prepared.cover;
    const cover = { ...smallest, image: await pack(smallest.image, folder, 'cover.webp', COVER_QUALITY) };
    for (const { width, image } of larger) await pack(image, folder, `${coverName(width)}.webp`, LARGE_COVER_QUALITY);
    if (prepared.strip) await copyFile(prepared.strip, join(folder, 'strip.webp'));
    const { strip: _strip, words: _words, ...facts } = prepared;
    const packed: PackedPreview = {
      ...facts,
      pages,
      cover,
      pdf: null,
      file: entry.file,
      sha256,
      bytes: content.length,
    };
    await writeFile(join(folder, 'prepared.json'), `${JSON.stringify(packed)}\n`);
    return prepared.pageCount;
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

async function sizeOf(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    files.filter((file) => file.isFile()).map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Takes away what no deck of the catalogue owns any more. */
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
 * Generate the whole demo library and its previews into `packDir`. Previews whose file has not changed stay; with
 * `again` (after a change of the pipeline) all are made anew. Throws when the pack grows too large.
 */
export async function buildPack(packDir: string, again = false): Promise<void> {
  if (again) await rm(packDir, { recursive: true, force: true });
  const entries = await generateFiles(packDir);
  let pages = 0;
  const queue = [...entries];
  // Two at a time: LibreOffice keeps one core busy, the page encoder another.
  const worker = async () => {
    for (let entry = queue.shift(); entry; entry = queue.shift()) {
      const count = await packPreview(packDir, entry);
      pages += count;
      console.log(`${entries.length - queue.length}/${entries.length} ${entry.file}`);
    }
  };
  await Promise.all([worker(), worker()]);
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
 * Reads titles and text of every deck of the pack again and writes them into its `prepared.json`; images stay. For a change of how
 * outlines are read, of which a whole build would make 30 MB of new images.
 */
export async function readOutlinesAgain(packDir: string): Promise<void> {
  for (const name of await readdir(join(packDir, 'previews'))) {
    const path = join(packDir, 'previews', name, 'prepared.json');
    // Safe: written above, from a PreparedFile.
    const packed = JSON.parse(await readFile(path, 'utf8')) as PackedPreview;
    const { file, fileType } = packed;
    const { outline, texts } = await readOutline(join(packDir, 'files', file), fileType);
    if (texts.length !== packed.pageCount) throw new Error(`${file}: ${texts.length} pages`);
    const pages = packed.pages.map((page, index) => ({ ...page, text: texts[index] || page.text }));
    const textExcerpt = excerptOf(pages.map((page) => page.text));
    await writeFile(path, `${JSON.stringify({ ...packed, pages, outline, textExcerpt })}\n`);
    console.log(`${file}: ${outline.map(({ page, title }) => `${page} ${title}`).join(' | ')}`);
  }
}

/** A PPTX, ours here, tells its titles and texts itself; of the others a page has to be drawn. */
async function readOutline(path: string, fileType: PreparedFile['fileType']) {
  if (fileType === 'pptx') {
    const { slides } = await readPptxFacts(path);
    return { outline: outlineOf(slides), texts: slides.map((slide) => slide.text) };
  }
  const workDir = await mkdtemp(join(tmpdir(), 'ceku-pack-'));
  try {
    const { outline, pages } = await prepareFile({ path, fileType, workDir, previewPages: 1 });
    return { outline, texts: pages.map((page) => page.text) };
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { again: { type: 'boolean', default: false }, outlines: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const packDir = positionals[0] ?? join(import.meta.dirname, '../../demo/pack');
  if (values.outlines) await readOutlinesAgain(packDir);
  else await buildPack(packDir, values.again);
}
