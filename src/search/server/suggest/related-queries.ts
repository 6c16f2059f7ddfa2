import type { Ctx } from '../../../context.ts';
import { PUBLIC_READ_MS, readWithin } from '../../../platform/db/read-within.ts';
import { requiredWords } from '../../generic-words.ts';
import { indexLexemes } from '../../words.ts';
import { selectTopQueries } from '../log/store-log.ts';
import { cutWords } from '../words/cut-words.ts';
import { vocabularyOf } from '../words/vocabulary.ts';

const DAYS = 30;
const CONSIDERED = 500;
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
      readWithin(ctx, PUBLIC_READ_MS, (db) =>
        selectTopQueries(db, DAYS, { isFound: true, minTimes: MIN_TIMES, limit: CONSIDERED }),
      ),
    )
    .catch(() => []);
  return queries
    .map((row) => row.query)
    .filter((other) => other !== query.toLowerCase())
    .filter((other) => [...indexLexemes(other)].some((lexeme) => [...lexeme].length > 1 && wanted.has(lexeme)))
    .filter((other) => requiredWords(other, cutWords).every(({ forms }) => forms.some(({ text }) => known.has(text))))
    .slice(0, SHOWN);
}
