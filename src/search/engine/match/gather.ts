import { rarityOf } from '../../decks/deck-levels.ts';
import { deckAt, type GatheredDeck } from './deck-facts.ts';
import {
  countHolders,
  countPostings,
  type DeckWord,
  estimatePostings,
  findParts,
  type WordParts,
} from './deck-words.ts';
import { gatherSegment, MIN_SHARE, type Range, type RankedDeck } from './gather-segment.ts';
import { endCursors, MAX_WORDS, WINDOW } from '../kernel/kernel.ts';
import { levelsAt } from './levels-at.ts';
import { sum } from './postings.ts';
import type { Segment } from './segment.ts';

/** A search over names, labels and page texts. A deck matches when it has at least one of the words, on any of its pages. */
export type DeckQuery = {
  /** At most MAX_WORDS (kernel.ts). Words of a query are at most 50, and some compounds of them. */
  words: DeckWord[];
  /** Number of decks to return. */
  limit: number;
  /** A part of the main segment, for one of `of` threads that share the question (mergeParts). */
  part?: { index: number; of: number };
};

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

/** What one part of the index holds. `keys`: by which `decks` are ordered; `best`: the best score; `isCut`: there were more decks than are wanted. */
export type GatheredPart = Gathered & { keys: Float64Array; best: number; isCut: boolean };

/**
 * Postings that a question may read. Common words beyond them find no decks: they count only for the decks that the others
 * found. A sentence reads a tenth of it in a million decks; forty of the commonest characters would read more.
 */
const MAX_STEPS = 16_000_000;

/** Unpacking and adding up a posting is dearer than the intersection of a search of names. */
const EFFORT_OF_POSTING = 4;

/** Prepares a question to whole decks. `steps`: the postings that are read, at most. */
export function prepareDecks(
  segments: readonly Segment[],
  query: DeckQuery,
  maxSteps = MAX_STEPS,
): { effort: number; run(): GatheredPart & { steps: number } } {
  return {
    effort:
      EFFORT_OF_POSTING *
      sum(segments.flatMap((segment) => query.words.map((word) => estimatePostings(segment, word)))),
    run() {
      if (query.words.length > MAX_WORDS) throw new RangeError('more words than a window has places for');
      endCursors();
      // Without changes the segment of changes is empty.
      const live = segments.filter((segment) => segment.documents > 0);
      const parts = live.map((segment) => query.words.map((word) => findParts(segment, word)));
      const frequencies = query.words.map((_, word) =>
        sum(live.map((segment, at) => countHolders(parts[at]?.[word], segment))),
      );
      const documents = sum(live.map((segment) => segment.documents - segment.removed));
      const gains = query.words.map(({ weight }, word) => weight * rarityOf(frequencies[word] ?? 0, documents));
      // The same words for all segments, so that their decks are ranked by the same scale.
      const { order, steps } = chooseWords(parts, gains, maxSteps);
      const found = live.flatMap((segment, at) => {
        const range = rangeOf(segment, segment === segments[0], query.part);
        return range ? gatherIn(segment, parts[at] ?? [], gains, { order, limit: query.limit, range }) : [];
      });
      const gathered = joinParts(found.map((each) => ({ ...each, documents, frequencies })));
      return { ...(query.part ? gathered : bestOf(gathered, query)), documents, frequencies, steps };
    },
  };
}

/** Returns the places of a segment that belong to a part; null when none do. The changes belong to the last part, as they come last where all is one part. */
function rangeOf(segment: Segment, isMain: boolean, part: DeckQuery['part']): Range | null {
  if (!part) return { first: 0, last: segment.documents };
  if (!isMain) return part.index + 1 === part.of ? { first: 0, last: segment.documents } : null;
  const borderAt = (index: number) => WINDOW * Math.round((segment.documents * index) / part.of / WINDOW);
  const first = borderAt(part.index);
  const last = part.index + 1 === part.of ? segment.documents : borderAt(part.index + 1);
  return first < last ? { first, last } : null;
}

/** Returns what the parts of an index hold together: the same as the whole, however it was parted. */
export const mergeParts = (parts: GatheredPart[], query: { limit: number }): Gathered =>
  bestOf(joinParts(parts), query);

function joinParts(parts: GatheredPart[]): GatheredPart {
  const [first] = parts;
  return {
    documents: first?.documents ?? 0,
    frequencies: first?.frequencies ?? [],
    decks: parts.flatMap(({ decks }) => decks),
    keys: Float64Array.from(parts.flatMap(({ keys }) => [...keys])),
    full: parts.some(({ full }) => full === null) ? null : sum(parts.map(({ full }) => full ?? 0)),
    best: Math.max(0, ...parts.map(({ best }) => best)),
    isCut: parts.some(({ isCut }) => isCut),
  };
}

/** Keeps the best decks, best first. Of equal ones at the end of the list the last are kept, as in a segment. */
function bestOf(gathered: GatheredPart, { limit }: { limit: number }): GatheredPart {
  const { decks, keys, best } = gathered;
  const isCut = gathered.isCut || decks.length > limit;
  const minKey = isCut ? best * MIN_SHARE : 0;
  const kept = decks
    .map((deck, at) => ({ deck, at, key: keys[at] ?? 0 }))
    .filter(({ key }) => key >= minKey)
    .sort((a, b) => b.key - a.key || b.at - a.at)
    .slice(0, limit)
    .sort((a, b) => b.key - a.key || b.deck.id - a.deck.id);
  return {
    ...gathered,
    decks: kept.map(({ deck }) => deck),
    keys: Float64Array.from(kept, ({ key }) => key),
    isCut,
  };
}

/** Gathers the best decks of a segment by the rarest words, as many of them as may be read, and looks up the others for these decks. */
function gatherIn(
  segment: Segment,
  parts: WordParts[],
  gains: number[],
  { order, limit, range }: { order: number[]; limit: number; range: Range },
): Omit<GatheredPart, 'documents' | 'frequencies'> {
  const chosen = order.flatMap((word) => parts[word] ?? []);
  const { ranked, full, best, isCut } = gatherSegment(
    segment,
    chosen,
    order.map((word) => gains[word] ?? 0),
    limit,
    range,
  );
  const lookedUp = lookUpOthers(segment, parts, order, ranked);
  // The turn of each word that found decks, -1 for the others.
  const turns = parts.map((_, word) => order.indexOf(word));
  const levelAt = ({ place, levels }: RankedDeck, word: number) => {
    const turn = turns[word] ?? -1;
    return (turn < 0 ? lookedUp.get(word)?.get(place) : levels[turn]) ?? 0;
  };
  return {
    decks: ranked.map((deck) => {
      const levels: number[] = [];
      for (let word = 0; word < turns.length; word++) levels.push(levelAt(deck, word));
      return deckAt(segment, deck.place, levels);
    }),
    keys: Float64Array.from(ranked, ({ key }) => key),
    best,
    isCut,
    // A deck with all words holds the rarest, which always finds decks: so none is missed.
    full: order.length === parts.length ? full : null,
  };
}

/** Returns for each word that found no decks, being too common, its levels by place in the ranked decks. */
function lookUpOthers(
  segment: Segment,
  parts: WordParts[],
  order: number[],
  ranked: readonly RankedDeck[],
): Map<number, Map<number, number>> {
  const others = parts.flatMap((part, word) => (order.includes(word) ? [] : [{ part, word }]));
  if (others.length === 0) return new Map();
  const places = Uint32Array.from(ranked, ({ place }) => place).sort();
  return new Map(
    others.map(({ part, word }) => {
      const levels = levelsAt(part, places, segment.documents);
      return [word, new Map(Array.from(places, (place, at) => [place, levels[at] ?? 0]))];
    }),
  );
}

/** Returns the words that find decks, the rarest first, and an upper bound of the postings that they read. */
function chooseWords(parts: WordParts[][], gains: number[], maxSteps: number): { order: number[]; steps: number } {
  const byGain = gains.map((_, word) => word).sort((a, b) => (gains[b] ?? 0) - (gains[a] ?? 0));
  const order: number[] = [];
  let steps = 0;
  for (const word of byGain) {
    const more = sum(parts.flatMap((ofSegment) => ofSegment[word] ?? []).map(countPostings));
    // The rarest word is read however long its list is.
    if (order.length > 0 && steps + more > maxSteps) break;
    steps += more;
    order.push(word);
  }
  return { order, steps };
}
