import { FILTER_BITS } from '../../../library/document-filter.ts';
import { FILE_TYPES, FIRST_YEAR, FREE_BIT, STATED_BIT, TYPE_BITS, TYPE_VALUES } from '../format/document.ts';
import { byLabel, FILTER_LABELS, LABEL_COLUMNS } from '../format/layout.ts';
import type { Block } from './each-match.ts';
import type { Fails } from './filter.ts';
import { RANGE_FACETS, type FacetOrder, type Facets, type RangeFacet } from './query.ts';
import type { Segment } from './segment.ts';

export const noFacets = (order?: FacetOrder): Facets => ({
  themes: new Map(),
  fileTypes: new Map(),
  ...byLabel(() => new Map()),
  years: new Map(),
  free: 0,
  since: (order?.since ?? []).map(() => 0),
  ...byRange((range) => (order?.[range] ?? []).map(() => 0)),
});

/** Returns an object with one field for each range. */
function byRange<Value>(valueOf: (range: RangeFacet) => Value): Record<RangeFacet, Value> {
  return {
    pagesFrom: valueOf('pagesFrom'),
    budgetsFrom: valueOf('budgetsFrom'),
    peopleFrom: valueOf('peopleFrom'),
    daysFrom: valueOf('daysFrom'),
  };
}

type FacetCounter = {
  /** Counts the documents of a block. `fails` is null when the query has no filter. */
  count(block: Block, fails: Fails | null): void;
  addTo(facets: Facets): void;
};

/** Counts by position in the dictionaries of the segment, which have few entries; `addTo` translates positions to ids. */
export function createFacetCounter(segment: Segment, order: FacetOrder): FacetCounter {
  const { fileTypes, themeSets, years, createdSeconds, pages, budgets, people, days } = segment.columns;
  const ofType = new Uint32Array(TYPE_VALUES);
  const ofPrice = new Uint32Array(TYPE_VALUES);
  const ofSet = new Uint32Array(segment.themeSets.values.length);
  const ofLabel = byLabel((label) => new Uint32Array(segment.labels[label].values.length));
  const ofYear = new Uint32Array(256);
  const seconds = order.since.map((ms) => Math.floor(ms / 1_000));
  const since = Float64Array.from(seconds).sort();
  const ofSince = new Uint32Array(since.length + 1);
  const bounds = byRange((range) => Float64Array.from(order[range]));
  const ofRange = byRange((range) => new Uint32Array(order[range].length + 1));

  /** Budget, people and days in one pass: most plans state none of them. */
  const tallyStated = ({ places, length }: Block, fails: Fails | null) => {
    for (let at = 0; at < length; at++) {
      const place = places[at] ?? 0;
      if (((fileTypes[place] ?? 0) & STATED_BIT) === 0) continue;
      const failed = fails === null ? 0 : (fails[at] ?? 0);
      addReached(
        budgets[place] ?? 0,
        bounds.budgetsFrom,
        ofRange.budgetsFrom,
        (failed & ~FILTER_BITS.budgetBand) === 0,
      );
      addReached(people[place] ?? 0, bounds.peopleFrom, ofRange.peopleFrom, (failed & ~FILTER_BITS.peopleBand) === 0);
      addReached(days[place] ?? 0, bounds.daysFrom, ofRange.daysFrom, (failed & ~FILTER_BITS.daysBand) === 0);
    }
  };

  return {
    count(block, fails) {
      tally(block, fails, fileTypes, ofType, FILTER_BITS.fileKind);
      tally(block, fails, themeSets, ofSet, FILTER_BITS.themeId);
      for (const label of LABEL_COLUMNS)
        tally(block, fails, segment.columns[label], ofLabel[label], FILTER_BITS[FILTER_LABELS[label].field]);
      tally(block, fails, years, ofYear, FILTER_BITS.created);
      tally(block, fails, fileTypes, ofPrice, FILTER_BITS.isFree);
      tallyFrom(block, fails, createdSeconds, since, ofSince, FILTER_BITS.created);
      tallyFrom(block, fails, pages, bounds.pagesFrom, ofRange.pagesFrom, FILTER_BITS.pageBand);
      tallyStated(block, fails);
    },
    addTo(facets) {
      ofType.forEach((count, bits) => {
        const type = FILE_TYPES[bits & TYPE_BITS];
        if (type) add(facets.fileTypes, type, count);
      });
      segment.themeSets.values.forEach((set, at) => {
        const count = ofSet[at] ?? 0;
        if (count > 0) for (const theme of set) add(facets.themes, theme, count);
      });
      for (const label of LABEL_COLUMNS)
        segment.labels[label].values.forEach((id, at) => id > 0 && add(facets[label], id, ofLabel[label][at] ?? 0));
      ofYear.forEach((count, year) => add(facets.years, year + FIRST_YEAR, count));
      ofPrice.forEach((count, bits) => (facets.free += bits & FREE_BIT ? count : 0));
      seconds.forEach((second, at) => {
        // Documents at or above this bound: the classes from its own on.
        const own = since.indexOf(second) + 1;
        facets.since[at] = ofSince.subarray(own).reduce((sum, count) => sum + count, facets.since[at] ?? 0);
      });
      for (const range of RANGE_FACETS)
        facets[range].forEach((count, at) => (facets[range][at] = count + (ofRange[range][at + 1] ?? 0)));
    },
  };
}

/** Adds a value to the class of the highest of `bounds` (ascending) that it reaches. */
function addReached(value: number, bounds: Float64Array, counts: Uint32Array, isCounted: boolean): void {
  let reached = 0;
  for (let bound = 0; bound < bounds.length; bound++) reached += Number(value >= (bounds[bound] ?? 0));
  counts[reached] = (counts[reached] ?? 0) + Number(isCounted);
}

/** Counts the values of a column over documents that fail no filter except `own`, the filter of this facet. */
function tally(
  { places, length }: Block,
  fails: Fails | null,
  column: Uint8Array | Uint16Array | Uint32Array,
  counts: Uint32Array,
  own: number,
): void {
  for (let at = 0; at < length; at++) {
    // Adds 0 or 1 instead of branching: a processor cannot predict which documents a filter refuses.
    const isCounted = fails === null || ((fails[at] ?? 0) & ~own) === 0;
    const value = column[places[at] ?? 0] ?? 0;
    counts[value] = (counts[value] ?? 0) + Number(isCounted);
  }
}

/** Counts documents as `tally` does, by the number of `bounds` (ascending) that the value reaches. */
function tallyFrom(
  { places, length }: Block,
  fails: Fails | null,
  column: Uint16Array | Uint32Array,
  bounds: Float64Array,
  counts: Uint32Array,
  own: number,
): void {
  for (let at = 0; at < length; at++) {
    const isCounted = fails === null || ((fails[at] ?? 0) & ~own) === 0;
    addReached(column[places[at] ?? 0] ?? 0, bounds, counts, isCounted);
  }
}

function add<T>(counts: Map<T, number>, key: T, count: number): void {
  if (count > 0) counts.set(key, (counts.get(key) ?? 0) + count);
}
