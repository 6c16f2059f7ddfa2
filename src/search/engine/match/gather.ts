import { levelOf, RELATED, rarityOf, TYPED, worthOf } from '../../deck-levels.ts';
import type { QueryWord, WordForm } from '../../words.ts';
import { ALL_FIELDS, FIELD, FIELD_BITS } from '../format/layout.ts';
import { LENGTH_CLASSES } from '../format/ranking.ts';
import { spreadOf } from '../format/inside.ts';
import { BLOCK, eachMatch, type Block } from './each-match.ts';
import { lookUp, type Need, needsOf } from './match.ts';
import { intersectWithin, sortedList } from './postings.ts';
import { lengthOf, type InsideList, type PostingList, type Segment } from './segment.ts';
import { createTopK } from './top-k.ts';
import { unite } from './unions.ts';

/** A search over names, labels and page texts. A deck matches when it has at least one of the words, on any of its pages. */
export type DeckQuery = {
  /** MAX_DECK_WORDS at most. */
  words: DeckWord[];
  /** Number of decks to return. */
  limit: number;
};
/** `related`: other words that stand for this one in names and labels, with less weight. `weight`: share of its rarity that counts. */
export type DeckWord = { word: QueryWord; related: WordForm[]; weight: number };

export type GatheredDeck = { id: number; /** For each word of the query: deck-levels.ts. */ levels: number[] };
export type Gathered = {
  /** Searchable documents. */
  documents: number;
  /** For each word: in how many documents it stands, at most. */
  frequencies: number[];
  /** The decks that hold most, best first: those with all words before the others. */
  decks: GatheredDeck[];
};

/** Maximum number of words in a query, which has at most 50 characters. */
export const MAX_DECK_WORDS = 50;
/** Terms that a Latin prefix (liv for live) stands for on pages. */
const MAX_PREFIXED = 24;
/** Checking one deck costs about as much as reading this many postings. */
const CHECK_COST = 96;
const EFFORT_OF_POSTING = 4;
/** Decks below this share of the best are never listed (deck-ranking.ts), and need not be gathered. */
export const MIN_SHARE = 0.2;
/** Puts decks with all words before all others. */
const FULL = 1e6;

/** Working memory of a thread: one value a document. All `rarities` are 0 between two questions. */
let sums = new Float64Array(0);
let rarities = new Float64Array(0);
/** The worth of the word that was counted last, and its number. */
let worths = new Float64Array(0);
let counted = new Uint8Array(0);

/** The parts of a word in one segment. */
type Part = { names: Need[] | null; related: Need[][]; inside: InsideForm[] };
/** The lexemes of a form, each with the lists of its terms. */
type InsideForm = InsideList[][];

/**
 * Prepares a question to whole decks. Words are read by rarity: as soon as a deck without the words read so far cannot be listed any more,
 * the remaining, common words are only looked up for the decks that are known (MaxScore, term at a time).
 */
export function prepareDecks(segments: readonly Segment[], query: DeckQuery): { effort: number; run(): Gathered } {
  const parts = segments.map((segment) => query.words.map((word) => partOf(segment, word)));
  const frequencies = query.words.map((_, word) =>
    segments.reduce((total, segment, at) => total + frequencyIn(parts[at]?.[word], segment), 0),
  );
  return {
    // Each posting is read and added up: dearer than the intersection of a search of names.
    effort: EFFORT_OF_POSTING * sum(frequencies),
    run() {
      const documents = segments.reduce((total, segment) => total + segment.documents - segment.removed, 0);
      const gains = query.words.map(({ weight }, word) => weight * rarityOf(frequencies[word] ?? 0, documents));
      const decks = segments
        .flatMap((segment, at) => gatherIn(segment, parts[at] ?? [], gains, query.limit))
        .sort((a, b) => b.key - a.key || b.id - a.id)
        .slice(0, query.limit)
        .map(({ id, levels }) => ({ id, levels }));
      return { documents, frequencies, decks };
    },
  };
}

function partOf(segment: Segment, { word, related }: DeckWord): Part {
  const inside = word.forms.map(({ lexemes }) =>
    lexemes.map(({ text, isPrefix }) => {
      if (isPrefix && [...text].length > 1) return segment.findInsidePrefix(text, MAX_PREFIXED);
      const list = segment.findInside(text);
      return list ? [list] : [];
    }),
  );
  const relatedNeeds = related.map((form) => needsOf(segment, lookUp(segment, [{ forms: [form] }])));
  return {
    names: needsOf(segment, lookUp(segment, [word])),
    related: relatedNeeds.filter((needs) => needs !== null),
    inside: inside.filter((form) => form.length > 0 && form.every((lists) => lists.length > 0)),
  };
}

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);
const sizeOf = (lists: InsideList[]) => sum(lists.map(({ frequency }) => frequency));
const sizeOfForm = (form: InsideForm) => Math.min(...form.map(sizeOf));

function frequencyIn(part: Part | undefined, { documents }: Segment): number {
  if (!part) return 0;
  const named = part.names ? Math.min(...part.names.map(({ list }) => lengthOf(list))) : 0;
  return Math.min(documents, Math.max(named, sum(part.inside.map(sizeOfForm))));
}

type Ranked = GatheredDeck & { key: number };

function gatherIn(segment: Segment, parts: Part[], gains: number[], limit: number): Ranked[] {
  reserve(segment.documents);
  const order = gains.map((_, word) => word).sort((a, b) => (gains[b] ?? 0) - (gains[a] ?? 0));
  const all = sum(gains);
  const touched: number[] = [];
  let best = 0;

  for (const [turn, word] of order.entries()) {
    const part = parts[word];
    const gain = gains[word] ?? 0;
    if (!part || gain === 0) continue;
    const rest = sum(order.slice(turn).map((each) => gains[each] ?? 0));
    // A deck that holds only what is left: all of it in its name, at the share of the query that it covers.
    const isOpen = worthOf(levelOf(TYPED.inName, 0)) * rest * (rest / all) >= floorOf(best, touched, limit, all);
    const hit = (place: number, worth: number) => {
      if (rarities[place] === 0) {
        if (!isOpen) return;
        touched.push(place);
        sums[place] = 0;
        counted[place] = 0;
      }
      const isAgain = counted[place] === turn + 1;
      const before = isAgain ? (worths[place] ?? 0) : 0;
      if (!isAgain) rarities[place] = (rarities[place] ?? 0) + gain;
      counted[place] = turn + 1;
      if (worth > before) {
        sums[place] = (sums[place] ?? 0) + (worth - before) * gain;
        worths[place] = worth;
      }
      best = Math.max(best, ((sums[place] ?? 0) * (rarities[place] ?? 0)) / all);
    };
    eachNamed(segment, part, hit);
    for (const form of part.inside) {
      if (!isOpen && touched.length * CHECK_COST < sizeOfForm(form)) {
        for (const place of touched) {
          const mark = markOf(form, place);
          if (mark >= 0) hit(place, worthOf(levelOf(TYPED.onPages + spreadOf(mark), 0)));
        }
      } else {
        const { data, from, to } = readForm(form, segment.documents);
        for (let at = from; at < to; at++)
          hit((data[at] ?? 0) >>> FIELD_BITS, worthOf(levelOf(TYPED.onPages + spreadOf(data[at] ?? 0), 0)));
      }
    }
  }
  const ranked = select(segment, touched, all, limit);
  for (const place of touched) rarities[place] = 0;
  return ranked.map(({ place, key }) => ({
    id: segment.columns.ids[place] ?? 0,
    key,
    levels: parts.map((part) => levelAt(part, place)),
  }));

  /** Returns the least score that a deck needs to be listed after all words. */
  function floorOf(best: number, touched: number[], limit: number, all: number): number {
    if (touched.length <= limit) return best * MIN_SHARE;
    const top = createTopK(limit);
    for (const place of touched) top.offer(((sums[place] ?? 0) * (rarities[place] ?? 0)) / all, place);
    return Math.max(best * MIN_SHARE, top.floor());
  }
}

function reserve(documents: number): void {
  if (rarities.length >= documents) return;
  sums = new Float64Array(documents);
  rarities = new Float64Array(documents);
  worths = new Float64Array(documents);
  counted = new Uint8Array(documents);
}

/** Calls `hit` for each document with the word, or a related one, in its name or labels. */
function eachNamed(segment: Segment, { names, related }: Part, hit: (place: number, worth: number) => void): void {
  const take = ({ places, gains, length }: Block) => {
    for (let at = 0; at < length; at++) hit(places[at] ?? 0, gains[at] ?? 0);
  };
  if (names) eachMatch(segment, oneWord(names), [TYPED_TABLE], take);
  for (const needs of related) eachMatch(segment, oneWord(needs), [RELATED_TABLE], take);
}

const oneWord = (needs: Need[]): Need[] => needs.map(({ list }) => ({ list, word: 0 }));

/** Returns a table of worths by fields (ranking.ts) that does not depend on the length of the name. */
function tableOf(inName: number, inLabels: number): Float64Array {
  // Without a field in common the word spans the border of two fields.
  return Float64Array.from({ length: LENGTH_CLASSES << FIELD_BITS }, (_, at) => (at & FIELD.name ? inName : inLabels));
}
const TYPED_TABLE = tableOf(worthOf(levelOf(TYPED.inName, 0)), worthOf(levelOf(TYPED.inLabels, 0)));
const RELATED_TABLE = tableOf(worthOf(levelOf(0, RELATED.inName)), worthOf(levelOf(0, RELATED.inLabels)));

/** Returns the smallest spread mark of the lexemes of a form in a document; -1 when it lacks one of them. */
function markOf(form: InsideForm, place: number): number {
  let mark = ALL_FIELDS;
  for (const lists of form) {
    const found = Math.max(...lists.map((list) => list.markAt(place)));
    if (found < 0) return -1;
    mark &= found;
  }
  return mark;
}

function readForm(form: InsideForm, documents: number): PostingList {
  const lists = form.map((each) =>
    unite(
      each.map((list) => list.read()),
      documents,
    ),
  );
  const [only] = lists;
  return only && lists.length === 1 ? only : intersectWithin(lists, null);
}

/** Returns the best of the touched places that were not removed, with the sort keys. */
function select(segment: Segment, touched: number[], all: number, limit: number): { place: number; key: number }[] {
  const top = createTopK(limit);
  const keys = new Map<number, number>();
  const block: Block = { places: new Uint32Array(BLOCK), gains: new Float64Array(BLOCK), length: 0 };
  for (let from = 0; from < touched.length; from += BLOCK) {
    block.length = Math.min(BLOCK, touched.length - from);
    for (let at = 0; at < block.length; at++) block.places[at] = touched[from + at] ?? 0;
    segment.dropRemoved(block);
    for (let at = 0; at < block.length; at++) {
      const place = block.places[at] ?? 0;
      const held = rarities[place] ?? 0;
      // Sums of floating point numbers in different orders differ a little.
      const key = ((sums[place] ?? 0) * held) / all + (held > all * (1 - 1e-9) ? FULL : 0);
      top.offer(key, place);
      if (key >= top.floor()) keys.set(place, key);
    }
  }
  return top.ids().map((place) => ({ place, key: keys.get(place) ?? 0 }));
}

function levelAt({ names, related, inside }: Part, place: number): number {
  const named = names ? fieldsAt(names, place) : -1;
  const marks = inside.map((form) => markOf(form, place)).filter((mark) => mark >= 0);
  const others = related.map((needs) => fieldsAt(needs, place)).filter((fields) => fields >= 0);
  const onPages = marks.length > 0 ? TYPED.onPages + Math.max(...marks.map(spreadOf)) : TYPED.nowhere;
  const typed = named < 0 ? onPages : named & FIELD.name ? TYPED.inName : TYPED.inLabels;
  const isNamed = others.some((fields) => (fields & FIELD.name) !== 0);
  return levelOf(typed, others.length === 0 ? RELATED.nowhere : isNamed ? RELATED.inName : RELATED.inLabels);
}

/** Returns the fields of a document that hold all lists; -1 when it is not in all of them. */
function fieldsAt(needs: Need[], place: number): number {
  const one = sortedList(Uint32Array.of((place << FIELD_BITS) >>> 0));
  const found = intersectWithin(
    needs.map(({ list }) => list),
    one,
  );
  return lengthOf(found) === 0 ? -1 : (found.data[0] ?? 0) & ALL_FIELDS;
}
