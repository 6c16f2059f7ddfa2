import { pinyin } from 'pinyin-pro';
import { wordDictionary } from '../../../library/server/word-dictionary.ts';
import type { CutWords } from '../../words.ts';
// Queries are tokenized with the dictionary and the synonyms: importing one loads both.
import './synonyms-file.ts';

/**
 * Splits Han text into words with jieba's dictionary and dictionary.txt. The HMM that guesses unknown words is off: it joins across word
 * boundaries, and the index may lack its guesses. The first call loads the dictionary.
 */
export const cutWords: CutWords = (text) => wordDictionary().cut(text, false);

/**
 * Splits a compound into its words, from left to right without overlaps: 社区活动 into 社区 and 活动. Single characters are left out; a word
 * without parts is returned unchanged.
 */
export function cutIntoParts(word: string): string[] {
  const parts: string[] = [];
  let rest = word;
  for (const part of wordDictionary().cutForSearch(word, false)) {
    const at = rest.indexOf(part);
    if (part === word || [...part].length < 2 || at < 0) continue;
    parts.push(part);
    rest = rest.slice(at + part.length);
  }
  return parts.length > 0 ? parts : [word];
}

/** Returns the pinyin of each character in its context, without tones: 小红书 → xiao, hong, shu (lü as lv). */
export function soundsOf(han: string): string[] {
  return pinyin(han, { toneType: 'none', type: 'array', v: true });
}

/** Returns the pinyin of each character in its context, with its tone as a number: 布展 → bu4, zhan3. */
export function tonesOf(han: string): string[] {
  return pinyin(han, { toneType: 'num', type: 'array', v: true });
}
