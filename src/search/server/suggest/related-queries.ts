import type { Ctx } from '../../../context.ts';
import { PUBLIC_READ_MS, readWithin } from '../../../platform/db/read-within.ts';
import { requiredWords } from '../../generic-words.ts';
import { indexLexemes } from '../../words.ts';
import { meaningOf, PEOPLE_DAYS } from '../log/search-log.ts';
import { selectPopularQueries } from '../log/store-log.ts';
import { cutWords } from '../words/cut-words.ts';
import { vocabularyOf } from '../words/vocabulary.ts';

const CONSIDERED = 1_000;
/** What one or two people searched for may be their own words. */
const MIN_PEOPLE = 3;
/** People who made the query in the very spelling that is shown. */
const MIN_SPELLED = 2;
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
 * Lists queries of other people that had results and share a pair of characters or a word with this query, those of most people first. A
 * query is listed when three people made it, as far as the process can tell them apart, and when the library contains its words.
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
 * the spelling of most people. Cutting a thousand queries takes some ten milliseconds, so the list is cached with what they are compared by.
 */
async function listPopular(ctx: Ctx): Promise<PopularQuery[]> {
  const queries = await readWithin(ctx, PUBLIC_READ_MS, (db) => selectPopularQueries(db, PEOPLE_DAYS, CONSIDERED));
  return [...Map.groupBy(queries, (row) => meaningOf(row.query))]
    .map(([meaning, rows]) => ({
      query: rows[0]?.query ?? '',
      spelled: rows[0]?.people ?? 0,
      meaning,
      people: rows.reduce((sum, row) => sum + row.people, 0),
    }))
    .filter(({ people, spelled }) => people >= MIN_PEOPLE && spelled >= MIN_SPELLED)
    .sort((a, b) => b.people - a.people)
    .map(({ query, meaning }) => ({
      query,
      meaning,
      lexemes: [...indexLexemes(query)].filter((lexeme) => [...lexeme].length > 1),
      words: requiredWords(query, cutWords).map(({ forms }) => forms.map(({ text }) => text)),
    }));
}
