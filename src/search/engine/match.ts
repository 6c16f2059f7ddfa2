import type { Lexeme, QueryWord, WordForm } from '../words.ts';
import { intersect, shortestFirst, unite, uniteWithin } from './postings.ts';
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
