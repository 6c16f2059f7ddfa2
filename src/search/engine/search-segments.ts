import { createFacetCounter, createSieve } from './filter.ts';
import { eachMatch, frequencyOf, needsOf } from './match.ts';
import { REACH, type Query, type Result, type Sort } from './query.ts';
import { gainTables } from './ranking.ts';
import type { Segment } from './segment.ts';
import { createTopK } from './top-k.ts';

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

  for (const { segment, needs } of asked) {
    if (!needs) continue;
    const { ids, scores } = segment.columns;
    const sieve = createSieve(query.filter, segment);
    const facetCounter = createFacetCounter(segment);
    const key = sortColumn(segment, query.sort);
    eachMatch(segment, needs, gains, (place, gain) => {
      if (segment.isRemoved(place)) return;
      const fails = sieve ? sieve.fails(place) : 0;
      facetCounter.count(place, fails);
      if (fails !== 0) return;
      result.total++;
      const value = key ? (key[place] ?? 0) : (scores[place] ?? 0) + gain;
      if (value >= top.floor()) top.offer(value, ids[place] ?? 0);
    });
    facetCounter.addTo(facets);
  }
  result.ids = top.ids().slice(query.offset);
  return result;
}

function sortColumn({ columns }: Segment, sort: Sort): ArrayLike<number> | null {
  if (sort === 'newest') return columns.createdSeconds;
  if (sort === 'hottest') return columns.heats;
  return sort === 'pages' ? columns.pages : null;
}
