import type { Ctx } from '../../../context.ts';
import { PUBLIC_READ_MS, readWithin } from '../../../platform/db/read-within.ts';
import { requiredWords } from '../../generic-words.ts';
import { indexLexemes, queryWords } from '../../words.ts';
import { type QueryCount, selectTopQueries } from '../log/store-log.ts';
import { cutWords } from '../words/cut-words.ts';
import { vocabularyOf } from '../words/vocabulary.ts';

const DAYS = 30;
const CONSIDERED = 1_000;
/** A query that was made once or twice may be one person's own words. */
const MIN_TIMES = 3;
const SHOWN = 6;

/**
 * Lists queries of other people that had results and share a pair of characters or a word with this query, the most frequent first. Only
 * queries of words that the library contains are listed: text that somebody types three times does not appear on the page.
 */
export async function listRelatedQueries(ctx: Ctx, query: string): Promise<string[]> {
  const wanted = indexLexemes(query);
  const known = vocabularyOf(ctx).byText;
  const queries = await ctx.caches.search
    .topQueries(ctx, '', () =>
      readWithin(ctx, PUBLIC_READ_MS, (db) => selectTopQueries(db, DAYS, { isFound: true, limit: CONSIDERED })),
    )
    .catch(() => []);
  return oncePerMeaning(queries, query)
    .filter((other) => [...indexLexemes(other)].some((lexeme) => [...lexeme].length > 1 && wanted.has(lexeme)))
    .filter((other) => requiredWords(other, cutWords).every(({ forms }) => forms.some(({ text }) => known.has(text))))
    .slice(0, SHOWN);
}

/**
 * Returns the queries that were made often enough, the most frequent first. Queries of the same words in another order, width or case are one, in their
 * most frequent spelling; those of the words of `query` are left out.
 */
function oncePerMeaning(queries: QueryCount[], query: string): string[] {
  const own = meaningOf(query);
  const groups = [...Map.groupBy(queries, (row) => meaningOf(row.query))].filter(([meaning]) => meaning !== own);
  return groups
    .map(([, rows]) => ({ query: rows[0]?.query ?? '', searches: rows.reduce((sum, row) => sum + row.searches, 0) }))
    .filter(({ searches }) => searches >= MIN_TIMES)
    .sort((a, b) => b.searches - a.searches)
    .map((row) => row.query);
}

const meaningOf = (query: string): string =>
  queryWords(query, cutWords)
    .map(({ forms }) =>
      forms
        .map(({ text }) => text)
        .sort()
        .join('|'),
    )
    .sort()
    .join(' ');
