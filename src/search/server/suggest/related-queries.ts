import type { Ctx } from '../../../context.ts';
import { PUBLIC_READ_MS, readWithin } from '../../../platform/db/read-within.ts';
import { requiredWords } from '../../generic-words.ts';
import { indexLexemes } from '../../words.ts';
import { meaningOf } from '../log/search-log.ts';
import { selectPopularQueries } from '../log/store-log.ts';
import { cutWords } from '../words/cut-words.ts';
import { vocabularyOf } from '../words/vocabulary.ts';

const DAYS = 30;
const CONSIDERED = 1_000;
/** What one or two people searched for may be their own words. */
const MIN_PEOPLE = 3;
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
 * queries that three people made, of words that the library contains, are listed: what somebody types appears on nobody else's page.
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
 * Returns the queries that enough people made, those of most people first. Queries of the same words in another order, width or case are one, in
 * their most frequent spelling. Cutting a thousand queries takes some ten milliseconds, so the list is cached with what they are compared by.
 */
async function listPopular(ctx: Ctx): Promise<PopularQuery[]> {
  const queries = await readWithin(ctx, PUBLIC_READ_MS, (db) => selectPopularQueries(db, DAYS, CONSIDERED));
  return [...Map.groupBy(queries, (row) => meaningOf(row.query))]
    .map(([meaning, rows]) => ({
      query: rows[0]?.query ?? '',
      meaning,
      people: rows.reduce((sum, row) => sum + row.people, 0),
    }))
    .filter(({ people }) => people >= MIN_PEOPLE)
    .sort((a, b) => b.people - a.people)
    .map(({ query, meaning }) => ({
      query,
      meaning,
      lexemes: [...indexLexemes(query)].filter((lexeme) => [...lexeme].length > 1),
      words: requiredWords(query, cutWords).map(({ forms }) => forms.map(({ text }) => text)),
    }));
}
