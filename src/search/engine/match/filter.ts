import { FILTER_BITS } from '../../../library/document-filter.ts';
import { FILE_TYPES, FIRST_YEAR, FREE_BIT, TYPE_BITS, TYPE_VALUES } from '../format/document.ts';
import { FILTER_LABELS, LABEL_COLUMNS } from '../format/layout.ts';
import type { Block } from './each-match.ts';
import type { Filter } from './query.ts';
import type { Segment } from './segment.ts';

/** A condition on a column: the value, or its entry in `isAllowed`, decides; `min` and `max` are included. */
type ColumnTest = { bit: number; column: Uint8Array | Uint16Array | Uint32Array } & (
  | { isAllowed: Uint8Array }
  | { min: number; max: number }
);
/** `isRefused`: by place. */
type Test = ColumnTest | { bit: number; isRefused: Uint8Array };

/** The bit of documents that a query refuses: no field of a filter has it, so no facet counts them. */
const REFUSED = 1 << 15;

/** For each document of a block the bits of FILTER_BITS. Wider than a byte: there are nine filters. */
export type Fails = Uint16Array;

/** Computes which filters the documents of a block fail. */
type Sieve = (block: Block, fails: Fails) => void;

/** Prepares a filter for one segment; null without a filter. It processes a block column by column. */
export function createSieve(filter: Filter, segment: Segment): Sieve | null {
  const tests = testsOf(filter, segment);
  if (tests.length === 0) return null;
  return (block, fails) => {
    fails.fill(0, 0, block.length);
    for (const test of tests) {
      if ('isRefused' in test) markPlaces(block, fails, test.isRefused, test.bit);
      else if ('isAllowed' in test) markRefused(block, fails, test.column, test.isAllowed, test.bit);
      else markOutside(block, fails, test.column, test.min, test.max, test.bit);
    }
  };
}

function testsOf(filter: Filter, segment: Segment): Test[] {
  const { fileTypes, themeId, since, year, pages, isFree, budget, people, days, without } = filter;
  const { columns, themeSets, labels } = segment;
  const allowing = (length: number, isIt: (value: number) => boolean) =>
    Uint8Array.from({ length }, (_, value) => Number(isIt(value)));
  const tests: Test[] = [];
  if (fileTypes) {
    const isAllowed = allowing(TYPE_VALUES, (value) =>
      fileTypes.some((type) => FILE_TYPES.indexOf(type) === (value & TYPE_BITS)),
    );
    tests.push({ bit: FILTER_BITS.fileKind, column: columns.fileTypes, isAllowed });
  }
  if (themeId !== undefined) {
    const isAllowed = Uint8Array.from(themeSets.values, (set) => Number(set.includes(themeId)));
    tests.push({ bit: FILTER_BITS.themeId, column: columns.themeSets, isAllowed });
  }
  for (const label of LABEL_COLUMNS) {
    const { field } = FILTER_LABELS[label];
    if (filter[field] === undefined) continue;
    const isAllowed = Uint8Array.from(labels[label].values, (id) => Number(id === filter[field]));
    tests.push({ bit: FILTER_BITS[field], column: columns[label], isAllowed });
  }
  if (year !== undefined)
    tests.push({ bit: FILTER_BITS.created, column: columns.years, min: year - FIRST_YEAR, max: year - FIRST_YEAR });
  if (since !== undefined)
    tests.push({
      bit: FILTER_BITS.created,
      column: columns.createdSeconds,
      min: Math.floor(since / 1_000),
      max: Infinity,
    });
  if (pages) tests.push({ bit: FILTER_BITS.pageBand, column: columns.pages, ...pages });
  if (budget) tests.push({ bit: FILTER_BITS.budgetBand, column: columns.budgets, ...budget });
  if (people) tests.push({ bit: FILTER_BITS.peopleBand, column: columns.people, ...people });
  if (days) tests.push({ bit: FILTER_BITS.daysBand, column: columns.days, ...days });
  if (isFree !== undefined) {
    const isAllowed = allowing(TYPE_VALUES, (value) => (value & FREE_BIT) === (isFree ? FREE_BIT : 0));
    tests.push({ bit: FILTER_BITS.isFree, column: columns.fileTypes, isAllowed });
  }
  if (without) {
    const places = without.flatMap((id) => segment.placeOf(id) ?? []);
    const isRefused = new Uint8Array(places.length > 0 ? segment.documents : 0);
    for (const place of places) isRefused[place] = 1;
    tests.push({ bit: REFUSED, isRefused });
  }
  return tests;
}

function markPlaces({ places, length }: Block, fails: Fails, isMarked: Uint8Array, bit: number): void {
  for (let at = 0; at < length; at++) if (isMarked[places[at] ?? 0] === 1) fails[at] = (fails[at] ?? 0) | bit;
}

function markRefused(
  { places, length }: Block,
  fails: Fails,
  column: ColumnTest['column'],
  isAllowed: Uint8Array,
  bit: number,
): void {
  for (let at = 0; at < length; at++)
    if (isAllowed[column[places[at] ?? 0] ?? 0] !== 1) fails[at] = (fails[at] ?? 0) | bit;
}

function markOutside(
  { places, length }: Block,
  fails: Fails,
  column: ColumnTest['column'],
  min: number,
  max: number,
  bit: number,
): void {
  for (let at = 0; at < length; at++) {
    const value = column[places[at] ?? 0] ?? 0;
    if (value < min || value > max) fails[at] = (fails[at] ?? 0) | bit;
  }
}
