/** A list of Uint32 values that can grow; `data` may be longer than `length`. */
export type Growing = { data: Uint32Array; length: number };

export const createGrowing = (capacity = 4): Growing => ({ data: new Uint32Array(capacity), length: 0 });

/** Makes space for `count` more values. */
export function reserve(list: Growing, count: number): void {
  if (list.length + count <= list.data.length) return;
  const larger = new Uint32Array(Math.max(list.data.length * 2, list.length + count));
  larger.set(list.data.subarray(0, list.length));
  list.data = larger;
}

export function push(list: Growing, value: number): void {
  if (list.length === list.data.length) reserve(list, 1);
  list.data[list.length++] = value;
}
