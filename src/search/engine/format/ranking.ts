import { ALL_FIELDS, FIELD, FIELD_BITS } from './layout.ts';

/**
 * The rank of a hit is the recommended score of the document (freshness and downloads, in units of 60 days) plus a gain
 * for each word, which depends on the field that contains the word. Rare words gain more than common words, and words
 * in short names a little more than words in long names. This is BM25F for short texts, which contain a word at most
 * once.
 */
export const IN_NAME = 48;
export const IN_KEYWORDS = 24;
const IN_LABELS = 16;

/** A document with the very form that was typed gains this share more than one with another form of the same meaning: as much as two years. */
export const TYPED_SHARE = 0.3;

/** Names are divided into classes by length, in steps of four characters. A usual name has 20 characters. */
const LENGTH_STEP = 4;
const LENGTH_CLASSES = 16;
const USUAL_LENGTH = 20;
/** The share of the gain in a name that depends on the length of the name: the parameter b of BM25. */
const LENGTH_SHARE = 0.15;

export function lengthClass(characters: number): number {
  return Math.min(LENGTH_CLASSES - 1, Math.floor(characters / LENGTH_STEP));
}

/**
 * Returns a table per word with its gain at index `lengthClass << 3 | fields`, so that ranking a hit is a lookup. `frequencies`: the
 * number of documents with each word.
 */
export function gainTables(frequencies: number[], documents: number): Float64Array[] {
  const rarity = frequencies.map((frequency) => Math.log(1 + documents / Math.max(frequency, 1)));
  const sum = rarity.reduce((total, each) => total + each, 0) || 1;
  return rarity.map((each) => gainTable(each / sum));
}

function gainTable(share: number): Float64Array {
  const table = new Float64Array(LENGTH_CLASSES << FIELD_BITS);
  for (let at = 0; at < table.length; at++) {
    const characters = ((at >> FIELD_BITS) + 0.5) * LENGTH_STEP;
    const brevity = 1 / (1 - LENGTH_SHARE + (LENGTH_SHARE * characters) / USUAL_LENGTH);
    const fields = at & ALL_FIELDS;
    const worth =
      (fields & FIELD.name ? IN_NAME * brevity : 0) +
      (fields & FIELD.keyword ? IN_KEYWORDS : 0) +
      (fields & FIELD.label ? IN_LABELS : 0);
    table[at] = share * worth;
  }
  return table;
}

const CAP_STEPS = 64;
export const NO_CAP = 65_535;

/** A score is at most `capOf(score) * CAP_UNIT`, unless its cap is NO_CAP. */
export const CAP_UNIT = 1 / CAP_STEPS;
export const capOf = (score: number) => Math.max(0, Math.min(Math.ceil(score * CAP_STEPS), NO_CAP));
