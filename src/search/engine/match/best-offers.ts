/**
 * Keeps the best `limit` of the offered keys with their numbers, in the order of the numbers: the larger key is better, for equal keys the larger number.
 * Offers are collected, and each time that twice as many are there the worse half is thrown away, which costs a fraction of a heap with hundreds of entries.
 */
type BestOffers = {
  /** Key and number of an offer that is not below `floor()`. Numbers ascend from offer to offer. */
  offer(key: number, number: number): void;
  /** Returns a key that the list is known to be full of: what is below it cannot enter. */
  floor(): number;
  /** Returns the best, in the order of their numbers. */
  best(): Offer[];
};
export type Offer = { key: number; number: number };

/** Only one list at a time: it is in the working memory of the thread. */
export function createBestOffers(limit: number): BestOffers {
  if (keys.length < 2 * limit) reserve(2 * limit);
  let length = 0;
  let floor = -Infinity;

  /** Forgets all offers but the best `limit`. Which of them stay follows from the worst key that does; of those with this key, the last ones. */
  function shorten(): void {
    const { minKey, equal } = selectLargest(keys.subarray(0, length), limit);
    let kept = 0;
    // The equal ones that do not stay come first.
    let spare = -equal;
    for (let at = 0; at < length; at++) spare += keys[at] === minKey ? 1 : 0;
    for (let at = 0; at < length; at++) {
      const key = keys[at] ?? 0;
      const number = numbers[at] ?? 0;
      const isEqual = key === minKey ? 1 : 0;
      // Written always, and overwritten by the next offer when this one is dropped: cheaper than a branch that no processor foresees.
      keys[kept] = key;
      numbers[kept] = number;
      kept += (key > minKey ? 1 : 0) | (isEqual & (spare > 0 ? 0 : 1));
      spare -= isEqual;
    }
    length = limit;
    floor = minKey;
  }

  return {
    offer(key, number) {
      keys[length] = key;
      numbers[length++] = number;
      if (length === 2 * limit) shorten();
    },
    floor: () => floor,
    best() {
      if (length > limit) shorten();
      return Array.from({ length }, (_, at) => ({ key: keys[at] ?? 0, number: numbers[at] ?? 0 }));
    },
  };
}

/**
 * Returns the least of the `count` largest keys, and how many of these are equal to it. The keys are parted in larger and smaller ones than one of
 * them again and again; equal keys, of which there are often hundreds, end it at once.
 */
function selectLargest(all: Float64Array, count: number): { minKey: number; equal: number } {
  let rest = all;
  let wanted = count;
  for (;;) {
    const { length } = rest;
    const pivot = middleOf(rest[0] ?? 0, rest[length >>> 1] ?? 0, rest[length - 1] ?? 0);
    let larger = 0;
    let smaller = 0;
    // A part may be parted in place: nothing is written before the key that is read.
    for (let at = 0; at < length; at++) {
      const key = rest[at] ?? 0;
      above[larger] = key;
      larger += key > pivot ? 1 : 0;
      below[smaller] = key;
      smaller += key < pivot ? 1 : 0;
    }
    const reached = length - smaller;
    if (larger >= wanted) rest = above.subarray(0, larger);
    else if (reached >= wanted) return { minKey: pivot, equal: wanted - larger };
    else {
      rest = below.subarray(0, smaller);
      wanted -= reached;
    }
  }
}

const middleOf = (a: number, b: number, c: number) => Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));

/** Working memory of a thread: the offers, and the parts of a selection. These have one more place than there are keys, because the place behind the last one is written too. */
let keys = new Float64Array(0);
let numbers = new Float64Array(0);
let above = new Float64Array(0);
let below = new Float64Array(0);

function reserve(capacity: number): void {
  keys = new Float64Array(capacity);
  numbers = new Float64Array(capacity);
  above = new Float64Array(capacity + 1);
  below = new Float64Array(capacity + 1);
}
