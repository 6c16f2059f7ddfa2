import { createFacetCounter, createSieve } from './filter.ts';
import { BLOCK, eachMatch, type Block } from './each-match.ts';
import { frequencyOf, needsOf } from './match.ts';
import { REACH, type Query, type Result, type Sort } from './query.ts';
import { gainTables } from './ranking.ts';
import type { Segment } from './segment.ts';
import { createTopK, type TopK } from './top-k.ts';

/** Asks all segments the same; a living document stands in one of them. */
export function searchSegments(segments: Segment[], query: Query): Result {
  const facets: Result['facets'] = { themes: new Map(), fileTypes: new Map(), industries: new Map(), years: new Map() };
  const result: Result = { ids: [], total: 0, facets };
  if (query.words.length === 0) return result;

  const asked = segments.map((segment) => ({ segment, needs: needsOf(segment, query.words) }));
  const documents = segments.reduce((sum, segment) => sum + segment.documents, 0);
  const frequencies = query.words.map((word) => segments.reduce((sum, segment) => sum + frequencyOf(segment, word), 0));
  const gains = gainTables(frequencies, documents);
  const end = Math.min(query.offset + query.limit, REACH);
  const top = createTopK(query.offset < end ? end : 0);

  const fails = new Uint8Array(BLOCK);
  for (const { segment, needs } of asked) {
    if (!needs) continue;
    const sieve = createSieve(query.filter, segment);
    const counter = createFacetCounter(segment);
    const rank = ranker(segment, query.sort, top);
    eachMatch(segment, needs, gains, (block) => {
      segment.dropRemoved(block);
      sieve?.(block, fails);
      counter.count(block, sieve && fails);
      if (sieve) keepHits(block, fails);
      result.total += block.length;
      rank(block);
    });
    counter.addTo(facets);
  }
  result.ids = top.ids().slice(query.offset);
  return result;
}

function keepHits(block: Block, fails: Uint8Array): void {
  const { places, gains } = block;
  let kept = 0;
  for (let at = 0; at < block.length; at++) {
    if (fails[at] !== 0) continue;
    places[kept] = places[at] ?? 0;
    gains[kept++] = gains[at] ?? 0;
  }
  block.length = kept;
}

function ranker(segment: Segment, sort: Sort, top: TopK): (block: Block) => void {
  const { ids, scores } = segment.columns;
  const column = sortColumn(segment, sort);
  return ({ places, gains, length }) => {
    let floor = top.floor();
    for (let at = 0; at < length; at++) {
      const place = places[at] ?? 0;
      const key = column ? (column[place] ?? 0) : (scores[place] ?? 0) + (gains[at] ?? 0);
      if (key < floor) continue;
      top.offer(key, ids[place] ?? 0);
      floor = top.floor();
    }
  };
}

function sortColumn({ columns }: Segment, sort: Sort): ArrayLike<number> | null {
  if (sort === 'newest') return columns.createdSeconds;
  if (sort === 'hottest') return columns.heats;
  return sort === 'pages' ? columns.pages : null;
}
