import { fold } from '../fold.ts';
import type { QueryWord } from '../words.ts';
import { cutFiner } from './cut-words.ts';
import { asTyped } from './rescue-query.ts';

/** A word of fewer characters has no words in it. */
const SHORTEST = 3;

/** Endings that say what kind of thing a word is: 摄影展 may be answered by 摄影, but 世界杯 is not about 世界. */
const KINDS = /^(?:展|会|节|店|馆|秀|季|日|周)$/u;
const isKindOf = (part: string | undefined, word: string) =>
  part !== undefined && part !== word && word.startsWith(part) && KINDS.test(word.slice(part.length));

/**
 * The query with each word nothing has cut into the words it is made of: 社区公益活动 → 社区 公益 活动, 婚礼摄影展 → 婚礼 摄影.
 * "" when there is nothing to cut. `count` tells how many documents have all of the words.
 */
export async function loosenQuery(
  query: string,
  words: QueryWord[],
  count: (words: QueryWord[]) => Promise<number>,
): Promise<string> {
  const typed = fold(query)
    .map(({ char }) => char)
    .join('');
  const pieces = await Promise.all(
    words.map(async (word) => {
      const text = asTyped(word, typed);
      const isLong = word.forms.length === 1 && [...text].length >= SHORTEST;
      const parts = isLong && (await count([word])) === 0 ? cutFiner(text) : [];
      const finer = parts.length > 1 || isKindOf(parts[0], text) ? parts.join(' ') : text;
      return { finer, isCut: finer !== text };
    }),
  );
  return pieces.some(({ isCut }) => isCut) ? pieces.map(({ finer }) => finer).join(' ') : '';
}
