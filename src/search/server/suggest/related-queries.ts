import type { Ctx } from '../../../context.ts';
import { PUBLIC_READ_MS, readWithin } from '../../../platform/db/read-within.ts';
import { requiredWords } from '../../generic-words.ts';
import { indexLexemes, queryWords } from '../../words.ts';
import { selectTopQueries } from '../log/store-log.ts';
import { cutWords } from '../words/cut-words.ts';
import { vocabularyOf } from '../words/vocabulary.ts';

const DAYS = 30;
const CONSIDERED = 1_000;
/** A query that was made once or twice may be one person's own words. */
const MIN_TIMES = 3;
const SHOWN = 6;

/** A query of other people, and what it is compared by. */
export type PopularQuery = {
  query: string;
  meaning: string;
  /** Pairs of characters, and words. */
  lexemes: string[];
  /** The forms of each required word. */
  words: string[][];
};

/**
 * Lists queries of other people that had results and share a pair of characters or a word with this query, the most frequent first. Only
 * queries of words that the library contains are listed: text that somebody types three times does not appear on the page.
 */
export async function listRelatedQueries(ctx: Ctx, query: string): Promise<string[]> {
  const wanted = indexLexemes(query);
  const own = meaningOf(query);
  const known = vocabularyOf(ctx).byText;
  const popular = await ctx.caches.search.popularQueries(ctx, '', () => listPopular(ctx)).catch(() => []);
  return popular
    .filter(({ meaning, lexemes }) => meaning !== own && lexemes.some((lexeme) => wanted.has(lexeme)))
    .filter(({ words }) => words.every((forms) => forms.some((text) => known.has(text))))
    .slice(0, SHOWN)
    .map((other) => other.query);
}

/**
 * Returns the queries that were made often enough, the most frequent first. Queries of the same words in another order, width or case are one, in
 * their most frequent spelling. Cutting a thousand queries takes some ten milliseconds, so the list is cached with what they are compared by.
 */
async function listPopular(ctx: Ctx): Promise<PopularQuery[]> {
  const queries = await readWithin(ctx, PUBLIC_READ_MS, (db) =>
    selectTopQueries(db, DAYS, { isFound: true, limit: CONSIDERED }),
  );
  return [...Map.groupBy(queries, (row) => meaningOf(row.query))]
    .map(([meaning, rows]) => ({
      query: rows[0]?.query ?? '',
      meaning,
      searches: rows.reduce((sum, row) => sum + row.searches, 0),
    }))
    .filter(({ searches }) => searches >= MIN_TIMES)
    .sort((a, b) => b.searches - a.searches)
    .map(({ query, meaning }) => ({
      query,
      meaning,
      lexemes: [...indexLexemes(query)].filter((lexeme) => [...lexeme].length > 1),
      words: requiredWords(query, cutWords).map(({ forms }) => forms.map(({ text }) => text)),
    }));
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
