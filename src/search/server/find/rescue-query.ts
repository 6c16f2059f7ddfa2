import { fold } from '../../fold.ts';
import type { QueryWord } from '../../words.ts';
import { cutIntoParts } from '../words/cut-words.ts';

export type Rescued = {
  words: QueryWord[];
  /** As they were typed, folded. */
  kept: string[];
  dropped: string[];
  droppedWords: QueryWord[];
};

/** What is kept must be at least this share of the query, or the answer would be to another question. */
const SHARE = 1 / 2;
/** A query of more words is a sentence: its other words are not even counted. */
export const MAX_WORDS = 8;

/** Words that ask for a part of a document, or say that a company holds the event: no subject. They weigh nothing in SHARE and are left out first. */
const SIDE_WORD = /^(?:预算表?|报价|费用|流程|排期|清单|物料|执行|落地|人员|分工|效果图|企业|集团)$/u;
/** The part of an amount that borders on the number: 50万, 300人, 3天. */
const AMOUNT = /^\p{Nd}+(?:万|元|人|天|场|平|桌)?$/u;
const isSide = ({ forms }: QueryWord) =>
  forms.length === 1 && forms.every(({ text }) => SIDE_WORD.test(text) || AMOUNT.test(text));

/**
 * How much of the meaning of a query a word carries, in characters. Of a word with several forms the shortest one counts, so that
 * 商场 and 购物中心 weigh the same, and whichever was typed, the same words are left out.
 */
const weightOf = (word: QueryWord) => (isSide(word) ? 0 : Math.min(...word.forms.map(({ text }) => [...text].length)));

/** Whether the kept words are at least half of the query, by characters or by words: 国潮 of 商业街 国潮. */
function isEnough(kept: QueryWord[], words: QueryWord[]): boolean {
  const weights = (some: QueryWord[]) => some.map(weightOf).filter((weight) => weight > 0);
  const sum = (some: QueryWord[]) => weights(some).reduce((total, weight) => total + weight, 0);
  return sum(kept) > 0 && (sum(kept) >= sum(words) * SHARE || weights(kept).length >= weights(words).length * SHARE);
}

/**
 * What is left of a query that finds nothing when its weakest words are left out: first those nothing has, then, while
 * nothing has all of the rest, the most common, which says least. Null when no word of two characters is left that
 * finds anything. `count` tells how many documents have all of the words.
 */
export async function dropWeakestWords(
  query: string,
  words: QueryWord[],
  count: (words: QueryWord[]) => Promise<number>,
): Promise<Rescued | null> {
  if (words.length < 2 || words.length > MAX_WORDS) return null;
  const typed = fold(query)
    .map(({ char }) => char)
    .join('');
  const counted = await Promise.all(words.map(async (word) => ({ word, total: await count([word]) })));
  const strong = counted
    .filter(({ word, total }) => total > 0 && [...asTyped(word, typed)].length > 1)
    .sort((a, b) => Number(isSide(a.word)) - Number(isSide(b.word)) || a.total - b.total);
  for (let size = strong.length; size > 0; size--) {
    const chosen = new Set(strong.slice(0, size).map(({ word }) => word));
    const kept = words.filter((word) => chosen.has(word));
    if (!isEnough(kept, words)) return null;
    if (kept.length === words.length || (size > 1 && (await count(kept)) === 0)) continue;
    const others = words.filter((word) => !chosen.has(word));
    // The number of an amount is a word beside the amount: whoever typed 50万 is told of 50万 alone.
    const left = others.filter((word) => {
      const text = asTyped(word, typed);
      return !others.some((other) => other !== word && asTyped(other, typed).startsWith(text) && isSide(other));
    });
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
export async function splitLongWords(
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
      const parts = isLong && (await count([word])) === 0 ? cutIntoParts(text) : [];
      const finer = parts.length > 1 || isKindOf(parts[0], text) ? parts.join(' ') : text;
      return { finer, isCut: finer !== text };
    }),
  );
  return pieces.some(({ isCut }) => isCut) ? pieces.map(({ finer }) => finer).join(' ') : '';
}
