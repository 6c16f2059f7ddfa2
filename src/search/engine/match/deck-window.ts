import { ALL_FIELDS, FIELD_BITS } from '../format/layout.ts';
import { gallop, type PostingList } from './postings.ts';

/** Places that are gone through together: their codes stay in the processor's cache. */
export const WINDOW = 2_048;
/** Codes of this many words share a number. */
const WORDS_A_PLANE = 4;
export const planesFor = (words: number) => Math.ceil(words / WORDS_A_PLANE);

/** Working memory of a thread. All codes are 0 between two windows. */
const planes: Int32Array[] = [];
const touched = new Int32Array(WINDOW >>> 5);
/** The documents of a window that may still be listed, ascending. */
export const candidates = new Uint32Array(WINDOW);

/** Returns the codes of the four words that share a plane with this word, for each place of the window. */
function planeOf(word: number): Int32Array {
  const at = word >>> 2;
  return (planes[at] ??= new Int32Array(WINDOW));
}

const shiftOf = (word: number) => (word & 3) << 3;

/** Postings of names, the position up to which they were read, and the code of each combination of fields. */
export type NamedList = { list: PostingList; from: number; codes: Uint8Array };

/** Adds a code for each posting of a list in the window from `start` on. `isFinding`: its documents become candidates. */
export function addNamed(word: number, start: number, named: NamedList, isFinding: boolean): void {
  const plane = planeOf(word);
  const shift = shiftOf(word);
  const { list, codes } = named;
  const { data, to } = list;
  const end = start + WINDOW;
  let at = gallop(data, named.from, to, start);
  for (; at < to; at++) {
    const posting = data[at] ?? 0;
    const place = posting >>> FIELD_BITS;
    if (place >= end) break;
    const own = place - start;
    plane[own] = (plane[own] ?? 0) | ((codes[posting & ALL_FIELDS] ?? 0) << shift);
    if (isFinding) touched[own >>> 5] = (touched[own >>> 5] ?? 0) | (1 << (own & 31));
  }
  named.from = at;
}

/** Adds a code for each of the first `count` candidates that a list holds. */
export function lookUpNamed(word: number, start: number, named: NamedList, count: number): void {
  const plane = planeOf(word);
  const shift = shiftOf(word);
  const { list, codes } = named;
  const { data, to } = list;
  let at = named.from;
  for (let index = 0; index < count; index++) {
    const place = candidates[index] ?? 0;
    at = gallop(data, at, to, place);
    if (at >= to) break;
    const posting = data[at] ?? 0;
    const own = place - start;
    if (posting >>> FIELD_BITS === place)
      plane[own] = (plane[own] ?? 0) | ((codes[posting & ALL_FIELDS] ?? 0) << shift);
  }
  named.from = at;
}

/** Documents of a window, and what each has of a word: a spread mark, or a negative number for nothing. */
export type Marked = { places: Uint32Array; marks: Int8Array; count: number };

/** Adds the page codes of documents. `isFinding`: they become candidates. */
export function addInside(word: number, start: number, { places, marks, count }: Marked, isFinding: boolean): void {
  const plane = planeOf(word);
  const shift = shiftOf(word);
  for (let index = 0; index < count; index++) {
    const mark = marks[index] ?? 0;
    if (mark < 0) continue;
    const own = (places[index] ?? 0) - start;
    plane[own] = (plane[own] ?? 0) | (((mark << 1) | 1) << shift);
    if (isFinding) touched[own >>> 5] = (touched[own >>> 5] ?? 0) | (1 << (own & 31));
  }
}

/** Writes the documents that were found in the window to `candidates`. Returns their number. */
export function listTouched(start: number): number {
  let count = 0;
  for (let group = 0; group < touched.length; group++) {
    for (let bits = touched[group] ?? 0; bits !== 0; bits &= bits - 1) {
      candidates[count++] = start + (group << 5) + (31 - Math.clz32(bits & -bits));
    }
  }
  touched.fill(0);
  return count;
}

/** Returns the codes of four words for each place of the window. */
export const codesOf = (plane: number): Int32Array => planeOf(plane * WORDS_A_PLANE);

/** Ends a window: makes all codes 0 again. */
export function clearWindow(words: number): void {
  for (let at = 0; at < planesFor(words); at++) planes[at]?.fill(0);
}
