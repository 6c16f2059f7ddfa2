import { CODE_COUNT, PAGE_CODES, WORTH_OF_CODE } from './deck-codes.ts';
import { addresses, arrays, kernel, MAX_WORDS, TABLE_NUMBERS } from '../kernel/kernel.ts';
import { planesFor } from './deck-window.ts';

/** Sums of floating point numbers in different orders differ a little: what is a little below a bound may reach it. */
export const NEARLY = 1 - 1e-9;

/**
 * The scores of the candidates of a window: the sum of rarity times worth of the words of a deck, times the share of all rarity that it holds. While
 * the page lists of a word are unread, a deck counts as if they held it: then a score is an upper bound. Candidates that may reach `minScore` or
 * may hold all words are kept, the others are dropped.
 */
type DeckScores = {
  /** Scores the first `count` candidates. The page lists of the words from `read` on are unread. Returns how many candidates are kept. */
  start(count: number, read: number, minScore: number): number;
  /**
   * Scores the first `count` candidates again when the page lists of a word were read. A score is the sum of what was known before and of
   * what this word adds, so that the other words are not added up again. Returns how many candidates are kept.
   */
  addPages(word: number, count: number, minScore: number): number;
  /**
   * Ends a window, when all lists are read: writes the keys of the first `count` candidates, which are the scores, plus FULL for a deck that holds all
   * words. Counts in `full` and `best`. Returns how many candidates have a key of `minScore` and are kept.
   */
  rank(count: number, minScore: number): number;
  /**
   * Writes the keys by a sum over all words. The sums that `addPages` corrects differ in their last bits by the order in which lists were read; here two
   * decks with the same words in the same places have equal keys.
   */
  writeExactly(count: number): void;
  /** How many decks hold all words, and the best score, of the windows so far. */
  readonly full: number;
  readonly best: number;
};

/** Working memory of a thread: the table of words whose page lists are unread. */
const assumed = new Float64Array(MAX_WORDS * TABLE_NUMBERS);

/** `all`: the sum of the gains. Scores of one question at a time: they are in the memory of the kernel. */
export function createDeckScores(gains: readonly number[], all: number): DeckScores {
  const words = gains.length;
  const { known, mixed, changes, found } = arrays;
  const numbers = planesFor(words) * 4 * TABLE_NUMBERS;
  writeTable(known.subarray(0, numbers), gains, false);
  // Of one word alone no list is ever unread.
  if (words > 1) {
    writeTable(assumed.subarray(0, numbers), gains, true);
    writeChanges(changes.subarray(0, words * TABLE_NUMBERS), known);
  }
  found.fill(0);
  const whole = all * NEARLY;
  let mixedAt = -1;

  /** Returns the address of the table for words of which the page lists of the first `read` are read. */
  function tableFor(read: number): number {
    if (read === words) return addresses.known;
    if (read !== mixedAt) {
      mixedAt = read;
      mixed.set(known.subarray(0, read * TABLE_NUMBERS));
      mixed.set(assumed.subarray(read * TABLE_NUMBERS, numbers), read * TABLE_NUMBERS);
    }
    return addresses.mixed;
  }

  const boundOf = (minScore: number) => (minScore > 0 ? minScore * all * NEARLY : -1);

  return {
    start: (count, read, minScore) =>
      // Where nothing is unread, rank() drops them.
      kernel.score(count, words, tableFor(read), read === words ? -1 : boundOf(minScore), whole),
    addPages: (word, count, minScore) => kernel.addChanges(count, word, boundOf(minScore), whole),
    rank: (count, minScore) => kernel.rank(count, minScore * NEARLY, all, whole),
    writeExactly(count) {
      kernel.writeKeys(count, words, all, whole);
    },
    get full() {
      return found[0] ?? 0;
    },
    get best() {
      return found[1] ?? 0;
    },
  };
}

/** Writes the worth and the rarity of each code of each word. `isUnread`: the page lists of the words are unread, and a deck counts as if it held each on many pages. */
function writeTable(table: Float64Array, gains: readonly number[], isUnread: boolean): void {
  table.fill(0);
  const unread = isUnread ? PAGE_CODES : 0;
  gains.forEach((gain, word) => {
    const base = word * TABLE_NUMBERS;
    for (let code = 0; code < CODE_COUNT; code++) {
      table[base + 2 * code] = gain * (WORTH_OF_CODE[code | unread] ?? 0);
      table[base + 2 * code + 1] = (code | unread) > 0 ? gain : 0;
    }
  });
}

/** Writes how worth and rarity change for each code of a word when its page lists are read: before, nothing of the code came from pages. */
function writeChanges(changes: Float64Array, known: Float64Array): void {
  for (let at = 0; at < changes.length; at++) changes[at] = (known[at] ?? 0) - (assumed[at & ~(2 * PAGE_CODES)] ?? 0);
}
