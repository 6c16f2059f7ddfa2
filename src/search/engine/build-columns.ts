/** Numbers values in the order they come: for columns that hold few distinct ones. */
export type Dictionary<T> = { values: T[]; find(value: T): number | undefined; place(value: T): number };

export function createDictionary<T>(keyOf: (value: T) => string | number, values: readonly T[] = []): Dictionary<T> {
  const kept = [...values];
  const places = new Map(kept.map((value, place) => [keyOf(value), place]));
  return {
    values: kept,
    find: (value) => places.get(keyOf(value)),
    place(value) {
      const key = keyOf(value);
      const known = places.get(key);
      if (known !== undefined) return known;
      places.set(key, kept.length);
      return kept.push(value) - 1;
    },
  };
}

export const createThemeSets = (sets?: readonly number[][]) =>
  createDictionary<number[]>((themes) => themes.join(','), sets);
export const createIndustries = (ids?: readonly number[]) => createDictionary<number>((id) => id, ids);

/** A Uint32Array that grows. */
export type Growing = { data: Uint32Array; length: number };

export const createGrowing = (capacity = 4): Growing => ({ data: new Uint32Array(capacity), length: 0 });

export function push(list: Growing, value: number): void {
  if (list.length === list.data.length) {
    const larger = new Uint32Array(list.data.length * 2);
    larger.set(list.data);
    list.data = larger;
  }
  list.data[list.length++] = value;
}
