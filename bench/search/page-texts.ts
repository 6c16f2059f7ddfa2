import { dict } from '@node-rs/jieba/dict.js';
import { createRandom, type Random } from '../../demo/random.ts';

export const PAGES = 20;
/** Characters of a page: 1,500 in a deck. */
const PAGE_LENGTH = 75;
const LINE_LENGTH = 18;
/** A deck speaks of its own subject: half of its words are these, the first ones more often. */
const SUBJECT_WORDS = 60;
const SUBJECT_SHARE = 0.5;

/** Words with their frequencies, drawn in constant time (the alias method). */
type Vocabulary = { draw(random: Random): string };

type Counted = { word: string; count: number };

/** Returns the words of jieba's dictionary, 350,000, with their counts in Chinese texts. */
function readDictionary(): Counted[] {
  return new TextDecoder()
    .decode(dict)
    .split('\n')
    .map((line) => line.split(' '))
    .map(([word = '', count = '']) => ({ word, count: Number(count) }))
    .filter(({ word }) => word);
}

/** Returns a vocabulary in which each word is drawn as often as it was counted. */
function vocabularyOf(counted: Counted[]): Vocabulary {
  const words = counted.map(({ word }) => word);
  const counts = counted.map(({ count }) => count);
  const { shares, others } = aliasesOf(counts);
  return {
    draw(random) {
      const at = random.int(words.length);
      return words[random.next() < (shares[at] ?? 0) ? at : (others[at] ?? 0)] ?? '';
    },
  };
}

/** Vose's tables: place `at` is drawn itself with `shares[at]`, else `others[at]` is. */
function aliasesOf(counts: number[]): { shares: Float64Array; others: Uint32Array } {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const shares = Float64Array.from(counts, (count) => (count * counts.length) / total);
  const others = new Uint32Array(counts.length);
  const small: number[] = [];
  const large: number[] = [];
  shares.forEach((share, at) => (share < 1 ? small : large).push(at));
  for (let less = small.pop(); less !== undefined; less = small.pop()) {
    const more = large.at(-1);
    if (more === undefined) break;
    others[less] = more;
    shares[more] = (shares[more] ?? 0) - (1 - (shares[less] ?? 0));
    if ((shares[more] ?? 0) < 1) small.push(large.pop() ?? more);
  }
  return { shares, others };
}

/** The words and the texts of decks; those of one id are the same in every process. */
export type PageTexts = { subjectOf(id: number): string[]; textsOf(id: number): string[] };

export function pageTexts(): PageTexts {
  const dictionary = readDictionary();
  const all = vocabularyOf(dictionary);
  const meaningful = vocabularyOf(dictionary.filter(({ word }) => word.length > 1));
  const subject = (random: Random) => Array.from({ length: SUBJECT_WORDS }, () => meaningful.draw(random));
  return {
    subjectOf: (id) => subject(randomOf(id)),
    textsOf(id) {
      const random = randomOf(id);
      const own = subject(random);
      return Array.from({ length: PAGES }, () => {
        let page = '';
        for (let line = 0; page.length < PAGE_LENGTH;) {
          const isOwn = random.next() < SUBJECT_SHARE;
          const word = isOwn ? (own[Math.floor(random.next() ** 2 * SUBJECT_WORDS)] ?? '') : all.draw(random);
          page += word;
          line += word.length;
          if (line < LINE_LENGTH) continue;
          page += '；';
          line = 0;
        }
        return page;
      });
    },
  };
}

const randomOf = (id: number) => createRandom(Math.imul(id, 2_654_435_761) + 17);
