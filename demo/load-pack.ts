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

type PackProgress = (done: number, total: number) => void;

/** The folder of the demo library of this release. */
export const PACK = fileURLToPath(new URL('pack/', import.meta.url));
/** Files copied at once; copying mostly waits for the disk. */
const AT_ONCE = 8;

/**
 * Loads the demo library: originals, images and rows, which the deck factory (tools/deck-factory/build-pack.ts)
 * prepared with ingest, so that a first start takes seconds and needs no LibreOffice. A second call adds what is
 * missing and changes nothing else. Returns the number of added documents; 0 when this release has no demo library.
 */
export async function loadDemoPack(ctx: Ctx, onProgress: PackProgress, folder = PACK): Promise<{ documents: number }> {
  const manifestPath = join(folder, 'manifest.csv');
  if (!existsSync(manifestPath)) {
    ctx.log.warn('this release has no demo library');
    return { documents: 0 };
  }
  await seedTaxonomy(ctx);
  // The clock of a machine may be behind the days of the pack.
  const manifest = await readManifest(manifestPath, Number.POSITIVE_INFINITY);
  const everyPath = manifest.rows.map(({ path }) => inPack(folder, path));
  const { factsOf } = matchManifest(manifestPath, manifest, everyPath);
  const added: number[] = [];
  // In the order of the manifest, so that the same pack gets the same ids.
  for (let at = 0; at < everyPath.length; at += AT_ONCE) {
    const decks = everyPath.slice(at, at + AT_ONCE).map(async (path) => {
      return { path, prepared: await readPrepared(folder, path), facts: factsOf(path) ?? {} };
    });
    added.push(...(await adoptPreparedFiles(ctx, await Promise.all(decks))));
    onProgress(Math.min(at + AT_ONCE, everyPath.length), everyPath.length);
  }
  // The jobs would do it later; this way the library is searchable at once, also without a worker.
  await indexDocuments(ctx, added);
  return { documents: added.length };
}

/** Returns the path of a file, which the manifest may name with or without its folder. */
function inPack(folder: string, path: string): string {
  return existsSync(path) ? path : join(folder, 'files', basename(path));
}

/**
 * Reads prepared.json: a PreparedFile whose image names are relative to its folder. The pack has no converted PDFs. The
 * larger covers and the strip of thumbnails are found by their names.
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
    charts: (prepared.charts ?? []).map((chart) => ({
      ...chart,
      picture: chart.picture && join(folder, chart.picture),
    })),
  };
}

/** Returns the SHA-256 of a file in hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}
