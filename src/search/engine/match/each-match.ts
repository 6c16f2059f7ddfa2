import { ALL_FIELDS, FIELD_BITS } from '../format/layout.ts';
import type { Need } from './match.ts';
import { gallop, lengthOf, type PostingList, shortestFirst, WALKED_RATIO } from './postings.ts';
import type { Segment } from './segment.ts';

/** A block of hits: their documents, and the gains of their words. */
export type Block = { places: Uint32Array; gains: Float64Array; length: number };

/** Working memory of a block, small enough for the processor's cache. */
type Candidates = Block & {
  /** Fields that contain all lists of the current word so far. */
  fields: Uint8Array;
};

/** A posting list and the current position in it. */
type Cursor = { list: PostingList; at: number; isWalked: boolean };
type Word = { table: Float64Array; cursors: Cursor[] };

export const BLOCK = 2_048;

/** Shared by all searches of a thread, which run one after the other: allocating it would cost more than searching a rare word. */
const block: Candidates = {
  places: new Uint32Array(BLOCK),
  gains: new Float64Array(BLOCK),
  fields: new Uint8Array(BLOCK),
  length: 0,
};

/**
 * Hands over every document that is in all lists, in blocks, ascending, with what its words are worth by `gains`
 * (ranking.ts). The shortest list gives the candidates; each of the others, shorter ones first, leaves fewer of them.
 */
export function eachMatch(segment: Segment, needs: Need[], gains: Float64Array[], take: (block: Block) => void): void {
  const [leader, ...words] = wordsOf(needs, gains);
  const first = leader?.cursors.shift();
  if (!leader || !first) return;
  const { lengths } = segment.columns;
  for (let isOver = false; !isOver && first.at < first.list.to;) {
    fill(block, first);
    isOver = narrowAll(block, leader.cursors);
    addGains(block, leader.table, lengths);
    for (const word of words) {
      block.fields.fill(ALL_FIELDS, 0, block.length);
      isOver = narrowAll(block, word.cursors) || isOver;
      addGains(block, word.table, lengths);
    }
    if (block.length > 0) take(block);
  }
}

/** Calls `take` with blocks of all documents, in ascending order. Every gain is 0, so that only the recommend score ranks them. */
export function eachDocument({ documents }: Segment, take: (block: Block) => void): void {
  for (let from = 0; from < documents; from += BLOCK) {
    block.length = Math.min(BLOCK, documents - from);
    for (let at = 0; at < block.length; at++) block.places[at] = from + at;
    block.gains.fill(0, 0, block.length);
    take(block);
  }
}

/** Sorts words by their shortest list, and the lists of each word by length. */
function wordsOf(needs: Need[], gains: Float64Array[]): Word[] {
  const ordered = [...needs].sort((a, b) => shortestFirst(a.list, b.list));
  const walked = WALKED_RATIO * (ordered[0] ? lengthOf(ordered[0].list) : 0);
  return Array.from(
    Map.groupBy(ordered, ({ word }) => word),
    ([word, own]) => ({
      table: gains[word] ?? new Float64Array(0),
      cursors: own.map(({ list }) => ({ list, at: list.from, isWalked: lengthOf(list) <= walked })),
    }),
  );
}

function fill(block: Candidates, cursor: Cursor): void {
  const { data, to } = cursor.list;
  const count = Math.min(BLOCK, to - cursor.at);
  for (let index = 0; index < count; index++) {
    const posting = data[cursor.at + index] ?? 0;
    block.places[index] = posting >>> FIELD_BITS;
    block.fields[index] = posting & ALL_FIELDS;
  }
  block.gains.fill(0, 0, count);
  block.length = count;
  cursor.at += count;
}

/** Tells whether a list is exhausted: there are no hits after this block. */
function narrowAll(block: Candidates, cursors: Cursor[]): boolean {
  for (const cursor of cursors) narrow(block, cursor);
  return cursors.some(({ list, at }) => at >= list.to);
}

/** Keeps the candidates that are in the list, and the fields that the list has too. */
function narrow(block: Candidates, cursor: Cursor): void {
  if (cursor.isWalked) walk(block, cursor);
  else jump(block, cursor);
}

/** For lists of similar length: a merge of both without unpredictable branches. */
function walk(block: Candidates, cursor: Cursor): void {
  const { places, gains, fields, length } = block;
  const { data, to } = cursor.list;
  let { at } = cursor;
  let index = 0;
  let kept = 0;
  while (index < length && at < to) {
    const place = places[index] ?? 0;
    const posting = data[at] ?? 0;
    const other = posting >>> FIELD_BITS;
    // 0 or 1 from the sign bit: the side that is not ahead advances.
    const isBehind = (place - other - 1) >>> 31;
    const isOtherBehind = (other - place - 1) >>> 31;
    const isMatch = isBehind & isOtherBehind;
    places[kept] = place;
    gains[kept] = gains[index] ?? 0;
    // Without a match the fields stay: the candidate may be compared again.
    fields[kept] = (fields[index] ?? 0) & (posting | (isMatch - 1));
    kept += isMatch;
    index += isBehind;
    at += isOtherBehind;
  }
  block.length = kept;
  cursor.at = at;
}

/** For a longer list: gallops from one candidate to the next. */
function jump(block: Candidates, cursor: Cursor): void {
  const { places, gains, fields, length } = block;
  const { data, to } = cursor.list;
  let { at } = cursor;
  let kept = 0;
  for (let index = 0; index < length; index++) {
    const place = places[index] ?? 0;
    at = gallop(data, at, to, place);
    if (at >= to) break;
    const posting = data[at] ?? 0;
    if (posting >>> FIELD_BITS !== place) continue;
    places[kept] = place;
    gains[kept] = gains[index] ?? 0;
    fields[kept++] = (fields[index] ?? 0) & posting;
  }
  block.length = kept;
  cursor.at = at;
}

function addGains(block: Candidates, table: Float64Array, lengths: Uint8Array): void {
  const { places, gains, fields } = block;
  for (let index = 0; index < block.length; index++) {
    const worth = table[((lengths[places[index] ?? 0] ?? 0) << FIELD_BITS) | (fields[index] ?? 0)] ?? 0;
    gains[index] = (gains[index] ?? 0) + worth;
  }
}
