import { CODES, MOST_ON_PAGES, RELATED_IN_LABELS, WORTHS } from './deck-codes.ts';
import { codesAt, planesFor } from './deck-window.ts';

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
  /** Returns the sort key of a place of the window: the score, plus FULL when the deck holds all words. */
  keyAt(own: number): number;
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
    keyAt(own) {
      let sum = 0;
      let rarity = 0;
      for (let plane = 0, base = 0; plane < planes; plane++) {
        const codes = codesAt(plane, own);
        for (let shift = 0; shift < 32; shift += 8, base += CODES) {
          const at = base + ((codes >>> shift) & (CODES - 1));
          sum += sums[at] ?? 0;
          rarity += rarities[at] ?? 0;
        }
      }
      return (sum * rarity) / all + (rarity > whole ? FULL : 0);
    },
  };
}
