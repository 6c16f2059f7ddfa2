import { CODES, MAX_WORTH_ON_PAGES, PAGE_CODES, RELATED_IN_LABELS, WORTHS } from './deck-codes.ts';
import { candidates, codesOf, planesFor, WINDOW } from './deck-window.ts';

/** Puts decks with all words before all others. */
export const FULL = 1e6;
/** Sums of floating point numbers in different orders differ a little: what is a little below a bound may reach it. */
const NEARLY = 1 - 1e-9;

/**
 * The scores of the candidates of a window: the sum of rarity times worth of the words of a deck, times the share of all rarity that it holds. While
 * the page lists of a word are unread, a deck counts as if they held it: then a score is an upper bound. `keep`: candidates that may reach `least` or
 * may hold all words stay, the others are dropped.
 */
export type DeckScores = {
  /** Scores the first `count` candidates. The page lists of the words from `read` on are unread. Returns how many candidates are kept. */
  start(count: number, read: number, least: number): number;
  /**
   * Scores the first `count` candidates again when the page lists of a word were read. A score is the sum of what was known before and of
   * what this word adds, so that the other words are not added up again. Returns how many candidates are kept.
   */
  addPages(word: number, count: number, least: number): number;
  /**
   * Ends a window, when all lists are read: writes the keys of the first `count` candidates, which are the scores, plus FULL for a deck that holds all
   * words. Counts in `full` and `best`. Returns how many candidates have a key of `least` and are kept.
   */
  rank(count: number, least: number, keys: Float64Array): number;
  /**
   * Writes the keys by a sum over all words. The sums that `addPages` corrects differ in their last bits by the order in which lists were read; here two
   * decks with the same words in the same places have equal keys.
   */
  writeExactly(count: number, keys: Float64Array): void;
  /** How many decks hold all words, and the best score, of the windows so far. */
  readonly full: number;
  readonly best: number;
};

export function createDeckScores(gains: readonly number[], all: number): DeckScores {
  const planes = planesFor(gains.length);
  // Tables by word and code; words that the query does not have stay 0. `known`: when all lists of the word are read.
  const known = createTable(planes, gains, 0);
  // Of one word alone no list is ever unread.
  const assumed = gains.length > 1 ? createTable(planes, gains, MAX_WORTH_ON_PAGES) : known;
  const changes = gains.length > 1 ? createChanges(known, assumed, gains.length) : known;
  const mixed = gains.length > 1 ? known.slice() : known;
  const whole = all * NEARLY;
  let mixedAt = gains.length;
  let full = 0;
  let best = 0;

  /** Returns the table for words of which the page lists of the first `read` are read. */
  function tableFor(read: number): Float64Array {
    if (read === gains.length) return known;
    if (read !== mixedAt) {
      mixedAt = read;
      mixed.set(known.subarray(0, read * ENTRIES));
      mixed.set(assumed.subarray(read * ENTRIES), read * ENTRIES);
    }
    return mixed;
  }

  /** Adds what the words of a plane are worth to the scores, or begins with it. */
  function addPlane(plane: number, count: number, table: Float64Array): void {
    const codes = codesOf(plane);
    const first = plane * 4 * ENTRIES;
    const [second, third, fourth] = [first + ENTRIES, first + 2 * ENTRIES, first + 3 * ENTRIES];
    const isWide = gains.length - plane * 4 > 2;
    for (let index = 0; index < count; index++) {
      const four = codes[(candidates[index] ?? 0) & (WINDOW - 1)] ?? 0;
      const a = first + ((four & 255) << 1);
      const b = second + ((four >>> 7) & 510);
      let worth = (plane > 0 ? (worthOf[index] ?? 0) : 0) + (table[a] ?? 0) + (table[b] ?? 0);
      let rarity = (plane > 0 ? (rarityOf[index] ?? 0) : 0) + (table[a + 1] ?? 0) + (table[b + 1] ?? 0);
      if (isWide) {
        const c = third + ((four >>> 15) & 510);
        const d = fourth + ((four >>> 23) & 510);
        worth = worth + (table[c] ?? 0) + (table[d] ?? 0);
        rarity = rarity + (table[c + 1] ?? 0) + (table[d + 1] ?? 0);
      }
      worthOf[index] = worth;
      rarityOf[index] = rarity;
    }
  }

  function addPlanes(count: number, table: Float64Array): void {
    for (let plane = 0; plane < planes; plane++) addPlane(plane, count, table);
  }

  function keep(count: number, least: number): number {
    if (least <= 0) return count;
    const bound = least * all * NEARLY;
    let kept = 0;
    for (let index = 0; index < count; index++) {
      const worth = worthOf[index] ?? 0;
      const rarity = rarityOf[index] ?? 0;
      candidates[kept] = candidates[index] ?? 0;
      worthOf[kept] = worth;
      rarityOf[kept] = rarity;
      kept += worth * rarity >= bound || rarity > whole ? 1 : 0;
    }
    return kept;
  }

  const keyAt = (index: number) => {
    const rarity = rarityOf[index] ?? 0;
    return ((worthOf[index] ?? 0) * rarity) / all + (rarity > whole ? FULL : 0);
  };

  return {
    start(count, read, least) {
      addPlanes(count, tableFor(read));
      // Where nothing is unread, rank() drops them.
      return read === gains.length ? count : keep(count, least);
    },
    addPages(word, count, least) {
      const codes = codesOf(word >>> 2);
      const shift = (word & 3) << 3;
      const base = word * ENTRIES;
      const bound = least > 0 ? least * all * NEARLY : -1;
      let kept = 0;
      for (let index = 0; index < count; index++) {
        const candidate = candidates[index] ?? 0;
        const at = base + ((((codes[candidate & (WINDOW - 1)] ?? 0) >>> shift) & 255) << 1);
        const worth = (worthOf[index] ?? 0) + (changes[at] ?? 0);
        const rarity = (rarityOf[index] ?? 0) + (changes[at + 1] ?? 0);
        // Written always, and overwritten by the next candidate when this one is dropped.
        candidates[kept] = candidate;
        worthOf[kept] = worth;
        rarityOf[kept] = rarity;
        kept += worth * rarity >= bound || rarity > whole ? 1 : 0;
      }
      return kept;
    },
    rank(count, least, keys) {
      const bound = least * NEARLY;
      let [kept, holdAll, most] = [0, 0, best];
      for (let index = 0; index < count; index++) {
        const key = keyAt(index);
        const isFull = key >= FULL;
        const score = isFull ? key - FULL : key;
        if (score > most) most = score;
        holdAll += isFull ? 1 : 0;
        candidates[kept] = candidates[index] ?? 0;
        keys[kept] = key;
        kept += key >= bound ? 1 : 0;
      }
      full += holdAll;
      best = most;
      return kept;
    },
    writeExactly(count, keys) {
      addPlanes(count, known);
      for (let index = 0; index < count; index++) keys[index] = keyAt(index);
    },
    get full() {
      return full;
    },
    get best() {
      return best;
    },
  };
}

/** Numbers of a word in a table: its worth and its rarity for each code, side by side. */
const ENTRIES = 2 * CODES;

/** Returns the worth and the rarity of each code of each word. `onPages`: what the unread page lists of a word may be worth. */
function createTable(planes: number, gains: readonly number[], onPages: number): Float64Array {
  const table = new Float64Array(planes * 4 * ENTRIES);
  gains.forEach((gain, word) => {
    const base = word * ENTRIES;
    for (let code = 1; code < CODES; code++) {
      table[base + 2 * code] = gain * (WORTHS[code] ?? 0);
      table[base + 2 * code + 1] = gain;
    }
    table[base] = gain * onPages;
    table[base + 1] = onPages > 0 ? gain : 0;
    // A related word in labels is worth less than the word on many pages.
    table[base + 2 * RELATED_IN_LABELS] = gain * Math.max(onPages, WORTHS[RELATED_IN_LABELS] ?? 0);
  });
  return table;
}

/** Returns how worth and rarity change for each code of a word when its page lists are read: before, nothing of the code came from pages. */
function createChanges(known: Float64Array, assumed: Float64Array, words: number): Float64Array {
  const changes = new Float64Array(words * ENTRIES);
  for (let at = 0; at < changes.length; at++) changes[at] = (known[at] ?? 0) - (assumed[at & ~(2 * PAGE_CODES)] ?? 0);
  return changes;
}

/** Working memory of a thread. */
const worthOf = new Float64Array(WINDOW);
const rarityOf = new Float64Array(WINDOW);
