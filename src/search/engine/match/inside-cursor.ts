import { ALL_FIELDS, FIELD_BITS } from '../format/layout.ts';
import { SKIP, SPREAD_BITS, SPREAD_MARKS, SPREADS } from '../format/inside.ts';
import { type PageStore, readStore } from '../format/page-store.ts';
import { gallop, type PostingList } from './postings.ts';

/** Goes through the documents of a term on pages. Calls ask for ascending places, so that no part of a list is read twice. */
export type InsideCursor = {
  /** Number of documents that hold the term. */
  frequency: number;
  /** Returns a place that no posting after the last collected one is before; Infinity when there are none. */
  next(): number;
  /** Writes the places from `start` up to `end` (excluded) that hold the term, with their spread marks. Returns their number. */
  collect(start: number, end: number, places: Uint32Array, marks: Int8Array): number;
  /** Keeps in `marks` what the term has in common with each of the ascending places; NOT_HELD for a place without the term. */
  narrow(places: Uint32Array, marks: Int8Array, count: number): void;
};

export const NOT_HELD = -1;

const MARKS = Uint8Array.from(SPREAD_MARKS);

/** Bytes that are read at once after a jump, and of a list that is gone through. */
const JUMP_BYTES = 1 << 11;
const WALK_BYTES = 1 << 14;

/** Buffers of a thread, whose questions run one after the other. */
const buffers: Uint8Array[] = [];
let taken = 0;
const MAX_KEPT = 128;

/** Ends all cursors: their buffers are used again by the next question. */
export function endCursors(): void {
  taken = 0;
  buffers.length = Math.min(buffers.length, MAX_KEPT);
}

const takeBuffer = (): Uint8Array => (buffers[taken++] ??= new Uint8Array(WALK_BYTES));

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
  /** The bytes of the store at hand: `filled` of them from `base` on. */
  let bytes = 'bytes' in store ? store.bytes : new Uint8Array(0);
  let base = 0;
  let filled = bytes.length;
  /** The posting that was read last, and the bytes after it up to the end of its block. Before the first one `spread` is NOT_HELD. */
  let at = 0;
  let stop = 0;
  let place = 0;
  let spread = NOT_HELD;
  let block = -1;
  /** The last place of the block, after which a place is not in it. */
  let lastPlace = -1;
  let isEnded = false;

  /** Begins with the postings of a block. */
  function enter(next: number): void {
    const from = start + (skips[2 * next - 1] ?? 0);
    const to = next + 1 < blocks ? start + (skips[2 * next + 1] ?? 0) : end;
    if (from < base || to > base + filled) load(from, to);
    block = next;
    at = from - base;
    stop = to - base;
    lastPlace = next + 1 < blocks ? placeBefore(next + 1) : Infinity;
  }

  function load(from: number, to: number): void {
    if (bytes.length === 0) bytes = takeBuffer();
    // A list that is gone through is read in larger parts than one of which single blocks are asked for.
    const isNear = filled > 0 && from >= base && from <= base + filled + JUMP_BYTES;
    const wanted = Math.min(end - from, isNear ? WALK_BYTES : JUMP_BYTES);
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
    place = placeBefore(low);
    spread = NOT_HELD;
    enter(low);
  }

  return {
    frequency,
    next: () => (isEnded ? Infinity : spread === NOT_HELD ? 0 : place),
    collect(first, limit, places, marks) {
      if (lastPlace < first) skipTo(first);
      let current = place;
      let held = spread;
      let count = 0;
      if (held !== NOT_HELD && current >= first && current < limit) {
        places[0] = current;
        marks[0] = MARKS[held] ?? 0;
        count = 1;
      }
      while (held === NOT_HELD || current < limit) {
        if (at === stop) {
          isEnded = block + 1 >= blocks;
          if (isEnded) break;
          enter(block + 1);
        }
        let byteAt = at;
        while (byteAt < stop) {
          let byte = bytes[byteAt++] ?? 0;
          let value = byte & 127;
          for (let shift = 7; byte > 127; shift += 7) {
            byte = bytes[byteAt++] ?? 0;
            value |= (byte & 127) << shift;
          }
          current += value >>> SPREAD_BITS;
          held = value & SPREADS;
          if (current >= limit) break;
          // Written always, and overwritten by the next posting when it is before the first place.
          places[count] = current;
          marks[count] = MARKS[held] ?? 0;
          count += current >= first ? 1 : 0;
        }
        at = byteAt;
      }
      place = current;
      spread = held;
      return count;
    },
    narrow(places, marks, count) {
      for (let index = 0; index < count; index++) {
        if ((marks[index] ?? 0) === NOT_HELD) continue;
        const wanted = places[index] ?? 0;
        if (lastPlace < wanted) skipTo(wanted);
        let byteAt = at;
        let current = place;
        let held = spread;
        while (byteAt < stop && (current < wanted || held === NOT_HELD)) {
          let byte = bytes[byteAt++] ?? 0;
          let value = byte & 127;
          for (let shift = 7; byte > 127; shift += 7) {
            byte = bytes[byteAt++] ?? 0;
            value |= (byte & 127) << shift;
          }
          current += value >>> SPREAD_BITS;
          held = value & SPREADS;
        }
        at = byteAt;
        place = current;
        spread = held;
        const isHeld = current === wanted && held !== NOT_HELD;
        marks[index] = isHeld ? (marks[index] ?? 0) & (MARKS[held] ?? 0) : NOT_HELD;
      }
    },
  };
}

/** Opens unpacked postings, whose lowest bits are a spread mark. */
export function openUnpacked({ data, from, to }: PostingList): InsideCursor {
  let at = from;
  return {
    frequency: to - from,
    next: () => (at < to ? (data[at] ?? 0) >>> FIELD_BITS : Infinity),
    collect(first, limit, places, marks) {
      at = gallop(data, at, to, first);
      let count = 0;
      for (; at < to; at++) {
        const posting = data[at] ?? 0;
        if (posting >>> FIELD_BITS >= limit) break;
        places[count] = posting >>> FIELD_BITS;
        marks[count++] = posting & ALL_FIELDS;
      }
      return count;
    },
    narrow(places, marks, count) {
      for (let index = 0; index < count; index++) {
        if ((marks[index] ?? 0) === NOT_HELD) continue;
        const wanted = places[index] ?? 0;
        at = gallop(data, at, to, wanted);
        const posting = data[at] ?? 0;
        const isHeld = at < to && posting >>> FIELD_BITS === wanted;
        marks[index] = isHeld ? (marks[index] ?? 0) & posting & ALL_FIELDS : NOT_HELD;
      }
    },
  };
}
