/**
 * Where a deck holds a word of a query, in one number: the place of the typed word (or of what means exactly the same), and the place of
 * a word that is only related to it (`word ~ related` in synonyms.txt). Page text may hold a word on one, two, four or eight pages.
 */
export const TYPED = { nowhere: 0, onPages: 1, inLabels: 5, inName: 6 } as const;
export const RELATED = { nowhere: 0, inLabels: 1, inName: 2 } as const;

export const levelOf = (typed: number, related: number) => (typed << 2) | related;
export const typedOf = (level: number) => level >> 2;
export const relatedOf = (level: number) => level & 3;

/** Tells whether the typed word stands on pages, and neither in name nor labels. */
export const isOnPages = (level: number) => typedOf(level) > TYPED.nowhere && typedOf(level) < TYPED.inLabels;

/** Keywords, organization and industry are labels. */
const TYPED_WORTH = [0, 1, 1.15, 1.3, 1.45, 2, 3] as const;
/** A related word is never worth as much as the word itself. */
export const RELATED_SHARE = 0.6;
const RELATED_WORTH = [0, 2 * RELATED_SHARE, 3 * RELATED_SHARE, 0] as const;

/** What a word on pages adds to a related word in name or labels: the deck is near the subject and says the word. */
const SAID_SHARE = 0.5;

/** Returns the worth of a word at a level, in units of its rarity. */
export function worthOf(level: number): number {
  const [typed = 0, related = 0] = [TYPED_WORTH[typedOf(level)], RELATED_WORTH[relatedOf(level)]];
  return related > 0 && isOnPages(level) ? related + SAID_SHARE * typed : Math.max(typed, related);
}

/** Returns the rarity of a word that `frequency` of `documents` hold: BM25's weight of a word, without its corrections. */
export const rarityOf = (frequency: number, documents: number) => Math.log(1 + documents / Math.max(frequency, 1));
