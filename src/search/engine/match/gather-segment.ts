import { createGrowing, push } from '../format/growing-list.ts';
import { ALL_FIELDS, FIELD_BITS } from '../format/layout.ts';
import { addresses, arrays, FULL, kernel, WINDOW } from '../kernel/kernel.ts';
import { LEVEL_OF_CODE, MAX_WORTH_IN_NAME, MAX_WORTH_ON_PAGES, RELATED_CODES, TYPED_CODES } from './deck-codes.ts';
import { lengthOf, sum } from './postings.ts';
import { createDeckScores, NEARLY } from './deck-scores.ts';
import { addNamed, codesOf, lookUpNamed, type NamedList, planesFor } from './deck-window.ts';
import { openForm, type WordParts } from './deck-words.ts';
import type { Block } from './each-match.ts';
import type { InsideCursor } from './inside-cursor.ts';
import type { Segment } from './segment.ts';
import { createBestOffers, type Offer } from './best-offers.ts';

/** As soon as there are more decks than are wanted, those below this share of the best score are not gathered: deck-choice.ts would list few of them. */
export const MIN_SHARE = 0.2;

/** Places of a segment: from `first`, where a window begins, up to `last` (excluded), where one begins or the segment ends. */
export type Range = { first: number; last: number };

/** A deck of a segment. `levels`: of each word, in the order of the words (deck-levels.ts). */
export type RankedDeck = { place: number; key: number; levels: number[] };

/** Whether a question failed in the middle of a window: its codes are still there. */
let isUnfinished = false;

/** Working memory of a thread: place and codes of each offer. */
const offered = { places: createGrowing(1_024), codes: createGrowing(1_024) };

/** The lists of one word, each at the position that the windows have reached. */
type OpenWord = { named: NamedList[]; forms: InsideCursor[][] };
const NO_LISTS: OpenWord = { named: [], forms: [] };

/** What a segment, or a part of it, holds. `isCut`: there were more decks than are wanted, and those below MIN_SHARE of `best`, the best score, are not gathered. */
export type RankedDecks = { ranked: RankedDeck[]; full: number; best: number; isCut: boolean };

/**
 * Returns the best decks of a segment, from the place `first` up to `last` (excluded), and how many hold all words. `gains`: the share of each word in a full score,
 * the largest first.
 *
 * Documents are gone through in windows (MaxScore, window by window). The lists of the rarest words are read, until a deck that is in none of them
 * could not be listed any more; the others are looked up for the decks that are known by then, as long as these may be listed or hold all
 * words. A word in a name is worth more than on pages, and these lists are shorter: more of them are read.
 */
export function gatherSegment(
  segment: Segment,
  parts: readonly WordParts[],
  gains: readonly number[],
  limit: number,
  { first, last }: Range,
): RankedDecks {
  const all = sum(gains);
  const words = parts.map((each) => openWord(each, segment.documents));
  if (isUnfinished) kernel.clearAll();
  isUnfinished = true;
  // After the cursors are open, which may need more memory.
  const { candidates, keys, marks } = arrays;
  const block: Block = { places: candidates, gains: keys, length: 0 };
  const scores = createDeckScores(gains, all);
  const top = createBestOffers(limit);
  const planes = planesFor(words.length);
  offered.places.length = 0;
  offered.codes.length = 0;

  for (let start = first; start < last;) {
    const floor = top.floor() * NEARLY;
    const share = scores.best * MIN_SHARE * NEARLY;
    const { pages, names } = countRead(gains, Math.max(floor, share));
    // The first decks are all gathered, however few words they hold.
    const minScore = floor > 0 ? Math.min(FULL, Math.max(floor, share)) : 0;
    for (let word = 0; word < words.length; word++) {
      const { named, forms } = words[word] ?? NO_LISTS;
      if (word < names) for (const list of named) addNamed(word, start, list, true);
      if (word < pages) for (const form of forms) readForm(word, start, form, true);
    }
    const touched = kernel.listTouched(start);
    if (touched > 0) {
      let count = dropRemoved(touched);
      for (let word = names; word < words.length; word++) lookUpNames(word, start, count);
      count = scores.start(count, pages, minScore);
      for (let word = pages; word < words.length && count > 0; word++) {
        lookInside(word, start, words[word]?.forms ?? [], count);
        count = scores.addPages(word, count, minScore);
      }
      count = scores.rank(count, Math.max(top.floor(), minScore));
      // Where all lists were read at once, no score was corrected since it was added up.
      if (pages < words.length) scores.writeExactly(count);
      offer(count);
      kernel.clearWindow(words.length);
    }
    const next = nextPlaceOf(words, pages, names);
    start = Math.max(start + WINDOW, next - (next & (WINDOW - 1)));
  }
  isUnfinished = false;
  return { ranked: top.best().map(readOffer), full: scores.full, best: scores.best, isCut: top.floor() > 0 };

  /** Adds the codes of the first `count` candidates that hold a word in names and labels. */
  function lookUpNames(word: number, start: number, count: number): void {
    for (const named of words[word]?.named ?? []) {
      const inWindow = (lengthOf(named.list) * WINDOW) / segment.documents;
      if (inWindow < count * MAX_READ) addNamed(word, start, named, false);
      else lookUpNamed(word, start, named, count);
    }
  }

  /** Adds the codes of the first `count` candidates that hold a form on pages. */
  function lookInside(word: number, start: number, forms: InsideCursor[][], count: number): void {
    for (const form of forms) {
      const inWindow = ((form[0]?.frequency ?? 0) * WINDOW) / segment.documents;
      // What other documents hold is written too, and not looked at: they are no candidates.
      if (inWindow < count * MAX_READ) {
        readForm(word, start, form, false);
        continue;
      }
      marks.fill(ALL_FIELDS, 0, count);
      for (const cursor of form) cursor.narrow(addresses.candidates, count);
      kernel.addMarked(addresses.candidates, count, start, word, false);
    }
  }

  /** Drops removed documents from the first `count` candidates. Returns how many are left. */
  function dropRemoved(count: number): number {
    block.length = count;
    segment.dropRemoved(block);
    return block.length;
  }

  /** Offers the first `count` candidates. */
  function offer(count: number): void {
    let floor = top.floor();
    for (let index = 0; index < count; index++) {
      const key = keys[index] ?? 0;
      if (key < floor) continue;
      const place = candidates[index] ?? 0;
      // The number of the offer ascends with the place, so that the later of two equal decks is preferred.
      top.offer(key, offered.places.length);
      floor = top.floor();
      push(offered.places, place);
      for (let plane = 0; plane < planes; plane++) push(offered.codes, codesOf(plane, place));
    }
  }

  function readOffer({ key, number }: Offer): RankedDeck {
    const levels: number[] = [];
    for (let word = 0; word < gains.length; word++) {
      const codes = offered.codes.data[number * planes + (word >>> 2)] ?? 0;
      levels.push(LEVEL_OF_CODE[(codes >>> ((word & 3) << 3)) & 255] ?? 0);
    }
    return { place: offered.places.data[number] ?? 0, key, levels };
  }
}

/** Returns a place that no deck of the words is before, beyond those that were read: of `pages` words on pages, of `names` in names. */
function nextPlaceOf(words: readonly OpenWord[], pages: number, names: number): number {
  let next = Infinity;
  for (let word = 0; word < names; word++) {
    const { named, forms } = words[word] ?? NO_LISTS;
    for (const { list, from } of named)
      if (from < list.to) next = Math.min(next, (list.data[from] ?? 0) >>> FIELD_BITS);
    if (word < pages) for (const form of forms) next = Math.min(next, form[0]?.next() ?? Infinity);
  }
  return next;
}

function openWord({ named, related, inside }: WordParts, documents: number): OpenWord {
  const typed = (named ? [named] : []).map((list) => ({ list, from: list.from, codes: TYPED_CODES }));
  const others = related.map((list) => ({ list, from: list.from, codes: RELATED_CODES }));
  return { named: [...typed, ...others], forms: inside.map((form) => openForm(form, documents)) };
}

/**
 * Returns of how many words, the rarest first, the lists of pages and of names are read: a deck that is in none of them scores less than
 * `minScore`. The rarest word is always read, because every deck with all words holds it.
 */
function countRead(gains: readonly number[], minScore: number): { pages: number; names: number } {
  const all = sum(gains);
  let pages = gains.length;
  let rest = 0;
  for (; pages > 1; pages--) {
    const more = rest + (gains[pages - 1] ?? 0);
    if ((MAX_WORTH_ON_PAGES * more * more) / all >= minScore) break;
    rest = more;
  }
  let names = gains.length;
  let worth = MAX_WORTH_ON_PAGES * rest;
  for (; names > pages; names--) {
    worth += (MAX_WORTH_IN_NAME - MAX_WORTH_ON_PAGES) * (gains[names - 1] ?? 0);
    if ((worth * rest) / all >= minScore) break;
  }
  return { pages, names };
}

/** Adds the documents of the window that hold a form on pages. Of several lexemes the rarest gives them, the others narrow them. */
function readForm(word: number, start: number, [rarest, ...others]: InsideCursor[], isFinding: boolean): void {
  if (!rarest) return;
  if (others.length === 0) {
    rarest.add(word, start, start + WINDOW, isFinding);
    return;
  }
  const count = rarest.collect(start, start + WINDOW);
  for (const cursor of others) cursor.narrow(addresses.places, count);
  kernel.addMarked(addresses.places, count, start, word, isFinding);
}

/** A list with up to this many postings for each candidate of a window is read instead of looked up: to go on from one posting to the next costs least. */
const MAX_READ = 3;
