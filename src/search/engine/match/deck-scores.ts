import { CODES, MOST_ON_PAGES, RELATED_IN_LABELS, WORTHS } from './deck-codes.ts';
import { candidates, codesOf, planesFor, WINDOW } from './deck-window.ts';

/** Puts decks with all words before all others. */
export const FULL = 1e6;

/**
 * The scores of the codes of a window: the sum of rarity times worth of the words of a deck, times the share of all rarity that it holds. While
 * a word is open (its page lists were not read), a deck counts as if it held it on many pages: then a score is an upper bound.
 */
export type DeckScores = {
  /** Counts a word as it is from now on. */
  close(word: number): void;
  /** Opens a word again, for the next window. */
  open(word: number): void;
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

  /** Pages may add to codes that are worth less than they: none, and a related word in labels. */
  const setOpen = (word: number, isOpen: boolean) => {
    const gain = gains[word] ?? 0;
    const base = word * CODES;
    sums[base] = isOpen ? gain * MOST_ON_PAGES : 0;
    rarities[base] = isOpen ? gain : 0;
    sums[base + RELATED_IN_LABELS] = gain * (isOpen ? MOST_ON_PAGES : (WORTHS[RELATED_IN_LABELS] ?? 0));
  };

  return {
    close: (word) => setOpen(word, false),
    open: (word) => setOpen(word, true),
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
