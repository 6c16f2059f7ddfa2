import { FILE_TYPES, FIRST_YEAR, FREE_BIT, TYPE_BITS } from './document.ts';
import type { Block } from './each-match.ts';
import { FAILS } from './filter.ts';
import type { FacetOrder, Facets } from './query.ts';
import type { Segment } from './segment.ts';

export const noFacets = (order?: FacetOrder): Facets => ({
  themes: new Map(),
  fileTypes: new Map(),
  industries: new Map(),
  years: new Map(),
  free: 0,
  since: (order?.since ?? []).map(() => 0),
  pagesFrom: (order?.pagesFrom ?? []).map(() => 0),
});

export type FacetCounter = {
  /** `fails` null: all of them are hits. */
  count(block: Block, fails: Uint8Array | null): void;
  addTo(facets: Facets): void;
};

/** Counts by place in the segment's dictionaries, which are few; told in ids at the end. */
export function createFacetCounter(segment: Segment, order: FacetOrder): FacetCounter {
  const { types, themeSets, industries, years, createdSeconds, pages } = segment.columns;
  const ofType = new Uint32Array(8);
  const ofPrice = new Uint32Array(8);
  const ofSet = new Uint32Array(segment.themeSets.values.length);
  const ofIndustry = new Uint32Array(segment.industries.values.length);
  const ofYear = new Uint32Array(256);
  const seconds = order.since.map((ms) => Math.floor(ms / 1_000));
  const bounds = { since: Float64Array.from(seconds).sort(), pages: Float64Array.from(order.pagesFrom) };
  const ofSince = new Uint32Array(bounds.since.length + 1);
  const ofPages = new Uint32Array(bounds.pages.length + 1);

  return {
    count(block, fails) {
      tally(block, fails, types, ofType, FAILS.type);
      tally(block, fails, themeSets, ofSet, FAILS.theme);
      tally(block, fails, industries, ofIndustry, FAILS.industry);
      tally(block, fails, years, ofYear, FAILS.created);
      tally(block, fails, types, ofPrice, FAILS.free);
      tallyFrom(block, fails, createdSeconds, bounds.since, ofSince, FAILS.created);
      tallyFrom(block, fails, pages, bounds.pages, ofPages, FAILS.pages);
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
      segment.industries.values.forEach((id, at) => id > 0 && add(facets.industries, id, ofIndustry[at] ?? 0));
      ofYear.forEach((count, year) => add(facets.years, year + FIRST_YEAR, count));
      ofPrice.forEach((count, bits) => (facets.free += bits & FREE_BIT ? count : 0));
      seconds.forEach((second, at) => {
        // Whatever is at or above it: all classes from its own on.
        const own = bounds.since.indexOf(second) + 1;
        facets.since[at] = ofSince.subarray(own).reduce((sum, count) => sum + count, facets.since[at] ?? 0);
      });
      facets.pagesFrom.forEach((count, at) => (facets.pagesFrom[at] = count + (ofPages[at + 1] ?? 0)));
    },
  };
}

/** Counts the values of a column, of documents that fail no filter but their own. */
function tally(
  { places, length }: Block,
  fails: Uint8Array | null,
  column: Uint8Array | Uint16Array | Uint32Array,
  counts: Uint32Array,
  own: number,
): void {
  for (let at = 0; at < length; at++) {
    // Added rather than skipped: what a filter refuses no processor can foresee.
    const isCounted = fails === null || ((fails[at] ?? 0) & ~own) === 0;
    const value = column[places[at] ?? 0] ?? 0;
    counts[value] = (counts[value] ?? 0) + Number(isCounted);
  }
}

/** The same by the number of `bounds` (ascending) that a value reaches. */
function tallyFrom(
  { places, length }: Block,
  fails: Uint8Array | null,
  column: Uint16Array | Uint32Array,
  bounds: Float64Array,
  counts: Uint32Array,
  own: number,
): void {
  for (let at = 0; at < length; at++) {
    const isCounted = fails === null || ((fails[at] ?? 0) & ~own) === 0;
    const value = column[places[at] ?? 0] ?? 0;
    let reached = 0;
    for (let bound = 0; bound < bounds.length; bound++) reached += Number(value >= (bounds[bound] ?? 0));
    counts[reached] = (counts[reached] ?? 0) + Number(isCounted);
  }
}

function add<T>(counts: Map<T, number>, key: T, count: number): void {
  if (count > 0) counts.set(key, (counts.get(key) ?? 0) + count);
}
