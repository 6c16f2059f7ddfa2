import { FILE_TYPES, FIRST_YEAR, FREE_BIT, TYPE_BITS } from './document.ts';
import type { Block } from './each-match.ts';
import type { Filter } from './query.ts';
import type { Segment } from './segment.ts';

/** One bit per filter that a document fails; 0 means a hit. A facet also counts documents that fail only its own filter. */
export const FAILS = { type: 1, theme: 2, industry: 4, created: 8, pages: 16, free: 32 } as const;

/** A condition on a column: the value, or its entry in `isAllowed`, decides; `min` and `max` are included. */
type Test = { bit: number; column: Uint8Array | Uint16Array | Uint32Array } & (
  | { isAllowed: Uint8Array }
  | { min: number; max: number }
);

/** Computes which filters the documents of a block fail. */
export type Sieve = (block: Block, fails: Uint8Array) => void;

/** Prepares a filter for one segment; null without a filter. It processes a block column by column. */
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
    tests.push({ bit: FAILS.created, column: columns.years, min: year - FIRST_YEAR, max: year - FIRST_YEAR });
  if (since !== undefined)
    tests.push({ bit: FAILS.created, column: columns.createdSeconds, min: Math.floor(since / 1_000), max: Infinity });
  if (pages) tests.push({ bit: FAILS.pages, column: columns.pages, ...pages });
  if (isFree !== undefined) {
    const isAllowed = allowing(8, (value) => (value & FREE_BIT) === (isFree ? FREE_BIT : 0));
    tests.push({ bit: FAILS.free, column: columns.types, isAllowed });
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
