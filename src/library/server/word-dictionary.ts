import { readFileSync } from 'node:fs';
import { Jieba } from '@node-rs/jieba';
import { dict } from '@node-rs/jieba/dict.js';

let jieba: Jieba | null = null;

/**
 * jieba with its dictionary and the library's own words (dictionary.txt): what search cuts queries by and ingest reads documents
 * by. Loaded at the first use, about 200 ms.
 */
export function wordDictionary(): Jieba {
  if (jieba) return jieba;
  jieba = Jieba.withDict(dict);
  jieba.loadDict(readFileSync(new URL('../dictionary.txt', import.meta.url)));
  return jieba;
}
