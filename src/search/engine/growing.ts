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
