import { ALL_FIELDS, FIELD_BITS } from '../format/layout.ts';

/**
 * The postings data[from … to). `isSorted`: ascending by document, without duplicates; otherwise the lists of several terms in a row.
 */
export type PostingList = { data: Uint32Array; from: number; to: number; isSorted: boolean };

export const lengthOf = (list: PostingList) => list.to - list.from;

/** This many postings are scanned before galloping: in lists of similar length the next match is close. */
const STEPS = 4;

/** Returns the first position in data[from … to) whose posting is not before `document`: linear steps, then galloping and bisection. */
export function gallop(data: Uint32Array, from: number, to: number, document: number): number {
  const wanted = (document << FIELD_BITS) >>> 0;
  let low = from;
  for (const end = Math.min(to, from + STEPS); low < end; low++) if ((data[low] ?? 0) >= wanted) return low;
  let stride = STEPS;
  while (low + stride < to && (data[low + stride] ?? 0) < wanted) {
    low += stride;
    stride <<= 1;
  }
  let high = Math.min(to, low + stride + 1);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((data[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const sortedList = (data: Uint32Array): PostingList => ({ data, from: 0, to: data.length, isSorted: true });

export const shortestFirst = (a: PostingList, b: PostingList) => lengthOf(a) - lengthOf(b);

/** Lists up to this many times longer than the candidates are merged rather than galloped through. */
export const WALKED_RATIO = 12;

/** Returns the documents in all of `lists` (sorted), and in `within` if given, with the fields common to all lists. */
export function intersectWithin(lists: PostingList[], within: PostingList | null): PostingList {
  const sources = lists.map((list) => ({ list, ignored: 0 }));
  // `within` limits the documents only: its fields belong to other words.
  if (within) sources.push({ list: within, ignored: ALL_FIELDS });
  const [first, ...others] = sources.sort((a, b) => shortestFirst(a.list, b.list));
  if (!first) return sortedList(new Uint32Array(0));
  return others.reduce(intersectTwo, first).list;
}

/** `ignored`: fields that count as present in every posting. */
type Source = { list: PostingList; ignored: number };

/** `short` is at most as long as the other list. */
function intersectTwo(short: Source, long: Source): Source {
  const found = new Uint32Array(lengthOf(short.list));
  const isWalked = lengthOf(long.list) <= WALKED_RATIO * lengthOf(short.list);
  const length = isWalked ? walkBoth(short, long, found) : jumpBoth(short, long, found);
  return { list: sortedList(found.subarray(0, length)), ignored: 0 };
}

/** Writes matches to `found` and returns their number, without unpredictable branches (see each-match.ts). */
function walkBoth(short: Source, long: Source, found: Uint32Array): number {
  const { data, to } = short.list;
  const { data: otherData, to: otherTo } = long.list;
  let at = short.list.from;
  let otherAt = long.list.from;
  let length = 0;
  while (at < to && otherAt < otherTo) {
    const posting = data[at] ?? 0;
    const otherPosting = otherData[otherAt] ?? 0;
    const document = posting >>> FIELD_BITS;
    const otherDocument = otherPosting >>> FIELD_BITS;
    const isBehind = (document - otherDocument - 1) >>> 31;
    const isOtherBehind = (otherDocument - document - 1) >>> 31;
    found[length] = (posting | short.ignored) & (otherPosting | long.ignored);
    length += isBehind & isOtherBehind;
    at += isBehind;
    otherAt += isOtherBehind;
  }
  return length;
}

function jumpBoth(short: Source, long: Source, found: Uint32Array): number {
  const { data, to } = short.list;
  const { data: otherData, to: otherTo } = long.list;
  let otherAt = long.list.from;
  let length = 0;
  for (let at = short.list.from; at < to; at++) {
    const posting = data[at] ?? 0;
    const document = posting >>> FIELD_BITS;
    otherAt = gallop(otherData, otherAt, otherTo, document);
    if (otherAt >= otherTo) break;
    const otherPosting = otherData[otherAt] ?? 0;
    if (otherPosting >>> FIELD_BITS !== document) continue;
    found[length++] = (posting | short.ignored) & (otherPosting | long.ignored);
  }
  return length;
}

export const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
