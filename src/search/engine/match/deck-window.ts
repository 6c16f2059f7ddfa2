import { ALL_FIELDS, FIELD_BITS } from '../format/layout.ts';
import { addresses, arrays, WINDOW } from '../kernel/kernel.ts';
import { gallop, type PostingList } from './postings.ts';

/** Codes of this many words share a number. */
const WORDS_A_PLANE = 4;
export const planesFor = (words: number) => Math.ceil(words / WORDS_A_PLANE);

/** Returns the address of the code of a word at the first place of a window; those of the next places follow in steps of WORDS_A_PLANE. */
const codesAt = (word: number) => addresses.planes + (word >>> 2) * WORDS_A_PLANE * WINDOW + (word & 3);

/** Postings of names, the position up to which they were read, and the code of each combination of fields. */
export type NamedList = { list: PostingList; from: number; codes: Uint8Array };

/** Adds a code for each posting of a list in the window from `start` on. `isFinding`: its documents become candidates. */
export function addNamed(word: number, start: number, named: NamedList, isFinding: boolean): void {
  const { bytes } = arrays;
  const base = codesAt(word);
  const { list, codes } = named;
  const { data, to } = list;
  const end = start + WINDOW;
  let at = gallop(data, named.from, to, start);
  for (; at < to; at++) {
    const posting = data[at] ?? 0;
    const place = posting >>> FIELD_BITS;
    if (place >= end) break;
    const own = place - start;
    const codeAt = base + own * WORDS_A_PLANE;
    bytes[codeAt] = (bytes[codeAt] ?? 0) | (codes[posting & ALL_FIELDS] ?? 0);
    if (isFinding) bytes[addresses.touched + own] = 255;
  }
  named.from = at;
}

/** Adds a code for each of the first `count` candidates that a list holds. */
export function lookUpNamed(word: number, start: number, named: NamedList, count: number): void {
  const { bytes, candidates } = arrays;
  const base = codesAt(word);
  const { list, codes } = named;
  const { data, to } = list;
  let at = named.from;
  for (let index = 0; index < count; index++) {
    const place = candidates[index] ?? 0;
    at = gallop(data, at, to, place);
    if (at >= to) break;
    const posting = data[at] ?? 0;
    const codeAt = base + (place - start) * WORDS_A_PLANE;
    if (posting >>> FIELD_BITS === place) bytes[codeAt] = (bytes[codeAt] ?? 0) | (codes[posting & ALL_FIELDS] ?? 0);
  }
  named.from = at;
}

/** Returns the codes of the four words of a plane at a place, the first in the lowest byte. */
export const codesOf = (plane: number, place: number): number =>
  arrays.numbers[(addresses.planes >>> 2) + plane * WINDOW + (place & (WINDOW - 1))] ?? 0;
