/**
 * Keeps the best `size` of the offered hits, in a heap with the worst on top. A larger key is better; for equal keys,
 * the larger id.
 */
export type TopK = {
  offer(key: number, id: number): void;
  /** Returns the smallest key that can still enter the list. */
  floor(): number;
  /** Returns the ids, best first. */
  ids(): number[];
};

export function createTopK(size: number): TopK {
  const keys: number[] = [];
  const ids: number[] = [];

  const isWorse = (key: number, id: number, at: number) => {
    const other = keys[at] ?? 0;
    return key < other || (key === other && id < (ids[at] ?? 0));
  };
  const put = (at: number, key: number, id: number) => {
    keys[at] = key;
    ids[at] = id;
  };

  function rise(key: number, id: number): void {
    let at = keys.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isWorse(key, id, parent)) break;
      put(at, keys[parent] ?? 0, ids[parent] ?? 0);
      at = parent;
    }
    put(at, key, id);
  }

  function sink(key: number, id: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= keys.length) break;
      if (child + 1 < keys.length && isWorse(keys[child + 1] ?? 0, ids[child + 1] ?? 0, child)) child++;
      if (isWorse(key, id, child)) break;
      put(at, keys[child] ?? 0, ids[child] ?? 0);
      at = child;
    }
    put(at, key, id);
  }

  return {
    offer(key, id) {
      if (keys.length < size) rise(key, id);
      else if (size > 0 && !isWorse(key, id, 0)) sink(key, id);
    },
    floor: () => (keys.length < size ? -Infinity : size > 0 ? (keys[0] ?? 0) : Infinity),
    ids() {
      const order = keys.map((_, at) => at);
      order.sort((a, b) => (keys[b] ?? 0) - (keys[a] ?? 0) || (ids[b] ?? 0) - (ids[a] ?? 0));
      return order.map((at) => ids[at] ?? 0);
    },
  };
}
