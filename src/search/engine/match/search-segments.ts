import { createFacetCounter, noFacets } from './facets.ts';
import { createSieve, type Fails } from './filter.ts';
import { BLOCK, eachDocument, eachMatch, type Block } from './each-match.ts';
import { effortOf, frequencyOf, lookUp, needsOf, type Sought, typedLists } from './match.ts';
import type { Sort } from '../../../library/limits.ts';
import { REACH, type Query, type Result } from './query.ts';
import { CAP_UNIT, gainTables, NO_CAP, TYPED_SHARE } from '../format/ranking.ts';
import type { Segment } from './segment.ts';
import { createTopK, type TopK } from './top-k.ts';
import { type TypedGain, typedGainOf } from './typed-gain.ts';

/** Counting facets costs about twice as much as finding the hits. */
const FACETS_SHARE = 3;

/** A prepared search: its cost in postings to read (match.ts), and the function that runs it. */
export type Prepared = { effort: number; run(): Result };

/** Searches all segments; each live document is in one of them. */
export function prepareSearch(segments: Segment[], query: Query): Prepared {
  const asked = segments.map((segment) => ({ segment, sought: lookUp(segment, query.words) }));
  const effort = asked.reduce(
    (sum, { segment, sought }) => sum + (query.isEverything ? segment.documents : effortOf(sought)),
    0,
  );
  return { effort: query.facets ? effort * FACETS_SHARE : effort, run: () => runSearch(asked, query) };
}

const fails: Fails = new Uint16Array(BLOCK);

function runSearch(asked: { segment: Segment; sought: Sought[] }[], query: Query): Result {
  const facets = noFacets(query.facets);
  const result: Result = { ids: [], total: 0, facets };
  if (query.words.length === 0 && !query.isEverything) return result;

  const documents = asked.reduce((sum, { segment }) => sum + segment.documents, 0);
  const frequencies = query.words.map((_, word) =>
    asked.reduce((sum, { segment, sought }) => sum + frequencyOf(sought[word] ?? [], segment.documents), 0),
  );
  const gains = gainTables(frequencies, documents);
  const end = Math.min(query.offset + query.limit, REACH);
  const top = createTopK(query.offset < end ? end : 0);

  for (const { segment, sought } of asked) {
    const goThrough = walkOf(segment, sought, gains, query);
    if (!goThrough) continue;
    const sieve = createSieve(query.filter, segment);
    const counter = query.facets ? createFacetCounter(segment, query.facets) : null;
    const typed = typedGainOf(segment, typedLists(query.words, sought), gains);
    const rank = ranker(segment, query.sort, top, typed);
    goThrough((block) => {
      segment.dropRemoved(block);
      sieve?.(block, fails);
      counter?.count(block, sieve && fails);
      if (sieve) keepHits(block, fails);
      result.total += block.length;
      rank(block);
    });
    counter?.addTo(facets);
  }
  result.ids = top.ids().slice(query.offset);
  return result;
}

/** Returns a function that yields the unfiltered hits of a segment; null when it has none. */
function walkOf(segment: Segment, sought: Sought[], gains: Float64Array[], query: Query) {
  if (query.isEverything) return (take: (block: Block) => void) => eachDocument(segment, take);
  const needs = needsOf(segment, sought);
  return needs && ((take: (block: Block) => void) => eachMatch(segment, needs, gains, take));
}

function keepHits(block: Block, fails: Fails): void {
  const { places, gains } = block;
  let kept = 0;
  for (let at = 0; at < block.length; at++) {
    if (fails[at] !== 0) continue;
    places[kept] = places[at] ?? 0;
    gains[kept++] = gains[at] ?? 0;
  }
  block.length = kept;
}

function ranker(segment: Segment, sort: Sort, top: TopK, typed: TypedGain | null): (block: Block) => void {
  const column = sortColumn(segment, sort);
  return column ? rankByColumn(segment, column, top) : rankByWorth(segment, top, typed);
}

function rankByColumn({ columns: { ids } }: Segment, column: ArrayLike<number>, top: TopK): (block: Block) => void {
  return ({ places, length }) => {
    let floor = top.floor();
    for (let at = 0; at < length; at++) {
      const place = places[at] ?? 0;
      const key = column[place] ?? 0;
      if (key < floor) continue;
      top.offer(key, ids[place] ?? 0);
      floor = top.floor();
    }
  };
}

function rankByWorth(
  { columns: { ids, scores, scoreCaps } }: Segment,
  top: TopK,
  typed: TypedGain | null,
): (block: Block) => void {
  // What a typed form adds is a share of what the word is worth at most.
  const maxShare = typed ? 1 + TYPED_SHARE : 1;
  return ({ places, gains, length }) => {
    let floor = top.floor();
    for (let at = 0; at < length; at++) {
      const place = places[at] ?? 0;
      const gain = gains[at] ?? 0;
      const cap = scoreCaps[place] ?? 0;
      if (cap * CAP_UNIT + gain * maxShare < floor && cap !== NO_CAP) continue;
      const score = scores[place] ?? 0;
      if (score + gain * maxShare < floor) continue;
      const key = score + gain + (typed ? typed(place) : 0);
      if (key < floor) continue;
      top.offer(key, ids[place] ?? 0);
      floor = top.floor();
    }
  };
}

function sortColumn({ columns }: Segment, sort: Sort): ArrayLike<number> | null {
  if (sort === 'newest') return columns.createdSeconds;
  if (sort === 'hottest') return columns.popularity;
  if (sort === 'budget') return columns.budgets;
  if (sort === 'people') return columns.people;
  if (sort === 'days') return columns.days;
  return sort === 'pages' ? columns.pages : null;
}
