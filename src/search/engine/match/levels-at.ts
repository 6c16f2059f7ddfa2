import { ALL_FIELDS, FIELD_BITS } from '../format/layout.ts';
import { addresses, arrays, WINDOW } from '../kernel/kernel.ts';
import { LEVEL_OF_CODE, pageCode, RELATED_CODES, TYPED_CODES } from './deck-codes.ts';
import { openForm, type WordParts } from './deck-words.ts';
import { gallop, type PostingList } from './postings.ts';

/** Returns the level of a word (src/search/decks/deck-levels.ts) in each document of `places`, which are ascending. Reads each posting list once. `documents`: how many the segment holds. */
export function levelsAt({ named, related, inside }: WordParts, places: Uint32Array, documents: number): number[] {
  const codes = new Uint8Array(places.length);
  if (named) addNamed(codes, places, named, TYPED_CODES);
  for (const list of related) addNamed(codes, places, list, RELATED_CODES);
  for (const form of inside) {
    const cursors = openForm(form, documents);
    for (let from = 0; from < places.length; from += WINDOW) {
      const part = places.subarray(from, from + WINDOW);
      const { places: list, marks } = arrays;
      list.set(part);
      marks.fill(ALL_FIELDS, 0, part.length);
      for (const cursor of cursors) cursor.narrow(addresses.places, part.length);
      for (let at = 0; at < part.length; at++) {
        const mark = marks[at] ?? 0;
        if (mark >= 0) codes[from + at] = (codes[from + at] ?? 0) | pageCode(mark);
      }
    }
  }
  return Array.from(codes, (code) => LEVEL_OF_CODE[code] ?? 0);
}

function addNamed(codes: Uint8Array, places: Uint32Array, { data, from, to }: PostingList, byFields: Uint8Array): void {
  let at = from;
  places.forEach((place, index) => {
    at = gallop(data, at, to, place);
    const posting = data[at] ?? 0;
    if (at < to && posting >>> FIELD_BITS === place)
      codes[index] = (codes[index] ?? 0) | (byFields[posting & ALL_FIELDS] ?? 0);
  });
}
