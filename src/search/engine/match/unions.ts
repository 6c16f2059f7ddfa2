import { ALL_FIELDS, FIELD_BITS } from '../format/layout.ts';
import { lengthOf, type PostingList, sortedList } from './postings.ts';

/** One mark per document; all are zero between two uses. */
let marks = new Uint8Array(0);
/** Marks a document whose posting has no field (a word that spans several fields). */
const MARKED = 1 << FIELD_BITS;
const WANTED = MARKED << 1;
/** From this share of all documents on, scanning the marks is cheaper than sorting the marked documents. */
const SORTING_SHARE = 1 / 24;

/** Fewer sorted lists are merged pairwise; from this number on marking is cheaper. */
const MERGED_LISTS = 6;

/** Returns the documents in any of `lists`, each once, with the fields of all lists. */
export function unite(lists: PostingList[], documents: number): PostingList {
  const [first, ...others] = lists;
  if (!first) return sortedList(new Uint32Array(0));
  if (lists.length <= MERGED_LISTS && lists.every((list) => list.isSorted)) {
    return others.reduce((merged, list) => merge(merged, list), first);
  }
  return uniteByMarks(lists, documents);
}

/** Merges without unpredictable branches: the list that is not ahead advances, both on the same document. */
function merge(one: PostingList, other: PostingList): PostingList {
  const found = new Uint32Array(lengthOf(one) + lengthOf(other));
  let length = 0;
  let at = one.from;
  let otherAt = other.from;
  while (at < one.to && otherAt < other.to) {
    const posting = one.data[at] ?? 0;
    const otherPosting = other.data[otherAt] ?? 0;
    const document = posting >>> FIELD_BITS;
    const otherDocument = otherPosting >>> FIELD_BITS;
    const isBehind = (document - otherDocument - 1) >>> 31;
    const isOtherBehind = (otherDocument - document - 1) >>> 31;
    found[length++] = (posting & -isBehind) | (otherPosting & -isOtherBehind);
    at += isBehind;
    otherAt += isOtherBehind;
  }
  for (; at < one.to; at++) found[length++] = one.data[at] ?? 0;
  for (; otherAt < other.to; otherAt++) found[length++] = other.data[otherAt] ?? 0;
  return sortedList(found.subarray(0, length));
}

function uniteByMarks(lists: PostingList[], documents: number): PostingList {
  if (marks.length < documents) marks = new Uint8Array(documents);
  let touched = 0;
  for (const { data, from, to } of lists) {
    for (let index = from; index < to; index++) {
      const posting = data[index] ?? 0;
      const document = posting >>> FIELD_BITS;
      const mark = marks[document] ?? 0;
      if (mark === 0) touched++;
      marks[document] = mark | MARKED | (posting & ALL_FIELDS);
    }
  }
  return sortedList(touched < documents * SORTING_SHARE ? sortMarked(lists, touched) : readMarks(documents, touched));
}

/** Unites `lists` for the documents of `within` (sorted) only, without sorting or scanning. */
export function uniteWithin(lists: PostingList[], within: PostingList, documents: number): PostingList {
  if (marks.length < documents) marks = new Uint8Array(documents);
  for (let index = within.from; index < within.to; index++) marks[(within.data[index] ?? 0) >>> FIELD_BITS] = WANTED;
  for (const { data, from, to } of lists) {
    for (let index = from; index < to; index++) {
      const posting = data[index] ?? 0;
      const mark = marks[posting >>> FIELD_BITS] ?? 0;
      if (mark !== 0) marks[posting >>> FIELD_BITS] = mark | MARKED | (posting & ALL_FIELDS);
    }
  }
  const found = new Uint32Array(lengthOf(within));
  let length = 0;
  for (let index = within.from; index < within.to; index++) {
    const document = (within.data[index] ?? 0) >>> FIELD_BITS;
    const mark = marks[document] ?? 0;
    if (mark & MARKED) found[length++] = ((document << FIELD_BITS) | (mark & ALL_FIELDS)) >>> 0;
    marks[document] = 0;
  }
  return sortedList(found.subarray(0, length));
}

function sortMarked(lists: PostingList[], touched: number): Uint32Array {
  const found = new Uint32Array(touched);
  let length = 0;
  for (const { data, from, to } of lists) {
    for (let index = from; index < to; index++) {
      const document = (data[index] ?? 0) >>> FIELD_BITS;
      const mark = marks[document] ?? 0;
      if (mark === 0) continue;
      found[length++] = ((document << FIELD_BITS) | (mark & ALL_FIELDS)) >>> 0;
      marks[document] = 0;
    }
  }
  return found.sort();
}

function readMarks(documents: number, touched: number): Uint32Array {
  const found = new Uint32Array(touched);
  let length = 0;
  for (let document = 0; document < documents; document++) {
    const mark = marks[document] ?? 0;
    if (mark !== 0) found[length++] = ((document << FIELD_BITS) | (mark & ALL_FIELDS)) >>> 0;
  }
  marks.fill(0, 0, documents);
  return found;
}
