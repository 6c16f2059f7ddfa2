import type { Ctx } from '../../../context.ts';
import { createMemo } from '../../../platform/memo.ts';
import type { Output, Parsed } from '../../../protocol/endpoint.ts';
import { complete } from '../../complete.ts';
import type { suggestWords as contract } from '../../contract.ts';
import { requiredWords } from '../../generic-words.ts';
import { cleanQuery } from '../../rules.ts';
import { cutWords } from '../words/cut-words.ts';
import { vocabularyOf } from '../words/vocabulary.ts';

const SHOWN = 8;
/** The same words come up with every letter of everybody's typing. */
const FRESH_MS = 60_000;
const COUNTS = 5_000;
const counts = createMemo<number | null>(FRESH_MS, COUNTS);

/**
 * Completes the last word of what was typed; the words before it stay. From memory alone, a few milliseconds: the
 * database is never asked.
 */
export async function suggestWords(ctx: Ctx, input: Parsed<typeof contract>): Promise<Output<typeof contract>> {
  const typed = cleanQuery(input.prefix);
  const cut = typed.lastIndexOf(' ') + 1;
  const before = typed.slice(0, cut);
  const words = complete(typed.slice(cut), vocabularyOf(ctx), SHOWN);
  const items = await Promise.all(
    words.map(async ({ shown, count }) => {
      const text = before + shown;
      return { text, count: (await counts(ctx, text, () => countOf(ctx, text))) ?? count };
    }),
  );
  return { items: items.filter(({ count }) => count > 0) };
}

/** As many as searching for it will say. Null while the engine cannot tell: the word's own count stands in for it. */
async function countOf(ctx: Ctx, text: string): Promise<number | null> {
  try {
    const words = requiredWords(text, cutWords);
    const result = await ctx.searchIndex.search({ words, filter: {}, sort: 'relevance', limit: 0, offset: 0 });
    return result?.total ?? null;
  } catch {
    // Too busy for a suggestion, or ill, which the next search will tell.
    return null;
  }
}
