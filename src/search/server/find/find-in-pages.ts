import type { Ctx } from '../../../context.ts';
import { PUBLIC_READ_MS, readWithin } from '../../../platform/db/read-within.ts';
import type { PageHit } from '../../contract.ts';
import { queryLiteral } from '../../literals.ts';
import { snippetOf } from '../../snippet.ts';
import type { QueryWord } from '../../words.ts';
import {
  selectOnlyInPages,
  selectPageHits,
  selectSpread,
  type PagedDocument,
  selectHeld,
  selectMatching,
} from '../indexing/store-pages.ts';
import { MAX_WORDS } from './rescue-query.ts';

const HITS_SHOWN = 3;
/** Page hits are an extra to a list that exists already, so their queries end sooner. */
const EXTRA_READ_MS = PUBLIC_READ_MS / 2;
/** Documents found by their pages only are rarely about the words: a longer list would be noise. */
const MAX_ONLY_IN_PAGES = 50;

/**
 * Lists the pages of these documents, up to `lastPage` (null: all), that contain all words of the query: up to three per document, with
 * a snippet. A document without an entry has no such page, or the query took too long.
 */
export async function listPageHits(
  ctx: Ctx,
  ids: number[],
  words: QueryWord[],
  lastPage: number | null = null,
): Promise<Map<number, PageHit[]>> {
  if (ids.length === 0 || !isAskedOfPages(words)) return new Map();
  const query = queryLiteral(words);
  const found = await orNothing(ctx, () =>
    ctx.caches.search.pageHits(ctx, JSON.stringify([query, ids, lastPage]), () =>
      readWithin(ctx, PUBLIC_READ_MS, (db) => selectPageHits(db, ids, query, { perDocument: HITS_SHOWN, lastPage })),
    ),
  );
  const hits = [...found.filter(({ text }) => !isContents(text)), ...found.filter(({ text }) => isContents(text))]
    .map(({ id, page, text }) => ({ id, page, snippet: snippetOf(text, words) }))
    .filter(({ snippet }) => snippet);
  return new Map(
    Array.from(
      Map.groupBy(hits, ({ id }) => id),
      ([id, list]) => [id, list.map(({ page, snippet }) => ({ page, snippet }))],
    ),
  );
}

/** Tells whether a page is a table of contents, which names every subject: other pages are shown before it. */
const isContents = (text: string) => /^(?:目\s*录|CONTENTS)$/imu.test(text);

/**
 * Lists documents that contain the words on their pages only, the best first: at most fifty, one per file, each with a page whose text
 * was checked. The caller filters and counts them one by one.
 */
export async function listOnlyInPages(ctx: Ctx, words: QueryWord[]): Promise<PagedDocument[]> {
  if (!isAskedOfPages(words)) return [];
  const wanted = { words: queryLiteral(words), limit: MAX_ONLY_IN_PAGES };
  const found = await orNothing(ctx, () =>
    ctx.caches.search.onlyInPages(ctx, wanted.words, () =>
      readWithin(ctx, EXTRA_READ_MS, (db) => selectOnlyInPages(db, wanted)),
    ),
  );
  const ids = found.map(({ id }) => id);
  const hits = await listPageHits(ctx, ids, words);
  return found.filter(({ id }) => hits.has(id));
}

/**
 * Lists documents that contain all words in different places: one in the name and another on a page, or on different pages. The best
 * come first, at most fifty, one per file; the caller filters them. [] for a sentence. `count` counts documents by their names.
 */
export async function listSpread(
  ctx: Ctx,
  words: QueryWord[],
  count: (words: QueryWord[]) => Promise<number>,
): Promise<PagedDocument[]> {
  if (words.length < 2 || words.length > MAX_WORDS || !isAskedOfPages(words)) return [];
  const counted = await Promise.all(words.map(async (word) => ({ word, total: await count([word]) })));
  const rarestFirst = counted.sort((a, b) => a.total - b.total).map(({ word }) => queryLiteral([word]));
  return orNothing(ctx, () =>
    ctx.caches.search.spreads(ctx, JSON.stringify(rarestFirst), () =>
      readWithin(ctx, EXTRA_READ_MS, (db) => selectSpread(db, { words: rarestFirst, limit: MAX_ONLY_IN_PAGES })),
    ),
  );
}

/** Returns the ids of the documents that match the words without their pages. */
export async function listNamed(ctx: Ctx, documents: PagedDocument[], words: QueryWord[]): Promise<number[]> {
  if (documents.length === 0) return [];
  const ids = documents.map(({ id }) => id);
  return readWithin(ctx, PUBLIC_READ_MS, (db) => selectMatching(db, ids, queryLiteral(words)));
}

/** Returns for each document the indexes of the words it does not contain. A document is left out when the query took too long. */
export async function listMissing(ctx: Ctx, ids: number[], words: QueryWord[]): Promise<Map<number, number[]>> {
  if (ids.length === 0 || words.length === 0) return new Map();
  const literals = words.map((word) => queryLiteral([word]));
  const held = await orNothing(ctx, async () => [
    ...(await readWithin(ctx, EXTRA_READ_MS, (db) => selectHeld(db, ids, literals))),
  ]);
  return new Map(held.map(([id, each]) => [id, each.flatMap((isHeld, at) => (isHeld ? [] : [at]))]));
}

/** Tells whether pages are searched: a single character is on nearly every page. */
function isAskedOfPages(words: QueryWord[]): boolean {
  return words.length > 0 && words.every(({ forms }) => forms.every(({ text }) => [...text].length > 1));
}

async function orNothing<T>(ctx: Ctx, read: () => Promise<T[]>): Promise<T[]> {
  try {
    return await read();
  } catch (error) {
    ctx.log.warn({ error }, 'pages were not searched');
    return [];
  }
}
