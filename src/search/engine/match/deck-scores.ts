import { CODES, MAX_WORTH_ON_PAGES, RELATED_IN_LABELS, WORTHS } from './deck-codes.ts';
import { candidates, codesOf, planesFor, readCodes, WINDOW } from './deck-window.ts';

/** Puts decks with all words before all others. */
export const FULL = 1e6;
/** Sums of floating point numbers in different orders differ a little: what is a little below a bound may reach it. */
const NEARLY = 1 - 1e-9;

/**
 * The scores of the candidates of a window: the sum of rarity times worth of the words of a deck, times the share of all rarity that it holds. While
 * the page lists of a word are unread, a deck counts as if they held it: then a score is an upper bound.
 */
export type DeckScores = {
  /** Scores the first `count` candidates. The page lists of the words from `read` on are unread. */
  start(count: number, read: number): void;
  /**
   * Reads the page lists of a word by `lookUp`, and scores the first `count` candidates again. A score is the sum of what was known before and of
   * what this word adds, so that the other words are not added up again.
   */
  addPages(word: number, count: number, lookUp: () => void): void;
  /** Keeps the first `count` candidates that may reach `least` or may hold all words. Returns their number. */
  keep(count: number, least: number): number;
  /** Writes the keys of the first `count` candidates when all lists are read: the score, plus FULL for a deck that holds all words. */
  write(count: number, keys: Float64Array): void;
  /**
   * Writes the keys by a sum over all words. The sums that `addPages` corrects differ in their last bits by the order in which lists were read; here two
   * decks with the same words in the same places have equal keys.
   */
  writeExactly(count: number, keys: Float64Array): void;
};

export function createDeckScores(gains: readonly number[], all: number): DeckScores {
  const planes = planesFor(gains.length);
  // Tables by word and code; words that the query does not have stay 0. `known`: when all lists of the word are read.
  const known = createTables(planes, gains, 0);
  const assumed = createTables(planes, gains, MAX_WORTH_ON_PAGES);
  const mixed = createTables(planes, gains, 0);
  const whole = all * NEARLY;
  let mixedAt = gains.length;

  /** Returns the tables for words of which the page lists of the first `read` are read. */
  function tablesFor(read: number): Tables {
    if (read === gains.length) return known;
    if (read !== mixedAt) {
      mixedAt = read;
      for (const name of ['worths', 'rarities'] as const) {
        mixed[name].set(known[name].subarray(0, read * CODES));
        mixed[name].set(assumed[name].subarray(read * CODES), read * CODES);
      }
    }
    return mixed;
  }

  function addPlane(plane: number, count: number, { worths, rarities }: Tables): void {
    const codes = codesOf(plane);
    const first = plane * 4 * CODES;
    const [second, third, fourth] = [first + CODES, first + 2 * CODES, first + 3 * CODES];
    for (let index = 0; index < count; index++) {
      const four = codes[(candidates[index] ?? 0) & (WINDOW - 1)] ?? 0;
      const a = first + (four & 255);
      const b = second + ((four >>> 8) & 255);
      const c = third + ((four >>> 16) & 255);
      const d = fourth + (four >>> 24);
      worthOf[index] =
        (worthOf[index] ?? 0) + (worths[a] ?? 0) + (worths[b] ?? 0) + (worths[c] ?? 0) + (worths[d] ?? 0);
      rarityOf[index] =
        (rarityOf[index] ?? 0) + (rarities[a] ?? 0) + (rarities[b] ?? 0) + (rarities[c] ?? 0) + (rarities[d] ?? 0);
    }
  }

  function start(count: number, read: number): void {
    const tables = tablesFor(read);
    worthOf.fill(0, 0, count);
    rarityOf.fill(0, 0, count);
    for (let plane = 0; plane < planes; plane++) addPlane(plane, count, tables);
  }

  function write(count: number, keys: Float64Array): void {
    for (let index = 0; index < count; index++) {
      const rarity = rarityOf[index] ?? 0;
      keys[index] = ((worthOf[index] ?? 0) * rarity) / all + (rarity > whole ? FULL : 0);
    }
  }

  return {
    start,
    addPages(word, count, lookUp) {
      readCodes(word, count, before);
      lookUp();
      readCodes(word, count, after);
      const base = word * CODES;
      for (let index = 0; index < count; index++) {
        const old = base + (before[index] ?? 0);
        const code = base + (after[index] ?? 0);
        worthOf[index] = (worthOf[index] ?? 0) + (known.worths[code] ?? 0) - (assumed.worths[old] ?? 0);
        rarityOf[index] = (rarityOf[index] ?? 0) + (known.rarities[code] ?? 0) - (assumed.rarities[old] ?? 0);
      }
    },
    keep(count, least) {
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
    },
    write,
    writeExactly(count, keys) {
      start(count, gains.length);
      write(count, keys);
    },
  };
}

type Tables = { worths: Float64Array; rarities: Float64Array };

/** Returns the worth and the rarity of each code of each word. `onPages`: what the unread page lists of a word may be worth. */
function createTables(planes: number, gains: readonly number[], onPages: number): Tables {
  const worths = new Float64Array(planes * 4 * CODES);
  const rarities = new Float64Array(planes * 4 * CODES);
  gains.forEach((gain, word) => {
    const base = word * CODES;
    for (let code = 1; code < CODES; code++) {
      worths[base + code] = gain * (WORTHS[code] ?? 0);
      rarities[base + code] = gain;
    }
    worths[base] = gain * onPages;
    rarities[base] = onPages > 0 ? gain : 0;
    // A related word in labels is worth less than the word on many pages.
    worths[base + RELATED_IN_LABELS] = gain * Math.max(onPages, WORTHS[RELATED_IN_LABELS] ?? 0);
  });
  return { worths, rarities };
}

/** Working memory of a thread. */
const worthOf = new Float64Array(WINDOW);
const rarityOf = new Float64Array(WINDOW);
const before = new Uint8Array(WINDOW);
const after = new Uint8Array(WINDOW);
