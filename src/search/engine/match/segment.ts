import { createIds, createThemeSets, type Dictionaries } from '../format/dictionaries.ts';
import { byLabel, FILTER_LABELS, viewSegment, type Columns, type Tables } from '../format/layout.ts';
import type { MainSegment, PageStore } from '../format/page-store.ts';
import type { Block } from './each-match.ts';
import { type InsideCursor, openPacked } from './inside-cursor.ts';
import type { PostingList } from './postings.ts';

/** The documents with a term on their pages. */
export type InsideList = {
  frequency: number;
  /** Starts to go through the list. */
  open(): InsideCursor;
};

/** The part of the index that a query reads: the main segment, which never grows, or the delta. */
export type Segment = Dictionaries & {
  /** Number of places; the columns may be longer. */
  readonly documents: number;
  readonly columns: Columns;
  /** Returns the postings of a term; null when no document contains the term. */
  find(term: string): PostingList | null;
  /** Returns the postings of all terms with this prefix, in one list or several. */
  findPrefix(prefix: string): PostingList[];
  /** Returns the documents with a term on their pages; null when there are none. */
  findInside(term: string): InsideList | null;
  /** Returns the lists of at most `most` terms of the pages with this prefix. */
  findInsidePrefix(prefix: string, maxLists: number): InsideList[];
  /** Returns the place of the document with this id; undefined when the segment does not have it or it was removed. */
  placeOf(id: number): number | undefined;
  /** Drops removed documents from a block. */
  dropRemoved(block: Block): void;
  remove(place: number): void;
  readonly removed: number;
};

/** Opens a main segment over its buffer. Removals are kept outside the buffer, for this thread only. */
export function openSegment({ buffer, pages }: MainSegment): Segment {
  const { counts, columns, tables } = viewSegment(buffer);
  const { postings, postingStarts } = tables;
  const names = openTerms(counts.terms, tables.termUnits, tables.termStarts);
  const inside = openTerms(counts.insideTerms, tables.insideUnits, tables.insideTermStarts);
  const removed = createRemovals(counts.documents);
  const themeSets = createThemeSets(
    Array.from({ length: counts.themeSets }, (_, set) => [
      ...tables.themes.subarray(tables.themeStarts[set], tables.themeStarts[set + 1]),
    ]),
  );

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
    labels: byLabel((label) => createIds([...tables[FILTER_LABELS[label].ids]])),
    find(term) {
      const at = names.find(term);
      return at < 0 ? null : slice(at, at + 1);
    },
    findPrefix(prefix) {
      const { first, end } = names.range(prefix);
      return first < end ? [slice(first, end)] : [];
    },
    findInside(term) {
      const at = inside.find(term);
      return at < 0 ? null : insideList(tables, pages, at);
    },
    findInsidePrefix(prefix, maxLists) {
      const { first, end } = inside.range(prefix);
      const length = Math.max(0, Math.min(end - first, maxLists));
      return Array.from({ length }, (_, index) => insideList(tables, pages, first + index));
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

/** The packed postings of one term (inside.ts). */
function insideList(tables: Tables, pages: PageStore, term: number): InsideList {
  const { insideStarts, insideFrequencies, insideSkips, insideSkipStarts } = tables;
  const start = insideStarts[term] ?? 0;
  const end = insideStarts[term + 1] ?? 0;
  const frequency = insideFrequencies[term] ?? 0;
  const skips = insideSkips.subarray(insideSkipStarts[term], insideSkipStarts[term + 1]);
  return { frequency, open: () => openPacked(pages, { start, end, frequency }, skips) };
}

/** Sorted terms: term t is units[starts[t] … starts[t + 1]). */
function openTerms(count: number, units: Uint16Array, starts: Uint32Array) {
  /** Returns the first term that is not before `text`; with `isAfter`, the first term after all terms with this prefix. */
  function lowerBound(text: string, isAfter: boolean): number {
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = compare(middle, text);
      if (order < 0 || (isAfter && order === 0)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns 0 when the term begins with `prefix`, and a negative number when the term is before every such term. */
  function compare(term: number, prefix: string): number {
    const start = starts[term] ?? 0;
    const length = (starts[term + 1] ?? 0) - start;
    const shared = Math.min(length, prefix.length);
    for (let at = 0; at < shared; at++) {
      const difference = (units[start + at] ?? 0) - prefix.charCodeAt(at);
      if (difference !== 0) return difference;
    }
    return length < prefix.length ? -1 : 0;
  }

  return {
    /** Returns the number of a term; -1 when it is not in the table. */
    find(term: string): number {
      // The term itself is the first of all terms that begin with it.
      const at = lowerBound(term, false);
      const isHere = at < count && compare(at, term) === 0;
      return isHere && (starts[at + 1] ?? 0) - (starts[at] ?? 0) === term.length ? at : -1;
    },
    /** Returns the first term with this prefix, and the first after them. */
    range: (prefix: string) => ({ first: lowerBound(prefix, false), end: lowerBound(prefix, true) }),
  };
}

/** Creates a set of removed places, with one bit per place. */
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
        // Written always, and overwritten by the next document if this one is removed: cheaper than a branch.
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
