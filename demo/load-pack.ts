import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transact, type Ctx } from '../src/context.ts';
import { sniffFile } from '../src/ingest/server/sniff/sniff-file.ts';
import type { PreparedFile, Sniffed } from '../src/ingest/prepared-file.ts';
import { matchManifest } from '../src/ingest/server/manifest/match-manifest.ts';
import { readManifest } from '../src/ingest/server/manifest/read-manifest.ts';
import { savePrepared, selectDocumentOfFile, upsertFile } from '../src/ingest/server/store/files.ts';
import { coverName } from '../src/ingest/server/render/page-image.ts';
import { ingestLimits as limits } from '../src/ingest/rules.ts';
import { storeMedia, type StoredMedia } from '../src/ingest/server/store/media.ts';
import { createDocument, type CreateDocumentInput } from '../src/library/server/create-document.ts';
import { publishDocument } from '../src/library/server/publish-document.ts';
import { seedTaxonomy } from '../src/library/server/seed-taxonomy.ts';
import { indexDocuments } from '../src/search/server/index-documents.ts';

export type PackProgress = (done: number, total: number) => void;

/** The pack of this release. */
export const PACK = fileURLToPath(new URL('pack/', import.meta.url));
/** Copies wait for the disk most of the time. */
const AT_ONCE = 8;

/**
 * Puts the demo library on the shelf: originals, images and rows, all made beforehand by the real pipeline
 * (tools/deck-factory/build-pack.ts), so that a first start takes seconds and needs no converter. Doing it again adds what is missing
 * and touches nothing else. Returns how many documents were added; none when this release carries no pack.
 */
export async function loadDemoPack(ctx: Ctx, onProgress: PackProgress, folder = PACK): Promise<{ documents: number }> {
  const manifestPath = join(folder, 'manifest.csv');
  if (!existsSync(manifestPath)) {
    ctx.log.warn('this release carries no demo library');
    return { documents: 0 };
  }
  await seedTaxonomy(ctx);
  const manifest = await readManifest(manifestPath);
  const everyPath = manifest.rows.map(({ path }) => inPack(folder, path));
  const { factsOf } = matchManifest(manifestPath, manifest, everyPath);
  const added: number[] = [];
  // In the manifest's order, so that the same pack gets the same ids.
  for (let at = 0; at < everyPath.length; at += AT_ONCE) {
    const paths = everyPath.slice(at, at + AT_ONCE);
    const decks = await Promise.all(paths.map((path) => storeDeck(ctx, folder, path)));
    for (const deck of decks) {
      const id = await fileDeck(ctx, deck, factsOf(deck.path) ?? {});
      if (id) added.push(id);
    }
    onProgress(Math.min(at + AT_ONCE, everyPath.length), everyPath.length);
  }
  // Not left to the jobs: the library is complete when this returns, also where no worker runs.
  await indexDocuments(ctx, added);
  return { documents: added.length };
}

/** The manifest may name its files with or without their folder. */
function inPack(folder: string, path: string): string {
  return existsSync(path) ? path : join(folder, 'files', basename(path));
}

type Deck = { path: string; sniffed: Sniffed; prepared: PreparedFile; media: StoredMedia; mediaKey: string };

/** Files first, rows after: a row never points at something that is not there. */
async function storeDeck(ctx: Ctx, folder: string, path: string): Promise<Deck> {
  const sniffed = await sniffFile(path);
  if (!sniffed.ok) throw new Error(`the demo file ${basename(path)} is refused: ${sniffed.code}`);
  const prepared = await readPrepared(join(folder, 'previews', sniffed.sha256.slice(0, 16)));
  const file = await upsertFile(ctx.db, {
    sha256: sniffed.sha256,
    mediaKey: randomBytes(16).toString('base64url'),
    fileType: sniffed.fileType,
    sizeBytes: sniffed.bytes,
    originalName: basename(path),
    flags: sniffed.flags,
  });
  await putMissing(ctx, `originals/${sniffed.sha256}`, path);
  const media = await storeMedia(ctx.files, file.mediaKey, prepared);
  return { path, sniffed, prepared, media, mediaKey: file.mediaKey };
}

/** The id of the new document; null when this content is in the library already, in whatever state. */
function fileDeck(ctx: Ctx, deck: Deck, facts: Partial<Omit<CreateDocumentInput, 'fileId'>>): Promise<number | null> {
  return transact(ctx, async (tx) => {
    const { sniffed, mediaKey } = deck;
    const file = await upsertFile(tx.db, {
      sha256: sniffed.sha256,
      mediaKey,
      fileType: sniffed.fileType,
      sizeBytes: sniffed.bytes,
      originalName: basename(deck.path),
      flags: sniffed.flags,
    });
    if (await selectDocumentOfFile(tx.db, file.id)) return null;
    await savePrepared(tx.db, file.id, deck.prepared, deck.media);
    const id = await createDocument(tx, {
      keyword: '',
      priceCoins: 0,
      industry: '',
      themes: [],
      organization: '',
      type: '',
      researcher: '',
      createdAt: new Date(ctx.clock.now()),
      name: basename(deck.path),
      ...facts,
      fileId: file.id,
    });
    await publishDocument(tx, id);
    return id;
  });
}

/**
 * prepared.json is a PreparedFile whose image names are relative to its folder; the pack holds no converted PDF. The larger covers and
 * the thumbnails are found by their names.
 */
async function readPrepared(folder: string): Promise<PreparedFile> {
  // Safe: written by tools/deck-factory/build-pack.ts from a PreparedFile, and committed with this file.
  const prepared = JSON.parse(await readFile(join(folder, 'prepared.json'), 'utf8')) as PreparedFile;
  const strip = join(folder, 'strip.webp');
  const larger = limits.coverWidths
    .slice(1)
    .map((width) => ({ width, image: join(folder, `${coverName(width)}.webp`) }))
    .filter(({ image }) => existsSync(image));
  return {
    ...prepared,
    pdf: null,
    strip: existsSync(strip) ? strip : null,
    words: [],
    cover: { ...prepared.cover, image: join(folder, prepared.cover.image), larger },
    pages: prepared.pages.map((page) => ({ ...page, image: page.image && join(folder, page.image) })),
  };
}

async function putMissing(ctx: Ctx, key: string, path: string): Promise<void> {
  if (!(await ctx.files.stat(key))) await ctx.files.put(key, path);
}
