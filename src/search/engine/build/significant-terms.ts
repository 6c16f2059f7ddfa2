import type { IndexedDocument } from '../format/document.ts';
import { SIGNIFICANT_TERMS } from '../format/layout.ts';
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
  const pages = new Map<number, number>();
  const count = (lexemes: string, more: number) => {
    for (const lexeme of lexemes.split(' ')) {
      const code = codeOfPair(lexeme);
      if (code >= 0) pages.set(code, (pages.get(code) ?? 0) + more);
    }
  };
  inside.forEach((lexemes, spread) => count(lexemes, 2 ** spread));
  count(name, NAME_PAGES);
  count(keyword, LABEL_PAGES);
  count(labels, LABEL_PAGES);
  const rarityOf = pairRarity();
  // One number each, of the weight and then the code: numbers are sorted several times as fast as objects.
  const weighed = new Float64Array(pages.size);
  let at = 0;
  for (const [code, held] of pages) {
    const weight = Math.round((1 + Math.log(held)) * rarityOf(code) * WEIGHT_STEPS);
    weighed[at++] = weight * PAIR_CODES + code;
  }
  return Array.from(weighed.sort().subarray(-SIGNIFICANT_TERMS).reverse(), (each) => hashOf(each % PAIR_CODES));
}

/** Returns a hash of 16 bits, never 0, which stands for no term. */
const hashOf = (code: number) => Math.imul(code, 2_654_435_761) >>> 16 || 1;
