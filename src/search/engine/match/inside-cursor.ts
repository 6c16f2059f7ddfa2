import { ALL_FIELDS, FIELD_BITS } from '../format/layout.ts';
import { SKIP } from '../format/inside.ts';
import { type PageStore, readStore } from '../format/page-store.ts';
import { addresses, arrays, CURSOR, CURSOR_BYTES, kernel, takeCursor } from '../kernel/kernel.ts';
import { gallop, type PostingList } from './postings.ts';

/**
 * Goes through the documents of a term on pages. Calls ask for ascending places, so that no part of a list is read twice. Ranges have at most
 * WINDOW places, lists at most as many entries; these are in the memory of the kernel, at the address `list`.
 */
export type InsideCursor = {
  /** Number of documents that hold the term. */
  frequency: number;
  /** Returns a place that no posting after the last read one is before; Infinity when there are none. */
  next(): number;
  /** Adds the code of a word for the places of the window from `start` up to `limit` (excluded). `isFinding`: they become candidates. */
  add(word: number, start: number, limit: number, isFinding: boolean): void;
  /** Writes the places from `first` up to `limit` (excluded) that hold the term to `places`, and their spread marks to `marks`. Returns their number. */
  collect(first: number, limit: number): number;
  /** Keeps in `marks` what the term has in common with each of the ascending places of a list; NOT_HELD for a place without the term. */
  narrow(list: number, count: number): void;
};

const NOT_HELD = -1;

/** Bytes that are read at once after a jump; a list that is gone through is read in parts of CURSOR_BYTES. */
const JUMP_BYTES = 1 << 11;
/** After every place. */
const NO_PLACE = 0x7f_ff_ff_ff;

/**
 * Opens packed postings (inside.ts), the bytes `start` to `end` (excluded) of a store. `skips`: pairs of the place before a block and its
 * first byte after `start`, for every block but the first. A block is read when it is needed.
 */
export function openPacked(
  store: PageStore,
  { start, end, frequency }: { start: number; end: number; frequency: number },
  skips: Uint32Array,
): InsideCursor {
  const blocks = Math.ceil(frequency / SKIP);
  const placeBefore = (block: number) => skips[2 * (block - 1)] ?? 0;
  const cursor = takeCursor();
  const own = cursor >>> 2;
  const bytesAt = cursor + CURSOR.bytes;
  /** The bytes of the store at hand: `filled` of them from `base` on. */
  let base = 0;
  let filled = 0;
  let block = -1;
  /** The last place of the block, after which a place is not in it. */
  let lastPlace = -1;
  let isEnded = false;
  arrays.numbers.fill(0, own, own + CURSOR.spread);
  arrays.numbers[own + CURSOR.spread] = NOT_HELD;

  /** Begins with the postings of a block. */
  function enter(next: number): void {
    const from = start + (skips[2 * next - 1] ?? 0);
    const to = next + 1 < blocks ? start + (skips[2 * next + 1] ?? 0) : end;
    if (from < base || to > base + filled) load(from, to);
    block = next;
    const { numbers } = arrays;
    numbers[own + CURSOR.at] = bytesAt + from - base;
    numbers[own + CURSOR.stop] = bytesAt + to - base;
    lastPlace = next + 1 < blocks ? placeBefore(next + 1) : NO_PLACE;
  }

  function load(from: number, to: number): void {
    // A list that is gone through is read in larger parts than one of which single blocks are asked for.
    const isNear = filled > 0 && from >= base && from <= base + filled + JUMP_BYTES;
    const wanted = Math.min(end - from, isNear ? CURSOR_BYTES : JUMP_BYTES);
    const bytes = arrays.bytes.subarray(bytesAt, bytesAt + CURSOR_BYTES);
    filled = readStore(store, from, bytes, to - from, Math.max(wanted, to - from));
    base = from;
  }

  /** Goes to the block that `wanted` would be in: in doubling steps, then by bisection. */
  function skipTo(wanted: number): void {
    let low = block + 1;
    let stride = 1;
    while (low + stride < blocks && placeBefore(low + stride) < wanted) {
      low += stride;
      stride *= 2;
    }
    let high = Math.min(blocks - 1, low + stride - 1);
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (placeBefore(middle) < wanted) low = middle;
      else high = middle - 1;
    }
    const { numbers } = arrays;
    numbers[own + CURSOR.place] = placeBefore(low);
    numbers[own + CURSOR.spread] = NOT_HELD;
    enter(low);
  }

  /** Goes on with the block after this one. Returns false at the end of the list. */
  function enterNext(): boolean {
    isEnded = block + 1 >= blocks;
    if (!isEnded) enter(block + 1);
    return !isEnded;
  }

  return {
    frequency,
    next() {
      const { numbers } = arrays;
      const isBetween = numbers[own + CURSOR.spread] === NOT_HELD;
      return isEnded ? Infinity : isBetween ? 0 : (numbers[own + CURSOR.place] ?? 0);
    },
    add(word, windowStart, limit, isFinding) {
      if (lastPlace < windowStart) skipTo(windowStart);
      let isResumed = false;
      while (!kernel.addPostings(cursor, windowStart, limit, word, isFinding, isResumed) && enterNext())
        isResumed = true;
    },
    collect(first, limit) {
      if (lastPlace < first) skipTo(first);
      let listed = kernel.listPostings(cursor, first, limit, 0, false);
      while (listed >= 0 && enterNext()) listed = kernel.listPostings(cursor, first, limit, listed, true);
      return listed < 0 ? -1 - listed : listed;
    },
    narrow(list, count) {
      let index = kernel.narrow(cursor, list, 0, count, lastPlace);
      while (index < count) {
        skipTo(arrays.numbers[(list >>> 2) + index] ?? 0);
        index = kernel.narrow(cursor, list, index, count, lastPlace);
      }
    },
  };
}

/** Opens unpacked postings, whose lowest bits are a spread mark. */
export function openUnpacked({ data, from, to }: PostingList): InsideCursor {
  let at = from;

  function collect(first: number, limit: number): number {
    const { places, marks } = arrays;
    at = gallop(data, at, to, first);
    let count = 0;
    for (; at < to; at++) {
      const posting = data[at] ?? 0;
      if (posting >>> FIELD_BITS >= limit) break;
      places[count] = posting >>> FIELD_BITS;
      marks[count++] = posting & ALL_FIELDS;
    }
    return count;
  }

  return {
    frequency: to - from,
    next: () => (at < to ? (data[at] ?? 0) >>> FIELD_BITS : Infinity),
    add(word, start, limit, isFinding) {
      kernel.addMarked(addresses.places, collect(start, limit), start, word, isFinding);
    },
    collect,
    narrow(list, count) {
      const { numbers, marks } = arrays;
      for (let index = 0; index < count; index++) {
        if ((marks[index] ?? 0) === NOT_HELD) continue;
        const wanted = numbers[(list >>> 2) + index] ?? 0;
        at = gallop(data, at, to, wanted);
        const posting = data[at] ?? 0;
        const isHeld = at < to && posting >>> FIELD_BITS === wanted;
        marks[index] = isHeld ? (marks[index] ?? 0) & posting & ALL_FIELDS : NOT_HELD;
      }
    },
  };
}
