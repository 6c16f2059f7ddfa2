import type { IndexedDocument } from '../format/document.ts';
import { SIGNIFICANT_TERMS } from '../../decks/deck-similarity.ts';
import { codeOfPair, PAIR_CODES, pairRarity } from './pair-rarity.ts';

/** A pair of characters in a name counts as much as on five pages, in a keyword or label as on three. */
const NAME_PAGES = 5;
const LABEL_PAGES = 3;
/** Weights are compared in steps of a thousandth. */
const WEIGHT_STEPS = 1_024;

type Texts = Pick<IndexedDocument, 'name' | 'keyword' | 'labels' | 'inside'>;

/**
 * Returns hashes of the pairs of Han characters that tell most of what a document is about (TF-IDF), the most telling first: two documents
 * that share many of them are about similar things (deck-similarity.ts). The rarity is that of general Chinese, so that a document has the same terms in every library.
 */
export function significantTerms({ name, keyword, labels, inside }: Texts): number[] {
  const named = new Map<number, number>();
  eachPair(name, (code) => named.set(code, (named.get(code) ?? 0) + NAME_PAGES));
  for (const text of [keyword, labels]) eachPair(text, (code) => named.set(code, (named.get(code) ?? 0) + LABEL_PAGES));
  const rarityOf = pairRarity();
  const best = new Float64Array(SIGNIFICANT_TERMS);
  const take = (code: number, frequency: number) => {
    const weight = Math.round(frequency * rarityOf(code) * WEIGHT_STEPS);
    // One number of the weight and then the code: numbers are compared several times as fast as objects.
    insert(best, weight * PAIR_CODES + code);
  };
  // A pair stands in one list of `inside` alone, and most pairs stand on pages alone: these are counted without a map.
  inside.forEach((lexemes, spread) => {
    const onPages = frequencyOf(2 ** spread);
    eachPair(lexemes, (code) => {
      const more = named.size > 0 ? named.get(code) : undefined;
      if (more === undefined) return take(code, onPages);
      named.delete(code);
      take(code, frequencyOf(2 ** spread + more));
    });
  });
  for (const [code, pages] of named) take(code, frequencyOf(pages));
  return Array.from(best.filter(Boolean), (each) => hashOf(each % PAIR_CODES));
}

const frequencyOf = (pages: number) => 1 + Math.log(pages);

/** Calls `take` with the code of each pair of Han characters among lexemes with spaces between them. */
function eachPair(lexemes: string, take: (code: number) => void): void {
  for (let start = 0; start < lexemes.length;) {
    const space = lexemes.indexOf(' ', start);
    const end = space < 0 ? lexemes.length : space;
    const code = end - start === 2 ? codeOfPair(lexemes.charCodeAt(start), lexemes.charCodeAt(start + 1)) : -1;
    if (code >= 0) take(code);
    start = end + 1;
  }
}

/** Puts a number into its place among the greatest, the greatest first, if it is one of them; the smallest falls out. */
function insert(greatest: Float64Array, value: number): void {
  let at = greatest.length - 1;
  if (value <= (greatest[at] ?? 0)) return;
  for (; at > 0 && (greatest[at - 1] ?? 0) < value; at--) greatest[at] = greatest[at - 1] ?? 0;
  greatest[at] = value;
}

/** Returns a hash of 16 bits, never 0, which stands for no term. */
const hashOf = (code: number) => Math.imul(code, 2_654_435_761) >>> 16 || 1;
