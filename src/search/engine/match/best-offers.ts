/**
 * Keeps the best `limit` of the offered keys with their numbers, in no order: the larger key is better, for equal keys the larger number. Offers are
 * collected, and each time that twice as many are there the worse half is thrown away, which costs a fraction of a heap with hundreds of entries.
 */
export type BestOffers = {
  /** Key and number of an offer that is not below `floor()`. */
  offer(key: number, number: number): void;
  /** Returns a key that the list is known to be full of: what is below it cannot enter. */
  floor(): number;
  /** Returns the numbers of the best, in no order. */
  numbers(): number[];
};

export function createBestOffers(limit: number): BestOffers {
  const keys = new Float64Array(2 * limit);
  const numbers = new Float64Array(2 * limit);
  let length = 0;
  let floor = -Infinity;

  const isBetter = (one: number, other: number) => {
    const difference = (keys[one] ?? 0) - (keys[other] ?? 0);
    return difference > 0 || (difference === 0 && (numbers[one] ?? 0) > (numbers[other] ?? 0));
  };

  function swap(one: number, other: number): void {
    const [key, number] = [keys[one] ?? 0, numbers[one] ?? 0];
    keys[one] = keys[other] ?? 0;
    numbers[one] = numbers[other] ?? 0;
    keys[other] = key;
    numbers[other] = number;
  }

  /** Moves the best `limit` offers to the front (Hoare's selection), and forgets the others. */
  function shorten(): void {
    let low = 0;
    let high = length - 1;
    while (low < high) {
      // The pivot is kept at `low` while the others are divided.
      swap(low, (low + high) >>> 1);
      let last = low;
      for (let at = low + 1; at <= high; at++) if (isBetter(at, low)) swap(++last, at);
      swap(low, last);
      if (last === limit - 1) break;
      if (last < limit - 1) low = last + 1;
      else high = last - 1;
    }
    length = limit;
    floor = Infinity;
    for (let at = 0; at < limit; at++) floor = Math.min(floor, keys[at] ?? 0);
  }

  return {
    offer(key, number) {
      keys[length] = key;
      numbers[length++] = number;
      if (length === 2 * limit) shorten();
    },
    floor: () => floor,
    numbers() {
      if (length > limit) shorten();
      return Array.from(numbers.subarray(0, length));
    },
  };
}
