import type { QueryWord } from '../../words.ts';
import { isOfAnyTrade, weightOf } from '../words/word-weights.ts';
import { type DeckCtx, matchDecks } from './match-decks.ts';

/** Each word costs a question to the engine. */
const MAX_ASKED = 6;
const MAX_HELD = 3;

/** Returns the words of a query that name a subject and find plans by themselves, three at most: of 口红柜台没人来, which finds nothing, 口红. */
export async function listHeldWords(ctx: DeckCtx, words: readonly QueryWord[]): Promise<QueryWord[]> {
  if (words.length < 2) return [];
  const subjects = words.filter((word) => weightOf(word).onPages === 1 && !isOfAnyTrade(word)).slice(0, MAX_ASKED);
  const matched = await Promise.all(subjects.map((word) => matchDecks(ctx, [word])));
  return subjects
    .filter((_, at) => (matched[at]?.full.length ?? 0) + (matched[at]?.partial.length ?? 0) > 0)
    .slice(0, MAX_HELD);
}
