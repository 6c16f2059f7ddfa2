import { ALL_FIELDS, FIELD_BITS } from '../format/layout.ts';
import { SKIP, SPREAD_BITS, SPREAD_MARKS, SPREADS } from '../format/inside.ts';
import { gallop, type PostingList } from './postings.ts';

/** Goes through the documents of a term on pages. Calls ask for ascending places, so that no part of a list is read twice. */
export type InsideCursor = {
  /** Writes the places from `start` up to `end` (excluded) that hold the term, with their spread marks. Returns their number. */
  collect(start: number, end: number, places: Uint32Array, marks: Int8Array): number;
  /** Keeps in `marks` what the term has in common with each of the ascending places; NOT_HELD for a place without the term. */
  narrow(places: Uint32Array, marks: Int8Array, count: number): void;
};

export const NOT_HELD = -1;

const MARKS = Uint8Array.from(SPREAD_MARKS);

/**
 * Opens packed postings (inside.ts). `skips`: pairs of the place before a block and its first byte after `start`, for every block but the
 * first.
 */
export function openPacked(
  bytes: Uint8Array,
  { start, end, frequency }: { start: number; end: number; frequency: number },
  skips: Uint32Array,
): InsideCursor {
  const blocks = Math.ceil(frequency / SKIP);
  const placeBefore = (block: number) => skips[2 * (block - 1)] ?? 0;
  /** The posting that was read last, and the byte after it. Before the first one `spread` is NOT_HELD. */
  let at = start;
  let place = 0;
  let spread = NOT_HELD;
  let block = 0;
  /** The last place before the next block, after which a place is not in this one. */
  let lastPlace = blocks > 1 ? placeBefore(1) : Infinity;

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
    block = low;
    at = start + (skips[2 * low - 1] ?? 0);
    place = placeBefore(low);
    spread = NOT_HELD;
    lastPlace = low + 1 < blocks ? placeBefore(low + 1) : Infinity;
  }

  return {
    collect(first, limit, places, marks) {
      if (lastPlace < first) skipTo(first);
      let byteAt = at;
      let current = place;
      let held = spread;
      let count = 0;
      if (held !== NOT_HELD && current >= first && current < limit) {
        places[0] = current;
        marks[0] = MARKS[held] ?? 0;
        count = 1;
      }
      if (held === NOT_HELD || current < limit) {
        while (byteAt < end) {
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
      }
      at = byteAt;
      place = current;
      spread = held;
      // The blocks that were read are found again from the posting.
      while (lastPlace < current) lastPlace = ++block + 1 < blocks ? placeBefore(block + 1) : Infinity;
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
        while (byteAt < end && (current < wanted || held === NOT_HELD)) {
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
