import { reserve, type Growing } from './growing-list.ts';
import type { StoreReader } from './page-store.ts';

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

/** Bytes of a packed posting, at most. */
export const MAX_POSTING_BYTES = 5;

/**
 * Packs the first `count` postings, each a place and its spread as `place << SPREAD_BITS | spread`, ascending, to bytes. `noteSkip` is called
 * for every block but the first, with the place before the block and its first byte. Returns the number of bytes.
 */
export function pack(
  postings: Uint32Array,
  count: number,
  bytes: Uint8Array,
  noteSkip: (place: number, byte: number) => void,
): number {
  let length = 0;
  let last = 0;
  for (let at = 0; at < count; at++) {
    if (at > 0 && at % SKIP === 0) noteSkip(last, length);
    const posting = postings[at] ?? 0;
    const place = posting >>> SPREAD_BITS;
    let value = ((place - last) << SPREAD_BITS) | (posting & SPREADS);
    for (; value > 127; value >>>= 7) bytes[length++] = (value & 127) | 128;
    bytes[length++] = value;
    last = place;
  }
  return length;
}

/** Returns how many skips a term has that `frequency` documents hold: one for every block but the first. */
export const skipsOf = (frequency: number) => (frequency === 0 ? 0 : Math.ceil(frequency / SKIP) - 1);

/** Unpacks `count` postings from a reader and appends each as `place << SPREAD_BITS | spread`. */
export function unpack(reader: StoreReader, count: number, into: Growing): void {
  reserve(into, count);
  const { data } = into;
  let { length } = into;
  let place = 0;
  for (let left = count; left > 0; left--) {
    if (reader.filled - reader.at < MAX_POSTING_BYTES) reader.need(MAX_POSTING_BYTES);
    const { bytes } = reader;
    let { at } = reader;
    let byte = bytes[at++] ?? 0;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] ?? 0;
      value |= (byte & 127) << shift;
    }
    reader.at = at;
    place += value >>> SPREAD_BITS;
    data[length++] = ((place << SPREAD_BITS) | (value & SPREADS)) >>> 0;
  }
  into.length = length;
}
