import type { QueryWord, WordForm } from '../../words.ts';
import { FIELD_BITS } from '../format/layout.ts';
import { arrays, WINDOW } from '../kernel/kernel.ts';
import { type InsideCursor, openUnpacked } from './inside-cursor.ts';
import { effortOf, lookUp, needsOf } from './match.ts';
import { intersectWithin, lengthOf, type PostingList, sum } from './postings.ts';
import type { InsideList, Segment } from './segment.ts';
import { unite } from './unions.ts';

/** `related`: other words that stand for this one in names and labels, with less weight. `weight`: share of its rarity that counts. */
export type DeckWord = { word: QueryWord; related: WordForm[]; weight: number };

/** What a segment holds of a word: in names and labels, related words there, and each of its forms on pages. */
export type WordParts = { named: PostingList | null; related: PostingList[]; inside: InsideForm[] };
/** The lexemes of a form, each with the lists of its terms. */
type InsideForm = InsideList[][];

/** Terms that a Latin prefix (liv for live) stands for on pages. */
const MAX_PREFIXED = 24;

export function findParts(segment: Segment, { word, related }: DeckWord): WordParts {
  return {
    named: namedList(segment, word),
    related: related.map((form) => namedList(segment, { forms: [form] })).filter((list) => list !== null),
    inside: insideForms(segment, word),
  };
}

/** Returns the documents with a word in names and labels; their fields are those that hold all lexemes. */
function namedList(segment: Segment, word: QueryWord): PostingList | null {
  const needs = needsOf(segment, lookUp(segment, [word]));
  return (
    needs &&
    intersectWithin(
      needs.map(({ list }) => list),
      null,
    )
  );
}

/** Returns the forms of a word that a segment holds on pages. */
function insideForms(segment: Segment, { forms }: QueryWord): InsideForm[] {
  return forms
    .map(({ lexemes }) =>
      lexemes.map(({ text, isPrefix }) => {
        if (isPrefix && [...text].length > 1) return segment.findInsidePrefix(text, MAX_PREFIXED);
        const list = segment.findInside(text);
        return list ? [list] : [];
      }),
    )
    .filter((form) => form.length > 0 && form.every((lists) => lists.length > 0));
}

const sizeOf = (lists: InsideList[]) => sum(lists.map(({ frequency }) => frequency));
const sizeOfForm = (form: InsideForm) => Math.min(...form.map(sizeOf));

/** Estimates the postings of a word without uniting any lists, which is part of the work that may go to a thread. */
export function estimatePostings(segment: Segment, { word, related }: DeckWord): number {
  const named = effortOf(lookUp(segment, [{ forms: [...word.forms, ...related] }]));
  return named + sum(insideForms(segment, word).map(sizeOfForm));
}

/** Returns an upper bound of the postings that a word reads. */
export function countPostings({ named, related, inside }: WordParts): number {
  const lists = [...(named ? [named] : []), ...related].map(lengthOf);
  return sum(lists) + sum(inside.map((form) => sum(form.map(sizeOf))));
}

/** Returns an upper bound of the documents that hold a word. */
export function countHolders(parts: WordParts | undefined, { documents }: Segment): number {
  if (!parts) return 0;
  const named = parts.named ? lengthOf(parts.named) : 0;
  return Math.min(documents, Math.max(named, sum(parts.inside.map(sizeOfForm))));
}

/** Opens a cursor for each lexeme of a form, the rarest first: it gives the candidates. */
export function openForm(form: InsideForm, documents: number): InsideCursor[] {
  return form.toSorted((a, b) => sizeOf(a) - sizeOf(b)).map((lists) => openLists(lists, documents));
}

function openLists(lists: InsideList[], documents: number): InsideCursor {
  const [only] = lists;
  if (only && lists.length === 1) return only.open();
  const united = unite(lists.map(postingsOf), documents);
  return openUnpacked(united);
}

function postingsOf({ frequency, open }: InsideList): PostingList {
  const data = new Uint32Array(frequency);
  const cursor = open();
  let length = 0;
  for (let start = 0; start < Infinity; start = cursor.next()) {
    const count = cursor.collect(start, start + WINDOW);
    const { places, marks } = arrays;
    for (let at = 0; at < count; at++) data[length++] = ((places[at] ?? 0) << FIELD_BITS) | (marks[at] ?? 0);
  }
  return { data, from: 0, to: frequency, isSorted: true };
}
