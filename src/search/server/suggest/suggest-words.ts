import type { Ctx } from '../../../context.ts';
import type { Output, Parsed } from '../../../protocol/endpoint.ts';
import { complete } from '../../spelling/complete.ts';
import type { suggestWords as contract } from '../../contract.ts';
import { typedOf } from '../../decks/deck-levels.ts';
import type { DeckWord } from '../../engine/match/deck-words.ts';
import { requiredWords } from '../../generic-words.ts';
import { cleanQuery } from '../../clean-query.ts';
import { cutWords } from '../words/cut-words.ts';
import type { Word } from '../../spelling/vocabulary.ts';
import { pageWordsOf, vocabularyOf } from '../words/vocabulary.ts';

const SHOWN = 8;
const MAX_COUNTED = 100;

/** A word on the pages of one document is most often a name of its own, and is not suggested. */
export const isShared = ({ count }: Pick<Word, 'count'>) => count > 1;

/** Completes the last word of the typed text; the words before it stay. Reads memory only, never the database: a few milliseconds. */
export async function suggestWords(ctx: Ctx, input: Parsed<typeof contract>): Promise<Output<typeof contract>> {
  const typed = cleanQuery(input.prefix);
  const cut = typed.lastIndexOf(' ') + 1;
  const before = typed.slice(0, cut);
  const last = typed.slice(cut);
  const named = complete(last, vocabularyOf(ctx), SHOWN);
  const onPages = named.length < SHOWN ? complete(last, pageWordsOf(ctx), SHOWN - named.length).filter(isShared) : [];
  const items = await Promise.all(
    [...named, ...onPages].map(async ({ shown, count }) => {
      const text = before + shown;
      return { text, count: (await ctx.caches.search.suggestionCounts(ctx, text, () => countOf(ctx, text))) ?? count };
    }),
  );
  return { items: items.filter(({ count }) => count > 0) };
}

/**
 * Counts the documents that hold all words of the text: in their names and labels, or where none does, anywhere. Null while the engine cannot answer: the caller then shows the count
 * of the word.
 */
async function countOf(ctx: Ctx, text: string): Promise<number | null> {
  try {
    const words = requiredWords(text, cutWords);
    const result = await ctx.searchIndex.search({ words, filter: {}, sort: 'relevance', limit: 0, offset: 0 });
    if (result?.total !== 0) return result?.total ?? null;
    const asked = words.map((word): DeckWord => ({ word, related: [], weight: 1 }));
    const gathered = await ctx.searchIndex.gather({ words: asked, limit: MAX_COUNTED });
    return gathered?.decks.filter(({ levels }) => levels.every((level) => typedOf(level) > 0)).length ?? null;
  } catch {
    // A busy or failed engine is reported by the next search; a suggestion does without.
    return null;
  }
}
