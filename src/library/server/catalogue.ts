import type { Ctx } from '../../context.ts';
import { PUBLIC_READ_MS, readWithin } from '../../platform/db/read-within.ts';
import { createMemo } from '../../platform/memo.ts';
import type { DocumentFilter, FilterCounts } from '../document-filter.ts';
import type { FileType } from '../file-types.ts';
import { selectAnyDocuments } from './store-operators.ts';
import {
  countByFilter,
  countPublished,
  hasDocuments,
  hasPublished,
  selectDocument,
  selectPreviewPages,
  selectPublishedDays,
  selectPublishedOf,
  selectShownCover,
  selectShownPage,
} from './store.ts';
import type { DocumentState } from './tables.ts';

/** Reads of the catalogue that other slices use: they know these verbs, and never the store. */

/** One document and its file, with every known fact, in any state. */
export type DocumentFacts = NonNullable<Awaited<ReturnType<typeof selectDocument>>>;

/** Returns a document in any state, null when the id was never given out. The caller decides by `state` what may be seen. */
export function findDocument(ctx: Ctx, id: number): Promise<DocumentFacts | null> {
  return selectDocument(ctx.db, id);
}

/** The conditions operators list documents by; a condition that is left out matches every document. */
export type DocumentSearch = {
  state?: DocumentState;
  fileType?: FileType;
  /** Exact name of a document type. */
  type?: string;
  /** Exact name of an industry. */
  industry?: string;
  /** Part of the title, case-insensitive. */
  text?: string;
  since?: Date;
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
 * Returns the storage key of a page's image, or of its large image. Null when the page has no such image, or when no published
 * document shows the page: a link handed out before must stop working then.
 */
export async function findShownPage(ctx: Ctx, mediaKey: string, page: number, isLarge = false): Promise<string | null> {
  const name = await selectShownPage(ctx.db, mediaKey, page, isLarge);
  return name === null ? null : `media/${mediaKey}/${name}.webp`;
}

/** Returns the storage key of the largest cover image and the cover's colour; null when no published document shows the cover. */
export async function findShownCover(ctx: Ctx, mediaKey: string): Promise<{ key: string; color: string } | null> {
  const cover = await selectShownCover(ctx.db, mediaKey);
  if (!cover) return null;
  const width = Math.max(480, ...cover.widths);
  return { key: `media/${mediaKey}/cover${width === 480 ? '' : `-${width}`}.webp`, color: cover.color };
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

/**
 * Lists the published ids in (afterId, untilId] with the Shanghai day of their last change, for the sitemap. `lastId` is the highest
 * published id of the whole library.
 */
export function listPublishedIds(
  ctx: Ctx,
  range: { afterId: number; untilId: number },
): Promise<{ rows: { id: number; day: string }[]; lastId: number }> {
  return selectPublishedDays(ctx.db, range);
}

export type LibraryCount = { documents: number; industries: number };

const LIBRARY_COUNT_TTL_MS = 5_000;
const libraryCounts = createMemo<LibraryCount>(LIBRARY_COUNT_TTL_MS, 1);

/** Counts the published documents and the industries they cover. The result is at most 5 s old. */
export function countLibrary(ctx: Ctx): Promise<LibraryCount> {
  return libraryCounts(ctx, 'all', () => countPublished(ctx.db));
}

const FILTER_COUNT_TTL_MS = 60_000;
const MAX_FILTERS = 300;
const filterCounts = createMemo<FilterCounts>(FILTER_COUNT_TTL_MS, MAX_FILTERS);

/**
 * Counts the published documents that each choice would leave under the rest of the filter. The query reads the whole library
 * (figures in docs/decisions/009) and all visitors ask for the same counts, so they are cached for a minute.
 */
export function countFilterChoices(ctx: Ctx, filter: DocumentFilter): Promise<FilterCounts> {
  const { created } = filter;
  // `since` moves with the clock; rounded to the hour, it makes one cache key.
  const time = created && ('since' in created ? `s${Math.floor(created.since.getTime() / 3_600_000)}` : created.year);
  return filterCounts(ctx, JSON.stringify({ ...filter, created: time }), () =>
    readWithin(ctx.db, PUBLIC_READ_MS, (db) => countByFilter(db, filter, ctx.clock.now())),
  );
}
