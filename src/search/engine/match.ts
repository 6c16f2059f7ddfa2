import type { Lexeme, QueryWord, WordForm } from '../words.ts';
import { ALL_FIELDS, FIELD_BITS } from './layout.ts';
import { gallop, intersect, shortestFirst, unite, uniteWithin } from './postings.ts';
import { lengthOf, type PostingList, type Segment } from './segment.ts';

/** A list that a hit must be in, and the word of the query it stands for. */
export type Need = { list: PostingList; word: number };

/** Of a word whose beginning is asked for: the lists of all terms that begin so, still to be united. */
type Prefix = { lists: PostingList[]; word: number };

/**
 * Everything a hit must be in; null when some word is nowhere in the segment. Beginnings are many terms: they are
 * united last, the short ones first, and only as far as they touch what is left of the hits by then.
 */
export function needsOf(segment: Segment, words: QueryWord[]): Need[] | null {
  const needs: Need[] = [];
  const prefixes: Prefix[] = [];
  for (const [word, { forms }] of words.entries()) {
    const [only, ...others] = forms;
    if (!only) continue;
    if (others.length > 0) {
      const list = eitherOf(segment, forms);
      if (!list) return null;
      needs.push({ list, word });
      continue;
    }
    for (const lexeme of only.lexemes) {
      const lists = listsOf(segment, lexeme);
      const [first] = lists;
      if (!first) return null;
      if (lists.length === 1 && first.isSorted) needs.push({ list: first, word });
      else prefixes.push({ lists, word });
    }
  }
  return unitePrefixes(segment, needs, prefixes);
}

function unitePrefixes(segment: Segment, needs: Need[], prefixes: Prefix[]): Need[] | null {
  const sizeOf = ({ lists }: Prefix) => lists.reduce((sum, list) => sum + lengthOf(list), 0);
  const ordered = prefixes.map((prefix) => ({ ...prefix, size: sizeOf(prefix) })).sort((a, b) => a.size - b.size);
  for (const { lists, word } of ordered) {
    const shortest = needs.map((need) => need.list).sort(shortestFirst)[0];
    const list = shortest ? uniteWithin(lists, shortest, segment.documents) : unite(lists, segment.documents);
    if (lengthOf(list) === 0) return null;
    needs.push({ list, word });
  }
  return needs.length > 0 ? needs : null;
}

/** How many documents hold a word at most: as many as its rarest part. */
export function frequencyOf(segment: Segment, word: QueryWord): number {
  const frequencies = word.forms.map((form) => {
    const sizes = form.lexemes.map((lexeme) => listsOf(segment, lexeme).reduce((sum, list) => sum + lengthOf(list), 0));
    return sizes.length > 0 ? Math.min(...sizes) : 0;
  });
  return Math.min(
    segment.documents,
    frequencies.reduce((sum, frequency) => sum + frequency, 0),
  );
}

function eitherOf(segment: Segment, forms: WordForm[]): PostingList | null {
  const found = forms.flatMap((form) => {
    const lists = form.lexemes.map((lexeme) => unite(listsOf(segment, lexeme), segment.documents));
    return lists.length > 0 && lists.every((list) => lengthOf(list) > 0) ? [intersect(lists)] : [];
  });
  return found.length > 0 ? unite(found, segment.documents) : null;
}

function listsOf(segment: Segment, { text, isPrefix }: Lexeme): PostingList[] {
  if (isPrefix) return segment.findPrefix(text);
  const list = segment.find(text);
  return list ? [list] : [];
}

/** Hits on their way, a few thousand at a time: where they stand, and what their words are worth there. */
export type Block = { places: Uint32Array; gains: Float64Array; length: number };

const BLOCK = 2_048;

/** What takes hits is called with whole blocks, so that it can go through them one column at a time. */
function createBlock(take: (block: Block) => void) {
  const block: Block = { places: new Uint32Array(BLOCK), gains: new Float64Array(BLOCK), length: 0 };
  return {
    put(place: number, gain: number): void {
      block.places[block.length] = place;
      block.gains[block.length++] = gain;
      if (block.length === BLOCK) this.flush();
    },
    flush(): void {
      if (block.length > 0) take(block);
      block.length = 0;
    },
  };
}

/**
 * Hands over every document that is in all lists, in blocks, ascending, with what its words are worth by `gains`
 * (ranking.ts). The shortest list leads; in the others we jump to its documents.
 */
export function eachMatch(segment: Segment, needs: Need[], gains: Float64Array[], take: (block: Block) => void): void {
  const [first, ...others] = [...needs].sort((a, b) => shortestFirst(a.list, b.list));
  if (!first) return;
  const block = createBlock(take);
  const { lengths } = segment.columns;
  const { data, from, to } = first.list;
  if (others.length === 0) {
    const table = gains[first.word] ?? new Float64Array(0);
    for (let index = from; index < to; index++) {
      const posting = data[index] ?? 0;
      const place = posting >>> FIELD_BITS;
      block.put(place, table[((lengths[place] ?? 0) << FIELD_BITS) | (posting & ALL_FIELDS)] ?? 0);
    }
    return block.flush();
  }
  const lists = others.map((need) => need.list.data);
  const ends = others.map((need) => need.list.to);
  const at = others.map((need) => need.list.from);
  const wordOf = others.map((need) => need.word);
  // A word of several lexemes counts where all of them stand.
  const fields = new Uint8Array(gains.length);
  outer: for (let index = from; index < to; index++) {
    const posting = data[index] ?? 0;
    const place = posting >>> FIELD_BITS;
    for (let word = 0; word < fields.length; word++) fields[word] = ALL_FIELDS;
    fields[first.word] = posting & ALL_FIELDS;
    for (let other = 0; other < lists.length; other++) {
      const list = lists[other];
      if (!list) continue;
      const end = ends[other] ?? 0;
      const found = gallop(list, at[other] ?? 0, end, place);
      at[other] = found;
      if (found >= end) break outer;
      const candidate = list[found] ?? 0;
      if (candidate >>> FIELD_BITS !== place) continue outer;
      const word = wordOf[other] ?? 0;
      fields[word] = (fields[word] ?? 0) & candidate;
    }
    const row = (lengths[place] ?? 0) << FIELD_BITS;
    let gain = 0;
    for (let word = 0; word < gains.length; word++) gain += gains[word]?.[row | (fields[word] ?? 0)] ?? 0;
    block.put(place, gain);
  }
  block.flush();
}
