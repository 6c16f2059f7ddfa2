import type { Ctx } from '../../../context.ts';
import { addToFacetCounts, copyOfCounts, failedFilterBits, noCounts } from '../../../library/document-filter.ts';
import type { Sort } from '../../../library/limits.ts';
import { MODELS } from '../../decks/deck-closeness.ts';
import { relatedOf, TYPED, typedOf } from '../../decks/deck-levels.ts';
import { isNamedFully, isOnlyOnPages, missingOf } from '../../decks/deck-ranking.ts';
import type { Subject } from '../../decks/deck-subject.ts';
import { SEARCH_PAGE_SIZE } from '../../limits.ts';
import { isNarrowed } from '../../rules.ts';
import type { QueryWord } from '../../words.ts';
import type { Found } from '../indexing/store-entries.ts';
import { isAside } from '../words/word-weights.ts';
import { countNamed, findNamed, type NamedWanted } from './find-named.ts';
import {
  type DeckCtx,
  levelsByDeck,
  matchDecks,
  type MatchedDeck,
  type MatchedDecks,
  NO_DECKS,
} from './match-decks.ts';

export type Question = NamedWanted & {
  key: string;
  /** True allows another spelling, and decks with some of the words. */
  isForgiving?: boolean;
};

/** A page of a list of decks. */
export type DeckList = Found & {
  /** The words that were searched for in the end, to be marked in results. */
  words: QueryWord[];
  /** Number of decks among `total` that contain the words only on their pages. */
  onlyInPages: number;
  /** Number of further decks that hold all words on pages, in passing, and are not listed. */
  mentions: number;
  /** How many of `total` contain every word of the query (C-117); they come first. */
  fullCount: number;
  /** True when more decks contain every word than were matched with the query, whatever the filter and what it refuses. */
  isCapped: boolean;
  /** About how many decks contain every word when `isCapped`; 0 under a filter, where refused decks were left out, and where that is not known. */
  about: number;
  /** What the best decks of the whole list are about, at most three; [] where names alone answer. */
  models: Subject[];
  /** The listed decks that were matched with names and pages together: what they hold. */
  decks: ReadonlyMap<number, MatchedDeck>;
  /** How many decks the list would hold without the filter; Infinity where names alone fill a page, and are not counted further. */
  unfilteredTotal: number;
};

/** `matched`: the matched decks without the refused ones, whatever the filter; where names alone fill a page no deck, and every word counts as known. */
export type MatchedList = DeckList & { matched: MatchedDecks };

/**
 * Lists decks that contain the words in names and labels, and when these are few, decks that contain all or some of them anywhere. `otherWords`: words
 * of the query that no deck is looked for by, so that none is listed as a full match.
 */
export async function listWords(
  ctx: DeckCtx,
  question: Question,
  asked: QueryWord[],
  otherWords: QueryWord[] = [],
): Promise<MatchedList> {
  if (asked.length === 0) return emptyList(asked);
  const { filter, sort, limit, offset } = question;
  const isAll = otherWords.length === 0;
  const named = isAll ? await findNamed(ctx, asked, question) : { ids: [], total: 0, counts: noCounts() };
  // Deciding by filtered results would make the counts of choices wrong.
  const namedCount = isAll ? await countNamedUnfiltered(ctx, question, asked, named) : 0;
  if (namedCount >= SEARCH_PAGE_SIZE) {
    const matched = { ...NO_DECKS, isKnown: asked.map(() => true), isNamed: asked.map(() => false) };
    return { ...emptyList(asked), ...named, fullCount: named.total, unfilteredTotal: Infinity, matched };
  }
  const words = [...asked, ...otherWords];
  const found = withoutDecks(await matchDecks(ctx, asked), question.without ?? []);
  const matched = isAll ? found : withWords(found, words, await levelsByDeck(ctx, words));
  const all = question.isForgiving ? matched.full : [...matched.full, ...matched.mentions];
  const more = all.filter((deck) => !isNamedFully(deck));
  const partial = question.isForgiving ? matched.partial : [];
  const filteredAndSorted = (decks: MatchedDeck[]) =>
    sorted(
      decks.filter((deck) => failedFilterBits(filter, deck) === 0),
      sort,
    );
  const full = filteredAndSorted(more);
  const others = [...full, ...filteredAndSorted(partial)];
  // The counts may be cached for other requests, so they are copied before they change.
  const counts = copyOfCounts(named.counts);
  addToFacetCounts(counts, filter, [...more, ...partial], ctx.clock.now());
  const first = Math.max(0, offset - named.total);
  const shown = others.slice(first, first + Math.max(0, limit - named.ids.length));
  return {
    ids: [...named.ids, ...shown.map(({ id }) => id)],
    total: named.total + others.length,
    counts,
    words,
    onlyInPages: full.filter(isOnlyOnPages).length,
    mentions: question.isForgiving ? filteredAndSorted(matched.mentions).length : 0,
    fullCount: named.total + full.length,
    isCapped: matched.isCapped,
    about: isNarrowed(filter) ? 0 : matched.about,
    models: (matched.full.length > 0 ? matched.full : partial).slice(0, MODELS),
    decks: new Map(shown.map((deck) => [deck.id, deck])),
    unfilteredTotal: namedCount + more.length + partial.length,
    matched: { ...matched, partial },
  };
}

/** Leaves the decks of the ids `without` out. About how many there are beyond the listed ones is not known then. */
function withoutDecks(found: MatchedDecks, without: readonly number[]): MatchedDecks {
  if (without.length === 0) return found;
  const ids = new Set(without);
  const kept = (decks: MatchedDeck[]) => decks.filter(({ id }) => !ids.has(id));
  const [full, mentions, partial] = [kept(found.full), kept(found.mentions), kept(found.partial)];
  const isShorter = full.length < found.full.length || mentions.length < found.mentions.length;
  return { ...found, full, mentions, partial, about: isShorter ? 0 : found.about };
}

/** Returns decks that were found by the first words of a query with what they hold of all `words`. No deck holds all of them. */
function withWords(
  { full, partial, isKnown, isNamed }: MatchedDecks,
  words: QueryWord[],
  levelsOf: ReadonlyMap<number, number[]>,
): MatchedDecks {
  const others = words.slice(isKnown.length).map(() => false);
  const decks = [...full, ...partial].map((deck) => {
    const levels = levelsOf.get(deck.id) ?? [...deck.levels, ...others.map(() => 0)];
    return { ...deck, levels, missing: missingOf({ levels }, words.map(isAside)) };
  });
  return { ...NO_DECKS, partial: decks, isKnown: [...isKnown, ...others], isNamed: [...isNamed, ...others] };
}

const sorted = (decks: MatchedDeck[], sort: Sort): MatchedDeck[] =>
  sort === 'relevance' ? decks : decks.toSorted((a, b) => SORT_KEYS[sort](b) - SORT_KEYS[sort](a) || b.id - a.id);

const SORT_KEYS = {
  newest: ({ createdAt }: MatchedDeck) => Math.floor(createdAt.getTime() / 1_000),
  hottest: ({ popularity }: MatchedDeck) => popularity,
  pages: ({ pageCount }: MatchedDeck) => pageCount,
  budget: ({ budgetYuan }: MatchedDeck) => budgetYuan,
  people: ({ people }: MatchedDeck) => people,
  days: ({ days }: MatchedDeck) => days,
};

/** Counts the decks that hold the words in names and labels, whatever the filter. `named`: those under the filter; a page of them is enough to know. */
async function countNamedUnfiltered(ctx: Ctx, question: Question, words: QueryWord[], named: Found): Promise<number> {
  const { filter, without } = question;
  if (named.total >= SEARCH_PAGE_SIZE || !isNarrowed(filter)) return named.total;
  return countNamed(ctx, words, without);
}

export const emptyList = (words: QueryWord[]): MatchedList => ({
  ids: [],
  total: 0,
  counts: noCounts(),
  words,
  onlyInPages: 0,
  mentions: 0,
  fullCount: 0,
  isCapped: false,
  about: 0,
  models: [],
  decks: new Map(),
  unfilteredTotal: 0,
  matched: NO_DECKS,
});

/** Tells whether a list holds any deck, whatever the filter. */
export const holdsAny = ({ unfilteredTotal }: MatchedList) => unfilteredTotal > 0;

/** Tells whether one of the decks holds a word, or one that is related to it. */
export const isHeld = (decks: MatchedDeck[], word: number) => decks.some(({ levels }) => (levels[word] ?? 0) > 0);

/** Tells whether name or labels hold a word or a related one. */
export const isNamedLevel = (level: number): boolean => typedOf(level) >= TYPED.inLabels || relatedOf(level) > 0;
