import { pinyin } from 'pinyin-pro';
import { wordDictionary } from '../../../library/server/word-dictionary.ts';
import type { CutWords } from '../../words.ts';
import './synonyms-file.ts';

// The synonyms come with the dictionary: a query is cut by both.

/**
 * Cuts Han text by jieba's dictionary and our own. The guessing of unknown words (HMM) is off: it
 * joins across borders, and what it guesses in a query the index does not have to hold. Loaded at the first query.
 */
export const cutWords: CutWords = (text) => wordDictionary().cut(text, false);

/**
 * The words a word is made of, from left to right, none over another: 社区 and 活动 of 社区活动. Single characters that are
 * left over are not among them; only the word itself when it has none in it.
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

/** How each character of a Han text is read there, without tones: 小红书 → xiao, hong, shu (lü as lv). */
export function soundsOf(han: string): string[] {
  return pinyin(han, { toneType: 'none', type: 'array', v: true });
}
