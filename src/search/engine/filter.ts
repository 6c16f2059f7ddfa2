import { FILE_TYPES, FIRST_YEAR, FREE_BIT } from './document.ts';
import type { Block } from './each-match.ts';
import type { Filter, Result } from './query.ts';
import type { Segment } from './segment.ts';

const TYPE_BITS = 3;

/** One bit for each filter a document fails. Zero: it is a hit. A facet also counts those that fail only its own. */
const FAILS = { type: 1, theme: 2, industry: 4, year: 8, rest: 16 } as const;

/** A column whose value, or its entry in `isAllowed`, decides; `max` and `min` are both allowed. */
type Test = { bit: number; column: Uint8Array | Uint16Array | Uint32Array } & (
  | { isAllowed: Uint8Array }
  | { min: number; max: number }
);

/** Says of a block's documents which filters they fail. */
export type Sieve = (block: Block, fails: Uint8Array) => void;

/** A filter as it stands for one segment; null when there is none. Goes through the block one column at a time. */
export function createSieve(filter: Filter, segment: Segment): Sieve | null {
  const tests = testsOf(filter, segment);
  if (tests.length === 0) return null;
  return (block, fails) => {
    fails.fill(0, 0, block.length);
    for (const test of tests) {
      if ('isAllowed' in test) markRefused(block, fails, test.column, test.isAllowed, test.bit);
      else markOutside(block, fails, test.column, test.min, test.max, test.bit);
    }
  };
}

function testsOf({ fileTypes, themeId, industryId, since, year, pages, isFree }: Filter, segment: Segment): Test[] {
  const { columns, themeSets, industries } = segment;
  const allowing = (length: number, isIt: (value: number) => boolean) =>
    Uint8Array.from({ length }, (_, value) => Number(isIt(value)));
  const tests: Test[] = [];
  if (fileTypes) {
    const isAllowed = allowing(8, (value) =>
      fileTypes.some((type) => FILE_TYPES.indexOf(type) === (value & TYPE_BITS)),
    );
    tests.push({ bit: FAILS.type, column: columns.types, isAllowed });
  }
  if (themeId !== undefined) {
    const isAllowed = Uint8Array.from(themeSets.values, (set) => Number(set.includes(themeId)));
    tests.push({ bit: FAILS.theme, column: columns.themeSets, isAllowed });
  }
  if (industryId !== undefined) {
    const isAllowed = Uint8Array.from(industries.values, (id) => Number(id === industryId));
    tests.push({ bit: FAILS.industry, column: columns.industries, isAllowed });
  }
  if (year !== undefined)
    tests.push({ bit: FAILS.year, column: columns.years, min: year - FIRST_YEAR, max: year - FIRST_YEAR });
  if (since !== undefined)
    tests.push({ bit: FAILS.rest, column: columns.createdSeconds, min: Math.floor(since / 1_000), max: Infinity });
  if (pages) tests.push({ bit: FAILS.rest, column: columns.pages, ...pages });
  if (isFree !== undefined) {
    const isAllowed = allowing(8, (value) => (value & FREE_BIT) === (isFree ? FREE_BIT : 0));
    tests.push({ bit: FAILS.rest, column: columns.types, isAllowed });
  }
  return tests;
}

function markRefused(
  { places, length }: Block,
  fails: Uint8Array,
  column: Test['column'],
  isAllowed: Uint8Array,
  bit: number,
): void {
  for (let at = 0; at < length; at++)
    if (isAllowed[column[places[at] ?? 0] ?? 0] !== 1) fails[at] = (fails[at] ?? 0) | bit;
}

function markOutside(
  { places, length }: Block,
  fails: Uint8Array,
  column: Test['column'],
  min: number,
  max: number,
  bit: number,
): void {
  for (let at = 0; at < length; at++) {
    const value = column[places[at] ?? 0] ?? 0;
    if (value < min || value > max) fails[at] = (fails[at] ?? 0) | bit;
  }
}

export type FacetCounter = {
  /** `fails` null: all of them are hits. */
  count(block: Block, fails: Uint8Array | null): void;
  addTo(facets: Result['facets']): void;
};

/** Counts by place in the segment's dictionaries, which are few; told in ids at the end. */
export function createFacetCounter(segment: Segment): FacetCounter {
  const { types, themeSets, industries, years } = segment.columns;
  const ofType = new Uint32Array(8);
  const ofSet = new Uint32Array(segment.themeSets.values.length);
  const ofIndustry = new Uint32Array(segment.industries.values.length);
  const ofYear = new Uint32Array(256);

  return {
    count(block, fails) {
      tally(block, fails, types, ofType, FAILS.type);
      tally(block, fails, themeSets, ofSet, FAILS.theme);
      tally(block, fails, industries, ofIndustry, FAILS.industry);
      tally(block, fails, years, ofYear, FAILS.year);
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
    },
  };
}

/** Counts the values of a column, of documents that fail no filter but their own. */
function tally(
  { places, length }: Block,
  fails: Uint8Array | null,
  column: Test['column'],
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

function add<T>(counts: Map<T, number>, key: T, count: number): void {
  if (count > 0) counts.set(key, (counts.get(key) ?? 0) + count);
}
