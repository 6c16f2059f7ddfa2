import { createGrowing, push, type Growing } from '../build/build-columns.ts';

/**
 * The postings of page text. A deck has some thousand terms in its pages, so its postings are packed: of each, the gap to the place before
 * and the spread (on how many pages the term stands), as one varint of 7 bits a byte.
 *
 *   one posting   ┌──────── gap to the place before ────────┬ spread ┐
 *                 │                                         │ 2 bits │
 *                 └─────────────────────────────────────────┴────────┘
 *
 * Every SKIP postings the place before and the byte are noted, so that a single place is found without reading the whole list.
 */
export const SKIP = 128;
export const SPREAD_BITS = 2;
export const SPREADS = (1 << SPREAD_BITS) - 1;

/** A spread in unpacked postings, in place of the fields: of two words the smaller one is their AND, of two forms the larger one their OR. */
export const SPREAD_MARKS = [0, 1, 3, 7] as const;
const SPREAD_OF_MARK = [0, 1, 1, 2, 2, 2, 2, 3] as const;
export const spreadOf = (posting: number): number => SPREAD_OF_MARK[posting & 7] ?? 0;

/** Returns the spread of a term that stands on this number of pages: 0 for one page, 1 for two, 2 for four, 3 for eight and more. */
export const spreadOfPages = (pages: number) => Math.min(SPREADS, Math.floor(Math.log2(Math.max(1, pages))));

/** The packed postings of one term while an index is built. `skips`: pairs of the place before and the byte, for every block but the first. */
export type PackedList = { bytes: Uint8Array; length: number; frequency: number; last: number; skips: Growing | null };

export const createPackedList = (): PackedList => ({
  bytes: new Uint8Array(4),
  length: 0,
  frequency: 0,
  last: 0,
  skips: null,
});

/** Appends a posting; places come in ascending order. */
export function pack(list: PackedList, place: number, spread: number): void {
  if (list.frequency > 0 && list.frequency % SKIP === 0) {
    list.skips ??= createGrowing();
    push(list.skips, list.last);
    push(list.skips, list.length);
  }
  if (list.length + 5 > list.bytes.length) {
    const larger = new Uint8Array(list.bytes.length * 2 + 5);
    larger.set(list.bytes);
    list.bytes = larger;
  }
  let value = ((place - list.last) << SPREAD_BITS) | spread;
  for (; value > 127; value >>>= 7) list.bytes[list.length++] = (value & 127) | 128;
  list.bytes[list.length++] = value;
  list.last = place;
  list.frequency++;
}

/** Calls `take` for each posting of the bytes `from` to `to`. `last`: the place before the first of them. */
export function unpack(
  bytes: Uint8Array,
  from: number,
  to: number,
  last: number,
  take: (place: number, spread: number) => void,
): void {
  let place = last;
  for (let at = from; at < to;) {
    let byte = bytes[at++] ?? 0;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] ?? 0;
      value |= (byte & 127) << shift;
    }
    place += value >>> SPREAD_BITS;
    take(place, value & SPREADS);
  }
}
