import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Ctx } from '../src/context.ts';
import type { PreparedFile } from '../src/ingest/prepared-file.ts';
import { adoptPreparedFiles } from '../src/ingest/server/intake/adopt-prepared-files.ts';
import { matchManifest } from '../src/ingest/server/manifest/match-manifest.ts';
import { readManifest } from '../src/ingest/server/manifest/read-manifest.ts';
import { coverName } from '../src/ingest/server/render/page-image.ts';
import { ingestLimits as limits } from '../src/ingest/rules.ts';
import { seedTaxonomy } from '../src/library/server/labels.ts';
import { indexDocuments } from '../src/search/server/indexing/index-documents.ts';

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
    const decks = everyPath.slice(at, at + AT_ONCE).map(async (path) => {
      return { path, prepared: await readPrepared(folder, path), facts: factsOf(path) ?? {} };
    });
    added.push(...(await adoptPreparedFiles(ctx, await Promise.all(decks))));
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

/**
 * prepared.json is a PreparedFile whose image names are relative to its folder; the pack holds no converted PDF. The larger covers and
 * the thumbnails are found by their names.
 */
async function readPrepared(pack: string, path: string): Promise<PreparedFile> {
  const folder = join(pack, 'previews', (await sha256Of(path)).slice(0, 16));
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

async function sha256Of(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}
