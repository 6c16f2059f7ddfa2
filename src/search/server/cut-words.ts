import { readFileSync } from 'node:fs';
import { Jieba } from '@node-rs/jieba';
import { dict } from '@node-rs/jieba/dict.js';
import type { CutWords } from '../words.ts';
// The synonyms come with the dictionary: a query is cut by both.
import './synonyms-file.ts';

let jieba: Jieba | null = null;

/**
 * Cuts Han text by jieba's dictionary and our own (dictionary.txt). The guessing of unknown words (HMM) is off: it
 * joins across borders, and what it guesses in a query the index does not have to hold. Loaded at the first query,
 * about 200 ms.
 */
export const cutWords: CutWords = (text) => {
  if (!jieba) {
    jieba = Jieba.withDict(dict);
    jieba.loadDict(readFileSync(new URL('../dictionary.txt', import.meta.url)));
  }
  return jieba.cut(text, false);
};
