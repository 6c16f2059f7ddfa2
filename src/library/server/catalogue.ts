import type { Ctx, TransactionCtx } from '../../context.ts';
import type { Measurement } from '../../platform/metrics.ts';
import { PUBLIC_READ_MS, readWithin } from '../../platform/db/read-within.ts';
import type { DocumentFilter, FacetCounts } from '../document-filter.ts';
import type { FileType } from '../file-types.ts';
import type { ClosedKind, SingleKind, SingleLabels } from '../taxonomy.ts';
import { selectAnyDocuments } from './store-operators.ts';
import {
  selectFacetCounts,
  countByState,
  countPublished,
  hasDocuments,
  hasPublished,
  selectDocument,
  selectPreviewPages,
  selectLastPublishedId,
  selectPublishedDays,
  selectPublishedOf,
  selectPageSizes,
  selectPagesWithText,
  selectShownFile,
  selectShownPage,
} from './store.ts';
import type { DocumentState } from './tables.ts';

/** Reads of the catalogue that other slices use: they know these verbs, and never the store. */

/** One document and its file, with every known fact, in any state. */
export type DocumentFacts = NonNullable<Awaited<ReturnType<typeof selectDocument>>>;

/** Returns a document in any state, null when the id was never given out. The caller decides by `state` what may be seen. */
export function findDocument(ctx: TransactionCtx, id: number): Promise<DocumentFacts | null> {
  return selectDocument(ctx.db, id);
}

/** The conditions operators list documents by: labels by their exact names. A condition that is left out matches every document. */
export type DocumentSearch = Partial<Pick<SingleLabels, ClosedKind & SingleKind>> & {
  state?: DocumentState;
  fileType?: FileType;
  /** Part of the title, case-insensitive. */
  text?: string;
  since?: Date;
  /** Only documents with a doubt about their file, whose name nobody has given. */
  isDoubtful?: boolean;
};

export type ListedDocument = Awaited<ReturnType<typeof selectAnyDocuments>>[number];

/** Lists documents in any state, the newest id first, with ids below `after`. */
export function listAllDocuments(
  ctx: Ctx,
  search: DocumentSearch,
  page: { limit: number; after: number | null },
): Promise<ListedDocument[]> {
  return selectAnyDocuments(ctx.db, search, page);
}

/** Lists the first pages of a file that have an image. Sizes in pixels; `largeWidth` is 0 without a large image. */
export function listPreviewPages(
  ctx: Ctx,
  fileId: number,
  limit: number,
): Promise<{ page: number; width: number; height: number; largeWidth: number }[]> {
  return selectPreviewPages(ctx.db, fileId, limit);
}

/**
 * Returns the storage key of a page's image, and the width in pixels of the large image that it may have (0 for none). Null
 * when the page has no image, or when no published document shows it: a link handed out before must stop working then.
 */
export async function findShownPage(
  ctx: Ctx,
  mediaKey: string,
  page: number,
): Promise<{ key: string; largeWidth: number } | null> {
  const shown = await selectShownPage(ctx.db, mediaKey, page);
  return shown && { key: `media/${mediaKey}/${shown.name}.webp`, largeWidth: shown.largeWidth };
}

/** The facts of a file that its pages and covers are drawn from. */
type ShownFile = NonNullable<Awaited<ReturnType<typeof selectShownFile>>>;

/** Returns the file of a media folder; null when no published document shows it. */
export function findShownFile(ctx: Ctx, mediaKey: string): Promise<ShownFile | null> {
  return selectShownFile(ctx.db, mediaKey);
}

/** Lists the sizes in pixels that the images of pages have, or will have when they are drawn. */
export function listPageSizes(
  ctx: Ctx,
  fileId: number,
  range: { firstPage: number; lastPage: number },
): Promise<{ page: number; width: number; height: number }[]> {
  return selectPageSizes(ctx.db, fileId, range);
}

/** Lists the pages up to `lastPage` whose text each of `patterns` matches (patternOf a normalizedText), across line ends. */
export function listPagesWithText(
  ctx: Ctx,
  fileId: number,
  { patterns, lastPage }: { patterns: readonly string[]; lastPage: number },
): Promise<{ page: number; text: string }[]> {
  return selectPagesWithText(ctx.db, fileId, { patterns, lastPage });
}

/** Tells whether a published document shows the images of this media folder. */
export function isMediaShown(ctx: Ctx, mediaKey: string): Promise<boolean> {
  return hasPublished(ctx.db, mediaKey);
}

const HASH_KEY = /^\/?(?:originals\/([0-9a-f]{64})|pdf\/([0-9a-f]{64})\.pdf)$/;
const MEDIA_KEY = /^\/?media\/([A-Za-z0-9_-]{22})\/[\w.-]{1,80}$/;

/**
 * Returns the id of the published document that has a stored object with this key (C-87); null for any other key. The key is only
 * compared with registered keys: no path is made from it.
 */
export async function findByStorageKey(ctx: Ctx, key: string): Promise<number | null> {
  const hash = HASH_KEY.exec(key);
  const sha256 = hash?.[1] ?? hash?.[2];
  if (sha256) return selectPublishedOf(ctx.db, { sha256 });
  const mediaKey = MEDIA_KEY.exec(key)?.[1];
  return mediaKey ? selectPublishedOf(ctx.db, { mediaKey }) : null;
}

/** Tells whether the library never held a document: at the first start the demo library is loaded then. */
export async function isLibraryEmpty(ctx: Ctx): Promise<boolean> {
  return !(await hasDocuments(ctx.db));
}

/** Lists the published ids in (afterId, untilId] with the Shanghai day of their last change, for the sitemap. */
export function listPublishedIds(
  ctx: Ctx,
  range: { afterId: number; untilId: number },
): Promise<{ id: number; day: string }[]> {
  return selectPublishedDays(ctx.db, range);
}

/** Returns the highest published id; 0 for an empty library. */
export function findLastPublishedId(ctx: Ctx): Promise<number> {
  return selectLastPublishedId(ctx.db);
}

export type LibraryCount = { documents: number; industries: number };

/** Counts the published documents and the industries they cover. The result is at most 5 s old. */
export function countLibrary(ctx: Ctx): Promise<LibraryCount> {
  return ctx.caches.library.libraryCounts(ctx, 'all', () => countPublished(ctx.db));
}

/**
 * Counts the published documents that each choice would leave under the rest of the filter. The query reads the whole library
 * (figures in docs/decisions/009) and all visitors ask for the same counts, so they are cached for a minute.
 */
export function countFacets(ctx: Ctx, filter: DocumentFilter): Promise<FacetCounts> {
  const { created } = filter;
  // `since` moves with the clock; rounded to the hour, it makes one cache key.
  const time = created && ('since' in created ? `s${Math.floor(created.since.getTime() / 3_600_000)}` : created.year);
  return ctx.caches.library.facetCounts(ctx, JSON.stringify({ ...filter, created: time }), () =>
    readWithin(ctx, PUBLIC_READ_MS, (db) => selectFacetCounts(db, filter, ctx.clock.now())),
  );
}

/** Measures the documents in each state, and damaged originals, for /metrics. */
export async function measureLibrary(ctx: Ctx): Promise<Measurement[]> {
  const { states, damaged } = await ctx.caches.library.stateCounts(ctx, '', () => countByState(ctx.db));
  return [
    {
      name: 'ceku_documents',
      help: 'Documents by state, counted once a minute.',
      values: [...states].map(([state, value]) => ({ labels: { state }, value })),
    },
    {
      name: 'ceku_damaged_originals',
      help: 'Originals whose bytes are lost or changed: ceku document verify names them.',
      values: [{ value: damaged }],
    },
  ];
}
