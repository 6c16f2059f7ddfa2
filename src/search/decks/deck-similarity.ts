/** Number of significant terms of a document: 32 would lose a seventh of what they add to the choice of related decks (docs/decisions/028-whole-decks.md). */
export const SIGNIFICANT_TERMS = 48;

/** Hashes of what tells most of what a deck is about, the most telling first, and 0 behind the last (engine/build/significant-terms.ts). */
export type SignificantTerms = ArrayLike<number>;

/** The term at this place counts half as much as the first. */
const HALF_AT = 8;
const WEIGHTS = Float64Array.from({ length: SIGNIFICANT_TERMS }, (_, place) => HALF_AT / (HALF_AT + place));
/** The length of the vector of the first 0, 1, 2, … terms. */
const LENGTHS = Float64Array.from({ length: SIGNIFICANT_TERMS + 1 }, (_, count) =>
  Math.hypot(...WEIGHTS.subarray(0, count)),
);
/** Places of the hash table: several times as many as three decks have terms. A power of two. */
const PLACES = 512;

/**
 * Returns how similar decks are to each of some decks (three at most), by their significant terms: the cosine of the angle between them, 0 to 1, the first terms
 * counting most; undefined where one of the two has no terms, because nothing is known about it. A query compares three decks with three hundred: the terms of all
 * three stand in one hash table, because three Maps take five times as long.
 */
export function similaritiesTo(
  decks: readonly SignificantTerms[],
): (other: SignificantTerms) => (number | undefined)[] {
  const known = new Uint16Array(PLACES);
  const placeOf = (term: number) => {
    let at = term & (PLACES - 1);
    while (known[at] !== 0 && known[at] !== term) at = (at + 1) & (PLACES - 1);
    return at;
  };
  const weights = decks.map((terms) => {
    const held = new Float64Array(PLACES);
    for (let place = 0; place < countTerms(terms); place++) {
      const at = placeOf(terms[place] ?? 0);
      known[at] = terms[place] ?? 0;
      held[at] = WEIGHTS[place] ?? 0;
    }
    return held;
  });
  const lengths = decks.map((terms) => LENGTHS[countTerms(terms)] ?? 0);
  return (other) => {
    const products = decks.map(() => 0);
    const count = countTerms(other);
    for (let place = 0; place < count; place++) {
      const term = other[place] ?? 0;
      const at = placeOf(term);
      if (known[at] !== term) continue;
      for (let deck = 0; deck < products.length; deck++)
        products[deck] = (products[deck] ?? 0) + (weights[deck]?.[at] ?? 0) * (WEIGHTS[place] ?? 0);
    }
    return products.map((product, deck) => {
      const both = (lengths[deck] ?? 0) * (LENGTHS[count] ?? 0);
      return both > 0 ? product / both : undefined;
    });
  };
}

function countTerms(terms: SignificantTerms): number {
  let count = 0;
  while (count < SIGNIFICANT_TERMS && terms[count]) count++;
  return count;
}
