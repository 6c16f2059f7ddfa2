import { createGrowing, push, type Growing } from '../format/growing-list.ts';
import { pack, MAX_POSTING_BYTES, skipsOf } from '../format/inside.ts';
import type { Tables } from '../format/layout.ts';
import type { StoreWriter } from '../format/page-store.ts';

/**
 * A sorted list of terms with their postings, read once from front to back. A term is a number, its first two UTF-16 units, and the rest of
 * its units, which few terms have: most are pairs of characters. A term of one unit has 0 for the second.
 */
export type TermSource = {
  key: number;
  rest: string;
  /** Goes to the next term, or to the first; false when there is none. */
  next(): boolean;
  /** Appends the postings of the term, ascending, as `place << SPREAD_BITS | spread`. Called once for each term. */
  read(into: Growing): void;
};

export function keyOf(first: number, second: number): number {
  return ((first << 16) | second) >>> 0;
}

/** The terms of the pages as the tables of a segment need them, without their postings. */
type PageTerms = {
  keys: Growing;
  rests: Map<number, string>;
  frequencies: Growing;
  bytes: Growing;
  skips: Growing;
};

/** Merges the terms of sources, and appends the packed postings of each term to a store. A place is in one source only. */
export function mergePages(sources: TermSource[], writer: StoreWriter): PageTerms {
  const merged: PageTerms = {
    keys: createGrowing(1 << 12),
    rests: new Map(),
    frequencies: createGrowing(1 << 12),
    bytes: createGrowing(1 << 12),
    skips: createGrowing(1 << 12),
  };
  const heap = createHeap(sources.filter((source) => source.next()));
  const postings = createGrowing(1 << 12);
  let packed = new Uint8Array(1 << 16);
  const noteSkip = (place: number, byte: number) => {
    push(merged.skips, place);
    push(merged.skips, byte);
  };
  for (let source = heap.first(); source;) {
    const { key, rest } = source;
    postings.length = 0;
    let isSorted = true;
    while (source && source.key === key && source.rest === rest) {
      const before = postings.length;
      source.read(postings);
      isSorted &&= before === 0 || (postings.data[before - 1] ?? 0) < (postings.data[before] ?? 0);
      source = heap.advance();
    }
    const count = postings.length;
    if (count === 0) continue;
    if (!isSorted) postings.data.subarray(0, count).sort();
    if (packed.length < count * MAX_POSTING_BYTES) packed = new Uint8Array(2 * count * MAX_POSTING_BYTES);
    const length = pack(postings.data, count, packed, noteSkip);
    writer.append(packed.subarray(0, length));
    if (rest) merged.rests.set(merged.keys.length, rest);
    push(merged.keys, key);
    push(merged.frequencies, count);
    push(merged.bytes, length);
  }
  return merged;
}

/** Returns the counts of the header (layout.ts) that concern page text. */
export function countPages({ keys, rests, skips }: PageTerms) {
  let insideUnits = 0;
  for (let at = 0; at < keys.length; at++) insideUnits += (keys.data[at] ?? 0) & 0xffff ? 2 : 1;
  for (const rest of rests.values()) insideUnits += rest.length;
  return { insideTerms: keys.length, insideUnits, insideSkips: skips.length };
}

/** Writes the terms of the pages into a segment that was allocated for them. */
export function writePages(tables: Tables, { keys, rests, frequencies, bytes, skips }: PageTerms): void {
  tables.insideSkips.set(skips.data.subarray(0, skips.length));
  tables.insideFrequencies.set(frequencies.data.subarray(0, keys.length));
  let unit = 0;
  let byte = 0;
  let skip = 0;
  for (let term = 0; term < keys.length; term++) {
    const key = keys.data[term] ?? 0;
    tables.insideUnits[unit++] = key >>> 16;
    if (key & 0xffff) tables.insideUnits[unit++] = key & 0xffff;
    const rest = rests.get(term) ?? '';
    for (let at = 0; at < rest.length; at++) tables.insideUnits[unit++] = rest.charCodeAt(at);
    byte += bytes.data[term] ?? 0;
    skip += 2 * skipsOf(frequencies.data[term] ?? 0);
    tables.insideTermStarts[term + 1] = unit;
    tables.insideStarts[term + 1] = byte;
    tables.insideSkipStarts[term + 1] = skip;
  }
}

/** Keeps sources in the order of their terms; of equal terms, in the order given. */
function createHeap(sources: TermSource[]) {
  const order = new Map(sources.map((source, at) => [source, at]));
  const isBefore = (a: TermSource, b: TermSource) =>
    a.key !== b.key ? a.key < b.key : a.rest !== b.rest ? a.rest < b.rest : (order.get(a) ?? 0) < (order.get(b) ?? 0);
  const heap = sources.toSorted((a, b) => (isBefore(a, b) ? -1 : 1));

  function sink(source: TermSource): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      let smallest = heap[child];
      if (!smallest) break;
      const other = heap[child + 1];
      if (other && isBefore(other, smallest)) {
        smallest = other;
        child++;
      }
      if (!isBefore(smallest, source)) break;
      heap[at] = smallest;
      at = child;
    }
    heap[at] = source;
  }

  return {
    first: (): TermSource | undefined => heap[0],
    /** Moves the first source to its next term. Returns the source that is first then. */
    advance(): TermSource | undefined {
      const [first] = heap;
      if (!first) return undefined;
      if (first.next()) sink(first);
      else {
        const last = heap.pop();
        if (last && last !== first) sink(last);
      }
      return heap[0];
    },
  };
}
