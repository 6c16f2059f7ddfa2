import type { Ctx } from '../../../context.ts';
import type { Output, Parsed } from '../../../protocol/endpoint.ts';
import { complete } from '../../complete.ts';
import type { suggestWords as contract } from '../../contract.ts';
import { requiredWords } from '../../generic-words.ts';
import { cleanQuery } from '../../rules.ts';
import { cutWords } from '../words/cut-words.ts';
import { vocabularyOf } from '../words/vocabulary.ts';

const SHOWN = 8;

/** Completes the last word of the typed text; the words before it stay. Reads memory only, never the database: a few milliseconds. */
export async function suggestWords(ctx: Ctx, input: Parsed<typeof contract>): Promise<Output<typeof contract>> {
  const typed = cleanQuery(input.prefix);
  const cut = typed.lastIndexOf(' ') + 1;
  const before = typed.slice(0, cut);
  const words = complete(typed.slice(cut), vocabularyOf(ctx), SHOWN);
  const items = await Promise.all(
    words.map(async ({ shown, count }) => {
      const text = before + shown;
      return { text, count: (await ctx.caches.search.suggestionCounts(ctx, text, () => countOf(ctx, text))) ?? count };
    }),
  );
  return { items: items.filter(({ count }) => count > 0) };
}

/** Counts the documents a search for the text finds. Null while the engine cannot answer: the caller then shows the count of the word. */
async function countOf(ctx: Ctx, text: string): Promise<number | null> {
  try {
    const words = requiredWords(text, cutWords);
    const result = await ctx.searchIndex.search({ words, filter: {}, sort: 'relevance', limit: 0, offset: 0 });
    return result?.total ?? null;
  } catch {
    // A busy or failed engine is reported by the next search; a suggestion does without.
    return null;
  }
}
