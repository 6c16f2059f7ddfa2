import { fold } from '../../fold.ts';
import type { QueryWord } from '../../words.ts';
import { cutIntoParts } from '../words/cut-words.ts';

export type Rescued = {
  words: QueryWord[];
  /** The kept words as they were typed, folded. */
  kept: string[];
  dropped: string[];
  droppedWords: QueryWord[];
};

/** The kept words must be at least this share of the query, or the answer would be to another question. */
const SHARE = 1 / 2;
/** A query of more words is a sentence, and its words are not counted one by one. */
export const MAX_WORDS = 8;

/** Words that name a part of a document or a company as host, not a subject. They have no weight and are left out first. */
const SIDE_WORD = /^(?:预算表?|报价|费用|流程|排期|清单|物料|执行|落地|人员|分工|效果图|企业|集团)$/u;
/** A number with its unit: 50万, 300人, 3天. */
const AMOUNT = /^\p{Nd}+(?:万|元|人|天|场|平|桌)?$/u;
const isSide = ({ forms }: QueryWord) =>
  forms.length === 1 && forms.every(({ text }) => SIDE_WORD.test(text) || AMOUNT.test(text));

/**
 * Returns the weight of a word in characters: the length of its shortest form, so that 商场 and 购物中心 weigh the same and the same words
 * are left out for both.
 */
const weightOf = (word: QueryWord) => (isSide(word) ? 0 : Math.min(...word.forms.map(({ text }) => [...text].length)));

/** Tells whether the kept words are at least half of the query, by characters or by words: 国潮 of 商业街 国潮. */
function isEnough(kept: QueryWord[], words: QueryWord[]): boolean {
  const weights = (some: QueryWord[]) => some.map(weightOf).filter((weight) => weight > 0);
  const sum = (some: QueryWord[]) => weights(some).reduce((total, weight) => total + weight, 0);
  return sum(kept) > 0 && (sum(kept) >= sum(words) * SHARE || weights(kept).length >= weights(words).length * SHARE);
}

/**
 * Leaves out the weakest words of a query without results: first words that no document contains, then the most common words until
 * something matches the rest. Returns null when no word of two characters with results is left. `count` counts the documents that contain
 * all words.
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
    // The tokenizer yields an amount and its number (50万 and 50): only the amount is reported.
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

/** Returns the form of a word that was typed. `typed`: the whole query, folded. */
export function asTyped(word: QueryWord, typed: string): string {
  return (word.forms.find(({ text }) => typed.includes(text)) ?? word.forms[0])?.text ?? '';
}

/** Shorter words are not split. */
const MIN_CHARACTERS = 3;

/** Endings that name a kind of event or place: 摄影 may answer 摄影展, but 世界 does not answer 世界杯. */
const KINDS = /^(?:展|会|节|店|馆|秀|季|日|周)$/u;
const isKindOf = (part: string | undefined, word: string) =>
  part !== undefined && part !== word && word.startsWith(part) && KINDS.test(word.slice(part.length));

/**
 * Splits each word without results into its parts: 社区公益活动 → 社区 公益 活动, 婚礼摄影展 → 婚礼 摄影. Returns the new query, "" when no word
 * can be split. `count` counts the documents that contain all words.
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
      const isLong = word.forms.length === 1 && [...text].length >= MIN_CHARACTERS;
      const parts = isLong && (await count([word])) === 0 ? cutIntoParts(text) : [];
      const finer = parts.length > 1 || isKindOf(parts[0], text) ? parts.join(' ') : text;
      return { finer, isCut: finer !== text };
    }),
  );
  return pieces.some(({ isCut }) => isCut) ? pieces.map(({ finer }) => finer).join(' ') : '';
}
