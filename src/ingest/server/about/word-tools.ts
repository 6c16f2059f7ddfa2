import { readFileSync } from 'node:fs';
import { idf } from '@node-rs/jieba/dict.js';
import { wordDictionary } from '../../../library/server/word-dictionary.ts';
import { parseLexicon, type LexiconLine } from '../../about/lexicon.ts';
import type { TagWords } from '../../about/weigh-words.ts';

const read = (name: string) => readFileSync(new URL(`../../about/${name}`, import.meta.url), 'utf8');

export const tagWords: TagWords = (text) => wordDictionary().tag(text, false);

let stopWordSet: ReadonlySet<string> | null = null;
export function stopWords(): ReadonlySet<string> {
  return (stopWordSet ??= new Set(
    read('stop-words.txt')
      .split('\n')
      .filter((line) => !line.startsWith('#'))
      .flatMap((line) => line.split(/\s+/))
      .filter(Boolean),
  ));
}

let lines: LexiconLine[] | null = null;
export function lexicon(): readonly LexiconLine[] {
  return (lines ??= parseLexicon(read('lexicon.txt')));
}

let general: ReadonlyMap<string, number> | null = null;
/**
 * Returns jieba's inverse document frequencies of 270,000 words of general Chinese; the first call takes about 100 ms.
 */
export function generalRarity(): ReadonlyMap<string, number> {
  return (general ??= new Map(
    new TextDecoder()
      .decode(idf)
      .split('\n')
      .map((line): [string, number] => {
        const space = line.indexOf(' ');
        return [line.slice(0, space), Number(line.slice(space + 1))];
      })
      .filter(([word, value]) => word !== '' && Number.isFinite(value)),
  ));
}
