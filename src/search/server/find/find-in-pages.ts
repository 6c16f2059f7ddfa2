import type { Ctx } from '../../../context.ts';
import { PUBLIC_READ_MS, readWithin } from '../../../platform/db/read-within.ts';
import type { PageHit } from '../../contract.ts';
import { queryLiteral } from '../../literals.ts';
import { snippetOf } from '../../snippet.ts';
import type { QueryWord } from '../../words.ts';
import { selectPageHits } from '../indexing/store-pages.ts';

const HITS_SHOWN = 3;

/**
 * Lists the pages of these documents, up to `lastPage` (null: all), that contain all words of the query: up to three per document, with
 * a snippet. A document without an entry has no such page, or the query took too long.
 */
export async function listPageHits(
  ctx: Ctx,
  ids: number[],
  words: QueryWord[],
  lastPage: number | null,
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
