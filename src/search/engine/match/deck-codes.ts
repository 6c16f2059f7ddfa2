import { levelOf, RELATED, TYPED, worthOf } from '../../decks/deck-levels.ts';
import { FIELD } from '../format/layout.ts';
import { spreadOf } from '../format/inside.ts';

/**
 * Where a deck holds one word, in a byte. Codes of several lists are joined by OR, because a higher place has a bit of its own.
 *
 *   ┌─────────┬──────────┬──────┬────────┬─────────────┬──────────┐
 *   │    7    │    6     │  5   │   4    │   3 to 1    │    0     │
 *   │ related word       │ typed word    │ spread mark │ on pages │
 *   │ in name │ in label │ name │ labels │ (inside.ts) │          │
 *   └─────────┴──────────┴──────┴────────┴─────────────┴──────────┘
 */
export const CODE_COUNT = 256;
const ON_PAGES = 1;
/** The bits that page lists set. */
export const PAGE_CODES = 15;
const IN_LABELS = 1 << 4;
const IN_NAME = 1 << 5;
const RELATED_IN_LABELS = 1 << 6;
const RELATED_IN_NAME = 1 << 7;

/** Returns the code of a word on pages with this spread mark. */
export const pageCode = (mark: number) => (mark << 1) | ON_PAGES;

/** Codes by the fields of a posting. Without a field in common the word spans the border of two fields. */
const byFields = (inName: number, inLabels: number) =>
  Uint8Array.from({ length: 8 }, (_, fields) => (fields & FIELD.name ? inName : inLabels));
export const TYPED_CODES = byFields(IN_NAME, IN_LABELS);
export const RELATED_CODES = byFields(RELATED_IN_NAME, RELATED_IN_LABELS);

/** The level (deck-levels.ts) of each code. */
export const LEVEL_OF_CODE = Uint8Array.from({ length: CODE_COUNT }, (_, code) => {
  const onPages = code & ON_PAGES ? TYPED.onPages + spreadOf(code >> 1) : TYPED.nowhere;
  const typed = code & IN_NAME ? TYPED.inName : code & IN_LABELS ? TYPED.inLabels : onPages;
  const inLabels = code & RELATED_IN_LABELS ? RELATED.inLabels : RELATED.nowhere;
  return levelOf(typed, code & RELATED_IN_NAME ? RELATED.inName : inLabels);
});

/** The worth of each code, in units of the rarity of its word. */
export const WORTH_OF_CODE = Float64Array.from(LEVEL_OF_CODE, worthOf);
/** The most that a word on pages is worth. */
export const MAX_WORTH_ON_PAGES = worthOf(levelOf(TYPED.onPages + spreadOf(7), 0));
/** The most that a word is worth anywhere. */
export const MAX_WORTH_IN_NAME = worthOf(levelOf(TYPED.inName, 0));
