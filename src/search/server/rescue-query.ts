import { fold } from '../fold.ts';
import type { QueryWord } from '../words.ts';

export type Rescued = {
  words: QueryWord[];
  /** As they were typed, folded. */
  kept: string[];
  dropped: string[];
  droppedWords: QueryWord[];
};

/** What is kept must be at least this share of the characters: or else the answer would be to another question. */
const SHARE = 1 / 2;
/** A query of more words is a sentence: its other words are not even counted. */
export const MAX_WORDS = 8;

/**
 * What is left of a query that finds nothing when its weakest words are left out: first those nothing has, then, while
 * nothing has all of the rest, the most common, which says least. Null when no word of two characters is left that
 * finds anything. `count` tells how many documents have all of the words.
 */
export async function dropWeakest(
  query: string,
  words: QueryWord[],
  count: (words: QueryWord[]) => Promise<number>,
): Promise<Rescued | null> {
  if (words.length < 2 || words.length > MAX_WORDS) return null;
  const typed = fold(query)
    .map(({ char }) => char)
    .join('');
  // As typed: another form of it may be far longer (KOL), and would outweigh the rest.
  const sizeOf = (some: QueryWord[]) => some.reduce((sum, word) => sum + [...asTyped(word, typed)].length, 0);
  const counted = await Promise.all(words.map(async (word) => ({ word, total: await count([word]) })));
  const strong = counted.filter(({ word, total }) => total > 0 && sizeOf([word]) > 1).sort((a, b) => a.total - b.total);
  for (let size = strong.length; size > 0; size--) {
    const chosen = new Set(strong.slice(0, size).map(({ word }) => word));
    const kept = words.filter((word) => chosen.has(word));
    if (sizeOf(kept) < sizeOf(words) * SHARE) return null;
    if (kept.length === words.length || (size > 1 && (await count(kept)) === 0)) continue;
    const left = words.filter((word) => !chosen.has(word));
    return {
      words: kept,
      kept: kept.map((word) => asTyped(word, typed)),
      dropped: left.map((word) => asTyped(word, typed)),
      droppedWords: left,
    };
  }
  return null;
}

/** Of a word with several forms, the one that was used; `typed`: the whole query, folded. */
export function asTyped(word: QueryWord, typed: string): string {
  return (word.forms.find(({ text }) => typed.includes(text)) ?? word.forms[0])?.text ?? '';
}
