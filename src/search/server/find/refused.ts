import type { Ctx } from '../../../context.ts';
import { queryWords } from '../../words.ts';
import { cutWords } from '../words/cut-words.ts';
import { findNamed } from './find-named.ts';

/** A text that a query does not want (餐饮 of 不要餐饮), and the decks whose names and labels hold it. */
type Refused = { text: string; ids: number[] };

/** More decks than this are not left out of a list. */
const MAX_REFUSED = 5_000;

/** Returns the decks that each refused text leaves out of an answer, without the texts that no deck holds (太贵的). */
export async function findRefused(ctx: Ctx, texts: readonly string[]): Promise<Refused[]> {
  const wanted = { filter: {}, sort: 'relevance' as const, limit: MAX_REFUSED, offset: 0, isCounted: false };
  const refused = await Promise.all(
    texts.map(async (text) => ({ text, ids: (await findNamed(ctx, queryWords(text, cutWords), wanted)).ids })),
  );
  return refused.filter(({ ids }) => ids.length > 0);
}

/** Returns the ids of all decks that refused texts leave out, each once. */
export const idsOf = (refused: readonly Refused[]): number[] => [...new Set(refused.flatMap(({ ids }) => ids))];
