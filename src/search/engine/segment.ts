import { createIndustries, createThemeSets, type Dictionary } from './build-columns.ts';
import { viewSegment, type Columns } from './layout.ts';
import type { Block } from './each-match.ts';

/** Postings data[from … to). `isSorted`: ascending by document, each once; else of several terms, one after the other. */
export type PostingList = { data: Uint32Array; from: number; to: number; isSorted: boolean };

export const lengthOf = (list: PostingList) => list.to - list.from;

/** What a query reads: the main segment, which never grows, and the delta beside it are the same to it. */
export type Segment = {
  /** Columns may be longer. */
  readonly documents: number;
  readonly columns: Columns;
  readonly themeSets: Dictionary<number[]>;
  readonly industries: Dictionary<number>;
  /** Null: nobody has that term. */
  find(term: string): PostingList | null;
  /** Everything that begins so, in one or more lists. */
  findPrefix(prefix: string): PostingList[];
  /** Where the living document of that id stands; undefined: not here. */
  placeOf(id: number): number | undefined;
  /** Leaves only the living. */
  dropRemoved(block: Block): void;
  remove(place: number): void;
  readonly removed: number;
};

/** A main segment over its buffer. What is removed is this thread's own: the buffer's postings stay as they are. */
export function openSegment(buffer: SharedArrayBuffer): Segment {
  const { counts, columns, tables } = viewSegment(buffer);
  const { termUnits, termStarts, postings, postingStarts } = tables;
  const removed = createRemovals(counts.documents);
  const themeSets = createThemeSets(
    Array.from({ length: counts.themeSets }, (_, set) => [
      ...tables.themes.subarray(tables.themeStarts[set], tables.themeStarts[set + 1]),
    ]),
  );

  /** First term that is not before `text`; with `isAfter`, first that neither is nor begins with it. */
  function lowerBound(text: string, isAfter: boolean): number {
    let low = 0;
    let high = counts.terms;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = compare(middle, text);
      if (order < 0 || (isAfter && order === 0)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Below zero: the term is before every text that begins so. Zero: it begins so. */
  function compare(term: number, prefix: string): number {
    const start = termStarts[term] ?? 0;
    const length = (termStarts[term + 1] ?? 0) - start;
    const shared = Math.min(length, prefix.length);
    for (let at = 0; at < shared; at++) {
      const difference = (termUnits[start + at] ?? 0) - prefix.charCodeAt(at);
      if (difference !== 0) return difference;
    }
    return length < prefix.length ? -1 : 0;
  }

  const slice = (first: number, end: number): PostingList => ({
    data: postings,
    from: postingStarts[first] ?? 0,
    to: postingStarts[end] ?? 0,
    isSorted: end - first === 1,
  });

  return {
    documents: counts.documents,
    columns,
    themeSets,
    industries: createIndustries([...tables.industryIds]),
    find(term) {
      // Of all that begin so the term itself comes first.
      const at = lowerBound(term, false);
      const isHere = at < counts.terms && compare(at, term) === 0;
      return isHere && (termStarts[at + 1] ?? 0) - (termStarts[at] ?? 0) === term.length ? slice(at, at + 1) : null;
    },
    findPrefix(prefix) {
      const first = lowerBound(prefix, false);
      const end = lowerBound(prefix, true);
      return first < end ? [slice(first, end)] : [];
    },
    placeOf(id) {
      let low = 0;
      let high = counts.documents;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((columns.ids[middle] ?? 0) < id) low = middle + 1;
        else high = middle;
      }
      return columns.ids[low] === id && !removed.has(low) ? low : undefined;
    },
    dropRemoved: removed.drop,
    remove: removed.add,
    get removed() {
      return removed.size;
    },
  };
}

/** One bit a document. */
export function createRemovals(capacity: number) {
  let bits = new Uint32Array((capacity >>> 5) + 1);
  let size = 0;
  return {
    has: (place: number) => size > 0 && ((bits[place >>> 5] ?? 0) & (1 << (place & 31))) !== 0,
    drop(block: Block) {
      if (size === 0) return;
      const { places, gains, length } = block;
      let kept = 0;
      for (let at = 0; at < length; at++) {
        const place = places[at] ?? 0;
        const isGone = ((bits[place >>> 5] ?? 0) >>> (place & 31)) & 1;
        // Written in any case and overwritten by the next: cheaper than a branch.
        places[kept] = place;
        gains[kept] = gains[at] ?? 0;
        kept += 1 - isGone;
      }
      block.length = kept;
    },
    add(place: number) {
      if (place >>> 5 >= bits.length) {
        const larger = new Uint32Array(Math.max(bits.length * 2, (place >>> 5) + 1));
        larger.set(bits);
        bits = larger;
      }
      const word = bits[place >>> 5] ?? 0;
      if (word & (1 << (place & 31))) return;
      bits[place >>> 5] = word | (1 << (place & 31));
      size++;
    },
    get size() {
      return size;
    },
  };
}
