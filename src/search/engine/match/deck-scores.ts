import { CODES, RELATED_IN_LABELS, WORTHS } from './deck-codes.ts';
import { candidates, codesOf, planesFor, WINDOW } from './deck-window.ts';

/** Puts decks with all words before all others. */
export const FULL = 1e6;

/**
 * The scores of the codes of a window: the sum of rarity times worth of the words of a deck, times the share of all rarity that it holds. While
 * lists of a word are unread, a deck counts as if it held the word where these lists could show it: then a score is an upper bound.
 */
export type DeckScores = {
  /** Sets what a word is worth to decks that are not known to hold it: 0 when all its lists were read. */
  assume(word: number, worth: number): void;
  /** Writes the sort keys of the first `count` candidates: the score, plus FULL for a deck that holds all words. */
  write(count: number, keys: Float64Array): void;
};

export function createDeckScores(gains: readonly number[], all: number): DeckScores {
  const planes = planesFor(gains.length);
  // Four words share a plane; tables for words that the query does not have stay 0.
  const sums = new Float64Array(planes * 4 * CODES);
  const rarities = new Float64Array(planes * 4 * CODES);
  gains.forEach((gain, word) => {
    for (let code = 1; code < CODES; code++) {
      sums[word * CODES + code] = gain * (WORTHS[code] ?? 0);
      rarities[word * CODES + code] = gain;
    }
  });
  // Sums of floating point numbers in different orders differ a little.
  const whole = all * (1 - 1e-9);

  return {
    assume(word, worth) {
      const gain = gains[word] ?? 0;
      const base = word * CODES;
      sums[base] = gain * worth;
      rarities[base] = worth > 0 ? gain : 0;
      // A related word in labels is worth less than the word on many pages.
      sums[base + RELATED_IN_LABELS] = gain * Math.max(worth, WORTHS[RELATED_IN_LABELS] ?? 0);
    },
    write(count, keys) {
      sumsOf.fill(0, 0, count);
      raritiesOf.fill(0, 0, count);
      for (let plane = 0; plane < planes; plane++) addPlane(plane, count);
      for (let index = 0; index < count; index++) {
        const rarity = raritiesOf[index] ?? 0;
        keys[index] = ((sumsOf[index] ?? 0) * rarity) / all + (rarity > whole ? FULL : 0);
      }
    },
  };

  function addPlane(plane: number, count: number): void {
    const codes = codesOf(plane);
    const first = plane * 4 * CODES;
    const [second, third, fourth] = [first + CODES, first + 2 * CODES, first + 3 * CODES];
    for (let index = 0; index < count; index++) {
      const four = codes[(candidates[index] ?? 0) & (WINDOW - 1)] ?? 0;
      const a = first + (four & 255);
      const b = second + ((four >>> 8) & 255);
      const c = third + ((four >>> 16) & 255);
      const d = fourth + (four >>> 24);
      sumsOf[index] = (sumsOf[index] ?? 0) + (sums[a] ?? 0) + (sums[b] ?? 0) + (sums[c] ?? 0) + (sums[d] ?? 0);
      raritiesOf[index] =
        (raritiesOf[index] ?? 0) + (rarities[a] ?? 0) + (rarities[b] ?? 0) + (rarities[c] ?? 0) + (rarities[d] ?? 0);
    }
  }
}

/** Working memory of a thread. */
const sumsOf = new Float64Array(WINDOW);
const raritiesOf = new Float64Array(WINDOW);
