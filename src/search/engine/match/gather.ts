import { levelOf, RELATED, rarityOf, TYPED, worthOf } from '../../deck-levels.ts';
import type { QueryWord, WordForm } from '../../words.ts';
import { ALL_FIELDS, FIELD, FIELD_BITS } from '../format/layout.ts';
import { LENGTH_CLASSES } from '../format/ranking.ts';
import { spreadOf } from '../format/inside.ts';
import { BLOCK, eachMatch, type Block } from './each-match.ts';
import { effortOf, lookUp, type Need, needsOf } from './match.ts';
import { gallop } from './postings.ts';
import { lengthOf, type InsideCursor, type InsideList, type Segment } from './segment.ts';
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
  /** How many decks hold all words, or related ones in place of some; null when a word was too common to be counted. */
  full: number | null;
};

/** Maximum number of words in a query, which has at most 50 characters. */
export const MAX_DECK_WORDS = 50;
/** Terms that a Latin prefix (liv for live) stands for on pages. */
const MAX_PREFIXED = 24;
/** Checking one deck costs about as much as reading this many postings. */
const CHECK_COST = 96;
const EFFORT_OF_POSTING = 4;
/**
 * Postings that a question may read in a segment. Common words beyond them find no decks: they count only for the decks that the others
 * found. A sentence reads a tenth of it in a million decks; forty of the commonest characters would read more.
 */
export const MAX_STEPS = 16_000_000;
/** Below this share of the best a word finds no more decks: hardly any of them would be listed (deck-choice.ts). */
export const MIN_SHARE = 0.2;
/** Puts decks with all words before all others. */
const FULL = 1e6;

/**
 * Working memory of a thread: STRIDE values a document, beside each other, because a hit touches all of them. All rarities are 0 between two
 * questions.
 */
let states = new Float64Array(0);
const STRIDE = 4;
/** The sum of rarity times worth of the words that a document holds, after the sum of their rarities. */
const SUM = 1;
/** The word that was counted last, as its turn from 1 on, and its worth. */
const TURN = 2;
const WORTH = 3;
/** Memory for the postings of one list. */
let scratch = new Uint32Array(0);
/** The documents that hold a word so far, in the order in which they were found. */
let touched = new Uint32Array(0);

/** The parts of a word in one segment. */
type Part = { names: Need[] | null; related: Need[][]; inside: InsideForm[] };
/** The lexemes of a form, each with the lists of its terms. */
type InsideForm = InsideList[][];

/**
 * Prepares a question to whole decks. Words are read by rarity: as soon as a deck without the words read so far cannot be listed any more,
 * the remaining, common words are only looked up for the decks that are known (MaxScore, term at a time). `steps`: the postings that were
 * read, at most.
 */
export function prepareDecks(
  segments: readonly Segment[],
  query: DeckQuery,
  maxSteps = MAX_STEPS,
): { effort: number; run(): Gathered & { steps: number } } {
  return {
    // Each posting is read and added up: dearer than the intersection of a search of names.
    effort: EFFORT_OF_POSTING * sum(segments.flatMap((segment) => query.words.map((word) => estimate(segment, word)))),
    run() {
      const parts = segments.map((segment) => query.words.map((word) => partOf(segment, word)));
      const frequencies = query.words.map((_, word) =>
        segments.reduce((total, segment, at) => total + frequencyIn(parts[at]?.[word], segment), 0),
      );
      const documents = segments.reduce((total, segment) => total + segment.documents - segment.removed, 0);
      const gains = query.words.map(({ weight }, word) => weight * rarityOf(frequencies[word] ?? 0, documents));
      const found = segments.map((segment, at) => gatherIn(segment, parts[at] ?? [], gains, query.limit, maxSteps));
      const decks = found
        .flatMap(({ ranked }) => ranked)
        .sort((a, b) => b.key - a.key || b.id - a.id)
        .slice(0, query.limit)
        .map(({ id, levels }) => ({ id, levels }));
      const full = found.some((each) => each.full === null) ? null : sum(found.map((each) => each.full ?? 0));
      return { documents, frequencies, decks, full, steps: sum(found.map(({ steps }) => steps)) };
    },
  };
}

/** Estimates the postings of a word without uniting any lists, which is part of the work that may go to a thread. */
function estimate(segment: Segment, { word, related }: DeckWord): number {
  const forms = [...word.forms, ...related];
  const named = effortOf(lookUp(segment, [{ forms }]));
  return named + sum(insideOf(segment, word).map(sizeOfForm));
}

function partOf(segment: Segment, { word, related }: DeckWord): Part {
  const relatedNeeds = related.map((form) => needsOf(segment, lookUp(segment, [{ forms: [form] }])));
  return {
    names: needsOf(segment, lookUp(segment, [word])),
    related: relatedNeeds.filter((needs) => needs !== null),
    inside: insideOf(segment, word),
  };
}

/** Returns the forms of a word that a segment holds on pages. */
function insideOf(segment: Segment, { forms }: QueryWord): InsideForm[] {
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

/** Returns an upper bound of the postings that counting a word reads. */
function stepsOf({ names, related, inside }: Part): number {
  const lists = [...(names ? [names] : []), ...related].map((needs) => sum(needs.map(({ list }) => lengthOf(list))));
  return sum(lists) + sum(inside.map((form) => sum(form.map(sizeOf))));
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

function gatherIn(
  segment: Segment,
  parts: Part[],
  gains: number[],
  limit: number,
  maxSteps: number,
): { ranked: Ranked[]; full: number | null; steps: number } {
  reserve(segment.documents);
  const byGain = gains.map((_, word) => word).sort((a, b) => (gains[b] ?? 0) - (gains[a] ?? 0));
  let steps = 0;
  const order: number[] = [];
  for (const word of byGain) {
    const part = parts[word];
    const more = part ? stepsOf(part) : 0;
    // The rarest word is read however long its list is.
    if (order.length > 0 && steps + more > maxSteps) break;
    steps += more;
    order.push(word);
  }
  const all = sum(order.map((word) => gains[word] ?? 0));
  let count = 0;
  let best = 0;
  let isOpen = true;
  for (const [turn, word] of order.entries()) {
    const part = parts[word];
    const gain = gains[word] ?? 0;
    if (!part || gain === 0) continue;
    const rest = sum(order.slice(turn).map((each) => gains[each] ?? 0));
    // A deck that holds only what is left: all of it in its name, at the share of the query that it covers. What is left becomes less and
    // the floor rises, so what was closed once stays closed.
    const most = worthOf(levelOf(TYPED.inName, 0)) * rest * (rest / all);
    isOpen = isOpen && most >= (best / all) * MIN_SHARE && most >= floorOf(count, limit, all, best);
    const hit = (place: number, worth: number) => {
      const at = place * STRIDE;
      let rarity = states[at] ?? 0;
      let total = states[at + SUM] ?? 0;
      if (rarity === 0) {
        if (!isOpen) return;
        touched[count++] = place;
        total = 0;
        states[at + TURN] = 0;
      }
      let before = states[at + WORTH] ?? 0;
      if (states[at + TURN] !== turn + 1) {
        before = 0;
        rarity += gain;
        states[at] = rarity;
        states[at + TURN] = turn + 1;
      }
      if (worth > before) {
        total += (worth - before) * gain;
        states[at + WORTH] = worth;
      }
      states[at + SUM] = total;
      if (total * rarity > best) best = total * rarity;
    };
    // A word that stands on pages alone, in one form, is counted once for each document: its turn and worth need not be noted.
    const isOnce = !part.names && part.related.length === 0 && part.inside.length === 1;
    const hitOnce = (place: number, worth: number) => {
      const at = place * STRIDE;
      let rarity = states[at] ?? 0;
      let total = worth * gain;
      if (rarity > 0) total += states[at + SUM] ?? 0;
      else if (isOpen) {
        touched[count++] = place;
        states[at + TURN] = 0;
      } else return;
      rarity += gain;
      states[at] = rarity;
      states[at + SUM] = total;
      if (total * rarity > best) best = total * rarity;
    };
    eachNamed(segment, part, hit);
    for (const form of part.inside) {
      if (!isOpen && count * CHECK_COST < sizeOfForm(form)) {
        const look = lookInside(form);
        for (const place of touched.slice(0, count).sort()) {
          const mark = look.markAt(place);
          if (mark >= 0) hit(place, INSIDE_WORTHS[mark] ?? 0);
        }
      } else eachInside(form, segment.documents, isOnce ? hitOnce : hit);
    }
  }
  const { ranked, full } = select(segment, count, all, limit);
  for (let at = 0; at < count; at++) states[(touched[at] ?? 0) * STRIDE] = 0;
  const levels = levelsOf(parts, Uint32Array.from(ranked, ({ place }) => place).sort());
  return {
    ranked: ranked.map(({ place, key }) => ({
      id: segment.columns.ids[place] ?? 0,
      key,
      levels: levels.get(place) ?? [],
    })),
    // A deck with all words holds the rarest, which always finds decks: so none is missed.
    full: order.length === parts.length ? full : null,
    steps,
  };
}

/** Scores are counted in this many classes of equal width. */
const CLASSES = 1_024;
const ofClass = new Uint32Array(CLASSES);

/**
 * Returns a score that at least `limit` decks reach by the words so far, at most one class below the best such score; 0 for fewer decks. `best`:
 * the best score times `all`. Counting classes takes a fraction of the time of a heap.
 */
function floorOf(count: number, limit: number, all: number, best: number): number {
  if (count <= limit) return 0;
  ofClass.fill(0);
  const perClass = (CLASSES - 1) / best;
  for (let at = 0; at < count; at++) {
    const base = (touched[at] ?? 0) * STRIDE;
    const own = Math.floor((states[base + SUM] ?? 0) * (states[base] ?? 0) * perClass);
    ofClass[own] = (ofClass[own] ?? 0) + 1;
  }
  let reached = 0;
  let floor = CLASSES;
  while (reached < limit && floor > 0) reached += ofClass[--floor] ?? 0;
  // A little less: the division rounds.
  return (floor / perClass / all) * (1 - 1e-9);
}

/** Returns the score of a document by the words that were counted so far. */
const scoreOf = (place: number, all: number) =>
  ((states[place * STRIDE + SUM] ?? 0) * (states[place * STRIDE] ?? 0)) / all;

function reserve(documents: number): void {
  if (states.length < documents * STRIDE) states = new Float64Array(documents * STRIDE);
  if (scratch.length < documents) scratch = new Uint32Array(documents);
  if (touched.length < documents) touched = new Uint32Array(documents);
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

/** The worth of page text by its spread mark. */
const INSIDE_WORTHS = Float64Array.from({ length: ALL_FIELDS + 1 }, (_, mark) =>
  worthOf(levelOf(TYPED.onPages + spreadOf(mark), 0)),
);

/** Looks up all lexemes of a form: finds the smallest spread mark of them, -1 when the document lacks one. */
function lookInside(form: InsideForm): InsideCursor {
  const lexemes = form.map((lists) => lists.map((list) => list.look()));
  return {
    markAt(place) {
      let mark = ALL_FIELDS;
      for (const cursors of lexemes) {
        let found = -1;
        for (const cursor of cursors) found = Math.max(found, cursor.markAt(place));
        if (found < 0) return -1;
        mark &= found;
      }
      return mark;
    },
  };
}

/** Calls `hit` for each document with the form on its pages. The rarest lexeme gives the candidates. */
function eachInside(form: InsideForm, documents: number, hit: (place: number, worth: number) => void): void {
  const [first, ...others] = form.toSorted((a, b) => sizeOf(a) - sizeOf(b));
  const [list] = first ?? [];
  if (!first || !list) return;
  const isOne = first.length === 1;
  const { data, from, to } = isOne
    ? list.read(scratch)
    : unite(
        first.map((each) => each.read(new Uint32Array(each.frequency))),
        documents,
      );
  const look = lookInside(others);
  for (let at = from; at < to; at++) {
    const posting = data[at] ?? 0;
    const place = posting >>> FIELD_BITS;
    const mark = others.length > 0 ? look.markAt(place) : ALL_FIELDS;
    if (mark >= 0) hit(place, INSIDE_WORTHS[mark & posting & ALL_FIELDS] ?? 0);
  }
}

/** Returns the best of the `count` touched places that were not removed, with the sort keys, and how many of all hold every word. */
function select(
  segment: Segment,
  count: number,
  all: number,
  limit: number,
): { ranked: { place: number; key: number }[]; full: number } {
  const top = createTopK(limit);
  const block: Block = { places: new Uint32Array(BLOCK), gains: new Float64Array(BLOCK), length: 0 };
  // Sums of floating point numbers in different orders differ a little.
  const whole = all * (1 - 1e-9);
  const keyOf = (place: number) => scoreOf(place, all) + ((states[place * STRIDE] ?? 0) > whole ? FULL : 0);
  let full = 0;
  let floor = top.floor();
  for (let from = 0; from < count; from += BLOCK) {
    block.length = Math.min(BLOCK, count - from);
    for (let at = 0; at < block.length; at++) block.places[at] = touched[from + at] ?? 0;
    segment.dropRemoved(block);
    for (let at = 0; at < block.length; at++) {
      const place = block.places[at] ?? 0;
      const key = keyOf(place);
      if (key >= FULL) full++;
      if (key < floor) continue;
      top.offer(key, place);
      floor = top.floor();
    }
  }
  return { ranked: top.ids().map((place) => ({ place, key: keyOf(place) })), full };
}

/** Returns the levels of each word (deck-levels.ts) by place. `places`: ascending. Each list is gone through once. */
function levelsOf(parts: Part[], places: Uint32Array): Map<number, number[]> {
  const cursors = parts.map(({ names, related, inside }) => ({
    names: names ? lookNamed(names) : null,
    related: related.map(lookNamed),
    inside: inside.map(lookInside),
  }));
  const levels = new Map<number, number[]>();
  for (const place of places) {
    levels.set(
      place,
      cursors.map(({ names, related, inside }) => {
        const named = names ? names(place) : -1;
        let onPages: number = TYPED.nowhere;
        for (const look of inside) {
          const mark = look.markAt(place);
          if (mark >= 0) onPages = Math.max(onPages, TYPED.onPages + spreadOf(mark));
        }
        const typed = named < 0 ? onPages : named & FIELD.name ? TYPED.inName : TYPED.inLabels;
        let other: number = RELATED.nowhere;
        for (const fieldsAt of related) {
          const fields = fieldsAt(place);
          if (fields >= 0) other = Math.max(other, fields & FIELD.name ? RELATED.inName : RELATED.inLabels);
        }
        return levelOf(typed, other);
      }),
    );
  }
  return levels;
}

/**
 * Looks up the lists of a word in ascending order of places: the function returns the fields of a document that hold all lists, -1 when it is
 * not in all of them.
 */
function lookNamed(needs: Need[]): (place: number) => number {
  const positions = needs.map(({ list }) => list.from);
  return (place) => {
    let fields = ALL_FIELDS;
    for (let need = 0; need < needs.length; need++) {
      const list = needs[need]?.list;
      if (!list) continue;
      const at = gallop(list.data, positions[need] ?? 0, list.to, place);
      positions[need] = at;
      const posting = list.data[at] ?? 0;
      if (at >= list.to || posting >>> FIELD_BITS !== place) return -1;
      fields &= posting;
    }
    return fields;
  };
}
