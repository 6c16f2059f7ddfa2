import { readFileSync } from 'node:fs';
import { idf } from '@node-rs/jieba/dict.js';
import { wordDictionary } from '../../../library/server/word-dictionary.ts';
import { lazily } from '../../../platform/lazily.ts';
import { parseLexicon, type LexiconLine } from '../../about/lexicon.ts';
import type { TagWords } from '../../about/weigh-words.ts';

const read = (name: string) => readFileSync(new URL(`../../about/${name}`, import.meta.url), 'utf8');

export const tagWords: TagWords = (text) => wordDictionary().tag(text, false);

export const stopWords = lazily(
  (): ReadonlySet<string> =>
    new Set(
      read('stop-words.txt')
        .split('\n')
        .filter((line) => !line.startsWith('#'))
        .flatMap((line) => line.split(/\s+/))
        .filter(Boolean),
    ),
);

export const lexicon = lazily((): readonly LexiconLine[] => parseLexicon(read('lexicon.txt')));

/**
 * Returns jieba's inverse document frequencies of 270,000 words of general Chinese; the first call takes about 100 ms.
 */
export const generalRarity = lazily(
  (): ReadonlyMap<string, number> =>
    new Map(
      new TextDecoder()
        .decode(idf)
        .split('\n')
        .map((line): [string, number] => {
          const space = line.indexOf(' ');
          return [line.slice(0, space), Number(line.slice(space + 1))];
        })
        .filter(([word, value]) => word !== '' && Number.isFinite(value)),
    ),
);
