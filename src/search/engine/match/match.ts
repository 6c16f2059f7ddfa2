import type { QueryWord } from '../../words.ts';
import { intersectWithin, lengthOf, type PostingList, shortestFirst, sum } from './postings.ts';
import type { Segment } from './segment.ts';
import { unite, uniteWithin } from './unions.ts';

/** A posting list that every hit is in, and its word of the query. */
export type Need = { list: PostingList; word: number };

/** The posting lists of a word in a segment, per form and lexeme. A prefix has many terms. */
export type Sought = PostingList[][][];

/** Looks up the posting lists of each word of a query in a segment. */
export function lookUp(segment: Segment, words: QueryWord[]): Sought[] {
  return words.map(({ forms }) =>
    forms.map(({ lexemes }) =>
      lexemes.map(({ text, isPrefix }) => {
        if (isPrefix) return segment.findPrefix(text);
        const list = segment.find(text);
        return list ? [list] : [];
      }),
    ),
  );
}

/**
 * Returns for each word the lists of the form that was typed, where others mean the same; [] where there is no other, or the segment lacks it. A
 * form with a prefix, which has several lists, is left out.
 */
export function typedLists(words: readonly QueryWord[], sought: readonly Sought[]): PostingList[][] {
  return words.map(({ forms, typed }, word) => {
    const form = typed === undefined || forms.length === 1 ? [] : (sought[word]?.[typed] ?? []);
    const lists = form.flatMap((ofLexeme) => (ofLexeme.length === 1 ? ofLexeme : []));
    return lists.length === form.length && lists.every(({ isSorted }) => isSorted) ? lists : [];
  });
}

/** Returns an upper bound of the documents with a word: those of its rarest lexeme. */
export function frequencyOf(sought: Sought, documents: number): number {
  const frequencies = sought.map((form) => (form.length > 0 ? Math.min(...form.map(sizeOf)) : 0));
  return Math.min(documents, sum(frequencies));
}

/** Posting lists to be united: those of a prefix (one form, one lexeme), or of the forms of a word, each with several lexemes. */
type Union = { forms: Sought; word: number };

/** Returns stored lists and unions that have to be computed; null when the segment lacks a word. */
function partsOf(sought: Sought[]): { needs: Need[]; unions: Union[] } | null {
  const needs: Need[] = [];
  const unions: Union[] = [];
  for (const [word, forms] of sought.entries()) {
    const found = forms.filter((form) => form.length > 0 && form.every((lists) => lists.length > 0));
    // A form without lexemes requires nothing.
    if (forms.every((form) => form.length === 0)) continue;
    if (found.length === 0) return null;
    if (forms.length > 1) unions.push({ forms: found, word });
    else
      for (const lists of found[0] ?? []) {
        const [only] = lists;
        if (only && lists.length === 1 && only.isSorted) needs.push({ list: only, word });
        else unions.push({ forms: [[lists]], word });
      }
  }
  return needs.length + unions.length > 0 ? { needs, unions } : null;
}

/** Estimates the postings a search reads, which decides whether it runs in a thread. */
export function effortOf(sought: Sought[]): number {
  const parts = partsOf(sought);
  if (!parts) return 0;
  const { needs, unions } = parts;
  const shortest = Math.min(...needs.map(({ list }) => lengthOf(list)));
  const walked = needs.length > 0 ? shortest * (needs.length + unions.length) : 0;
  return walked + sum(unions.map(({ forms }) => sum(forms.map((form) => sum(form.map(effortOfLists))))));

  function effortOfLists(lists: PostingList[]): number {
    const isRead = lists.length > 1 || lists[0]?.isSorted === false;
    return isRead ? sizeOf(lists) : Math.min(sizeOf(lists), shortest);
  }
}

/**
 * Returns all lists that a hit must be in; null when the segment lacks a word. Unions are computed last, the small ones first, and only
 * for the remaining candidates.
 */
export function needsOf(segment: Segment, sought: Sought[]): Need[] | null {
  const parts = partsOf(sought);
  if (!parts) return null;
  const { needs, unions } = parts;
  const sized = unions.map((union) => ({ ...union, size: sum(union.forms.flat().map(sizeOf)) }));
  for (const { forms, word } of sized.sort((a, b) => a.size - b.size)) {
    const within = needs.map((need) => need.list).sort(shortestFirst)[0] ?? null;
    const list = uniteForms(forms, within, segment.documents);
    if (lengthOf(list) === 0) return null;
    needs.push({ list, word });
  }
  return needs;
}

function uniteForms(forms: Sought, within: PostingList | null, documents: number): PostingList {
  const uniteLists = (lists: PostingList[]) =>
    within && !isOne(lists) ? uniteWithin(lists, within, documents) : unite(lists, documents);
  const found = forms.map((form) => {
    const lists = form.map(uniteLists);
    const [only] = lists;
    return only && lists.length === 1 && !within ? only : intersectWithin(lists, within);
  });
  return unite(found, documents);
}

const isOne = (lists: PostingList[]) => lists.length === 1 && lists[0]?.isSorted === true;
const sizeOf = (lists: PostingList[]) => sum(lists.map(lengthOf));
