import { ALL_FIELDS, FIELD_BITS } from './layout.ts';
import type { Need } from './match.ts';
import { gallop, shortestFirst, WALKED_RATIO } from './postings.ts';
import { lengthOf, type PostingList, type Segment } from './segment.ts';

/** Hits on their way, some at a time: where they stand, and what their words are worth there. */
export type Block = { places: Uint32Array; gains: Float64Array; length: number };

/** What is gone through one list at a time, and stays in the processor's cache meanwhile. */
type Candidates = Block & {
  /** Those in which all lists so far of the present word stand. */
  fields: Uint8Array;
};

/** A list, and how far in it we are. */
type Cursor = { list: PostingList; at: number; isWalked: boolean };
type Word = { table: Float64Array; cursors: Cursor[] };

export const BLOCK = 2_048;

/** One for all searches of a thread, which come one after the other: making it would cost more than a rare word does. */
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

/** Hands over all documents, in blocks, ascending; nothing is worth anything, so that the static rank decides. */
export function eachDocument({ documents }: Segment, take: (block: Block) => void): void {
  for (let from = 0; from < documents; from += BLOCK) {
    block.length = Math.min(BLOCK, documents - from);
    for (let at = 0; at < block.length; at++) block.places[at] = from + at;
    block.gains.fill(0, 0, block.length);
    take(block);
  }
}

/** The word with the shortest list first, and in each word the shortest list. */
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

/** True when a list has come to its end: there are no more hits after this block. */
function narrowAll(block: Candidates, cursors: Cursor[]): boolean {
  for (const cursor of cursors) narrow(block, cursor);
  return cursors.some(({ list, at }) => at >= list.to);
}

/** Keeps the candidates that are in the list, and of their fields those it says too. */
function narrow(block: Candidates, cursor: Cursor): void {
  if (cursor.isWalked) walk(block, cursor);
  else jump(block, cursor);
}

/** For a list of like length: both are gone through side by side, without a branch that no processor could foresee. */
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
    // One or nothing, from the sign bit: whoever is not ahead takes the next step.
    const isBehind = (place - other - 1) >>> 31;
    const isOtherBehind = (other - place - 1) >>> 31;
    const isMatch = isBehind & isOtherBehind;
    places[kept] = place;
    gains[kept] = gains[index] ?? 0;
    // Without a match the fields stay: they may be compared again.
    fields[kept] = (fields[index] ?? 0) & (posting | (isMatch - 1));
    kept += isMatch;
    index += isBehind;
    at += isOtherBehind;
  }
  block.length = kept;
  cursor.at = at;
}

/** For a longer list: from one candidate to the next by leaps. */
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
