/** Hashes of what tells most of what a deck is about, the most telling first; 0 stands for none (engine/build/significant-terms.ts). */
export type SignificantTerms = ArrayLike<number>;

/** The term at this place counts half as much as the first. */
const HALF_AT = 8;
const weightAt = (place: number) => HALF_AT / (HALF_AT + place);

/**
 * Returns how similar decks are to one deck, by their significant terms: the cosine of the angle between them, 0 to 1, the first terms
 * counting most. Undefined where a deck has no terms, because nothing is known about it.
 */
export function similarityTo(terms: SignificantTerms): (other: SignificantTerms) => number | undefined {
  const weights = new Map<number, number>();
  Array.from(terms, (term, place) => term && weights.set(term, weightAt(place)));
  const length = lengthOf(terms);
  return (other) => {
    let product = 0;
    for (let place = 0; place < other.length; place++)
      product += (weights.get(other[place] ?? 0) ?? 0) * weightAt(place);
    const lengths = length * lengthOf(other);
    return lengths > 0 ? product / lengths : undefined;
  };
}

function lengthOf(terms: SignificantTerms): number {
  let sum = 0;
  for (let place = 0; place < terms.length; place++) if (terms[place]) sum += weightAt(place) ** 2;
  return Math.sqrt(sum);
}
