import { readFileSync } from 'node:fs';
import { Jieba } from '@node-rs/jieba';
import { dict } from '@node-rs/jieba/dict.js';
import { lazily } from '../../platform/lazily.ts';

/**
 * Returns jieba with its dictionary and the words of dictionary.txt. Search and ingest both tokenize with it. The first call loads it,
 * which takes about 200 ms.
 */
export const wordDictionary = lazily(() => {
  const jieba = Jieba.withDict(dict);
  jieba.loadDict(readFileSync(new URL('../dictionary.txt', import.meta.url)));
  return jieba;
});
