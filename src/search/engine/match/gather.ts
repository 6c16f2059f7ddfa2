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
import { gatherSegment, type RankedDeck } from './gather-segment.ts';
import { endCursors, MAX_WORDS } from '../kernel/kernel.ts';
import { levelsAt } from './levels-at.ts';
import type { Segment } from './segment.ts';

/** A search over names, labels and page texts. A deck matches when it has at least one of the words, on any of its pages. */
export type DeckQuery = {
  /** MAX_DECK_WORDS at most. */
  words: DeckWord[];
  /** Number of decks to return. */
  limit: number;
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

/** Maximum number of words in a query, which has at most 50 characters. */
export const MAX_DECK_WORDS = 50;
/**
 * Postings that a question may read. Common words beyond them find no decks: they count only for the decks that the others
 * found. A sentence reads a tenth of it in a million decks; forty of the commonest characters would read more.
 */
export const MAX_STEPS = 16_000_000;

/** Unpacking and adding up a posting is dearer than the intersection of a search of names. */
const EFFORT_OF_POSTING = 4;

/** Prepares a question to whole decks. `steps`: the postings that are read, at most. */
export function prepareDecks(
  segments: readonly Segment[],
  query: DeckQuery,
  maxSteps = MAX_STEPS,
): { effort: number; run(): Gathered & { steps: number } } {
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
      const found = live.map((segment, at) => gatherIn(segment, parts[at] ?? [], gains, { order, limit: query.limit }));
      const decks = found
        .flatMap(({ ranked }) => ranked)
        .sort((a, b) => b.key - a.key || b.deck.id - a.deck.id)
        .slice(0, query.limit)
        .map(({ deck }) => deck);
      const full = found.some((each) => each.full === null) ? null : sum(found.map((each) => each.full ?? 0));
      return { documents, frequencies, decks, full, steps };
    },
  };
}

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

type Ranked = { deck: GatheredDeck; key: number };

/** Gathers the best decks of a segment by the rarest words, as many of them as may be read, and looks up the others for these decks. */
function gatherIn(
  segment: Segment,
  parts: WordParts[],
  gains: number[],
  { order, limit }: { order: number[]; limit: number },
): { ranked: Ranked[]; full: number | null } {
  const chosen = order.flatMap((word) => parts[word] ?? []);
  const { ranked, full } = gatherSegment(
    segment,
    chosen,
    order.map((word) => gains[word] ?? 0),
    limit,
  );
  const lookedUp = lookUpOthers(segment, parts, order, ranked);
  // The turn of each word that found decks, -1 for the others.
  const turns = parts.map((_, word) => order.indexOf(word));
  const levelAt = ({ place, levels }: RankedDeck, word: number) => {
    const turn = turns[word] ?? -1;
    return (turn < 0 ? lookedUp.get(word)?.get(place) : levels[turn]) ?? 0;
  };
  return {
    ranked: ranked.map((deck) => {
      const levels: number[] = [];
      for (let word = 0; word < turns.length; word++) levels.push(levelAt(deck, word));
      return { key: deck.key, deck: deckAt(segment, deck.place, levels) };
    }),
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
